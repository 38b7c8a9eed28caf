// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/linear/elimination.h"

#include "base/rows.h"
#include "viper/linear/dissection.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// A growing list of integers.
typedef struct list {
  int32_t *item;
  size_t n, capacity;
} list;

static bool list_push(list *l, int32_t item) {
  if (!VB_GROW(l->item, l->capacity, l->n + 1))
    return false;
  l->item[l->n++] = item;
  return true;
}

/// What the analysis needs besides its result.
typedef struct analysis {
  const viper_model *m;
  viper_elimination *e;
  bool dissected;      ///< whether the order is that of nested dissection
  int32_t most;        ///< columns of a submatrix
  int32_t *node_first; ///< segments at each node: node_segment[node_first[i] .. node_first[i + 1])
  int32_t *node_segment;
  int32_t *mark;       ///< by column
  list pairs;          ///< couplings as (column, row), two items each
  list rows;           ///< of all columns, one after the other
  int32_t *pair_first; ///< by column, into pair_row
  int32_t *pair_row;
  int32_t *child; ///< columns whose first row is this one: a linked list
  int32_t *sibling;
  vb_arena memory; ///< all of the above, but lists
} analysis;

static bool find_node_segments(analysis *a) {
  const viper_model *m = a->m;
  for (size_t j = 0; j < m->n_segments; j++)
    for (int i = 0; i < 2; i++)
      if (!list_push(&a->pairs, m->segment[j].node[i]) || !list_push(&a->pairs, (int32_t)j))
        return false;
  a->node_segment = vb_make_rows(&a->memory, m->n_nodes, a->pairs.item, a->pairs.n / 2,
                                 VB_PAIRS_DIRECTED, &a->node_first);
  a->pairs.n = 0;
  return a->node_segment != NULL;
}

static int32_t other_end(const viper_model *m, int32_t segment, int32_t node) {
  return m->segment[segment].node[m->segment[segment].node[0] == node];
}

/// Goes breadth first through a body's nodes from `root`, and returns the last, one of the
/// farthest. `queue` and `parent` have room for the model's nodes; `parent` is -1 at the root.
static int32_t farthest(const analysis *a, const viper_model_body *body, int32_t root,
                        int32_t *queue, int32_t *parent) {
  const viper_model *m = a->m;
  int32_t head = 0, tail = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
    parent[i] = -2;
  queue[tail++] = root;
  parent[root] = -1;
  while (head < tail) {
    int32_t node = queue[head++];
    for (int32_t s = a->node_first[node]; s < a->node_first[node + 1]; s++) {
      int32_t other = other_end(m, a->node_segment[s], node);
      if (parent[other] == -2) {
        parent[other] = node;
        queue[tail++] = other;
      }
    }
  }
  return queue[tail - 1];
}

/// The middle of one of the longest paths: from there the body's branches are as short as can be,
/// and a chain is eliminated from both ends.
static int32_t middle(const analysis *a, const viper_model_body *body, int32_t *queue,
                      int32_t *parent) {
  int32_t end = farthest(a, body, body->first_node, queue, parent);
  int32_t node = farthest(a, body, end, queue, parent), length = 0;
  for (int32_t i = node; parent[i] >= 0; i = parent[i])
    length++;
  for (int32_t k = 0; k < length / 2; k++)
    node = parent[node];
  return node;
}

/// Gives the frames at `node` that have none yet their columns, from `next` down, and queues the
/// nodes behind them. Returns the last column given.
static int32_t order_frames(analysis *a, int32_t node, int32_t next, int32_t *queue,
                            int32_t *tail) {
  const viper_model *m = a->m;
  int32_t *column_of = a->e->column_of;
  for (int32_t s = a->node_first[node]; s < a->node_first[node + 1]; s++) {
    int32_t j = a->node_segment[s], other = other_end(m, j, node);
    if (column_of[(int32_t)m->n_nodes + j] >= 0)
      continue;
    column_of[(int32_t)m->n_nodes + j] = --next;
    if (column_of[other] == -1) {
      column_of[other] = -2; // queued
      queue[(*tail)++] = other;
    }
  }
  return next;
}

/// Orders a body: breadth first from its middle, backwards; at each distance the frames, then the
/// nodes, so that neighbors in the order lie in different branches where there are such. `queue`
/// has room for twice the model's nodes.
static void order_body(analysis *a, const viper_model_body *body, int32_t *queue) {
  const viper_model *m = a->m;
  int32_t *column_of = a->e->column_of;
  int32_t next = body->first_node + body->first_segment + body->n_nodes + body->n_segments;
  int32_t root = middle(a, body, queue, queue + (int32_t)m->n_nodes), first = 0, tail = 0;
  queue[tail++] = root;
  column_of[root] = --next;
  while (first < tail) {
    int32_t end = tail;
    for (int32_t i = first; i < end; i++)
      next = order_frames(a, queue[i], next, queue, &tail);
    for (int32_t i = end; i < tail; i++)
      column_of[queue[i]] = --next;
    first = end;
  }
}

static bool order_all(analysis *a) {
  int32_t *queue;
  if (!VB_TAKE(&a->memory, queue, 2 * (a->m->n_nodes + 1)))
    return false;
  memset(a->e->column_of, -1, a->e->n_columns * sizeof *a->e->column_of);
  for (size_t k = 0; k < a->m->n_bodies; k++)
    order_body(a, &a->m->body[k], queue);
  return true;
}

static bool couple(analysis *a, int32_t v, int32_t w) {
  int32_t p = a->e->column_of[v], q = a->e->column_of[w];
  return list_push(&a->pairs, p < q ? p : q) && list_push(&a->pairs, p < q ? q : p);
}

/// Lists the pairs of vertices that an element couples, in the order of the block references.
static int segment_pairs(const viper_model *m, size_t j, int32_t pair[][2]) {
  int32_t frame = (int32_t)(m->n_nodes + j);
  const int32_t *node = m->segment[j].node;
  int32_t all[3][2] = {{node[1], node[0]}, {frame, node[0]}, {frame, node[1]}};
  memcpy(pair, all, sizeof all);
  return 3;
}

static int joint_pairs(const viper_model *m, size_t t, int32_t pair[][2]) {
  const viper_model_joint *joint = &m->joint[t];
  int32_t j = (int32_t)m->n_nodes + joint->segment[0], k = (int32_t)m->n_nodes + joint->segment[1];
  const int32_t *n = joint->node;
  int32_t all[6][2] = {{j, n[1]}, {k, n[1]}, {k, j}, {n[0], n[1]}, {n[2], n[1]}, {n[2], n[0]}};
  memcpy(pair, all, sizeof all);
  return joint->outer ? 6 : 3;
}

static bool couple_all(analysis *a) {
  int32_t pair[6][2];
  for (size_t j = 0; j < a->m->n_segments; j++)
    for (int n = segment_pairs(a->m, j, pair), i = 0; i < n; i++)
      if (!couple(a, pair[i][0], pair[i][1]))
        return false;
  for (size_t t = 0; t < a->m->n_joints; t++)
    for (int n = joint_pairs(a->m, t, pair), i = 0; i < n; i++)
      if (!couple(a, pair[i][0], pair[i][1]))
        return false;
  return true;
}

/// Sorts the pairs by column.
static bool bucket_pairs(analysis *a) {
  a->pair_row = vb_make_rows(&a->memory, a->e->n_columns, a->pairs.item, a->pairs.n / 2,
                             VB_PAIRS_DIRECTED, &a->pair_first);
  return a->pair_row != NULL;
}

/// Adds `row` to the rows of column `p` unless it is there.
static bool add_row(analysis *a, int32_t p, int32_t row) {
  if (row == p || a->mark[row] == p)
    return true;
  a->mark[row] = p;
  return list_push(&a->rows, row);
}

/// The rows of each column: its couplings and those of the columns it is the first row of.
static bool find_fill(analysis *a) {
  viper_elimination *e = a->e;
  list *rows = &a->rows;
  size_t n = e->n_columns;
  for (size_t p = 0; p < n; p++)
    a->child[p] = a->sibling[p] = a->mark[p] = -1;
  for (size_t p = 0; p < n; p++) {
    size_t first = rows->n;
    e->first_block[p] = (int32_t)first;
    for (int32_t i = a->pair_first[p]; i < a->pair_first[p + 1]; i++)
      if (!add_row(a, (int32_t)p, a->pair_row[i]))
        return false;
    for (int32_t c = a->child[p]; c >= 0; c = a->sibling[c])
      for (int32_t i = e->first_block[c]; i < e->first_block[c + 1]; i++)
        if (!add_row(a, (int32_t)p, rows->item[i]))
          return false;
    e->first_block[p + 1] = (int32_t)rows->n;
    if (rows->n == first)
      continue;
    qsort(rows->item + first, rows->n - first, sizeof *rows->item, vb_compare_int32);
    int32_t parent = rows->item[first];
    a->sibling[p] = a->child[parent];
    a->child[parent] = (int32_t)p;
  }
  e->n_blocks = rows->n;
  if (VB_TAKE(&e->memory, e->row, rows->n) && rows->n > 0)
    memcpy(e->row, rows->item, rows->n * sizeof *e->row);
  return e->row != NULL;
}

/// The block of `column` whose row is `row`; it is there by construction.
static int32_t find_block(const viper_elimination *e, int32_t column, int32_t row) {
  int32_t low = e->first_block[column], high = e->first_block[column + 1] - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (e->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool find_targets(viper_elimination *e) {
  int64_t n = 0;
  for (size_t p = 0; p < e->n_columns; p++) {
    int64_t m = e->first_block[p + 1] - e->first_block[p];
    e->first_target[p] = n;
    n += m * (m - 1) / 2;
  }
  e->first_target[e->n_columns] = n;
  if (!VB_TAKE(&e->memory, e->target, (size_t)n))
    return false;
  int32_t *next = e->target;
  for (size_t p = 0; p < e->n_columns; p++)
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      for (int32_t j = e->first_block[p]; j < i; j++)
        *next++ = find_block(e, e->row[j], e->row[i]);
  return true;
}

static int32_t reference(const viper_elimination *e, const int32_t pair[2]) {
  int32_t p = e->column_of[pair[0]], q = e->column_of[pair[1]];
  return p > q ? find_block(e, q, p) : ~find_block(e, p, q);
}

static void find_references(analysis *a) {
  int32_t pair[6][2];
  for (size_t j = 0; j < a->m->n_segments; j++)
    for (int n = segment_pairs(a->m, j, pair), i = 0; i < n; i++)
      a->e->segment[j][i] = reference(a->e, pair[i]);
  for (size_t t = 0; t < a->m->n_joints; t++)
    for (int n = joint_pairs(a->m, t, pair), i = 0; i < n; i++)
      a->e->joint[t][i] = reference(a->e, pair[i]);
}

/// Columns of the top of a divided body: more than any column of a chain reaches over.
#define TOP_COLUMNS 16

/// Divides a body: each branch below its top to the partition that has the least so far. `size` has
/// room for all columns.
static void divide_body(const analysis *a, const viper_model_body *body, size_t k, int32_t *size) {
  viper_elimination *e = a->e;
  int32_t first = body->first_node + body->first_segment;
  int32_t end = first + body->n_nodes + body->n_segments;
  int64_t load[VIPER_MAX_PARTITIONS] = {0};
  e->top[k] = body->n_nodes > VIPER_DIVIDED_NODES && !a->dissected ? end - TOP_COLUMNS : end;
  for (int32_t p = first; p < end; p++)
    size[p] = 1;
  for (int32_t p = first; p < e->top[k]; p++)
    if (e->first_block[p] < e->first_block[p + 1])
      size[e->row[e->first_block[p]]] += size[p];
  for (int32_t p = end - 1; p >= first; p--) {
    int32_t parent = e->first_block[p] < e->first_block[p + 1] ? e->row[e->first_block[p]] : end;
    if (p >= e->top[k])
      e->partition[p] = VIPER_TOP;
    else if (e->top[k] == end)
      e->partition[p] = 0;
    else if (parent < e->top[k])
      e->partition[p] = e->partition[parent];
    else {
      int least = 0;
      for (int i = 1; i < VIPER_MAX_PARTITIONS; i++)
        least = load[i] < load[least] ? i : least;
      e->partition[p] = (uint8_t)least;
      load[least] += size[p];
    }
  }
}

static bool divide(analysis *a) {
  const viper_model *m = a->m;
  viper_elimination *e = a->e;
  int32_t *size;
  VB_TAKE(&a->memory, size, e->n_columns);
  VB_TAKE(&e->memory, e->top, m->n_bodies);
  VB_TAKE(&e->memory, e->partition, e->n_columns);
  bool there = size && e->top && e->partition;
  for (size_t k = 0; there && k < m->n_bodies; k++)
    divide_body(a, &m->body[k], k, size);
  return there;
}

/// Orders a single body by nested dissection: of the pairs of its vertices, listed as if each were
/// its own column.
static bool dissect_all(analysis *a) {
  viper_elimination *e = a->e;
  for (size_t v = 0; v < e->n_columns; v++)
    e->column_of[v] = (int32_t)v;
  if (!couple_all(a))
    return false;
  bool done = viper_dissect((int32_t)e->n_columns, a->pairs.item, a->pairs.n / 2, a->most,
                            e->column_of, &e->memory, &e->submatrices);
  a->pairs.n = 0;
  return done;
}

/// One submatrix, where the order has none, or one and a top, as of a body that is larger by less
/// than its separator: a single one is assembled alone, so all columns are its own.
static bool make_submatrix(viper_elimination *e) {
  if (e->submatrices.n == 1)
    e->submatrices.first[1] = (int32_t)e->n_columns;
  if (e->submatrices.n > 0)
    return true;
  if (!VB_TAKE(&e->memory, e->submatrices.first, 3))
    return false;
  e->submatrices.n = 1;
  e->submatrices.first[0] = 0;
  e->submatrices.first[1] = e->submatrices.first[2] = (int32_t)e->n_columns;
  return true;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static void find_room(viper_elimination *e) {
  viper_submatrices *p = &e->submatrices;
  size_t columns = 0, blocks = 0;
  for (int32_t k = 0; k < p->n; k++) {
    columns = larger(columns, (size_t)(p->first[k + 1] - p->first[k]));
    blocks =
        larger(blocks, (size_t)(e->first_block[p->first[k + 1]] - e->first_block[p->first[k]]));
  }
  p->room_columns = columns + (e->n_columns - (size_t)p->first[p->n]);
  p->room_blocks = blocks + (e->n_blocks - (size_t)e->first_block[p->first[p->n]]);
}

static bool analyze(analysis *a) {
  const viper_model *m = a->m;
  viper_elimination *e = a->e;
  size_t n = e->n_columns = m->n_nodes + m->n_segments;
  e->n_nodes = (int32_t)m->n_nodes;
  VB_TAKE(&e->memory, e->column_of, n);
  VB_TAKE(&e->memory, e->first_block, n + 1);
  VB_TAKE(&e->memory, e->first_target, n + 1);
  VB_TAKE(&e->memory, e->segment, m->n_segments);
  VB_TAKE(&e->memory, e->joint, m->n_joints);
  VB_TAKE(&a->memory, a->mark, n);
  VB_TAKE(&a->memory, a->child, n);
  VB_TAKE(&a->memory, a->sibling, n);
  if (e->memory.failed || a->memory.failed)
    return false;
  if (!find_node_segments(a) || !(a->dissected ? dissect_all(a) : order_all(a)) || !couple_all(a) ||
      !bucket_pairs(a) || !find_fill(a) || !find_targets(e) || !divide(a) || !make_submatrix(e))
    return false;
  find_references(a);
  find_room(e);
  return true;
}

static vb_status create(const viper_model *model, bool dissected, int32_t most,
                        viper_elimination **out, vb_error *error) {
  analysis a = {.m = model, .e = calloc(1, sizeof *a.e), .dissected = dissected, .most = most};
  bool done = a.e && analyze(&a);
  free(a.pairs.item);
  free(a.rows.item);
  vb_arena_clear(&a.memory);
  if (!done) {
    viper_elimination_destroy(a.e);
    return vb_error_memory(error);
  }
  *out = a.e;
  return VB_OK;
}

vb_status viper_elimination_create(const viper_model *model, viper_elimination **out,
                                   vb_error *error) {
  return create(model, false, 0, out, error);
}

vb_status viper_elimination_dissect(const viper_model *model, int32_t most, viper_elimination **out,
                                    vb_error *error) {
  return create(model, true, most, out, error);
}

void viper_elimination_destroy(viper_elimination *e) {
  if (!e)
    return;
  vb_arena_clear(&e->memory);
  free(e);
}
