// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/contact/grid.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_LEVELS = 24,      ///< the finest holds all that is smaller still
  LEAST_SIDE = 4,        ///< cells along an axis: with three or more no two neighbors fall together
  CHUNK = 128,           ///< spheres whose pairs a thread looks for at once
  PARALLEL = 8192,       ///< spheres from which on threads share the sorting
  PARALLEL_PAIRS = 1024, ///< likewise looking for pairs
  WIDTH = 4              ///< spheres that are compared with one at once
};

typedef float floats __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ints __attribute__((vector_size(4 * WIDTH)));

/// A periodic grid of cells as wide as its largest sphere may be.
typedef struct level {
  double inverse;  ///< 1 / width of a cell, 1/m
  int32_t mask[3]; ///< cells along each axis, a power of two, less 1
  int shift[2];    ///< log2 of cells in a row, and in a layer
  int32_t first;   ///< its first cell
  size_t n;        ///< spheres
  double low[3], high[3];
} level;

/// Pairs that a thread found.
typedef struct buffer {
  viper_sphere_pair *pair;
  size_t n, capacity;
} buffer;

/// Where the pairs of a chunk lie.
typedef struct part {
  int thread;
  size_t first, n;
} part;

/// Spheres in the order of cells, component by component; WIDTH more behind them, of no radius.
typedef struct sorted_spheres {
  float *x, *y, *z, *r; ///< [n + WIDTH]
  int32_t *body;
  uint32_t *groups, *meets;
} sorted_spheres;

struct viper_grid {
  size_t capacity; ///< spheres
  level level[MOST_LEVELS];
  uint8_t *level_of; ///< [n]
  int32_t *cell_of;  ///< [n]
  int32_t *start;    ///< [cells + 1] first sphere of each cell, in the order of cells
  size_t start_capacity;
  int32_t *order;        ///< [n] spheres in the order of cells
  sorted_spheres sorted; ///< likewise
  part *part;            ///< [chunks]
  buffer *buffer;        ///< [n_buffers], one for each thread
  int n_buffers;
  buffer all;
};

/// In two blocks, which begin at `x` and `body`.
static bool allocate_sorted(sorted_spheres *s, size_t n) {
  s->x = calloc(4 * n, sizeof *s->x);
  s->body = calloc(3 * n, sizeof *s->body);
  if (!s->x || !s->body)
    return false;
  s->y = s->x + n;
  s->z = s->y + n;
  s->r = s->z + n;
  s->groups = (uint32_t *)(s->body + n);
  s->meets = s->groups + n;
  return true;
}

vb_status viper_grid_create(size_t n, viper_grid **out, vb_error *error) {
  viper_grid *g = calloc(1, sizeof *g);
  if (!g)
    return vb_error_memory(error);
  g->capacity = n;
  g->level_of = calloc(n + 1, sizeof *g->level_of);
  g->cell_of = calloc(n + 1, sizeof *g->cell_of);
  g->order = calloc(n + 1, sizeof *g->order);
  bool sorted = allocate_sorted(&g->sorted, n + WIDTH);
  g->part = calloc(n / CHUNK + 2, sizeof *g->part);
  if (!g->level_of || !g->cell_of || !g->order || !sorted || !g->part) {
    viper_grid_destroy(g);
    return vb_error_memory(error);
  }
  *out = g;
  return VB_OK;
}

void viper_grid_destroy(viper_grid *g) {
  if (!g)
    return;
  for (int t = 0; t < g->n_buffers; t++)
    free(g->buffer[t].pair);
  free(g->buffer);
  free(g->all.pair);
  free(g->level_of);
  free(g->cell_of);
  free(g->start);
  free(g->order);
  free(g->sorted.x);
  free(g->sorted.body);
  free(g->part);
  free(g);
}

/// Makes room for `n` pairs.
static bool reserve(buffer *b, size_t n) {
  if (n <= b->capacity)
    return true;
  size_t capacity = n + n / 2 + 256;
  viper_sphere_pair *pair = realloc(b->pair, capacity * sizeof *pair);
  if (!pair)
    return false;
  b->pair = pair;
  b->capacity = capacity;
  return true;
}

static bool reserve_buffers(viper_grid *g, int threads) {
  if (threads <= g->n_buffers)
    return true;
  buffer *all = realloc(g->buffer, (size_t)threads * sizeof *all);
  if (!all)
    return false;
  memset(all + g->n_buffers, 0, (size_t)(threads - g->n_buffers) * sizeof *all);
  g->buffer = all;
  g->n_buffers = threads;
  return true;
}

static bool is_sound(const viper_sphere *s) {
  return isfinite(s->center[0]) && isfinite(s->center[1]) && isfinite(s->center[2]) &&
         isfinite(s->radius);
}

/// Sorts spheres into levels: cells of level k are 2^-k times as wide as the largest sphere.
static void choose_levels(viper_grid *g, const viper_sphere *sphere, size_t n) {
  float largest = 0;
  for (size_t i = 0; i < n; i++)
    if (is_sound(&sphere[i]) && sphere[i].radius > largest)
      largest = sphere[i].radius;
  for (int k = 0; k < MOST_LEVELS; k++)
    g->level[k] = (level){.inverse = largest > 0 ? ldexp(0.5 / (double)largest, k) : 1,
                          .low = {INFINITY, INFINITY, INFINITY},
                          .high = {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < n; i++) {
    const viper_sphere *s = &sphere[i];
    int k = MOST_LEVELS - 1;
    if (s->radius > 0 && is_sound(s))
      k = (int)fmin(k, floor(log2((double)largest / (double)s->radius)));
    while (k > 0 && !(2 * (double)s->radius * g->level[k].inverse <= 1))
      k--; // against the rounding of the logarithm
    g->level_of[i] = (uint8_t)k;
    g->level[k].n++;
    for (int c = 0; c < 3 && is_sound(s); c++) {
      g->level[k].low[c] = fmin(g->level[k].low[c], (double)s->center[c]);
      g->level[k].high[c] = fmax(g->level[k].high[c], (double)s->center[c]);
    }
  }
}

/// Gives a level as many cells along each axis as its spheres spread over, but no more than about
/// two for each sphere; returns how many.
static int32_t size_level(level *l, int32_t first) {
  int bits[3];
  int most = 3 * 2;
  while (most < 30 && (INT64_C(1) << most) < 2 * (int64_t)l->n)
    most++;
  for (int c = 0; c < 3; c++) {
    double cells = (l->high[c] - l->low[c]) * l->inverse + 2;
    for (bits[c] = 2; bits[c] < 28 && ldexp(1, bits[c]) < cells;)
      bits[c]++;
  }
  while (bits[0] + bits[1] + bits[2] > most) {
    int longest = bits[0] >= bits[1] && bits[0] >= bits[2] ? 0 : bits[1] >= bits[2] ? 1 : 2;
    bits[longest]--;
  }
  for (int c = 0; c < 3; c++)
    l->mask[c] = (INT32_C(1) << bits[c]) - 1;
  l->shift[0] = bits[0];
  l->shift[1] = bits[0] + bits[1];
  l->first = first;
  return INT32_C(1) << (bits[0] + bits[1] + bits[2]);
}

/// Coordinate of the cell of `x`, before it is wrapped.
static int64_t cell_along(const level *l, float x) {
  double at = floor((double)x * l->inverse);
  return at > -1e15 && at < 1e15 ? (int64_t)at : 0; // what is farther, or no number, is lost anyway
}

static int32_t cell_at(const level *l, int64_t x, int64_t y, int64_t z) {
  return l->first + ((int32_t)(x & l->mask[0]) | (int32_t)(y & l->mask[1]) << l->shift[0] |
                     (int32_t)(z & l->mask[2]) << l->shift[1]);
}

static bool lay_out(viper_grid *g, int32_t *n_cells) {
  int64_t cells = 0;
  for (int k = 0; k < MOST_LEVELS; k++)
    if (g->level[k].n > 0)
      cells += size_level(&g->level[k], (int32_t)cells);
  if ((size_t)cells + 2 > g->start_capacity) {
    int32_t *start = realloc(g->start, ((size_t)cells + 2) * sizeof *start);
    if (!start)
      return false;
    g->start = start;
    g->start_capacity = (size_t)cells + 2;
  }
  *n_cells = (int32_t)cells;
  return true;
}

/// Puts the spheres of a cell into the order of their indexes, whatever thread came first.
static void sort_cell(int32_t *order, int32_t n) {
  for (int32_t i = 1; i < n; i++) {
    int32_t moving = order[i], k = i;
    for (; k > 0 && order[k - 1] > moving; k--)
      order[k] = order[k - 1];
    order[k] = moving;
  }
}

static void put_sorted(const sorted_spheres *to, size_t k, const viper_sphere *s) {
  to->x[k] = s->center[0];
  to->y[k] = s->center[1];
  to->z[k] = s->center[2];
  to->r[k] = s->radius;
  to->body[k] = s->body;
  to->groups[k] = s->groups;
  to->meets[k] = s->meets;
}

/// Count, scan, fill, sort: spheres in the order of their cells.
static void sort_spheres(viper_grid *g, const viper_sphere *sphere, int32_t n, int32_t n_cells,
                         int threads) {
  int32_t *start = g->start;
  bool parallel = n > PARALLEL;
  memset(start, 0, ((size_t)n_cells + 2) * sizeof *start);
#pragma omp parallel for if (parallel) num_threads(threads)
  for (int32_t i = 0; i < n; i++) {
    const level *l = &g->level[g->level_of[i]];
    const float *x = sphere[i].center;
    int32_t cell = cell_at(l, cell_along(l, x[0]), cell_along(l, x[1]), cell_along(l, x[2]));
    g->cell_of[i] = cell;
#pragma omp atomic
    start[cell + 2]++;
  }
  for (int32_t c = 0; c < n_cells; c++)
    start[c + 2] += start[c + 1];
#pragma omp parallel for if (parallel) num_threads(threads)
  for (int32_t i = 0; i < n; i++) {
    int32_t at;
#pragma omp atomic capture
    at = start[g->cell_of[i] + 1]++;
    g->order[at] = i;
  }
#pragma omp parallel for if (parallel) num_threads(threads)
  for (int32_t c = 0; c < n_cells; c++)
    sort_cell(g->order + start[c], start[c + 1] - start[c]);
#pragma omp parallel for if (parallel) num_threads(threads)
  for (int32_t k = 0; k < n; k++)
    put_sorted(&g->sorted, (size_t)k, &sphere[g->order[k]]);
}

static floats load_floats(const float *p) {
  floats out;
  memcpy(&out, p, sizeof out);
  return out;
}

/// Which of the spheres at places m, .., m + WIDTH - 1 overlap the one at place k and are of
/// another body: -1 there, else 0. Sums are those of one at a time, in their order.
static ints overlapping(const sorted_spheres *s, int32_t k, int32_t m) {
  floats x = s->x[k] - load_floats(s->x + m), y = s->y[k] - load_floats(s->y + m);
  floats z = s->z[k] - load_floats(s->z + m), r = s->r[k] + load_floats(s->r + m);
  ints body;
  memcpy(&body, s->body + m, sizeof body);
  int32_t own = s->body[k] < 0 ? INT32_MIN : s->body[k]; // no other has that
  return (x * x + y * y + z * z <= r * r) & (body != own);
}

/// Appends the pairs of the sphere at place `k` with those at places [begin, end).
static bool compare(const viper_grid *g, int32_t k, int32_t begin, int32_t end, buffer *out) {
  const sorted_spheres *s = &g->sorted;
  if (end <= begin)
    return true;
  if (!reserve(out, out->n + (size_t)(end - begin)))
    return false;
  for (int32_t m = begin; m < end; m += WIDTH) {
    ints hit = overlapping(s, k, m);
    int64_t any[2];
    memcpy(any, &hit, sizeof any);
    if (!(any[0] | any[1]))
      continue;
    for (int32_t lane = 0; lane < WIDTH && m + lane < end; lane++) {
      if (!hit[lane] || !(s->groups[k] & s->meets[m + lane]) ||
          !(s->groups[m + lane] & s->meets[k]))
        continue;
      int32_t i = g->order[k], j = g->order[m + lane];
      out->pair[out->n++] = i < j ? (viper_sphere_pair){i, j} : (viper_sphere_pair){j, i};
    }
  }
  return true;
}

/// Likewise with those of the cells from x0 to x1 of a row, which may wrap around.
static bool compare_row(const viper_grid *g, int32_t k, const level *l, int64_t x0, int64_t x1,
                        int64_t y, int64_t z, buffer *out) {
  int32_t a = cell_at(l, x0, y, z), b = cell_at(l, x1, y, z);
  if (a <= b)
    return compare(g, k, g->start[a], g->start[b + 1], out);
  int32_t last = cell_at(l, l->mask[0], y, z), first = cell_at(l, 0, y, z);
  return compare(g, k, g->start[a], g->start[last + 1], out) &&
         compare(g, k, g->start[first], g->start[b + 1], out);
}

/// The pairs of the sphere at place `k` with those of its own grid: each pair is seen from one of
/// its cells only.
static bool pairs_within(const viper_grid *g, int32_t k, const level *l, buffer *out) {
  int64_t x = cell_along(l, g->sorted.x[k]), y = cell_along(l, g->sorted.y[k]);
  int64_t z = cell_along(l, g->sorted.z[k]);
  int32_t own = cell_at(l, x, y, z), next = cell_at(l, x + 1, y, z);
  return compare(g, k, k + 1, g->start[own + 1], out) &&
         compare(g, k, g->start[next], g->start[next + 1], out) &&
         compare_row(g, k, l, x - 1, x + 1, y + 1, z, out) &&
         compare_row(g, k, l, x - 1, x + 1, y - 1, z + 1, out) &&
         compare_row(g, k, l, x - 1, x + 1, y, z + 1, out) &&
         compare_row(g, k, l, x - 1, x + 1, y + 1, z + 1, out);
}

/// Likewise with those of a coarser grid.
static bool pairs_across(const viper_grid *g, int32_t k, const level *l, buffer *out) {
  int64_t x = cell_along(l, g->sorted.x[k]), y = cell_along(l, g->sorted.y[k]);
  int64_t z = cell_along(l, g->sorted.z[k]);
  for (int64_t dz = -1; dz <= 1; dz++)
    for (int64_t dy = -1; dy <= 1; dy++)
      if (!compare_row(g, k, l, x - 1, x + 1, y + dy, z + dz, out))
        return false;
  return true;
}

static bool pairs_of(const viper_grid *g, int32_t k, buffer *out) {
  int own = g->level_of[g->order[k]];
  if (!pairs_within(g, k, &g->level[own], out))
    return false;
  for (int coarser = 0; coarser < own; coarser++)
    if (g->level[coarser].n > 0 && !pairs_across(g, k, &g->level[coarser], out))
      return false;
  return true;
}

/// Finds the pairs chunk by chunk, each into the buffer of the thread at work.
static bool find_pairs(viper_grid *g, int32_t n, int threads) {
  int32_t n_parts = (n + CHUNK - 1) / CHUNK;
  bool failed = false;
  for (int t = 0; t < threads; t++)
    g->buffer[t].n = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic)                                    \
    reduction(||                                                                                   \
              : failed) if (n > PARALLEL_PAIRS)
  for (int32_t p = 0; p < n_parts; p++) {
    int thread = omp_get_thread_num();
    buffer *out = &g->buffer[thread];
    size_t first = out->n;
    int32_t end = (p + 1) * CHUNK < n ? (p + 1) * CHUNK : n;
    for (int32_t k = p * CHUNK; k < end && !failed; k++)
      failed = !pairs_of(g, k, out);
    g->part[p] = (part){thread, first, out->n - first};
  }
  return !failed;
}

/// Puts the chunks' pairs into one list, in the order of the chunks.
static bool join_pairs(viper_grid *g, int32_t n_parts) {
  size_t n = 0;
  for (int32_t p = 0; p < n_parts; p++)
    n += g->part[p].n;
  if (!reserve(&g->all, n))
    return false;
  g->all.n = 0;
  for (int32_t p = 0; p < n_parts; p++) {
    const part *from = &g->part[p];
    if (from->n > 0)
      memcpy(g->all.pair + g->all.n, g->buffer[from->thread].pair + from->first,
             from->n * sizeof *g->all.pair);
    g->all.n += from->n;
  }
  return true;
}

vb_status viper_grid_pairs(viper_grid *g, const viper_sphere *sphere, size_t n, int threads,
                           const viper_sphere_pair **pairs, size_t *n_pairs, vb_error *error) {
  int32_t n_cells;
  choose_levels(g, sphere, n);
  if (!reserve_buffers(g, threads) || !lay_out(g, &n_cells))
    return vb_error_memory(error);
  sort_spheres(g, sphere, (int32_t)n, n_cells, threads);
  if (!find_pairs(g, (int32_t)n, threads) || !join_pairs(g, (int32_t)((n + CHUNK - 1) / CHUNK)))
    return vb_error_memory(error);
  *pairs = g->all.pair;
  *n_pairs = g->all.n;
  return VB_OK;
}
