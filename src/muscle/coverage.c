// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/coverage.h"

#include "base/time_limit.h"
#include "muscle/levels.h"
#include "scene/rotation.h"

#include <math.h>
#include <string.h>

/// A tetrahedron is empty from this distance to all axes on, in radii.
#define EMPTY 2
/// Segments before and behind a slice that are looked at.
#define NEAR 2

/// The squared distance of `x` to the axis of a segment, over that of the radius there.
static double axis_ratio(const double x[3], const double a[3], double r_a, const double b[3],
                         double r_b) {
  double along[3], from[3];
  for (int k = 0; k < 3; k++) {
    along[k] = b[k] - a[k];
    from[k] = x[k] - a[k];
  }
  double length = vb_dot(along, along), t = length > 0 ? vb_dot(from, along) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  double r = (1 - t) * r_a + t * r_b, d2 = 0;
  for (int k = 0; k < 3; k++)
    d2 += (from[k] - t * along[k]) * (from[k] - t * along[k]);
  return d2 / (r * r);
}

static void find_middle(const vb_mesh *mesh, size_t k, double x[3]) {
  memset(x, 0, 3 * sizeof *x);
  for (int c = 0; c < 4; c++)
    for (int i = 0; i < 3; i++)
      x[i] += mesh->vertex[mesh->tetrahedron[k][c]][i] / 4;
}

/// The value of the field in the middle of a tetrahedron.
static double middle_field(const vb_mesh *mesh, const vb_muscle_rods *rods, size_t k) {
  double sum = 0;
  for (int c = 0; c < 4; c++)
    sum += rods->field[mesh->tetrahedron[k][c]] / 4;
  return sum;
}

/// The least ratio over the segments near the slice through `x`, where the field is `value`: every
/// rod passes through that slice, and the nearest does so within its cell.
static double nearest_ratio(const vb_muscle_rods *rods, double value, const double x[3]) {
  double least = INFINITY;
  int32_t above = (int32_t)vb_levels_next(rods->level, (size_t)rods->n_slices, value);
  int32_t begin = above - NEAR > 1 ? above - NEAR : 1;
  int32_t end = above + NEAR < rods->n_slices - 1 ? above + NEAR : rods->n_slices - 1;
  for (int32_t i = 0; i < rods->n_rods; i++)
    for (int32_t j = begin; j <= end; j++) {
      int32_t at = i * rods->n_slices + j;
      const double(*p)[3] = (const double(*)[3])rods->point + at;
      double d = axis_ratio(x, p[-1], rods->radius[at - 1], p[0], rods->radius[at]);
      least = d < least ? d : least;
    }
  return least;
}

double vb_coverage_find(const vb_mesh *mesh, vb_muscle_rods *rods, double *ratio) {
  int64_t n = (int64_t)mesh->n_tetrahedra;
  double empty = 0, whole = 0, between = 0, farthest = (double)EMPTY * EMPTY;
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < n; k++) {
    double x[3];
    find_middle(mesh, (size_t)k, x);
    ratio[k] = 0;
    if (!vb_time_limit_over())
      ratio[k] = nearest_ratio(rods, middle_field(mesh, rods, (size_t)k), x);
  }
  memset(rods->hole, 0, sizeof rods->hole);
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    double volume = vb_mesh_volume(mesh, k);
    whole += volume;
    if (ratio[k] <= (double)EMPTY * EMPTY)
      continue;
    empty += volume;
    double value = middle_field(mesh, rods, k);
    if (value > rods->level[0] && value < rods->level[rods->n_slices - 1])
      between += volume;
    if (ratio[k] > farthest) {
      farthest = ratio[k];
      find_middle(mesh, k, rods->hole);
    }
  }
  rods->empty = empty / whole;
  return between;
}
