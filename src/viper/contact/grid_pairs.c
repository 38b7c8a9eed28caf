// SPDX-License-Identifier: GPL-3.0-or-later
/// Cells into pairs: each thread notes what it finds; count, scan, fill and sort put all into rows.
/// And the pairs of one sphere that has moved since.
#include "viper/contact/grid_internal.h"

#include "base/rows.h"

#include <omp.h>
#include <string.h>

/// Spheres from which on threads share the search.
#define PARALLEL 1024

typedef float floats __attribute__((vector_size(4 * VIPER_GRID_WIDTH)));
typedef int32_t ints __attribute__((vector_size(4 * VIPER_GRID_WIDTH)));

static bool reserve_buffers(viper_grid *g, int threads) {
  if (!VB_GROW(g->buffer, g->buffer_capacity, (size_t)threads))
    return false;
  for (; g->n_buffers < threads; g->n_buffers++)
    g->buffer[g->n_buffers] = (viper_pair_buffer){0};
  return true;
}

static floats load_floats(const float *p) {
  floats out;
  memcpy(&out, p, sizeof out);
  return out;
}

/// Which of the spheres at places m, .., m + VIPER_GRID_WIDTH - 1 overlap the one at place k and
/// are of another body: -1 there, else 0. Sums are those of one at a time, in their order.
static ints overlapping(const viper_sorted_spheres *s, int32_t k, int32_t m) {
  floats x = s->x[k] - load_floats(s->x + m), y = s->y[k] - load_floats(s->y + m);
  floats z = s->z[k] - load_floats(s->z + m), r = s->r[k] + load_floats(s->r + m);
  ints body;
  memcpy(&body, s->body + m, sizeof body);
  int32_t own = s->body[k] < 0 ? INT32_MIN : s->body[k]; // no other has that
  return (x * x + y * y + z * z <= r * r) & (body != own);
}

/// Appends the pairs of the sphere at place `k` with those at places [begin, end).
static bool compare(const viper_grid *g, int32_t k, int32_t begin, int32_t end,
                    viper_pair_buffer *out) {
  const viper_sorted_spheres *s = &g->sorted;
  if (end <= begin)
    return true;
  if (!VB_GROW(out->pair, out->capacity, out->n + (size_t)(end - begin)))
    return false;
  for (int32_t m = begin; m < end; m += VIPER_GRID_WIDTH) {
    ints hit = overlapping(s, k, m);
    int64_t any[2];
    memcpy(any, &hit, sizeof any);
    if (!(any[0] | any[1]))
      continue;
    for (int32_t lane = 0; lane < VIPER_GRID_WIDTH && m + lane < end; lane++) {
      if (!hit[lane] || !(s->groups[k] & s->meets[m + lane]) ||
          !(s->groups[m + lane] & s->meets[k]))
        continue;
      int32_t i = g->order[k], j = g->order[m + lane];
      out->pair[out->n][0] = i < j ? i : j;
      out->pair[out->n++][1] = i < j ? j : i;
    }
  }
  return true;
}

/// Likewise with those of the cells from x0 to x1 of a row, which may wrap around.
static bool compare_row(const viper_grid *g, int32_t k, const viper_grid_level *l, int64_t x0,
                        int64_t x1, int64_t y, int64_t z, viper_pair_buffer *out) {
  int32_t a = viper_grid_cell(l, x0, y, z), b = viper_grid_cell(l, x1, y, z);
  if (a <= b)
    return compare(g, k, g->start[a], g->start[b + 1], out);
  int32_t last = viper_grid_cell(l, l->mask[0], y, z), first = viper_grid_cell(l, 0, y, z);
  return compare(g, k, g->start[a], g->start[last + 1], out) &&
         compare(g, k, g->start[first], g->start[b + 1], out);
}

/// The pairs of the sphere at place `k` with those of its own grid: each pair is seen from one of
/// its cells only.
static bool pairs_within(const viper_grid *g, int32_t k, const viper_grid_level *l,
                         viper_pair_buffer *out) {
  int64_t x = viper_grid_along(l, g->sorted.x[k]), y = viper_grid_along(l, g->sorted.y[k]);
  int64_t z = viper_grid_along(l, g->sorted.z[k]);
  int32_t own = viper_grid_cell(l, x, y, z), next = viper_grid_cell(l, x + 1, y, z);
  return compare(g, k, k + 1, g->start[own + 1], out) &&
         compare(g, k, g->start[next], g->start[next + 1], out) &&
         compare_row(g, k, l, x - 1, x + 1, y + 1, z, out) &&
         compare_row(g, k, l, x - 1, x + 1, y - 1, z + 1, out) &&
         compare_row(g, k, l, x - 1, x + 1, y, z + 1, out) &&
         compare_row(g, k, l, x - 1, x + 1, y + 1, z + 1, out);
}

/// Likewise with those of a coarser grid.
static bool pairs_across(const viper_grid *g, int32_t k, const viper_grid_level *l,
                         viper_pair_buffer *out) {
  int64_t x = viper_grid_along(l, g->sorted.x[k]), y = viper_grid_along(l, g->sorted.y[k]);
  int64_t z = viper_grid_along(l, g->sorted.z[k]);
  for (int64_t dz = -1; dz <= 1; dz++)
    for (int64_t dy = -1; dy <= 1; dy++)
      if (!compare_row(g, k, l, x - 1, x + 1, y + dy, z + dz, out))
        return false;
  return true;
}

static bool pairs_of(const viper_grid *g, int32_t k, viper_pair_buffer *out) {
  int own = g->level_of[g->order[k]];
  if (!pairs_within(g, k, &g->level[own], out))
    return false;
  for (int coarser = 0; coarser < own; coarser++)
    if (g->level[coarser].n > 0 && !pairs_across(g, k, &g->level[coarser], out))
      return false;
  return true;
}

/// Notes the pairs of all spheres, each thread into its own buffer.
static bool note_pairs(viper_grid *g, int32_t n, int threads) {
  bool failed = false;
  for (int t = 0; t < g->n_buffers; t++)
    g->buffer[t].n = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, VIPER_GRID_CHUNK)                  \
    reduction(||                                                                                   \
              : failed) if (n > PARALLEL)
  for (int32_t k = 0; k < n; k++)
    failed = failed || !pairs_of(g, k, &g->buffer[omp_get_thread_num()]);
  return !failed;
}

/// Sums up all buffers; makes room for their pairs.
static bool reserve_rows(viper_grid *g) {
  size_t n = 0;
  for (int t = 0; t < g->n_buffers; t++)
    n += g->buffer[t].n;
  return n < INT32_MAX && VB_GROW(g->other, g->other_capacity, n + 1);
}

/// Counts, then puts, the pairs of a buffer; other threads do the same with theirs.
static void count_rows(const viper_pair_buffer *b, int32_t *first) {
  for (size_t k = 0; k < b->n; k++) {
#pragma omp atomic
    first[b->pair[k][0] + 2]++;
  }
}

static void fill_rows(const viper_pair_buffer *b, int32_t *first, int32_t *other) {
  for (size_t k = 0; k < b->n; k++) {
    int32_t at;
#pragma omp atomic capture
    at = first[b->pair[k][0] + 1]++;
    other[at] = b->pair[k][1];
  }
}

static void sort_pairs(viper_grid *g, int32_t n, int threads) {
  int32_t *first = g->first;
  memset(first, 0, ((size_t)n + 2) * sizeof *first);
#pragma omp parallel if (n > PARALLEL) num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int t = 0; t < g->n_buffers; t++)
      count_rows(&g->buffer[t], first);
#pragma omp single
    vb_begin_rows(first, (size_t)n);
#pragma omp for schedule(static)
    for (int t = 0; t < g->n_buffers; t++)
      fill_rows(&g->buffer[t], first, g->other);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n; i++)
      viper_grid_sort(g->other + first[i], first[i + 1] - first[i]);
  }
}

bool viper_grid_find_pairs(viper_grid *g, int32_t n, int threads) {
  if (!reserve_buffers(g, threads) || !note_pairs(g, n, threads) || !reserve_rows(g))
    return false;
  sort_pairs(g, n, threads);
  return true;
}

// The spheres around one that has moved since all were sorted into cells.

/// A range of cells along an axis.
typedef struct span {
  int64_t first, n;
} span;

/// The cells along an axis in which spheres of a level may lie that overlap one at `x`.
static span span_of(const viper_grid_level *l, int axis, float x, float radius) {
  float reach = radius + (float)(0.5000001 / l->inverse); // and the largest of the level
  int64_t first = viper_grid_along(l, x - reach), last = viper_grid_along(l, x + reach);
  int64_t all = (int64_t)l->mask[axis] + 1, n = last - first + 1;
  return (span){first, n > 0 && n < all ? n : all};
}

static bool makes_pair(const viper_sorted_spheres *s, int32_t k, const viper_sphere *a) {
  float x = s->x[k] - a->center[0], y = s->y[k] - a->center[1], z = s->z[k] - a->center[2];
  float r = s->r[k] + a->radius;
  return x * x + y * y + z * z <= r * r && (a->body < 0 || a->body != s->body[k]) &&
         (a->groups & s->meets[k]) && (s->groups[k] & a->meets);
}

/// Appends what is found at places [begin, end).
static bool look_at(const viper_grid *g, int32_t begin, int32_t end, const viper_sphere *sphere,
                    int32_t self, viper_sphere_list *out) {
  if (!VB_GROW(out->sphere, out->capacity, out->n + (size_t)(end - begin)))
    return false;
  for (int32_t k = begin; k < end; k++)
    if (makes_pair(&g->sorted, k, sphere) && g->order[k] != self)
      out->sphere[out->n++] = g->order[k];
  return true;
}

bool viper_grid_around(const viper_grid *g, const viper_sphere *sphere, int32_t self,
                       viper_sphere_list *out) {
  for (int k = 0; k < VIPER_GRID_LEVELS; k++) {
    const viper_grid_level *l = &g->level[k];
    if (l->n == 0)
      continue;
    span x = span_of(l, 0, sphere->center[0], sphere->radius);
    span y = span_of(l, 1, sphere->center[1], sphere->radius);
    span z = span_of(l, 2, sphere->center[2], sphere->radius);
    if (x.n * y.n * z.n > g->n) { // so large that all may as well be looked at, of all levels
      out->n = 0;
      return look_at(g, 0, g->n, sphere, self, out);
    }
    for (int64_t c = 0; c < x.n * y.n * z.n; c++) {
      int32_t cell =
          viper_grid_cell(l, x.first + c % x.n, y.first + c / x.n % y.n, z.first + c / (x.n * y.n));
      if (!look_at(g, g->start[cell], g->start[cell + 1], sphere, self, out))
        return false;
    }
  }
  return true;
}
