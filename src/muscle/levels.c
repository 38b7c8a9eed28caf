// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/levels.h"

#include "base/time_limit.h"
#include "muscle/harmonic.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Steps of the table of areas for each slice, and besides.
#define STEPS_PER_SLICE 8
#define FEWEST_STEPS    256
/// How often the table's levels are placed anew, equally far apart by the table before. A belly a
/// thousand times as wide as the ends takes a thousandth of the field, one step of the first table;
/// each pass refines there by some tens.
#define PASSES 5

/// A tetrahedron's part in the table: its values of the field, rising, and its area if it were cut
/// into slices of equal area over the field from 0 to 1: volume times gradient.
typedef struct share {
  double value[4];
  double area;
} share;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The density of a linear function's values over a tetrahedron where it is `t`: the quadratic
/// B-spline of its values at the corners, with integral 1. Times `area` that of the cut.
static double density(const share *s, double t) {
  const double *v = s->value;
  if (!(t > v[0] && t < v[3]))
    return 0;
  if (t < v[1])
    return 3 * (t - v[0]) * (t - v[0]) / ((v[1] - v[0]) * (v[2] - v[0]) * (v[3] - v[0]));
  if (t >= v[2])
    return 3 * (v[3] - t) * (v[3] - t) / ((v[3] - v[0]) * (v[3] - v[1]) * (v[3] - v[2]));
  return 3 / ((v[3] - v[0]) * (v[2] - v[1])) *
         ((t - v[0]) * (v[2] - t) / (v[2] - v[0]) + (v[3] - t) * (t - v[1]) / (v[3] - v[1]));
}

size_t vb_levels_next(const double *level, size_t n, double t) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (level[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Areas of the isosurfaces at `n` levels.
static void find_areas(const share *list, size_t n_shares, const double *level, size_t n,
                       double *area) {
  memset(area, 0, n * sizeof *area);
  for (size_t k = 0; k < n_shares; k++)
    for (size_t i = vb_levels_next(level, n, list[k].value[0]);
         i < n && level[i] < list[k].value[3]; i++)
      area[i] += list[k].area * density(&list[k], level[i]);
}

/// Turns areas into lengths from the first level on, in the unit 1 / Q: by trapezoids.
static void integrate(const double *level, size_t n, double *area) {
  double before = area[0], sum = 0;
  for (size_t i = 0; i < n; i++) {
    double here = area[i];
    sum += i ? (level[i] - level[i - 1]) * (before + here) / 2 : 0;
    before = here;
    area[i] = sum;
  }
}

/// The level at which the length is `wanted`.
static double level_at(const double *level, const double *length, size_t n, double wanted) {
  size_t i = vb_levels_next(length, n, wanted);
  i = i < 1 ? 1 : i > n - 1 ? n - 1 : i;
  double step = length[i] - length[i - 1],
         t = step > 0 ? fmin(fmax((wanted - length[i - 1]) / step, 0), 1) : 0.5;
  return (1 - t) * level[i - 1] + t * level[i];
}

/// The shares of the tetrahedra in which the field is not constant.
static size_t list_shares(const vb_mesh *mesh, const double *field, const double (*gradient)[3],
                          share *list) {
  size_t n = 0;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    share *s = &list[n];
    for (int c = 0; c < 4; c++)
      s->value[c] = field[mesh->tetrahedron[k][c]];
    qsort(s->value, 4, sizeof *s->value, by_value);
    s->area = vb_mesh_volume(mesh, k) * sqrt(vb_dot(gradient[k], gradient[k]));
    n += s->value[3] > s->value[0];
  }
  return n;
}

/// Writes the wanted levels; `table`, `length` and `room` are room for `n_table` numbers.
static vb_status choose(const share *list, size_t n_shares, size_t n, double *table, double *length,
                        double *room, size_t n_table, double *level, vb_error *error) {
  double inset = 0.25 / ((double)n - 0.5);
  for (size_t i = 0; i < n_table; i++)
    table[i] = (double)i / (double)(n_table - 1);
  for (int pass = 0; pass < PASSES; pass++) {
    vb_status status = vb_time_limit_check(error);
    if (status)
      return status;
    find_areas(list, n_shares, table, n_table, length);
    length[0] = length[1]; // an end itself is made of the mesh's own triangles
    length[n_table - 1] = length[n_table - 2];
    integrate(table, n_table, length);
    double whole = length[n_table - 1];
    for (size_t j = 0; j < n; j++)
      level[j] = level_at(table, length, n_table,
                          whole * (inset + (1 - 2 * inset) * (double)j / (double)(n - 1)));
    for (size_t i = 0; i < n_table; i++)
      room[i] = level_at(table, length, n_table, whole * (double)i / (double)(n_table - 1));
    memcpy(table, room, n_table * sizeof *table);
    table[0] = 0;
    table[n_table - 1] = 1;
  }
  return VB_OK;
}

vb_status vb_levels_choose(const vb_mesh *mesh, const double *field, size_t n, double *level,
                           vb_error *error) {
  size_t n_table = STEPS_PER_SLICE * n + FEWEST_STEPS + 1;
  share *list = reallocarray(NULL, mesh->n_tetrahedra + 1, sizeof *list);
  double(*gradient)[3] = reallocarray(NULL, mesh->n_tetrahedra + 1, sizeof *gradient);
  double *table = reallocarray(NULL, 3 * n_table, sizeof *table);
  vb_status status = list && gradient && table ? VB_OK : vb_error_memory(error);
  if (!status) {
    vb_harmonic_gradient(mesh, field, gradient);
    size_t n_shares = list_shares(mesh, field, (const double(*)[3])gradient, list);
    status = choose(list, n_shares, n, table, table + n_table, table + 2 * n_table, n_table, level,
                    error);
  }
  free(list);
  free(gradient);
  free(table);
  return status;
}
