// SPDX-License-Identifier: GPL-3.0-or-later
/// The matrix of `direct` for a batch of plain chains. One side of the chain after the other is
/// assembled from its end to the middle, and eliminated while it is in the cache. Only the factor
/// is kept. Included by direct_lanes.c alone.
#ifndef VIPER_CPU_BATCH_CHAIN_H
#define VIPER_CPU_BATCH_CHAIN_H

#include "viper/linear/chain.h"

typedef struct chain chain;

/// Gradient and packed block of an element.
typedef struct chain_segment {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
} chain_segment;

typedef struct chain_joint {
  viper_real g[VIPER_JOINT_UNKNOWNS], packed[VIPER_JOINT_PACKED];
} chain_joint;

/// The elements around the columns that are assembled: those last computed, and those on the second
/// side of the middle, which the first side has computed.
typedef struct viper_chain_elements {
  chain_segment segment[3], no_segment; ///< zeros beyond an end
  chain_joint joint[5], no_joint;
} viper_chain_elements;

static chain_segment *chain_segment_at(const chain *c, int32_t j);
static chain_joint *chain_joint_at(const chain *c, int32_t i);
VIPER_FN void chain_node_start(const chain *c, int32_t i, bool uniform, viper_real g[4],
                               viper_real d[4]);
VIPER_FN void chain_frame_start(const chain *c, int32_t j, viper_real g[3], viper_real h[3][3]);

#include "viper/cpu/core/chain.h"

static chain_segment *chain_segment_at(const chain *c, int32_t j) {
  viper_chain_elements *e = c->elements;
  return j < 0 || j >= c->n - 1 ? &e->no_segment : &e->segment[j == c->root ? 2 : j & 1];
}

static chain_joint *chain_joint_at(const chain *c, int32_t i) {
  viper_chain_elements *e = c->elements;
  if (i < 1 || i >= c->n - 1)
    return &e->no_joint;
  return &e->joint[i == c->root ? 3 : i == c->root + 1 ? 4 : i % 3];
}

VIPER_FN void chain_node_start(const chain *c, int32_t i, bool uniform, viper_real g[4],
                               viper_real d[4]) {
  viper_linearize_node(c->w, i, VIPER_R((viper_scalar)1 / (c->w->h * c->w->h)), uniform, g, d);
}

VIPER_FN void chain_frame_start(const chain *c, int32_t j, viper_real g[3], viper_real h[3][3]) {
  viper_linearize_frame(c->w, chain_at(c->segments, j),
                        VIPER_R((viper_scalar)1 / (c->w->h * c->w->h)), g, h);
}

static __attribute__((noinline)) void chain_make_segment(const chain *c, int32_t j, bool uniform) {
  chain_segment *out = chain_segment_at(c, j);
  viper_linearize_segment(c->w, chain_at(c->segments, j), uniform, out->g, out->packed);
}

static __attribute__((noinline)) void chain_make_joint(const chain *c, int32_t i, bool uniform) {
  chain_joint *out = chain_joint_at(c, i);
  viper_linearize_joint(c->w, chain_at(c->joints, i - 1), uniform, out->g, out->packed);
}

/// Assembles the columns of a level, those of the levels behind it being there.
static void chain_make_level(const chain *c, int side, int32_t level, bool uniform) {
  const int32_t i = level_node(c, side, level), j = level_frame(c, side, level);
  const int32_t joint = side == CHAIN_UPPER ? i - 1 : i + 1;
  chain_make_segment(c, j, uniform);
  if (side == CHAIN_UPPER || joint < c->root)
    chain_make_joint(c, joint, uniform);
  chain_make_node(c, side, i, uniform);
  chain_make_frame(c, side, j);
}

/// Eliminates a level of a side.
static void chain_eliminate_side(const chain *c, int side, int32_t level) {
  const viper_chain_level l = chain_level(c, side, level);
  chain_eliminate_node(c, &l);
  chain_eliminate_frame(c, &l);
}

/// Goes through the columns: assembles them, eliminates them, or does both level by level, which
/// leaves nothing but the factor to be kept.
static void chain_forward(const chain *c, bool make, bool eliminate, bool uniform) {
  for (int side = 0; side < CHAIN_SIDES; side++) {
    const int32_t n = count_levels(c, side);
    for (int32_t level = n; level >= 1; level--) {
      if (make)
        chain_make_level(c, side, level, uniform);
      if (eliminate && level + 2 <= n)
        chain_eliminate_side(c, side, level + 2);
    }
  }
  if (make)
    chain_make_node(c, CHAIN_LOWER, c->root, uniform);
  if (eliminate)
    chain_eliminate(c, 2);
}

static chain chain_of(viper_access *w) {
  const viper_scratch *s = w->scratch;
  const viper_body_group *g = w->batch->group;
  const int32_t *column_of = w->elimination->column_of, n = (int32_t)w->model->n_nodes;
  return (chain){w,
                 s->chain_node,
                 s->chain_frame,
                 &g->segments,
                 &g->joints,
                 column_of,
                 column_of + n,
                 s->gradient,
                 s->move,
                 s->slope,
                 n,
                 g->root,
                 0,
                 g->upper_first,
                 s->elements};
}

static void assemble_chain(viper_access *w, bool uniform) {
  const chain c = chain_of(w);
  chain_forward(&c, true, false, uniform);
}

static viper_slope solve_chain(viper_access *w, bool uniform) {
  const chain c = chain_of(w);
  chain_forward(&c, w->streams, true, uniform);
  return chain_finish(&c);
}

#endif
