// SPDX-License-Identifier: GPL-3.0-or-later
/// How the notes of phases_log.h reach a single body's elements.
#ifndef VB_TESTS_SUPPORT_PHASES_SINGLE_H
#define VB_TESTS_SUPPORT_PHASES_SINGLE_H

static int32_t phases_body(const viper_access *w) {
  return (int32_t)(w->body - w->model->body);
}

static void phases_put(const viper_access *w, phases *p, viper_at at, int32_t first, size_t from,
                       int width, const viper_real *x) {
  for (int lane = 0; lane < at.n; lane++) {
    size_t i = (size_t)(at.i[lane] - first);
    double *out = phases_room(p, phases_body(w), from + i * (size_t)width, (size_t)width);
    for (int k = 0; k < width; k++)
      out[k] = (double)x[k][lane];
  }
}

static void phases_begin(const viper_access *w) {
  (void)w;
}

static void phases_end(const viper_access *w, phases *p, phases_note_type type, size_t n) {
  phases_close(p, phases_body(w), type, n);
}

#endif
