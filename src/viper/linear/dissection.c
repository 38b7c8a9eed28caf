// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/linear/dissection.h"

#include "base/rows.h"

#include <stdlib.h>
#include <string.h>

/// Vertices that are not cut further.
#define LEAF 4

/// Of what is in no submatrix: it comes last.
#define TOP INT32_MAX

/// Some of the vertices, `set[first]` on, all of one label, and the submatrix that they are in.
typedef struct subset {
  int32_t first, count, depth, submatrix;
} subset;

/// Where a vertex goes: submatrix by submatrix, of a submatrix the deepest first, of one cut one
/// after the other.
typedef struct place_of {
  int32_t submatrix, depth, rank, vertex;
} place_of;

typedef struct dissection {
  int32_t *first, *neighbor; ///< neighbor[first[v] .. first[v + 1])
  int32_t *set;              ///< all vertices, subset by subset
  int32_t *label;            ///< by vertex: which subset it is in
  int32_t *level;            ///< by vertex: distance from where the subset was last walked from
  int32_t *queue;            ///< the vertices of a subset as they were met
  subset *waiting;
  place_of *out;
  int32_t
      *size; ///< by submatrix: its vertices; then the number of the submatrix that it is joined to
  int32_t n_labels, n_waiting, n_out, n_submatrices;
  int32_t most; ///< vertices of a submatrix
  vb_arena memory;
} dissection;

/// Goes breadth first from a vertex through its subset; returns how many it met.
static int32_t walk(dissection *d, const subset *p, int32_t root) {
  int32_t met = 0;
  for (int32_t i = p->first; i < p->first + p->count; i++)
    d->level[d->set[i]] = -1;
  d->queue[met++] = root;
  d->level[root] = 0;
  for (int32_t head = 0; head < met; head++) {
    int32_t v = d->queue[head];
    for (int32_t i = d->first[v]; i < d->first[v + 1]; i++) {
      int32_t other = d->neighbor[i];
      if (d->label[other] != d->label[v] || d->level[other] >= 0)
        continue;
      d->level[other] = d->level[v] + 1;
      d->queue[met++] = other;
    }
  }
  return met;
}

static void leave(dissection *d, int32_t vertex, const subset *p, int32_t rank) {
  d->out[d->n_out++] = (place_of){p->submatrix, p->depth, rank, vertex};
  d->label[vertex] = -1;
}

/// Adds a subset of `of` to those that wait; one that is small enough is a submatrix of its own.
static void add_subset(dissection *d, int32_t first, int32_t count, int32_t depth,
                       const subset *of) {
  int32_t submatrix = of->submatrix;
  if (count == 0)
    return;
  if (submatrix == TOP && count <= d->most) {
    submatrix = d->n_submatrices++;
    d->size[submatrix] = count;
  }
  for (int32_t i = first; i < first + count; i++)
    d->label[d->set[i]] = d->n_labels;
  d->n_labels++;
  d->waiting[d->n_waiting++] = (subset){first, count, depth, submatrix};
}

/// The level to cut a walked subset at: of those in the middle half the smallest, and of these the
/// nearest to the middle. Never the first or the last.
static int32_t choose_level(const dissection *d, const subset *p, int32_t last) {
  int32_t best = d->level[d->queue[p->count / 2]], least = p->count;
  int32_t distance = INT32_MAX;
  for (int32_t begin = 0, end; begin < p->count; begin = end) {
    int32_t level = d->level[d->queue[begin]];
    for (end = begin + 1; end < p->count && d->level[d->queue[end]] == level; end++)
      ;
    int32_t off = abs(begin + end - p->count);
    if (begin < p->count / 4 || end > p->count - p->count / 4 || end - begin > least ||
        (end - begin == least && off >= distance))
      continue;
    best = level;
    least = end - begin;
    distance = off;
  }
  return best < 1 ? 1 : best > last - 1 ? last - 1 : best;
}

static bool reaches(const dissection *d, int32_t v, int32_t level) {
  for (int32_t i = d->first[v]; i < d->first[v + 1]; i++)
    if (d->label[d->neighbor[i]] == d->label[v] && d->level[d->neighbor[i]] == level)
      return true;
  return false;
}

/// Cuts a walked subset: out of a level go those that reach the next one.
static void cut(dissection *d, const subset *p, int32_t level) {
  int32_t before = p->first, after = p->first + p->count, rank = 0;
  for (int32_t i = 0; i < p->count; i++) {
    int32_t v = d->queue[i];
    bool last = d->level[v] == level && reaches(d, v, level + 1);
    if (d->level[v] > level)
      d->set[--after] = v;
    else if (!last)
      d->set[before++] = v;
    else
      d->out[d->n_out++] = (place_of){p->submatrix, p->depth, rank++, v};
  }
  for (int32_t k = d->n_out - rank; k < d->n_out; k++)
    d->label[d->out[k].vertex] = -1;
  add_subset(d, p->first, before - p->first, p->depth + 1, p);
  add_subset(d, after, p->first + p->count - after, p->depth + 1, p);
}

static void dissect_subset(dissection *d, const subset *p) {
  int32_t met = walk(d, p, d->set[p->first]);
  if (met < p->count) { // not connected: one component, and the others
    int32_t rest = p->first + met;
    for (int32_t i = p->first; i < p->first + p->count; i++)
      if (d->level[d->set[i]] < 0)
        d->queue[met++] = d->set[i];
    memcpy(d->set + p->first, d->queue, (size_t)p->count * sizeof *d->set);
    add_subset(d, p->first, rest - p->first, p->depth, p);
    add_subset(d, rest, p->first + p->count - rest, p->depth, p);
    return;
  }
  walk(d, p, d->queue[met - 1]);
  int32_t last = d->level[d->queue[met - 1]];
  if (met > LEAF && last >= 2)
    cut(d, p, choose_level(d, p, last));
  else
    for (int32_t i = 0; i < met; i++)
      leave(d, d->queue[i], p, i);
}

static int compare(const void *x, const void *y) {
  const place_of *a = x, *b = y;
  if (a->submatrix != b->submatrix)
    return a->submatrix < b->submatrix ? -1 : 1;
  if (a->depth != b->depth)
    return a->depth < b->depth ? 1 : -1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/// Joins submatrices, one after the other, as long as they are small enough together.
static void join_submatrices(dissection *d) {
  int32_t joined = 0, size = 0;
  for (int32_t k = 0; k < d->n_submatrices; k++) {
    bool fits = size + d->size[k] <= d->most;
    joined += !fits;
    size = fits ? size + d->size[k] : d->size[k];
    d->size[k] = joined;
  }
  d->n_submatrices = joined + 1;
  for (int32_t k = 0; k < d->n_out; k++)
    if (d->out[k].submatrix != TOP)
      d->out[k].submatrix = d->size[d->out[k].submatrix];
}

static bool dissect(dissection *d, int32_t n, const int32_t *pair, size_t n_pairs, int32_t *place) {
  size_t room = (size_t)n + 1;
  VB_TAKE(&d->memory, d->set, room);
  VB_TAKE(&d->memory, d->label, room);
  VB_TAKE(&d->memory, d->level, room);
  VB_TAKE(&d->memory, d->queue, room);
  VB_TAKE(&d->memory, d->waiting, room);
  VB_TAKE(&d->memory, d->out, room);
  VB_TAKE(&d->memory, d->size, room);
  d->neighbor = vb_make_rows(&d->memory, (size_t)n, pair, n_pairs, VB_PAIRS_SYMMETRIC, &d->first);
  if (d->memory.failed)
    return false;
  for (int32_t v = 0; v < n; v++)
    d->set[v] = v;
  add_subset(d, 0, n, 0, &(subset){.submatrix = TOP});
  while (d->n_waiting > 0) {
    subset p = d->waiting[--d->n_waiting];
    dissect_subset(d, &p);
  }
  join_submatrices(d);
  qsort(d->out, (size_t)n, sizeof *d->out, compare);
  for (int32_t k = 0; k < n; k++)
    place[d->out[k].vertex] = k;
  return true;
}

/// Writes the first place of each submatrix, of the top, and the end.
static void list_submatrices(const dissection *d, int32_t *first) {
  int32_t next = 0;
  for (int32_t k = 0; k < d->n_out; k++)
    while (next <= d->n_submatrices && d->out[k].submatrix >= next)
      first[next++] = k;
  while (next <= d->n_submatrices + 1)
    first[next++] = d->n_out;
}

bool viper_dissect(int32_t n, const int32_t *pair, size_t n_pairs, int32_t most, int32_t *place,
                   vb_arena *memory, viper_submatrices *submatrices) {
  dissection d = {.most = most > 0 ? most : INT32_MAX};
  bool done = dissect(&d, n, pair, n_pairs, place);
  submatrices->n = d.n_submatrices;
  if (done && VB_TAKE(memory, submatrices->first, (size_t)d.n_submatrices + 2))
    list_submatrices(&d, submatrices->first);
  vb_arena_clear(&d.memory);
  return done && !memory->failed;
}
