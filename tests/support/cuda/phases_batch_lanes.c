// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of the CPU backend's phases (phases.h): batches. Their sources once more, with a barrier
/// that takes notes.
#define viper_barrier no_barrier
#include "viper/cpu/batch/access.h"
#undef viper_barrier
#undef viper_batch_sweeps
#undef viper_batch_direct
#define viper_barrier      phases_barrier
#define viper_batch_sweeps phases_batch_sweeps
#define viper_batch_direct phases_batch_direct

#include "cuda/phases_lanes.h"
#include "viper/cpu/batch/batches.h"

static void viper_barrier(const viper_access *w);
static void viper_batch_sweeps(viper_access *w, const viper_settings *settings);
static void viper_batch_direct(viper_access *w, const viper_settings *settings)
    __attribute__((unused));

#include "viper/cpu/batch/direct_lanes.c"
#include "viper/cpu/batch/sweeps_lanes.c"

static void phases_put(const viper_access *w, phases *p, viper_at at, int32_t first, size_t from,
                       int width, const viper_real *x) {
  for (int lane = 0; lane < w->batch->n_bodies; lane++) {
    double *out = phases_room(p, w->batch->body[lane], from + (size_t)(at - first) * (size_t)width,
                              (size_t)width);
    for (int k = 0; k < width; k++)
      out[k] = (double)x[k][lane];
  }
}

static void phases_put_entries(const viper_access *w, phases *p, size_t from, int width,
                               const viper_real *x) {
  phases_put(w, p, 0, 0, from, width, x);
}

static void phases_put_wide(const viper_access *w, phases *p, viper_wide x) {
  for (int lane = 0; lane < w->batch->n_bodies; lane++)
    *phases_room(p, w->batch->body[lane], 0, 1) = x[lane];
}

static void phases_begin(const viper_access *w) {
  (void)w;
}

static void phases_end(const viper_access *w, phases *p, phases_note_type type, size_t n) {
  for (int lane = 0; lane < w->batch->n_bodies; lane++)
    phases_close(p, w->batch->body[lane], type, n);
}

#define PHASES_FN static
#define PHASES_DIRECT
#define PHASES_MATRIX(w) viper_matrix_of(w)
#include "cuda/phases_log.h"

static bool sweeping;

static void viper_barrier(const viper_access *w) {
  viper_access mine = *w;
  if (sweeping && phases_now)
    phases_note(&mine, phases_now, PHASES_SWEPT);
}

static void iterate_batch(viper_access *w, const viper_settings *settings) {
  if (phases_now && !settings->continued)
    phases_note(w, phases_now, PHASES_PREDICTED);
  if (phases_now)
    phases_clear(w, phases_now);
  sweeping = settings->method != VIPER_DIRECT;
  if (settings->method != VIPER_DIRECT)
    viper_batch_sweeps(w, settings);
  else if (phases_now)
    phases_of_direct(w, phases_now, settings, w->batch->group->uniform);
  else
    viper_batch_direct(w, settings);
  sweeping = false;
}

static void iterate(void *self, const viper_settings *settings, const viper_advance *advance) {
  viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    const viper_body_group *kind = l->batch[i].group;
    viper_scratch scratch = viper_scratch_for(l, i, 0);
    viper_access w = {&l->batch[i],
                      &l->uniform[kind - l->body_groups->group],
                      &scratch,
                      kind->model,
                      kind->adjacency,
                      kind->elimination,
                      (viper_scalar)advance->inertia_h,
                      false,
                      false,
                      {0}};
    iterate_batch(&w, settings);
  }
}

static bool substep(void *self, const viper_settings *settings, const viper_advance *advance) {
  VIPER_NAME(viper_lanes).begin(self, settings, advance);
  iterate(self, settings, advance);
  return VIPER_NAME(viper_lanes).end(self, settings, advance);
}

/// Substeps are always done in parts.
static vb_status create(const viper_model *model, const viper_body_groups *body_groups,
                        const viper_boundary *boundary, const viper_settings *settings,
                        bool split_substep, void **out, vb_error *error) {
  (void)split_substep;
  return VIPER_NAME(viper_lanes).create(model, body_groups, boundary, settings, true, out, error);
}

const viper_lanes_api *phases_lanes(void) {
  static viper_lanes_api table;
  table = VIPER_NAME(viper_lanes);
  table.create = create;
  table.substep = substep;
  table.iterate = iterate;
  table.sweep = phases_single_sweeps;
  table.direct = phases_single_direct;
  return &table;
}
