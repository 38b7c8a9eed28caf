// SPDX-License-Identifier: GPL-3.0-or-later
/// Tiles of long chains: their memory.
#include "viper/cpu/tiles/tiles_lanes.h"

/// Lays out what a thread needs to sweep tiles of `n` nodes, `solid` where segments of the model
/// may be of the material model solid; returns its size.
static size_t lay(viper_batch *b, viper_scratch *s, char *block, size_t n, bool solid,
                  viper_method method) {
  size_t at = 0;
#define TAKE(name, type, place, set, spare) b->name = viper_take(block, &at, n, sizeof *b->name);
  VIPER_STATE_FIELDS(TAKE) // the first array of the block is node
#undef TAKE
  b->node_inertia = viper_take(block, &at, n, sizeof *b->node_inertia);
  b->segment = viper_take(block, &at, n, sizeof *b->segment);
  b->solid = viper_take(block, &at, solid ? n : 0, sizeof *b->solid);
  b->joint = viper_take(block, &at, n, sizeof *b->joint);
  if (viper_method_has(method, VIPER_NOTES)) {
    b->segment_spring = viper_take(block, &at, n, sizeof *b->segment_spring);
    b->joint_spring = viper_take(block, &at, n, sizeof *b->joint_spring);
  }
  viper_take_fields(s, block, &at, (viper_most){n, n, n, 0, 0, 0, 0}, viper_traits(method));
  return at;
}

void viper_tiles_destroy(void *self) {
  viper_tiles *w = self;
  if (!w)
    return;
  for (size_t k = 0; w->lanes && k < w->n_tilings; k++) {
    for (int32_t i = 0; w->lanes[k].free && i < w->tiling[k].n_special; i++)
      free(w->lanes[k].free[i]);
    free(w->lanes[k].uniform.node_inertia);
  }
  for (int t = 0; w->batch && t < w->n_threads; t++)
    free(w->batch[t].node);
  vb_arena_clear(&w->memory);
  free(w);
}

/// Notes what is pinned in the special tiles, batch by batch and lane by lane.
static bool note_pins(const viper_model *m, const viper_tiling *c, vb_arena *memory,
                      viper_tiling_lanes *out) {
  VB_TAKE(memory, out->free, (size_t)c->n_special);
  for (size_t k = 0; out->free && k < c->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[c->pin[k].pin];
    const int32_t i = c->pin[k].tile / VIPER_LANES, lane = c->pin[k].tile % VIPER_LANES;
    const int32_t first = m->body[c->body].first_node + c->tile[c->pin[k].tile].first;
    const size_t n = (size_t)c->length;
    viper_real *free = out->free[i];
    if (!free) {
      free = out->free[i] = viper_zeroed(5 * n * sizeof *free);
      if (!free)
        return false;
      for (size_t e = 0; e < 5 * n; e++)
        free[e] = viper_splat(1);
    }
    if (pin->location == VB_AT_SEGMENT) {
      viper_chain_order own = viper_tile_order(&c->segments, c->length - 1);
      free[4 * n + (size_t)viper_chain_at(&own, m->segment[pin->index].node[0] - first)][lane] = 0;
    } else
      for (int c4 = 0; c4 < 4; c4++)
        if (pin->mask >> c4 & 1)
          free[4 * (size_t)(pin->index - first) + (size_t)c4][lane] = 0;
  }
  return out->free != NULL;
}

/// For each thread, but for no more than a tiling has batches of tiles.
static bool make_scratch(viper_tiles *w, int threads) {
  size_t longest = 0;
  int most = 0;
  for (size_t k = 0; k < w->n_tilings; k++) {
    const viper_tiling *c = &w->tiling[k];
    int batches = viper_tile_batches(c->n_special) + viper_tile_batches(c->n - c->n_special);
    most = batches > most ? batches : most;
    longest = c->n > 0 && (size_t)c->length > longest ? (size_t)c->length : longest;
  }
  threads = threads < most ? threads : most;
  VB_TAKE(&w->memory, w->batch, (size_t)threads);
  VB_TAKE(&w->memory, w->scratch, (size_t)threads);
  for (; !w->memory.failed && w->n_threads < threads; w->n_threads++) {
    viper_batch *b = &w->batch[w->n_threads];
    viper_scratch *s = &w->scratch[w->n_threads];
    char *block = viper_zeroed(lay(b, s, NULL, longest, w->model->n_solids > 0, w->method));
    if (!block)
      return false;
    lay(b, s, block, longest, w->model->n_solids > 0, w->method);
  }
  return !w->memory.failed;
}

vb_status viper_tiles_create(const viper_model *model, const viper_tiling *tiling, size_t n,
                             viper_method method, int threads, void **out, vb_error *error) {
  viper_tiles *w = calloc(1, sizeof *w);
  if (!w)
    return vb_error_memory(error);
  w->model = model;
  w->tiling = tiling;
  w->n_tilings = n;
  w->method = method;
  bool done = VB_TAKE(&w->memory, w->lanes, n) && make_scratch(w, threads);
  for (size_t k = 0; done && k < n; k++) {
    done = note_pins(model, &tiling[k], &w->memory, &w->lanes[k]);
    if (done && tiling[k].plain.uniform)
      done = viper_uniform_create(tiling[k].plain.model, &w->lanes[k].uniform);
  }
  if (!done) {
    viper_tiles_destroy(w);
    return vb_error_memory(error);
  }
  *out = w;
  return VB_OK;
}

vb_status viper_tiles_reserve(void *self, const viper_settings *settings, vb_error *error) {
  viper_tiles *w = self;
  size_t n = w->model->n_nodes, s = w->model->n_segments, t = w->model->n_joints;
  size_t lambdas = viper_method_has(w->method, VIPER_MULTIPLIERS) ? 2 : 0;
  if (w->node || settings->iterations <= VIPER_TILE_SWEEPS)
    return VB_OK;
  if (!VB_TAKE(&w->memory, w->node,
               4 * n + 4 * s + lambdas * (VIPER_SEGMENT_ROWS * s + VIPER_JOINT_ROWS * t)))
    return vb_error_memory(error);
  w->frame = w->node + 4 * n;
  viper_scalar *at = w->frame + 4 * s;
  for (size_t k = 0; k < lambdas; k++) {
    w->segment_lambda[k] = at;
    w->joint_lambda[k] = at + VIPER_SEGMENT_ROWS * s;
    at = w->joint_lambda[k] + VIPER_JOINT_ROWS * t;
  }
  return VB_OK;
}
