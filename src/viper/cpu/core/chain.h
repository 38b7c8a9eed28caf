// SPDX-License-Identifier: GPL-3.0-or-later
/// The columns of a plain chain's matrix (viper/linear/chain.h), assembled from the elements around
/// each, and their elimination side by side. Included by sources of `direct` that define
///   chain_segment, chain_joint      gradient `g` and block `packed` of an element
///   chain_segment_at(c, j), chain_joint_at(c, i)   those of a chain; zeros beyond its ends
///   chain_node_start(c, i, uniform, g, d), chain_frame_start(c, j, g, h)   the inertial parts
#ifndef VIPER_CPU_CORE_CHAIN_H
#define VIPER_CPU_CORE_CHAIN_H

#include "viper/backend/line.h"

/// The sides of a chain.
enum { CHAIN_UPPER, CHAIN_LOWER, CHAIN_SIDES };

/// What the work on a chain needs.
typedef struct chain {
  viper_access *w;
  viper_chain_node *node; ///< columns along the chain, of which nodes, segments and frames have
                          ///< their numbers, and joints that of their node
  viper_chain_frame *frame;
  const viper_chain_order *segments, *joints; ///< where elements lie in the model
  const int32_t *node_column, *frame_column;  ///< of the chain's nodes; of the model's segments
  VIPER_ENTRY (*gradient)[4], (*move)[4];     ///< by column
  viper_slope *slope;                         ///< by column, from the first on
  int32_t n, root, first_column;              ///< nodes; the one in the middle
  bool upper_first; ///< which side is eliminated first at each distance (viper_body_group)
  void *elements;
} chain;

/// Where the middle is from a side.
static int32_t step_of(int side) {
  return side == CHAIN_UPPER ? -1 : 1;
}

/// How many levels a side has: nodes between its end and the middle.
static int32_t count_levels(const chain *c, int side) {
  return side == CHAIN_UPPER ? c->n - 1 - c->root : c->root;
}

/// The node of a level, which is its distance from the middle, and the frame behind it.
static int32_t level_node(const chain *c, int side, int32_t level) {
  return c->root - step_of(side) * level;
}

static int32_t level_frame(const chain *c, int side, int32_t level) {
  return level_node(c, side, level) - (side == CHAIN_UPPER);
}

/// viper_chain_at without divisions.
static int32_t chain_at(const viper_chain_order *order, int32_t p) {
  if (order->n == 1)
    return order->first[0] + p;
  return order->n == 2 ? order->first[p & 1] + p / 2 : order->first[p % 3] + p / 3;
}

static int32_t frame_column(const chain *c, int32_t j) {
  return c->frame_column[chain_at(c->segments, j)];
}

/// The side that is eliminated first (k = 0) or second at each distance.
static int side_of(const chain *c, int k) {
  return (k == 0) == c->upper_first ? CHAIN_UPPER : CHAIN_LOWER;
}

/// The sum of `start` and what two elements add, the one with the lower number first.
VIPER_FN VIPER_ENTRY sum_pair(VIPER_ENTRY start, VIPER_ENTRY a, VIPER_ENTRY b, bool a_first) {
  return a_first ? start + a + b : start + b + a;
}

/// The same of three joints, the first with number `t` along the chain.
VIPER_FN VIPER_ENTRY sum_joints(const chain *c, int32_t t, VIPER_ENTRY start, VIPER_ENTRY p,
                                VIPER_ENTRY o, VIPER_ENTRY q) {
  const int32_t color = c->joints->n == 3 ? t % 3 : 0;
  if (color == 0)
    return start + p + o + q;
  return color == 1 ? start + q + p + o : start + o + q + p;
}

/// Entry (i, j), i >= j, of an element.
#define AT(element, i, j) (element)->packed[(i) * ((i) + 1) / 2 + (j)]

static __attribute__((noinline)) void chain_make_node(const chain *c, int side, int32_t i,
                                                      bool uniform) {
  const int32_t column = c->node_column[i];
  const VIPER_ENTRY zero = (viper_scalar)0 * VIPER_ENTRY_ONE;
  const chain_segment *a = chain_segment_at(c, i - 1), *b = chain_segment_at(c, i);
  const chain_joint *p = chain_joint_at(c, i - 1), *o = chain_joint_at(c, i),
                    *q = chain_joint_at(c, i + 1);
  viper_chain_node *x = &c->node[i];
  VIPER_ENTRY g[4], start[4];
  chain_node_start(c, i, uniform, g, start);
  const bool a_first = viper_chain_is_first(c->segments, i - 1);
  VIPER_UNROLL for (int r = 0; r < 4; r++) {
    g[r] = sum_pair(g[r], a->g[4 + r], b->g[r], a_first);
    VIPER_UNROLL for (int k = 0; k < r; k++) x->own[viper_packed(r, k)] =
        AT(a, 4 + r, 4 + k) + AT(b, r, k);
    start[r] = sum_pair(start[r], AT(a, 4 + r, 4 + r), AT(b, r, r), a_first);
  }
  g[3] = sum_joints(c, i - 2, g[3], p->g[2], o->g[1], q->g[0]);
  start[3] = sum_joints(c, i - 2, start[3], AT(p, 2, 2), AT(o, 1, 1), AT(q, 0, 0));
  VIPER_UNROLL for (int r = 0; r < 4; r++) {
    x->own[viper_packed(r, r)] = start[r];
    c->gradient[column][r] = g[r];
    c->move[column][r] = -g[r];
  }
  if (side == CHAIN_LOWER) {
    VIPER_UNROLL for (int k = 0; k < 4; k++) {
      VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_NODE_FRAME + r] = AT(b, 8 + r, k);
      VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_NODE_NODE + r] = AT(b, 4 + r, k);
      x->later[k][VIPER_CHAIN_SECOND] = k < 3 ? zero : AT(q, 2, 0);
    }
    VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[3][VIPER_NODE_FRAME + r] += AT(o, 6 + r, 1);
    x->later[3][VIPER_NODE_NODE + 3] =
        sum_pair(AT(b, 7, 3), AT(o, 2, 1), AT(q, 1, 0), viper_chain_is_first(c->joints, i - 1));
    return;
  }
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_NODE_FRAME + r] =
        AT(a, 8 + r, 4 + k);
    VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_NODE_NODE + r] = AT(a, 4 + k, r);
    x->later[k][VIPER_CHAIN_SECOND] = k < 3 ? zero : AT(p, 2, 0);
  }
  VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[3][VIPER_NODE_FRAME + r] += AT(o, 3 + r, 1);
  x->later[3][VIPER_NODE_NODE + 3] =
      sum_pair(AT(a, 7, 3), AT(p, 2, 1), AT(o, 1, 0), viper_chain_is_first(c->joints, i - 2));
}

static __attribute__((noinline)) void chain_make_frame(const chain *c, int side, int32_t j) {
  const int32_t column = frame_column(c, j);
  const bool p_first = viper_chain_is_first(c->joints, j - 1);
  const VIPER_ENTRY zero = (viper_scalar)0 * VIPER_ENTRY_ONE;
  const chain_segment *a = chain_segment_at(c, j);
  const chain_joint *p = chain_joint_at(c, j), *q = chain_joint_at(c, j + 1);
  viper_chain_frame *x = &c->frame[j];
  VIPER_ENTRY g[3], h[3][3];
  chain_frame_start(c, j, g, h);
  VIPER_UNROLL for (int r = 0; r < 3; r++) {
    g[r] = sum_pair(g[r] + a->g[8 + r], p->g[6 + r], q->g[3 + r], p_first);
    VIPER_UNROLL for (int k = 0; k <= r; k++) x->own[viper_packed(r, k)] =
        sum_pair(h[r][k] + AT(a, 8 + r, 8 + k), AT(p, 6 + r, 6 + k), AT(q, 3 + r, 3 + k), p_first);
    c->gradient[column][r] = g[r];
    c->move[column][r] = -g[r];
  }
  c->gradient[column][3] = c->move[column][3] = zero;
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    if (side == CHAIN_LOWER) {
      VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_FRAME_NODE + r] =
          AT(a, 8 + k, 4 + r);
      x->later[k][VIPER_FRAME_NODE + 3] += AT(q, 3 + k, 1);
      VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_FRAME_FRAME + r] =
          AT(q, 6 + r, 3 + k);
    } else {
      VIPER_UNROLL for (int r = 0; r < 4; r++) x->later[k][VIPER_FRAME_NODE + r] = AT(a, 8 + k, r);
      x->later[k][VIPER_FRAME_NODE + 3] += AT(p, 6 + k, 1);
      VIPER_UNROLL for (int r = 0; r < 3; r++) x->later[k][VIPER_FRAME_FRAME + r] =
          AT(p, 6 + k, 3 + r);
    }
    x->later[k][VIPER_CHAIN_SECOND] = zero;
  }
}
#undef AT

/// Where a level and those towards the middle are.
static viper_chain_level chain_level(const chain *c, int side, int32_t level) {
  const int32_t t = step_of(side), i = level_node(c, side, level), j = level_frame(c, side, level);
  return (viper_chain_level){&c->node[i],
                             &c->node[i + t],
                             &c->frame[j],
                             &c->frame[j + t],
                             &c->node[i + 2 * t].own[9],
                             c->move[c->node_column[i]],
                             c->move[frame_column(c, j)],
                             c->move[c->node_column[i + t]],
                             c->move[frame_column(c, j + t)],
                             &c->move[c->node_column[i + 2 * t]][3],
                             i,
                             j};
}

static void chain_note_slope(const chain *c, int32_t column, viper_slope slope) {
  memcpy(c->slope + (column - c->first_column), &slope, sizeof slope);
}

static __attribute__((noinline)) void chain_eliminate_node(const chain *c,
                                                           const viper_chain_level *l) {
  chain_note_slope(c, c->node_column[l->number], viper_chain_eliminate_node(l));
}

static __attribute__((noinline)) void chain_eliminate_frame(const chain *c,
                                                            const viper_chain_level *l) {
  chain_note_slope(c, frame_column(c, l->frame_number), viper_chain_eliminate_frame(l));
}

static viper_chain_top chain_top(const chain *c) {
  viper_chain_top t;
  for (int k = 0; k < CHAIN_SIDES; k++) {
    const int side = side_of(c, k);
    const int32_t i = level_node(c, side, 1), j = level_frame(c, side, 1);
    t.node[k] = &c->node[i];
    t.frame[k] = &c->frame[j];
    t.move[k] = c->move[c->node_column[i]];
    t.move_frame[k] = c->move[frame_column(c, j)];
  }
  t.root = &c->node[c->root];
  t.move_root = c->move[c->node_column[c->root]];
  return t;
}

/// Factors the last columns, and solves them forward and backward.
static __attribute__((noinline)) void chain_solve_top(const chain *c) {
  const int32_t last = c->first_column + 2 * c->n - 2;
  viper_chain_top t = chain_top(c);
  chain_note_slope(c, last - 4, viper_chain_top_first(&t));
  chain_note_slope(c, last - 3, viper_chain_top_second(&t));
  chain_note_slope(c, last - 2, viper_chain_top_frame(&t, 0));
  chain_note_slope(c, last - 1, viper_chain_top_frame(&t, 1));
  chain_note_slope(c, last, viper_chain_top_root(&t));
  viper_chain_top_back(&t);
}

static __attribute__((noinline)) void chain_back(const chain *c, int side, int32_t level) {
  const viper_chain_level l = chain_level(c, side, level);
  viper_chain_back(&l);
}

/// Eliminates a level of both sides, in the order of its columns.
static void chain_eliminate(const chain *c, int32_t level) {
  viper_chain_level l[CHAIN_SIDES];
  int n = 0;
  for (int k = 0; k < CHAIN_SIDES; k++)
    if (level <= count_levels(c, side_of(c, k)))
      l[n++] = chain_level(c, side_of(c, k), level);
  for (int k = 0; k < n; k++)
    chain_eliminate_node(c, &l[k]);
  for (int k = 0; k < n; k++)
    chain_eliminate_frame(c, &l[k]);
}

/// Solves backward, the columns being solved forward, and adds what they give to gradient . move.
static viper_slope chain_finish(const chain *c) {
  viper_slope sum = {VIPER_WIDE_ZERO, VIPER_WIDE_ZERO};
  chain_solve_top(c);
  for (int32_t level = 2; level <= c->root || level <= c->n - 1 - c->root; level++)
    for (int side = 0; side < CHAIN_SIDES; side++)
      if (level <= count_levels(c, side))
        chain_back(c, side, level);
  for (int32_t p = 0; p < 2 * c->n - 1; p++)
    viper_slope_add(&sum, c->slope[p]);
  return sum;
}

#endif
