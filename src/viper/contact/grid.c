// SPDX-License-Identifier: GPL-3.0-or-later
/// Spheres into levels and cells: count, scan, fill, sort.
#include "viper/contact/grid_internal.h"

#include "base/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Spheres from which on threads share the sorting.
#define PARALLEL 2048
/// Longest run of numbers that is sorted by insertion.
#define INSERTION 64

static void allocate(viper_grid *g, size_t n) {
  const size_t behind = n + VIPER_GRID_WIDTH;
  VB_TAKE(&g->memory, g->level_of, n);
  VB_TAKE(&g->memory, g->cell_of, n);
  VB_TAKE(&g->memory, g->order, n);
  VB_TAKE(&g->memory, g->first, n + 2);
  VB_TAKE(&g->memory, g->sorted.x, behind);
  VB_TAKE(&g->memory, g->sorted.y, behind);
  VB_TAKE(&g->memory, g->sorted.z, behind);
  VB_TAKE(&g->memory, g->sorted.r, behind);
  VB_TAKE(&g->memory, g->sorted.body, behind);
  VB_TAKE(&g->memory, g->sorted.groups, behind);
  VB_TAKE(&g->memory, g->sorted.meets, behind);
}

vb_status viper_grid_create(size_t n, viper_grid **out, vb_error *error) {
  viper_grid *g = calloc(1, sizeof *g);
  if (!g)
    return vb_error_memory(error);
  g->capacity = n;
  allocate(g, n);
  if (g->memory.failed) {
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
  free(g->other);
  free(g->start);
  vb_arena_clear(&g->memory);
  free(g);
}

static bool is_sound(const viper_sphere *s) {
  return isfinite(s->center[0]) && isfinite(s->center[1]) && isfinite(s->center[2]) &&
         isfinite(s->radius);
}

static float find_largest(const viper_sphere *sphere, int32_t n, int threads) {
  float largest = 0;
#pragma omp parallel for if (n > PARALLEL) num_threads(threads) reduction(max : largest)
  for (int32_t i = 0; i < n; i++)
    if (is_sound(&sphere[i]) && sphere[i].radius > largest)
      largest = sphere[i].radius;
  return largest;
}

/// The level of a sphere: cells of level k are 2^-k times as wide as the largest sphere.
static int level_of(const viper_grid_level *level, const viper_sphere *s, float largest) {
  int k = VIPER_GRID_LEVELS - 1;
  if (s->radius > 0 && is_sound(s)) {
    int finest = ilogbf(largest / s->radius);
    k = finest < 0 ? 0 : finest < k ? finest : k;
  }
  while (k > 0 && !(2 * (double)s->radius * level[k].inverse <= 1))
    k--; // against the rounding of the quotient
  return k;
}

static void widen(viper_grid_level *l, const viper_sphere *s) {
  l->n++;
  for (int c = 0; c < 3 && is_sound(s); c++) {
    l->low[c] = fmin(l->low[c], (double)s->center[c]);
    l->high[c] = fmax(l->high[c], (double)s->center[c]);
  }
}

static void join(viper_grid_level *l, const viper_grid_level *partial) {
  l->n += partial->n;
  for (int c = 0; c < 3; c++) {
    l->low[c] = fmin(l->low[c], partial->low[c]);
    l->high[c] = fmax(l->high[c], partial->high[c]);
  }
}

/// Sorts spheres into levels, and finds how far each spreads.
static void choose_levels(viper_grid *g, const viper_sphere *sphere, int32_t n, int threads) {
  float largest = find_largest(sphere, n, threads);
  for (int k = 0; k < VIPER_GRID_LEVELS; k++)
    g->level[k] = (viper_grid_level){.inverse = largest > 0 ? ldexp(0.5 / (double)largest, k) : 1,
                                     .low = {INFINITY, INFINITY, INFINITY},
                                     .high = {-INFINITY, -INFINITY, -INFINITY}};
  viper_grid_level empty[VIPER_GRID_LEVELS];
  memcpy(empty, g->level, sizeof empty);
#pragma omp parallel if (n > PARALLEL) num_threads(threads)
  {
    viper_grid_level partial[VIPER_GRID_LEVELS];
    memcpy(partial, empty, sizeof partial);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n; i++) {
      int k = level_of(partial, &sphere[i], largest);
      g->level_of[i] = (uint8_t)k;
      widen(&partial[k], &sphere[i]);
    }
#pragma omp critical(viper_grid_levels)
    for (int k = 0; k < VIPER_GRID_LEVELS; k++)
      join(&g->level[k], &partial[k]);
  }
}

/// Gives a level as many cells along each axis as its spheres spread over, but no more than about
/// two for each sphere; returns how many. At least four: with three or more no two neighbors fall
/// together.
static int32_t size_level(viper_grid_level *l, int32_t first) {
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

static bool lay_out(viper_grid *g, int32_t *n_cells) {
  int64_t cells = 0;
  for (int k = 0; k < VIPER_GRID_LEVELS; k++)
    if (g->level[k].n > 0)
      cells += size_level(&g->level[k], (int32_t)cells);
  *n_cells = (int32_t)cells;
  return VB_GROW(g->start, g->start_capacity, (size_t)cells + 2);
}

void viper_grid_sort(int32_t *number, int32_t n) {
  if (n > INSERTION) {
    qsort(number, (size_t)n, sizeof *number, vb_compare_int32);
    return;
  }
  for (int32_t i = 1; i < n; i++) {
    int32_t moving = number[i], k = i;
    for (; k > 0 && number[k - 1] > moving; k--)
      number[k] = number[k - 1];
    number[k] = moving;
  }
}

static void put_sorted(const viper_sorted_spheres *to, size_t k, const viper_sphere *s) {
  to->x[k] = s->center[0];
  to->y[k] = s->center[1];
  to->z[k] = s->center[2];
  to->r[k] = s->radius;
  to->body[k] = s->body;
  to->groups[k] = s->groups;
  to->meets[k] = s->meets;
}

/// Spheres in the order of their cells, and in a cell of their indexes, whatever thread came first.
static void sort_spheres(viper_grid *g, const viper_sphere *sphere, int32_t n, int32_t n_cells,
                         int threads) {
  int32_t *start = g->start;
  memset(start, 0, ((size_t)n_cells + 2) * sizeof *start);
#pragma omp parallel if (n > PARALLEL) num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n; i++) {
      const viper_grid_level *l = &g->level[g->level_of[i]];
      const float *x = sphere[i].center;
      int32_t cell = viper_grid_cell(l, viper_grid_along(l, x[0]), viper_grid_along(l, x[1]),
                                     viper_grid_along(l, x[2]));
      g->cell_of[i] = cell;
#pragma omp atomic
      start[cell + 2]++;
    }
#pragma omp single
    vb_begin_rows(start, (size_t)n_cells);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n; i++) {
      int32_t at;
#pragma omp atomic capture
      at = start[g->cell_of[i] + 1]++;
      g->order[at] = i;
    }
#pragma omp for schedule(static)
    for (int32_t c = 0; c < n_cells; c++)
      viper_grid_sort(g->order + start[c], start[c + 1] - start[c]);
#pragma omp for schedule(static)
    for (int32_t k = 0; k < n; k++)
      put_sorted(&g->sorted, (size_t)k, &sphere[g->order[k]]);
  }
}

vb_status viper_grid_pairs(viper_grid *g, const viper_sphere *sphere, size_t n, int threads,
                           viper_sphere_pairs *pairs, vb_error *error) {
  int32_t n_cells;
  choose_levels(g, sphere, (int32_t)n, threads);
  if (!lay_out(g, &n_cells))
    return vb_error_memory(error);
  sort_spheres(g, sphere, (int32_t)n, n_cells, threads);
  if (!viper_grid_find_pairs(g, (int32_t)n, threads))
    return vb_error_memory(error);
  g->n = (int32_t)n;
  *pairs = (viper_sphere_pairs){g->first, g->other};
  return VB_OK;
}
