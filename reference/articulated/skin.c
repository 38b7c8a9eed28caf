// SPDX-License-Identifier: GPL-3.0-or-later
#include "skin.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A vertex on the boundary has a barycentric coordinate of 0, less rounding of positions.
static const double outside = 1e-9;

/// Barycentric coordinates of `point` at rest; returns the least.
static double coordinates(const vb_node *node, const int32_t at[4], const double point[3],
                          double out[4]) {
  const double *x[4];
  for (int i = 0; i < 4; i++)
    x[i] = node[at[i]].rest_position;
  double whole = vb_volume6(x[0], x[1], x[2], x[3]), least = INFINITY;
  for (int i = 0; i < 4; i++) {
    const double *corner = x[i];
    x[i] = point;
    out[i] = vb_volume6(x[0], x[1], x[2], x[3]) / whole;
    x[i] = corner;
    least = fmin(least, out[i]);
  }
  return least;
}

/// Chooses the tetrahedron in which the vertex lies deepest.
static vb_status attach(const vb_scene *scene, size_t i, ar_skin_vertex *out, vb_error *error) {
  size_t n;
  const double *point = vb_scene_surface_vertices(scene, &n)[i].rest_position;
  const vb_node *node = vb_scene_nodes(scene, &n);
  const vb_tetrahedron *t = vb_scene_tetrahedra(scene, &n);
  double deepest = -INFINITY, weight[4];
  for (size_t e = 0; e < n; e++) {
    double depth = coordinates(node, t[e].node, point, weight);
    if (depth <= deepest)
      continue;
    deepest = depth;
    memcpy(out->node, t[e].node, sizeof out->node);
    memcpy(out->weight, weight, sizeof weight);
  }
  if (deepest < -outside)
    return vb_bad_input(error, "surface vertex %zu lies outside of all tetrahedra, at (%g, %g, %g)",
                        i, point[0], point[1], point[2]);
  return VB_OK;
}

vb_status ar_skin_create(const vb_scene *scene, ar_skin *out, vb_error *error) {
  ar_skin skin = {.n_vertices = vb_scene_count(scene, VB_SET_SURFACE_VERTEX)};
  skin.triangle = vb_scene_triangles(scene, &skin.n_triangles);
  skin.vertex = calloc(skin.n_vertices + 1, sizeof *skin.vertex);
  vb_status status = skin.vertex ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < skin.n_vertices; i++)
    status = attach(scene, i, &skin.vertex[i], error);
  if (status)
    ar_skin_clear(&skin);
  else
    *out = skin;
  return status;
}

void ar_skin_clear(ar_skin *skin) {
  free(skin->vertex);
  *skin = (ar_skin){0};
}

static void place(const ar_skin_vertex *vertex, const double *x, double out[3]) {
  for (size_t c = 0; c < 3; c++) {
    out[c] = 0;
    for (int k = 0; k < 4; k++)
      out[c] += vertex->weight[k] * x[3 * (size_t)vertex->node[k] + c];
  }
}

void ar_skin_vertices(const ar_skin *skin, const double *x, double *out) {
  for (size_t i = 0; i < skin->n_vertices; i++)
    place(&skin->vertex[i], x, out + 3 * i);
}

double ar_skin_volume(const ar_skin *skin, const double *x) {
  static const double origin[3] = {0};
  double sum = 0;
  for (size_t i = 0; i < skin->n_triangles; i++) {
    double corner[3][3];
    for (int c = 0; c < 3; c++)
      place(&skin->vertex[skin->triangle[i].vertex[c]], x, corner[c]);
    sum += vb_volume6(origin, corner[0], corner[1], corner[2]);
  }
  return sum / 6;
}
