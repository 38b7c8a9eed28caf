// SPDX-License-Identifier: GPL-3.0-or-later
/// Batches of single bodies, as those that bundles tie to each other are: their data stay in arrays
/// over the model, where drivers, loads, activations, bundles and contacts change them. An
/// iteration gathers the bodies of a batch, one into each lane, and scatters what it moved.
#include "viper/cpu/batch/batches.h"
#include "viper/cpu/batch/gathered.h"
#include "viper/cpu/core/arrays.h"
#include "viper/cpu/core/gathered.h"
#include "viper/cpu/core/rows.h"

#include <omp.h>
#include <stdlib.h>

typedef struct gathered {
  viper_lanes *lanes;
  viper_contraction **active; ///< [threads][segments of the longest body]; null without activations
} gathered;

/// Where the nodes, or segments, of the bodies in the lanes begin.
static viper_rows first_rows(const viper_lanes *l, const viper_batch *b, bool segments) {
  viper_rows at = {.n = b->n_bodies};
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_model_body *body = &l->model->body[b->body[lane]];
    at.i[lane] = segments ? body->first_segment : body->first_node;
  }
  return at;
}

/// Reads `count` rows of `n` scalars of each lane's body, into as many elements of `n` vectors.
static void gather(const viper_scalar *from, viper_rows at, size_t count, int n, void *to) {
  viper_real *out = to;
  for (size_t e = 0; e < count; e++, out += n) {
    viper_gather_rows(from, &at, n, 0, n, out);
    for (int lane = 0; lane < VIPER_LANES; lane++)
      at.i[lane]++;
  }
}

/// Writes them, of lanes with a body of their own.
static void scatter(const void *from, viper_rows at, size_t count, int n, viper_scalar *to) {
  const viper_real *x = from;
  for (size_t e = 0; e < count; e++, x += n) {
    viper_scatter_rows(to, &at, n, 0, n, x);
    for (int lane = 0; lane < VIPER_LANES; lane++)
      at.i[lane]++;
  }
}

#define GATHER(from, rows, count, type, to) gather((from), (rows), (count), VIPER_REALS(type), (to))

static void gather_batch(const viper_lanes *l, viper_batch *b, const viper_arrays *a,
                         bool continued, viper_gathered_access *g) {
  const viper_rows node = first_rows(l, b, false), frame = first_rows(l, b, true);
  const size_t n = b->group->model->n_nodes, m = b->group->model->n_segments;
  viper_scratch *s = g->w.scratch;
  GATHER(a->node, node, n, viper_node_x, b->node);
  GATHER(a->node_hat, node, n, viper_node_x, b->node_hat);
  GATHER(a->frame, frame, m, viper_quat, b->frame);
  GATHER(a->frame_hat, frame, m, viper_quat, b->frame_hat);
  GATHER(a->node_inertia, node, n, viper_node_inertia, b->node_inertia); // penalties change it
  GATHER(a->inertia, frame, m, viper_real, s->inertia);
  if (g->active)
    GATHER(a->active, frame, m, viper_contraction, g->active);
  if (continued)
    return;
  GATHER(a->node_old, node, n, viper_node_x, s->node_old);
  GATHER(a->frame_old, frame, m, viper_quat, s->frame_old);
  GATHER(a->node_rate, node, n, viper_node_x, b->node_rate);
}

static void solve_batch(const gathered *self, viper_batch *b, const viper_arrays *a,
                        const viper_settings *settings, double h) {
  const viper_lanes *l = self->lanes;
  const viper_body_group *group = b->group;
  const int thread = omp_get_thread_num();
  viper_gathered_access g = {.w = {.batch = b,
                                   .scratch = &l->scratch[thread],
                                   .model = group->model,
                                   .adjacency = group->adjacency,
                                   .elimination = group->elimination,
                                   .h = (viper_scalar)h},
                             .active = self->active ? self->active[thread] : NULL};
  gather_batch(l, b, a, settings->continued, &g);
  viper_gathered_direct(&g, settings);
  scatter(b->node, first_rows(l, b, false), group->model->n_nodes, VIPER_REALS(viper_node_x),
          a->node);
  scatter(b->frame, first_rows(l, b, true), group->model->n_segments, VIPER_REALS(viper_quat),
          a->frame);
}

static void direct(void *of, const viper_arrays *arrays, const viper_settings *settings, double h) {
  const gathered *self = of;
  viper_lanes *l = self->lanes;
  const int threads = settings->threads < l->n_threads ? settings->threads : l->n_threads;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
  for (int32_t i = 0; i < l->n_batches; i++)
    solve_batch(self, &l->batch[i], arrays, settings, h);
}

static void destroy(void *of) {
  gathered *self = of;
  if (!self)
    return;
  for (int t = 0; self->active && t < self->lanes->n_threads; t++)
    free(self->active[t]);
  free(self->active);
  viper_batches_destroy(self->lanes);
  free(self);
}

/// Room for the activations of a batch, for each thread; false without memory.
static bool make_active(gathered *self) {
  const viper_lanes *l = self->lanes;
  size_t most = 0;
  for (size_t k = 0; k < l->body_groups->n_groups; k++) {
    const size_t n = l->body_groups->group[k].model->n_segments;
    most = n > most ? n : most;
  }
  self->active = calloc((size_t)l->n_threads + 1, sizeof *self->active);
  bool done = self->active;
  for (int t = 0; done && t < l->n_threads; t++) {
    self->active[t] = viper_zeroed(most * sizeof **self->active);
    done = self->active[t];
  }
  return done;
}

static vb_status create(const viper_model *model, const viper_body_groups *body_groups,
                        const viper_boundary *boundary, const viper_settings *settings, void **out,
                        vb_error *error) {
  gathered *self = calloc(1, sizeof *self);
  void *lanes = NULL;
  if (!self)
    return vb_error_memory(error);
  vb_status status =
      viper_batches_create(model, body_groups, boundary, settings, false, &lanes, error);
  self->lanes = lanes;
  if (!status && model->n_activations > 0 && !make_active(self))
    status = vb_error_memory(error);
  if (status) {
    destroy(self);
    return status;
  }
  *out = self;
  return VB_OK;
}

const viper_gathered_api VIPER_NAME(viper_gathered) = {create, destroy, direct};
