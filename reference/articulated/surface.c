// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Its nodes in increasing order.
static void sort_nodes(const ar_side *side, int32_t out[3]) {
  for (int c = 0; c < 3; c++) {
    int at = c;
    for (; at > 0 && out[at - 1] > side->node[c]; at--)
      out[at] = out[at - 1];
    out[at] = side->node[c];
  }
}

static int compare_sides(const void *a, const void *b) {
  int32_t f[3], g[3];
  sort_nodes(a, f);
  sort_nodes(b, g);
  int c = 0;
  while (c < 2 && f[c] == g[c])
    c++;
  return (f[c] > g[c]) - (f[c] < g[c]);
}

/// Side `i` of a tetrahedron of positive volume.
static ar_side side_of(const vb_tetrahedron *t, int32_t tetrahedron, int i) {
  static const int corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  ar_side out = {.tetrahedron = tetrahedron};
  for (int c = 0; c < 3; c++)
    out.node[c] = t->node[corner[i][c]];
  return out;
}

vb_status ar_surface_create(const vb_scene *scene, ar_side **side, size_t *n, vb_error *error) {
  size_t n_tetrahedra, kept = 0;
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n_tetrahedra);
  size_t n_sides = 4 * n_tetrahedra;
  ar_side *all = reallocarray(NULL, n_sides + 1, sizeof *all);
  if (!all)
    return vb_error_memory(error);
  for (size_t i = 0; i < n_sides; i++)
    all[i] = side_of(&t[i / 4], (int32_t)(i / 4), (int)(i % 4));
  qsort(all, n_sides, sizeof *all, compare_sides);
  for (size_t i = 0; i < n_sides; i++) {
    bool twice = i + 1 < n_sides && compare_sides(&all[i], &all[i + 1]) == 0;
    if (twice)
      i++;
    else
      all[kept++] = all[i];
  }
  *side = all;
  *n = kept;
  return VB_OK;
}

/// The place of the point nearest to `p` on the edge from a to b, as a part of it; the square of
/// the distance.
static double edge_distance(const double a[3], const double b[3], const double p[3], double *part) {
  double along[3], arm[3];
  vb_subtract(b, a, along);
  vb_subtract(p, a, arm);
  double square = vb_dot(along, along);
  *part = square > 0 ? fmin(fmax(vb_dot(arm, along) / square, 0), 1) : 0;
  vb_add_scaled(arm, -*part, along, arm);
  return vb_dot(arm, arm);
}

double ar_side_distance(const ar_side *side, const double *x, const double p[3], double weight[3],
                        double normal[3]) {
  const double *corner[3];
  double u[3], v[3], arm[3], across[3], least = INFINITY, part;
  for (int k = 0; k < 3; k++)
    corner[k] = x + 3 * (size_t)side->node[k];
  vb_subtract(corner[1], corner[0], u);
  vb_subtract(corner[2], corner[0], v);
  vb_subtract(p, corner[0], arm);
  vb_cross(u, v, normal);
  double square = vb_dot(normal, normal), size = sqrt(square);
  vb_cross(arm, v, across);
  weight[1] = vb_dot(across, normal) / square;
  vb_cross(u, arm, across);
  weight[2] = vb_dot(across, normal) / square;
  weight[0] = 1 - weight[1] - weight[2];
  for (int k = 0; k < 3; k++)
    normal[k] = size > 0 ? normal[k] / size : 0;
  if (size > 0 && weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0)
    return vb_dot(arm, normal) * vb_dot(arm, normal);
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3;
    double distance = edge_distance(corner[k], corner[next], p, &part);
    if (distance >= least)
      continue;
    least = distance;
    weight[k] = 1 - part;
    weight[next] = part;
    weight[3 - k - next] = 0;
  }
  return least;
}
