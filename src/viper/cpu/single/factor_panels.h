// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` for long chains, panel by panel (core/panels.h): the matrix of a panel is
/// assembled and factored while it is in the cache, and not kept. A panel ends with columns that it
/// changed and that the next one factors. These are stored, so that any panel can be factored again
/// in the backward substitution. Columns and sums are those of direct_lanes.c, which alone
/// includes this.
#ifndef VIPER_CPU_SINGLE_FACTOR_PANELS_H
#define VIPER_CPU_SINGLE_FACTOR_PANELS_H

#include "viper/cpu/core/panels.h"

/// Nodes [from, to) along a chain, and the elements that act on them or their columns' frames.
typedef struct panel_range {
  int32_t from, to;
} panel_range;

static int32_t panel_column(const viper_access *w, int32_t node) {
  return w->a->elimination->column_of[w->body->first_node + node];
}

static const viper_panel_chain *panel_chain(const viper_access *w) {
  return w->chain;
}

/// None is shorter than columns reach.
static int32_t count_panels(const viper_access *w) {
  int32_t columns = top_column(w) - first_column(w->body) - VIPER_PANEL_REACH;
  return (columns + VIPER_PANEL_COLUMNS - 1) / VIPER_PANEL_COLUMNS;
}

static int32_t panel_begin(const viper_access *w, int32_t panel) {
  return first_column(w->body) + panel * VIPER_PANEL_COLUMNS;
}

static int32_t panel_end(const viper_access *w, int32_t panel) {
  return panel + 1 < count_panels(w) ? panel_begin(w, panel + 1) : top_column(w);
}

/// A matrix whose columns from `base` on are in a room. No others are touched.
static viper_matrix room_matrix(const viper_access *w, int room, int32_t base) {
  const viper_arrays *a = w->a;
  const viper_panel_room *r = &a->panels->room[room];
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

/// The first column that is in the room of a panel that begins with column `begin`.
static int32_t room_base(const viper_access *w, int32_t begin) {
  int32_t first = first_column(w->body);
  return begin - VIPER_PANEL_REACH > first ? begin - VIPER_PANEL_REACH : first;
}

static viper_matrix panel_matrix(const viper_access *w, int partition, int32_t panel) {
  return room_matrix(w, partition, room_base(w, panel_begin(w, panel)));
}

/// The first of the nodes [low, high) along the chain whose column is before `column`, where that
/// falls, or is not before it, where it rises.
static int32_t find_node(const viper_access *w, int32_t low, int32_t high, int32_t column,
                         bool falls) {
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if ((panel_column(w, middle) < column) == falls)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Nodes that have, or whose next frame toward the middle has, a column of [begin, end) of a
/// partition; perhaps one more on either side.
static panel_range find_range(const viper_access *w, int partition, int32_t begin, int32_t end) {
  const viper_panel_chain *c = panel_chain(w);
  const int32_t n = w->body->n_nodes;
  panel_range r = {find_node(w, 0, c->root, begin, false) - 1,
                   find_node(w, c->root, n, begin, true) + 1};
  if (partition == c->first_partition)
    r.to = find_node(w, 0, c->root, end, false);
  else if (partition != VIPER_TOP)
    r.from = find_node(w, c->root, n, end, true);
  r.from = r.from > 0 ? r.from : 0;
  r.to = r.to < n ? r.to : n;
  return r;
}

/// The elements of a color among those from number `from` up to `to` along the chain.
static panel_range color_range(const viper_chain_order *order, int color, int32_t from, int32_t to,
                               int32_t count) {
  const int32_t n = order->n;
  from = from > 0 ? from : 0;
  to = to < count ? to : count;
  return (panel_range){order->first[color] + (from - color + n - 1) / n,
                       order->first[color] + (to - color + n - 1) / n};
}

/// Puts the columns of nodes and frames to their inertial part, and clears the blocks.
static void start_range(viper_access *w, viper_matrix *m, panel_range r) {
  const viper_elimination *e = m->elimination;
  const viper_model_body *b = w->body;
  const viper_panel_chain *c = panel_chain(w);
  const viper_real inv_h2 = VIPER_R((viper_scalar)1 / (w->h * w->h));
  const int32_t from = b->first_node + (r.from > 2 ? r.from - 2 : 0);
  const int32_t to = b->first_node + (r.to + 2 < b->n_nodes ? r.to + 2 : b->n_nodes);
  for (int32_t i = from; i < to; i += VIPER_LANES)
    start_node(w, m, viper_at_of(w, NULL, i, to), inv_h2);
  for (int color = 0; color < c->segments.n; color++) {
    panel_range s = color_range(&c->segments, color, from - b->first_node, to - b->first_node - 1,
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
static void assemble_range(viper_access *w, viper_matrix *m, panel_range r) {
  const viper_panel_chain *c = panel_chain(w);
  const uint32_t all = UINT32_MAX;
  start_range(w, m, r);
  for (int color = 0; color < c->segments.n; color++) {
    panel_range s = color_range(&c->segments, color, r.from - 1, r.to, w->body->n_segments);
    for (int32_t e = s.from; e < s.to; e += VIPER_LANES)
      add_segments(w, m, viper_at_of(w, NULL, e, s.to), all);
  }
  for (int color = 0; color < c->joints.n; color++) {
    panel_range s = color_range(&c->joints, color, r.from - 2, r.to, w->body->n_joints);
    for (int32_t e = s.from; e < s.to; e += VIPER_LANES)
      add_joints(w, m, viper_at_of(w, NULL, e, s.to), all);
  }
}

/// The columns of a partition that a panel begins with and the one before it has changed.
static panel_range begun_columns(const viper_access *w, int32_t panel) {
  int32_t begin = panel_begin(w, panel), end = begin + VIPER_PANEL_REACH, top = top_column(w);
  return (panel_range){begin, end < top ? end : top};
}

/// Notes them, or puts them back.
static void note_begun(const viper_access *w, const viper_matrix *m, int partition, int32_t panel,
                       bool back) {
  const viper_elimination *e = m->elimination;
  const panel_range columns = begun_columns(w, panel);
  viper_block *at =
      (viper_block *)(w->a->panels->begun[partition] + (size_t)panel * w->a->panels->stride);
  for (int32_t p = columns.from; p < columns.to; p++) {
    if (e->partition[p] != partition)
      continue;
    const size_t n = (size_t)(e->first_block[p + 1] - e->first_block[p]);
    viper_block *blocks = &m->block[e->first_block[p]];
    memcpy(back ? &m->diagonal[p] : at, back ? at : &m->diagonal[p], sizeof *at);
    memcpy(back ? blocks : at + 1, back ? at + 1 : blocks, n * sizeof *at);
    at += 1 + n;
  }
}

/// Makes the matrix of a panel of a partition, up to column `end`; returns its first new column.
static int32_t assemble_panel(viper_access *w, viper_matrix *m, int partition, int32_t panel,
                              int32_t end) {
  const int32_t begin = panel > 0 ? begun_columns(w, panel).to : first_column(w->body);
  if (begin < end)
    assemble_range(w, m, find_range(w, partition, begin, end));
  if (panel > 0)
    note_begun(w, m, partition, panel, true);
  return begin;
}

/// Keeps the gradient of columns [begin, end) of a partition, and begins their solution with it.
static void begin_columns(viper_access *w, viper_matrix *m, int partition, int32_t begin,
                          int32_t end) {
  for (int32_t p = begin; p < end; p++)
    if (m->elimination->partition[p] == partition) {
      viper_begin_move(m, p);
      memcpy(w->a->gradient + VIPER_BLOCK * (size_t)p, m->gradient[p], sizeof m->gradient[p]);
    }
}

/// Factors a partition and solves it forward, panel by panel.
static viper_slope forward_panels(viper_access *w, int partition) {
  const int32_t n = count_panels(w), top = top_column(w);
  viper_slope slope = {0, 0};
  for (int32_t k = 0; k < n; k++) {
    viper_matrix m = panel_matrix(w, partition, k);
    const int32_t reach = panel_end(w, k) + VIPER_PANEL_REACH, end = reach < top ? reach : top;
    int32_t begin = assemble_panel(w, &m, partition, k, end);
    begin_columns(w, &m, partition, begin, end);
    factor_forward(&m, partition, panel_begin(w, k), panel_end(w, k), top, &slope);
    if (k + 1 < n)
      note_begun(w, &m, partition, k + 1, false);
  }
  return slope;
}

/// Solves a partition backward; the last panel's factor is still there.
static void backward_panels(viper_access *w, int partition) {
  const int32_t n = count_panels(w);
  for (int32_t k = n - 1; k >= 0; k--) {
    viper_matrix m = panel_matrix(w, partition, k);
    const int32_t begin = panel_begin(w, k), end = panel_end(w, k);
    if (k < n - 1) {
      assemble_panel(w, &m, partition, k, end);
      factor_columns(&m, partition, begin, end, end);
    }
    back_columns(&m, partition, begin, end);
  }
}

/// The matrix of the top, with the columns before it that act on it.
static viper_matrix top_matrix(const viper_access *w) {
  return room_matrix(w, VIPER_MAX_PARTITIONS, room_base(w, top_column(w) - VIPER_PANEL_REACH));
}

/// Takes the factored columns that act on the top from the partitions' last panels.
static void take_last_columns(const viper_access *w, viper_matrix *top) {
  const viper_elimination *e = top->elimination;
  for (int partition = 0; partition < VIPER_MAX_PARTITIONS; partition++) {
    const viper_matrix m = panel_matrix(w, partition, count_panels(w) - 1);
    for (int32_t p = top_column(w) - VIPER_PANEL_REACH; p < top_column(w); p++)
      if (e->partition[p] == partition) {
        top->diagonal[p] = m.diagonal[p];
        memcpy(&top->block[e->first_block[p]], &m.block[e->first_block[p]],
               (size_t)(e->first_block[p + 1] - e->first_block[p]) * sizeof *m.block);
      }
  }
}

/// Gradient and matrix; the partitions are factored and solved forward.
static void assemble_panels(viper_access *w) {
  for (int partition = 0; partition < VIPER_MAX_PARTITIONS; partition++)
    if (is_mine(w, partition))
      note_slope(w, partition, forward_panels(w, partition));
  viper_barrier(w);
  if (is_mine(w, VIPER_TOP)) {
    viper_matrix m = top_matrix(w);
    int32_t top = top_column(w), end = end_column(w->body);
    assemble_range(w, &m, find_range(w, VIPER_TOP, top, end));
    begin_columns(w, &m, VIPER_TOP, top, end);
  }
  viper_barrier(w);
}

static viper_slope solve_panels(viper_access *w) {
  if (is_mine(w, VIPER_TOP)) {
    viper_matrix m = top_matrix(w);
    int32_t top = top_column(w), end = end_column(w->body);
    take_last_columns(w, &m);
    note_slope(w, VIPER_MAX_PARTITIONS, factor_top(w, &m, top - VIPER_PANEL_REACH));
    back_columns(&m, VIPER_TOP, top, end);
  }
  viper_barrier(w);
  for (int partition = 0; partition < VIPER_MAX_PARTITIONS; partition++)
    if (is_mine(w, partition))
      backward_panels(w, partition);
  viper_barrier(w);
  return add_slopes(w);
}

#endif
