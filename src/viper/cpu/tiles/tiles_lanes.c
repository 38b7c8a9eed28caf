// SPDX-License-Identifier: GPL-3.0-or-later
/// Sweeps over long chains in tiles, one in a lane: what tiles see of a chain is brought into
/// lanes, swept as any batch is, and what they own is brought back.
#include "viper/cpu/tiles/tiles_lanes.h"

#include "viper/cpu/core/arrays.h"
#include "viper/cpu/core/rows.h"

#include <omp.h>
#include <string.h>

/// Tiles at work, one in each lane.
typedef struct tile_batch {
  const viper_tile *tile[VIPER_LANES]; ///< idle lanes repeat the first
  int n;                               ///< lanes in use
  int32_t number;                      ///< of the first of them
  bool special;
  const viper_chain_order *segments, *joints;
  viper_chain_order own_segments, own_joints; ///< in the model of a tile
} tile_batch;

/// Where a pass of sweeps takes the state and the multipliers from, and where it leaves them.
typedef struct pass {
  bool first, last;
  const viper_scalar *node, *frame, *segment_lambda, *joint_lambda;
  viper_scalar *node_out, *frame_out, *segment_lambda_out, *joint_lambda_out;
} pass;

/// A stretch of a batch's rows that lie one after the other: those of one color, or all.
typedef struct stretch {
  viper_rows from;                              ///< its first row in each lane
  int32_t first, count;                         ///< in the model of a tile
  int32_t begin[VIPER_LANES], end[VIPER_LANES]; ///< which of its rows a tile owns
} stretch;

/// Number `k` of the stretches of `order` (nodes, which all lie along, are one), in each tile
/// `count` elements, of which the chain has `whole` from row `base` on.
static void find_stretch(const tile_batch *g, const viper_chain_order *order,
                         const viper_chain_order *own, int k, int32_t count, stretch *out) {
  const int32_t n = order->n;
  out->first = own->first[k];
  out->count = (count - k + n - 1) / n;
  out->from.n = g->n;
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_tile *w = g->tile[lane];
    const int32_t begin = (w->begin - w->first - k + n - 1) / n;
    const int32_t end = (w->end - w->first - k + n - 1) / n;
    out->from.i[lane] = order->first[k] + w->first / n;
    out->begin[lane] = begin;
    out->end[lane] = end < out->count ? end : out->count;
  }
}

/// Brings rows of `width` scalars into lanes.
static void load(const stretch *s, const viper_scalar *rows, int width, void *out) {
  viper_rows at = s->from;
  viper_real *to = (viper_real *)out + (size_t)s->first * (size_t)width;
  for (int32_t r = 0; r < s->count; r++) {
    viper_gather_rows(rows, &at, width, 0, width, to);
    to += width;
    for (int lane = 0; lane < VIPER_LANES; lane++)
      at.i[lane]++;
  }
}

/// Brings the rows that tiles own back.
static void store(const stretch *s, const void *in, int width, viper_scalar *rows) {
  const viper_real *from = (const viper_real *)in + (size_t)s->first * (size_t)width;
  for (int32_t r = 0; r < s->count; r++) {
    viper_rows at = {.n = s->from.n};
    bool all = true, any = false;
    for (int lane = 0; lane < at.n; lane++) {
      bool owned = r >= s->begin[lane] && r < s->end[lane];
      at.i[lane] = s->from.i[lane] + r;
      all = all && owned;
      any = any || owned;
    }
    const viper_real *x = from + (size_t)r * (size_t)width;
    if (all)
      viper_scatter_rows(rows, &at, width, 0, width, x);
    for (int lane = 0; any && !all && lane < at.n; lane++)
      for (int c = 0; r >= s->begin[lane] && r < s->end[lane] && c < width; c++)
        rows[(size_t)at.i[lane] * (size_t)width + (size_t)c] = x[c][lane];
  }
}

/// Nodes begin at their prediction with no scale below its bound, frames at theirs; what is pinned
/// where it is held.
static void start(const viper_tiles *w, const viper_tiling *c, const tile_batch *g,
                  const double *pin_target, viper_batch *b) {
  const viper_real least = viper_splat((viper_scalar)VIPER_MINIMUM_SCALE);
  for (int32_t i = 0; i < c->length; i++) {
    viper_node_x x = b->node_hat[i];
    x.s = VIPER_SELECT(x.s < least, least, x.s);
    b->node[i] = x;
  }
  memcpy(b->frame, b->frame_hat, (size_t)(c->length - 1) * sizeof *b->frame);
  for (size_t k = 0; g->special && k < c->n_pins; k++) {
    const viper_tile_pin *p = &c->pin[k];
    if (p->tile < g->number || p->tile >= g->number + g->n)
      continue;
    const viper_model_pin *pin = &w->model->pin[p->pin];
    const double *target = pin_target + 4 * (size_t)p->pin;
    const int32_t first = w->model->body[c->body].first_node + c->tile[p->tile].first;
    const bool node = pin->location != VB_AT_SEGMENT;
    const int32_t at =
        node ? pin->index - first
             : viper_chain_at(&g->own_segments, w->model->segment[pin->index].node[0] - first);
    viper_real *x = node ? (viper_real *)&b->node[at] : (viper_real *)&b->frame[at];
    for (int i = 0; i < 4; i++)
      if (!node || pin->mask >> i & 1)
        x[i][p->tile - g->number] = (viper_scalar)target[i];
  }
}

static void load_nodes(const tile_batch *g, const viper_arrays *a, const pass *p,
                       int32_t first_node, int32_t length, viper_batch *b) {
  const viper_chain_order along = {{first_node}, 1}, own = {{0}, 1};
  stretch s;
  find_stretch(g, &along, &own, 0, length, &s);
  load(&s, a->node_hat, VIPER_REALS(viper_node_x), b->node_hat);
  if (!p->first)
    load(&s, p->node, VIPER_REALS(viper_node_x), b->node);
  if (!b->group->uniform)
    load(&s, a->node_inertia, VIPER_REALS(viper_node_inertia), b->node_inertia);
}

static void load_segments(const tile_batch *g, const viper_arrays *a, const pass *p, int32_t count,
                          viper_batch *b, viper_scratch *scratch) {
  stretch s;
  for (int k = 0; k < g->segments->n; k++) {
    find_stretch(g, g->segments, &g->own_segments, k, count, &s);
    load(&s, a->frame_hat, VIPER_REALS(viper_quat), b->frame_hat);
    load(&s, a->inertia, 1, scratch->inertia);
    if (!p->first)
      load(&s, p->frame, VIPER_REALS(viper_quat), b->frame);
    if (!p->first && p->segment_lambda)
      load(&s, p->segment_lambda, VIPER_SEGMENT_ROWS, scratch->segment_lambda);
    if (!b->group->uniform)
      load(&s, a->segment, VIPER_REALS(viper_segment_rest), b->segment);
    if (!b->group->uniform && b->group->model->n_solids > 0)
      load(&s, a->solid, VIPER_REALS(viper_solid_rest), b->solid);
  }
}

static void load_joints(const tile_batch *g, const viper_arrays *a, const pass *p, int32_t count,
                        viper_batch *b, viper_scratch *scratch) {
  stretch s;
  for (int k = 0; k < g->joints->n; k++) {
    find_stretch(g, g->joints, &g->own_joints, k, count, &s);
    if (!p->first && p->joint_lambda)
      load(&s, p->joint_lambda, VIPER_JOINT_ROWS, scratch->joint_lambda);
    if (!b->group->uniform)
      load(&s, a->joint, VIPER_REALS(viper_joint_rest), b->joint);
  }
}

static void store_batch(const tile_batch *g, const pass *p, int32_t first_node, int32_t length,
                        const viper_batch *b, const viper_scratch *scratch) {
  const viper_chain_order along = {{first_node}, 1}, own = {{0}, 1};
  stretch s;
  find_stretch(g, &along, &own, 0, length, &s);
  store(&s, b->node, VIPER_REALS(viper_node_x), p->node_out);
  for (int k = 0; k < g->segments->n; k++) {
    find_stretch(g, g->segments, &g->own_segments, k, length - 1, &s);
    store(&s, b->frame, VIPER_REALS(viper_quat), p->frame_out);
    if (!p->last && p->segment_lambda_out)
      store(&s, scratch->segment_lambda, VIPER_SEGMENT_ROWS, p->segment_lambda_out);
  }
  for (int k = 0; !p->last && p->joint_lambda_out && k < g->joints->n; k++) {
    find_stretch(g, g->joints, &g->own_joints, k, length - 2, &s);
    store(&s, scratch->joint_lambda, VIPER_JOINT_ROWS, p->joint_lambda_out);
  }
}

/// Batch `i` of a tiling: those of special tiles come first.
static tile_batch find_batch(const viper_tiling *c, int32_t i) {
  const int32_t n_special = viper_tile_batches(c->n_special);
  tile_batch g = {.special = i < n_special,
                  .segments = &c->segments,
                  .joints = &c->joints,
                  .own_segments = viper_tile_order(&c->segments, c->length - 1),
                  .own_joints = viper_tile_order(&c->joints, c->length - 2)};
  const int32_t end = g.special ? c->n_special : c->n;
  g.number = g.special ? i * VIPER_LANES : c->n_special + (i - n_special) * VIPER_LANES;
  g.n = end - g.number < VIPER_LANES ? end - g.number : VIPER_LANES;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    g.tile[lane] = &c->tile[g.number + (lane < g.n ? lane : 0)];
  return g;
}

static void sweep_batch(viper_tiles *w, const viper_tiling *c, int32_t i, const viper_arrays *a,
                        const viper_settings *settings, const pass *p, double h) {
  tile_batch g = find_batch(c, i);
  const viper_body_group *group = g.special ? &c->special : &c->plain;
  const viper_tiling_lanes *lanes = &w->lanes[c - w->tiling];
  const int32_t first_node = w->model->body[c->body].first_node;
  viper_batch batch = w->batch[omp_get_thread_num()];
  viper_scratch scratch = w->scratch[omp_get_thread_num()];
  batch.group = group;
  if (g.special && lanes->free[i]) {
    batch.node_free = lanes->free[i];
    batch.frame_free = lanes->free[i] + 4 * (size_t)c->length;
  }
  load_nodes(&g, a, p, first_node, c->length, &batch);
  load_segments(&g, a, p, c->length - 1, &batch, &scratch);
  load_joints(&g, a, p, c->length - 2, &batch, &scratch);
  if (!group->uniform)
    viper_batch_fill_springs(&batch, (size_t)c->length);
  if (p->first)
    start(w, c, &g, a->pin_target, &batch);
  viper_access access = {&batch, &lanes->uniform, &scratch, group->model, group->adjacency,
                         NULL,   (viper_scalar)h, c->along, false,        false,
                         {0}};
  viper_batch_sweeps(&access, settings);
  store_batch(&g, p, first_node, c->length, &batch, &scratch);
}

/// Pass number `k`: the first comes from the prediction; the state is left in the arrays and in
/// these tiles' own by turns, as are the multipliers.
static pass find_pass(viper_tiles *w, const viper_arrays *a, int k, bool last) {
  const int from = (k + 1) % 2, to = k % 2;
  return (pass){.first = k == 0,
                .last = last,
                .node = to ? a->node : w->node,
                .frame = to ? a->frame : w->frame,
                .segment_lambda = w->segment_lambda[from],
                .joint_lambda = w->joint_lambda[from],
                .node_out = to ? w->node : a->node,
                .frame_out = to ? w->frame : a->frame,
                .segment_lambda_out = w->segment_lambda[to],
                .joint_lambda_out = w->joint_lambda[to]};
}

void viper_tiles_sweep(void *self, const viper_tiling *tiling, const viper_arrays *arrays,
                       const viper_settings *settings, double h) {
  viper_tiles *w = self;
  const viper_model_body *b = &w->model->body[tiling->body];
  const int32_t n =
      viper_tile_batches(tiling->n_special) + viper_tile_batches(tiling->n - tiling->n_special);
  const int thread = omp_get_thread_num(), available = omp_get_num_threads();
  const int threads =
      available < w->n_threads ? available : w->n_threads; // no more than there is room for
  int k = 0;
  for (int left = settings->iterations; left > 0; left -= VIPER_TILE_SWEEPS, k++) {
    viper_settings some = *settings;
    pass p = find_pass(w, arrays, k, left <= VIPER_TILE_SWEEPS);
    some.iterations = p.last ? left : VIPER_TILE_SWEEPS;
    some.continued = k > 0;
    for (int32_t i = thread; i < n && thread < threads; i += threads)
      sweep_batch(w, tiling, i, arrays, &some, &p, h);
#pragma omp barrier
  }
  if (k > 0 && k % 2 == 0) {
#pragma omp single
    {
      memcpy(arrays->node + 4 * b->first_node, w->node + 4 * b->first_node,
             4 * (size_t)b->n_nodes * sizeof *arrays->node);
      memcpy(arrays->frame + 4 * b->first_segment, w->frame + 4 * b->first_segment,
             4 * (size_t)b->n_segments * sizeof *arrays->frame);
    }
  }
}
