// SPDX-License-Identifier: GPL-3.0-or-later
/// `direct` on long chains, strip by strip (panels.h): the matrix of a strip is made and factored
/// while it is in the cache, and not kept. A strip ends with columns that it changed and that the
/// next one factors: they are noted, so that any strip can be factored again when the solution
/// comes back to it. Columns and sums are those of single_direct_lanes.c, which alone includes this.
#ifndef VIPER_CPU_SINGLE_PANELS_H
#define VIPER_CPU_SINGLE_PANELS_H

#include "viper/cpu/panels.h"

/// Nodes [from, to) along a chain, and the elements that act on them or their columns' frames.
typedef struct strip_range {
  int32_t from, to;
} strip_range;

static int32_t strip_column(const viper_work *w, int32_t node) {
  return w->a->elimination->column_of[w->body->first_node + node];
}

static const viper_strip_chain *strip_chain(const viper_work *w) {
  return w->chain;
}

/// None is shorter than columns reach.
static int32_t count_strips(const viper_work *w) {
  int32_t columns = top_column(w) - first_column(w->body) - VIPER_STRIP_REACH;
  return (columns + VIPER_STRIP_COLUMNS - 1) / VIPER_STRIP_COLUMNS;
}

static int32_t strip_begin(const viper_work *w, int32_t strip) {
  return first_column(w->body) + strip * VIPER_STRIP_COLUMNS;
}

static int32_t strip_end(const viper_work *w, int32_t strip) {
  return strip + 1 < count_strips(w) ? strip_begin(w, strip + 1) : top_column(w);
}

/// A matrix whose columns from `base` on are in a room. No others are touched.
static viper_matrix room_matrix(const viper_work *w, int room, int32_t base) {
  const viper_arrays *a = w->a;
  const viper_strip_room *r = &a->strips->room[room];
  const size_t first_block = (size_t)a->elimination->first_block[base];
  // Addresses of columns that are not there, of which none is used.
  uintptr_t diagonal = (uintptr_t)r->diagonal - sizeof(viper_block) * (size_t)base;
  uintptr_t block = (uintptr_t)r->block - sizeof(viper_block) * first_block;
  uintptr_t gradient = (uintptr_t)r->gradient - VIPER_BLOCK * sizeof(viper_scalar) * (size_t)base;
  return (viper_matrix){a->elimination,
                        w->model,
                        (viper_block *)diagonal,
                        (viper_block *)block,
                        (viper_scalar(*)[VIPER_BLOCK])gradient,
                        (viper_scalar(*)[VIPER_BLOCK])a->move};
}

/// The first column that is in the room of a strip that begins with column `begin`.
static int32_t room_base(const viper_work *w, int32_t begin) {
  int32_t first = first_column(w->body);
  return begin - VIPER_STRIP_REACH > first ? begin - VIPER_STRIP_REACH : first;
}

static viper_matrix strip_matrix(const viper_work *w, int part, int32_t strip) {
  return room_matrix(w, part, room_base(w, strip_begin(w, strip)));
}

/// The first of the nodes [low, high) along the chain whose column is before `column`, where that
/// falls, or is not before it, where it rises.
static int32_t find_node(const viper_work *w, int32_t low, int32_t high, int32_t column,
                         bool falls) {
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if ((strip_column(w, middle) < column) == falls)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Nodes that have, or whose next frame toward the middle has, a column of [begin, end) of a part;
/// perhaps one more on either side.
static strip_range find_range(const viper_work *w, int part, int32_t begin, int32_t end) {
  const viper_strip_chain *c = strip_chain(w);
  const int32_t n = w->body->n_nodes;
  strip_range r = {find_node(w, 0, c->root, begin, false) - 1,
                   find_node(w, c->root, n, begin, true) + 1};
  if (part == c->first_part)
    r.to = find_node(w, 0, c->root, end, false);
  else if (part != VIPER_TOP)
    r.from = find_node(w, c->root, n, end, true);
  r.from = r.from > 0 ? r.from : 0;
  r.to = r.to < n ? r.to : n;
  return r;
}

/// The elements of a color among those from number `from` up to `to` along the chain.
static strip_range color_range(const viper_chain_order *order, int color, int32_t from, int32_t to,
                               int32_t count) {
  const int32_t n = order->n;
  from = from > 0 ? from : 0;
  to = to < count ? to : count;
  return (strip_range){order->first[color] + (from - color + n - 1) / n,
                       order->first[color] + (to - color + n - 1) / n};
}

/// Puts the columns of nodes and frames to their inertial part, and clears the blocks.
static void start_range(viper_work *w, viper_matrix *m, strip_range r) {
  const viper_elimination *e = m->elimination;
  const viper_model_body *b = w->body;
  const viper_strip_chain *c = strip_chain(w);
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  const int32_t from = b->first_node + (r.from > 2 ? r.from - 2 : 0);
  const int32_t to = b->first_node + (r.to + 2 < b->n_nodes ? r.to + 2 : b->n_nodes);
  for (int32_t i = from; i < to; i += VIPER_LANES)
    start_node(w, m, viper_at_of(w, NULL, i, to), inv_h2);
  for (int color = 0; color < c->segments.n; color++) {
    strip_range s = color_range(&c->segments, color, from - b->first_node, to - b->first_node - 1,
                                b->n_segments);
    for (int32_t j = s.from; j < s.to; j += VIPER_LANES)
      start_frame(w, m, viper_at_of(w, NULL, j, s.to), inv_h2);
  }
  for (int32_t i = from; i < to; i++) {
    const int32_t column[2] = {
        e->column_of[i],
        i + 1 < to ? viper_frame_column(m, viper_chain_at(&c->segments, i - b->first_node)) : -1};
    for (int k = 0; k < 2; k++)
      if (column[k] >= 0)
        memset(&m->block[e->first_block[column[k]]], 0,
               (size_t)(e->first_block[column[k] + 1] - e->first_block[column[k]]) *
                   sizeof *m->block);
  }
}

/// Makes the columns of nodes [r.from, r.to) and of the frames between and beside them. Those
/// around them are spoiled.
static void assemble_range(viper_work *w, viper_matrix *m, strip_range r) {
  const viper_strip_chain *c = strip_chain(w);
  const uint32_t all = UINT32_MAX;
  start_range(w, m, r);
  for (int color = 0; color < c->segments.n; color++) {
    strip_range s = color_range(&c->segments, color, r.from - 1, r.to, w->body->n_segments);
    for (int32_t e = s.from; e < s.to; e += VIPER_LANES)
      add_segments(w, m, viper_at_of(w, NULL, e, s.to), all);
  }
  for (int color = 0; color < c->joints.n; color++) {
    strip_range s = color_range(&c->joints, color, r.from - 2, r.to, w->body->n_joints);
    for (int32_t e = s.from; e < s.to; e += VIPER_LANES)
      add_joints(w, m, viper_at_of(w, NULL, e, s.to), all);
  }
}

/// The columns of a part that a strip begins with and the one before it has changed.
static strip_range begun_columns(const viper_work *w, int32_t strip) {
  int32_t begin = strip_begin(w, strip), end = begin + VIPER_STRIP_REACH, top = top_column(w);
  return (strip_range){begin, end < top ? end : top};
}

/// Notes them, or puts them back.
static void note_begun(const viper_work *w, const viper_matrix *m, int part, int32_t strip,
                       bool back) {
  const viper_elimination *e = m->elimination;
  const strip_range columns = begun_columns(w, strip);
  viper_block *at =
      (viper_block *)(w->a->strips->begun[part] + (size_t)strip * w->a->strips->stride);
  for (int32_t p = columns.from; p < columns.to; p++) {
    if (e->part[p] != part)
      continue;
    const size_t n = (size_t)(e->first_block[p + 1] - e->first_block[p]);
    viper_block *blocks = &m->block[e->first_block[p]];
    memcpy(back ? &m->diagonal[p] : at, back ? at : &m->diagonal[p], sizeof *at);
    memcpy(back ? blocks : at + 1, back ? at + 1 : blocks, n * sizeof *at);
    at += 1 + n;
  }
}

/// Makes the matrix of a strip of a part, up to column `end`; returns its first new column.
static int32_t assemble_strip(viper_work *w, viper_matrix *m, int part, int32_t strip,
                              int32_t end) {
  const int32_t begin = strip > 0 ? begun_columns(w, strip).to : first_column(w->body);
  if (begin < end)
    assemble_range(w, m, find_range(w, part, begin, end));
  if (strip > 0)
    note_begun(w, m, part, strip, true);
  return begin;
}

/// Keeps the gradient of columns [begin, end) of a part, and begins their solution with it.
static void begin_columns(viper_work *w, viper_matrix *m, int part, int32_t begin, int32_t end) {
  for (int32_t p = begin; p < end; p++)
    if (m->elimination->part[p] == part) {
      viper_begin_move(m, p);
      memcpy(w->a->gradient + VIPER_BLOCK * (size_t)p, m->gradient[p], sizeof m->gradient[p]);
    }
}

/// Factors a part and solves it forward, strip by strip.
static double forward_strips(viper_work *w, int part) {
  const int32_t n = count_strips(w), top = top_column(w);
  double slope = 0;
  for (int32_t k = 0; k < n; k++) {
    viper_matrix m = strip_matrix(w, part, k);
    const int32_t reach = strip_end(w, k) + VIPER_STRIP_REACH, end = reach < top ? reach : top;
    int32_t begin = assemble_strip(w, &m, part, k, end);
    begin_columns(w, &m, part, begin, end);
    slope += factor_forward(&m, part, strip_begin(w, k), strip_end(w, k), top);
    if (k + 1 < n)
      note_begun(w, &m, part, k + 1, false);
  }
  return slope;
}

/// Solves a part backward; the last strip's factor is still there.
static void backward_strips(viper_work *w, int part) {
  const int32_t n = count_strips(w);
  for (int32_t k = n - 1; k >= 0; k--) {
    viper_matrix m = strip_matrix(w, part, k);
    const int32_t begin = strip_begin(w, k), end = strip_end(w, k);
    if (k < n - 1) {
      assemble_strip(w, &m, part, k, end);
      factor_columns(&m, part, begin, end, end);
    }
    back_columns(&m, part, begin, end);
  }
}

/// The matrix of the top, with the columns before it that act on it.
static viper_matrix top_matrix(const viper_work *w) {
  return room_matrix(w, VIPER_MOST_PARTS, room_base(w, top_column(w) - VIPER_STRIP_REACH));
}

/// Takes the factored columns that act on the top from the parts' last strips.
static void take_last_columns(const viper_work *w, viper_matrix *top) {
  const viper_elimination *e = top->elimination;
  for (int part = 0; part < VIPER_MOST_PARTS; part++) {
    const viper_matrix m = strip_matrix(w, part, count_strips(w) - 1);
    for (int32_t p = top_column(w) - VIPER_STRIP_REACH; p < top_column(w); p++)
      if (e->part[p] == part) {
        top->diagonal[p] = m.diagonal[p];
        memcpy(&top->block[e->first_block[p]], &m.block[e->first_block[p]],
               (size_t)(e->first_block[p + 1] - e->first_block[p]) * sizeof *m.block);
      }
  }
}

/// Gradient and matrix; the parts are factored and solved forward.
static void assemble_strips(viper_work *w) {
  for (int part = 0; part < VIPER_MOST_PARTS; part++)
    if (is_mine(w, part))
      w->a->slope[part] = forward_strips(w, part);
  viper_barrier(w);
  if (is_mine(w, VIPER_TOP)) {
    viper_matrix m = top_matrix(w);
    int32_t top = top_column(w), end = end_column(w->body);
    assemble_range(w, &m, find_range(w, VIPER_TOP, top, end));
    begin_columns(w, &m, VIPER_TOP, top, end);
  }
  viper_barrier(w);
}

static double solve_strips(viper_work *w) {
  if (is_mine(w, VIPER_TOP)) {
    viper_matrix m = top_matrix(w);
    int32_t top = top_column(w), end = end_column(w->body);
    take_last_columns(w, &m);
    w->a->slope[VIPER_MOST_PARTS] = factor_top(w, &m, top - VIPER_STRIP_REACH);
    back_columns(&m, VIPER_TOP, top, end);
  }
  viper_barrier(w);
  for (int part = 0; part < VIPER_MOST_PARTS; part++)
    if (is_mine(w, part))
      backward_strips(w, part);
  viper_barrier(w);
  return add_slopes(w);
}

#endif
