// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A barycentric coordinate may be this far below 0 in the element of a vertex on the boundary:
/// rounding of positions, many times over.
static const double outside = 1e-9;

/// Six times the volume of the tetrahedron of these corners.
static double volume6(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; k++) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = d[k] - a[k];
  }
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// Barycentric coordinates of point `p` in tetrahedron `t`; returns the least.
static double locate(const vb_node *nodes, const vb_tetrahedron *t, const double p[3],
                     double l[4]) {
  const double *corner[4], *moved[4];
  double least = INFINITY;
  for (int i = 0; i < 4; i++)
    corner[i] = nodes[t->node[i]].rest_position;
  double whole = volume6(corner[0], corner[1], corner[2], corner[3]);
  for (int i = 0; i < 4; i++) {
    memcpy(moved, corner, sizeof corner);
    moved[i] = p;
    l[i] = volume6(moved[0], moved[1], moved[2], moved[3]) / whole;
    least = fmin(least, l[i]);
  }
  return least;
}

/// Shape functions of an element at barycentric coordinates.
static void shape_at(int nodes, const double l[4], double *out) {
  static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (int i = 0; i < 4; i++)
    out[i] = nodes == 10 ? l[i] * (2 * l[i] - 1) : l[i];
  for (int k = 0; nodes == 10 && k < 6; k++)
    out[4 + k] = 4 * l[ends[k][0]] * l[ends[k][1]];
}

/// Puts vertex `i` into the element that holds it most clearly.
static vb_status place(const nh_solid *solid, const vb_surface_vertex *vertex, size_t i,
                       nh_surface *s, vb_error *error) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(solid->scene, &n);
  const vb_tetrahedron *t = vb_scene_tetrahedra(solid->scene, &n);
  double best = -INFINITY, l[4];
  const double *p = vertex->rest_position;
  for (size_t e = 0; e < n; e++) {
    double least = locate(nodes, &t[e], p, l);
    if (least > best) {
      best = least;
      s->element[i] = (int32_t)e;
    }
  }
  if (best < -outside)
    return vb_bad_input(error, "surface vertex %zu lies outside of all tetrahedra, at (%g, %g, %g)",
                        i, p[0], p[1], p[2]);
  locate(nodes, &t[s->element[i]], p, l);
  shape_at(solid->nodes, l, s->shape[i]);
  return VB_OK;
}

vb_status nh_surface_create(const nh_solid *solid, nh_surface *out, vb_error *error) {
  nh_surface s = {0};
  const vb_surface_vertex *vertex = vb_scene_surface_vertices(solid->scene, &s.n_vertices);
  s.triangle = vb_scene_triangles(solid->scene, &s.n_triangles);
  s.element = calloc(s.n_vertices + 1, sizeof *s.element);
  s.shape = calloc(s.n_vertices + 1, sizeof *s.shape);
  vb_status status = s.element && s.shape ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < s.n_vertices; i++)
    status = place(solid, &vertex[i], i, &s, error);
  if (status)
    nh_surface_clear(&s);
  else
    *out = s;
  return status;
}

void nh_surface_clear(nh_surface *s) {
  free(s->element);
  free(s->shape);
  *s = (nh_surface){0};
}

void nh_surface_vertices(const nh_surface *s, const nh_solid *solid, const double *x, double *out) {
  for (size_t i = 0; i < s->n_vertices; i++) {
    const int32_t *node = solid->node + (size_t)s->element[i] * (size_t)solid->nodes;
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int a = 0; a < solid->nodes; a++)
        sum += s->shape[i][a] * x[3 * node[a] + c];
      out[3 * i + (size_t)c] = sum;
    }
  }
}

double nh_surface_volume(const nh_surface *s, const double *vertices) {
  double sum = 0;
  for (size_t i = 0; i < s->n_triangles; i++) {
    const int32_t *v = s->triangle[i].vertex;
    sum += volume6(vertices, vertices + 3 * v[0], vertices + 3 * v[1], vertices + 3 * v[2]);
  }
  return sum / 6;
}
