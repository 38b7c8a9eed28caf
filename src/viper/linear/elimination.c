// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/linear/elimination.h"

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
  if (l->n == l->capacity) {
    size_t capacity = l->capacity ? 2 * l->capacity : 64;
    int32_t *grown = realloc(l->item, capacity * sizeof *grown);
    if (!grown)
      return false;
    l->item = grown;
    l->capacity = capacity;
  }
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
  int32_t *pair_first; ///< by column, into pair_row
  int32_t *pair_row;
  int32_t *child; ///< columns whose first row is this one: a linked list
  int32_t *sibling;
} analysis;

static bool find_node_segments(analysis *a) {
  const viper_model *m = a->m;
  a->node_first = calloc(m->n_nodes + 2, sizeof *a->node_first);
  a->node_segment = malloc((2 * m->n_segments + 1) * sizeof *a->node_segment);
  if (!a->node_first || !a->node_segment)
    return false;
  for (size_t j = 0; j < m->n_segments; j++)
    for (int i = 0; i < 2; i++)
      a->node_first[m->segment[j].node[i] + 2]++;
  for (size_t i = 1; i < m->n_nodes + 1; i++)
    a->node_first[i + 1] += a->node_first[i];
  for (size_t j = 0; j < m->n_segments; j++)
    for (int i = 0; i < 2; i++)
      a->node_segment[a->node_first[m->segment[j].node[i] + 1]++] = (int32_t)j;
  return true;
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
  int32_t *queue = malloc(2 * (a->m->n_nodes + 1) * sizeof *queue);
  if (!queue)
    return false;
  memset(a->e->column_of, -1, a->e->n_columns * sizeof *a->e->column_of);
  for (size_t k = 0; k < a->m->n_bodies; k++)
    order_body(a, &a->m->body[k], queue);
  free(queue);
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
  return joint->k[2] > 0 ? 6 : 3;
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
  size_t n = a->pairs.n / 2;
  a->pair_first = calloc(a->e->n_columns + 2, sizeof *a->pair_first);
  a->pair_row = malloc((n + 1) * sizeof *a->pair_row);
  if (!a->pair_first || !a->pair_row)
    return false;
  for (size_t i = 0; i < n; i++)
    a->pair_first[a->pairs.item[2 * i] + 2]++;
  for (size_t p = 1; p < a->e->n_columns + 1; p++)
    a->pair_first[p + 1] += a->pair_first[p];
  for (size_t i = 0; i < n; i++)
    a->pair_row[a->pair_first[a->pairs.item[2 * i] + 1]++] = a->pairs.item[2 * i + 1];
  return true;
}

static int compare(const void *x, const void *y) {
  int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/// Adds `row` to the rows of column `p` unless it is there.
static bool add_row(analysis *a, list *rows, int32_t p, int32_t row) {
  if (row == p || a->mark[row] == p)
    return true;
  a->mark[row] = p;
  return list_push(rows, row);
}

/// The rows of each column: its couplings and those of the columns it is the first row of.
static bool find_fill(analysis *a) {
  viper_elimination *e = a->e;
  list rows = {0};
  size_t n = e->n_columns;
  for (size_t p = 0; p < n; p++)
    a->child[p] = a->sibling[p] = a->mark[p] = -1;
  for (size_t p = 0; p < n; p++) {
    size_t first = rows.n;
    e->first_block[p] = (int32_t)first;
    for (int32_t i = a->pair_first[p]; i < a->pair_first[p + 1]; i++)
      if (!add_row(a, &rows, (int32_t)p, a->pair_row[i]))
        goto no_memory;
    for (int32_t c = a->child[p]; c >= 0; c = a->sibling[c])
      for (int32_t i = e->first_block[c]; i < e->first_block[c + 1]; i++)
        if (!add_row(a, &rows, (int32_t)p, rows.item[i]))
          goto no_memory;
    e->first_block[p + 1] = (int32_t)rows.n;
    if (rows.n == first)
      continue;
    qsort(rows.item + first, rows.n - first, sizeof *rows.item, compare);
    int32_t parent = rows.item[first];
    a->sibling[p] = a->child[parent];
    a->child[parent] = (int32_t)p;
  }
  e->row = rows.item ? rows.item : calloc(1, sizeof *e->row);
  e->n_blocks = rows.n;
  return e->row != NULL;
no_memory:
  free(rows.item);
  return false;
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
  e->target = malloc(((size_t)n + 1) * sizeof *e->target);
  if (!e->target)
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
  int32_t *size = malloc((e->n_columns + 1) * sizeof *size);
  e->top = calloc(m->n_bodies + 1, sizeof *e->top);
  e->partition = calloc(e->n_columns + 1, sizeof *e->partition);
  if (!size || !e->top || !e->partition) {
    free(size);
    return false;
  }
  for (size_t k = 0; k < m->n_bodies; k++)
    divide_body(a, &m->body[k], k, size);
  free(size);
  return true;
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
                            e->column_of, &e->submatrices);
  a->pairs.n = 0;
  return done;
}

/// One submatrix, where the order has none.
static bool make_submatrix(viper_elimination *e) {
  if (e->submatrices.n > 0)
    return true;
  e->submatrices.first = malloc(3 * sizeof *e->submatrices.first);
  if (!e->submatrices.first)
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
  e->column_of = malloc((n + 1) * sizeof *e->column_of);
  e->first_block = calloc(n + 1, sizeof *e->first_block);
  e->first_target = calloc(n + 1, sizeof *e->first_target);
  e->segment = calloc(m->n_segments + 1, sizeof *e->segment);
  e->joint = calloc(m->n_joints + 1, sizeof *e->joint);
  a->mark = malloc((n + 1) * sizeof *a->mark);
  a->child = malloc((n + 1) * sizeof *a->child);
  a->sibling = malloc((n + 1) * sizeof *a->sibling);
  if (!e->column_of || !e->first_block || !e->first_target || !e->segment || !e->joint ||
      !a->mark || !a->child || !a->sibling)
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
  free(a.node_first);
  free(a.node_segment);
  free(a.mark);
  free(a.pairs.item);
  free(a.pair_first);
  free(a.pair_row);
  free(a.child);
  free(a.sibling);
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
  free(e->column_of);
  free(e->submatrices.first);
  free(e->first_block);
  free(e->row);
  free(e->first_target);
  free(e->target);
  free(e->segment);
  free(e->joint);
  free(e->top);
  free(e->partition);
  free(e);
}
