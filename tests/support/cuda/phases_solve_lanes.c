// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of the CPU backend's phases (phases.h): `direct` on single bodies.
#define VIPER_NO_ADJACENCY
#include "viper/cpu/single/access.h"
#include "viper/cpu/single/single.h"
#undef viper_single_direct
#define viper_single_direct phases_direct

#include "cuda/phases_lanes.h"

static void viper_single_direct(const viper_arrays *arrays, const viper_model_body *body,
                                const viper_settings *settings, double h,
                                viper_thread_group thread_group);

#undef VIPER_NO_ADJACENCY
#include "viper/cpu/single/direct_lanes.c"

#include "cuda/phases_single.h"

static void phases_put_entries(const viper_access *w, phases *p, size_t from, int width,
                               const viper_scalar *x) {
  double *out = phases_room(p, phases_body(w), from, (size_t)width);
  for (int k = 0; k < width; k++)
    out[k] = (double)x[k];
}

static void phases_put_wide(const viper_access *w, phases *p, double x) {
  *phases_room(p, phases_body(w), 0, 1) = x;
}

#define PHASES_FN static __attribute__((unused))
#define PHASES_DIRECT
#define PHASES_MATRIX(w) matrix_of(w)
#include "cuda/phases_log.h"

void phases_single_direct(const viper_arrays *a, const viper_model_body *body,
                          const viper_settings *settings, double h,
                          viper_thread_group thread_group) {
  viper_access w = {a,
                    a->model,
                    a->adjacency,
                    body,
                    thread_group,
                    (viper_scalar)h,
                    NULL,
                    false,
                    {0},
                    settings->dynamics == VIPER_STATIC,
                    false};
  if (!phases_now) {
    viper_single_direct(a, body, settings, h, thread_group);
    return;
  }
  if (!settings->continued)
    phases_note(&w, phases_now, PHASES_PREDICTED);
  phases_of_direct(&w, phases_now, settings, false);
}
