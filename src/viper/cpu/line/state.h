// SPDX-License-Identifier: GPL-3.0-or-later
/// The state of a chain into its line, and back.
#ifndef VIPER_CPU_LINE_STATE_H
#define VIPER_CPU_LINE_STATE_H

#include "viper/cpu/line/access.h"

/// viper_chain_at without divisions, of segments.
VIPER_FN int32_t place_of(const viper_chain_order *order, int32_t p) {
  return order->n == 1 ? order->first[0] + p : order->first[p & 1] + p / 2;
}

/// Brings rows of `n` scalars into lanes.
VIPER_FN void load(const viper_line *l, const viper_chain_order *order, int32_t count,
                   const viper_scalar *rows, int n, void *field) {
  for (int32_t first = 0; first < count; first += l->rows) {
    viper_scalar *to = (viper_scalar *)field + first / l->rows;
    const int32_t end = count - first < l->rows ? count - first : l->rows;
    for (int32_t r = 0; r < end; r++) {
      const viper_scalar *x = rows + (size_t)n * (size_t)place_of(order, first + r);
      VIPER_UNROLL for (int k = 0; k < n; k++) to[k * VIPER_LANES] = x[k];
      to += n * VIPER_LANES;
    }
  }
}

VIPER_FN void put(const viper_line *l, const viper_chain_order *order, int32_t count,
                  const void *field, int n, viper_scalar *rows) {
  for (int32_t first = 0; first < count; first += l->rows) {
    const viper_scalar *from = (const viper_scalar *)field + first / l->rows;
    const int32_t end = count - first < l->rows ? count - first : l->rows;
    for (int32_t r = 0; r < end; r++) {
      viper_scalar *x = rows + (size_t)n * (size_t)place_of(order, first + r);
      VIPER_UNROLL for (int k = 0; k < n; k++) x[k] = from[k * VIPER_LANES];
      from += n * VIPER_LANES;
    }
  }
}

/// What is beyond the end rests at the origin.
static inline void clear_rest(viper_line *l, bool seeks) {
  const viper_real zero = viper_splat(0), one = viper_splat(1);
  const viper_node_x node = {{zero, zero, zero}, one};
  const viper_quat frame = {one, zero, zero, zero};
  for (int32_t r = 0; r < l->rows; r++) {
    l->node[r] = node;
    l->frame[r] = frame;
    l->inertia[r] = one;
    if (seeks) {
      l->node_hat[r] = node;
      l->frame_hat[r] = frame;
    }
    if (l->node_old) {
      l->node_old[r] = node;
      l->node_rate[r] = (viper_node_x){{zero, zero, zero}, zero};
      l->frame_old[r] = frame;
    }
  }
}

/// Brings the state of a chain into its line; its prediction, too, if the method `seeks` the
/// minimum.
static inline void viper_line_load(viper_line *l, const viper_arrays *a, bool seeks) {
  const viper_chain_order nodes = {{l->body->first_node}, 1};
  const int32_t n = l->n;
  clear_rest(l, seeks);
  load(l, &nodes, n, a->node, 4, l->node);
  load(l, &l->segments, n - 1, a->frame, 4, l->frame);
  load(l, &l->segments, n - 1, a->inertia, 1, l->inertia);
  if (seeks) {
    load(l, &nodes, n, a->node_hat, 4, l->node_hat);
    load(l, &l->segments, n - 1, a->frame_hat, 4, l->frame_hat);
  }
  if (l->node_old) {
    load(l, &nodes, n, a->node_old, 4, l->node_old);
    load(l, &nodes, n, a->node_rate, 4, l->node_rate);
    load(l, &l->segments, n - 1, a->frame_old, 4, l->frame_old);
    for (int k = 0; k < VIPER_LINE_REACH; k++)
      viper_bring_next(&l->node_old[k], VIPER_REALS(viper_node_x), &l->node_old[l->rows + k]);
    viper_bring_next(l->frame_old, VIPER_REALS(viper_quat), &l->frame_old[l->rows]);
  }
}

static inline void viper_line_put(const viper_line *l, const viper_arrays *a) {
  const viper_chain_order nodes = {{l->body->first_node}, 1};
  put(l, &nodes, l->n, l->node, 4, a->node);
  put(l, &l->segments, l->n - 1, l->frame, 4, a->frame);
}

#endif
