// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_distance.h"

#include "base/signals.h"
#include "base/time_limit.h"
#include "mesh/box_tree.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Squared distance of `p` to the straight piece from a to b.
static double piece_distance2(const double p[3], const double a[3], const double b[3]) {
  double along[3], from[3];
  vb_subtract(b, a, along);
  vb_subtract(p, a, from);
  double square = vb_dot(along, along);
  double t = square > 0 ? vb_dot(from, along) / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  vb_add_scaled(from, -t, along, from);
  return vb_dot(from, from);
}

double vb_triangle_distance2(const double p[3], const double a[3], const double b[3],
                             const double c[3]) {
  double u[3], v[3], from[3], normal[3], side[3];
  vb_subtract(b, a, u);
  vb_subtract(c, a, v);
  vb_subtract(p, a, from);
  vb_cross(u, v, normal);
  double square = vb_dot(normal, normal);
  if (square > 0) { // barycentric coordinates of the foot of the perpendicular
    vb_cross(from, v, side);
    double s = vb_dot(side, normal) / square;
    vb_cross(u, from, side);
    double t = vb_dot(side, normal) / square;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      double height = vb_dot(from, normal);
      return height * height / square;
    }
  }
  return fmin(piece_distance2(p, a, b), fmin(piece_distance2(p, b, c), piece_distance2(p, c, a)));
}

static const double *corner(const vb_surface *s, size_t triangle, int k) {
  return s->vertex + 3 * (size_t)s->triangle[3 * triangle + (size_t)k];
}

static vb_status build_tree(const vb_surface *s, vb_box_tree *out, vb_error *error) {
  vb_bounds *bounds = reallocarray(NULL, s->n_triangles + 1, sizeof *bounds);
  if (!bounds)
    return vb_error_memory(error);
  for (size_t t = 0; t < s->n_triangles; t++) {
    bounds[t] = vb_bounds_none();
    for (int k = 0; k < 3; k++)
      vb_bounds_grow(&bounds[t], corner(s, t, k), 0);
  }
  vb_status status = vb_box_tree_build(bounds, s->n_triangles, out, error);
  free(bounds);
  return status;
}

static double distance2_to(const vb_surface *s, size_t triangle, const double p[3]) {
  return vb_triangle_distance2(p, corner(s, triangle, 0), corner(s, triangle, 1),
                               corner(s, triangle, 2));
}

/// Squared distance of `p` to the surface; `*guess` is a triangle to try first, and becomes the
/// nearest.
static double surface_distance2(const vb_surface *s, const vb_box_tree *tree, const double p[3],
                                size_t *guess) {
  int32_t stack[VB_BOX_TREE_DEPTH];
  int n = 1;
  double best = distance2_to(s, *guess, p);
  stack[0] = 0;
  while (n > 0) {
    const vb_box_node *node = &tree->node[stack[--n]];
    if (vb_bounds_distance2(&node->bounds, p) >= best)
      continue;
    for (int32_t i = 0; i < node->count; i++) {
      size_t t = (size_t)tree->item[node->first + i];
      double d = distance2_to(s, t, p);
      if (d < best) {
        best = d;
        *guess = t;
      }
    }
    if (node->count == 0) {
      const vb_box_node *part = &tree->node[node->first];
      bool second =
          vb_bounds_distance2(&part[1].bounds, p) < vb_bounds_distance2(&part[0].bounds, p);
      stack[n++] = node->first + !second; // the farther one waits
      stack[n++] = node->first + second;
    }
  }
  return best;
}

/// Sums over the vertices of a surface.
typedef struct sums {
  double area;
  double square;
  double most;
} sums;

/// Adds to each vertex a third of the area of its triangles.
static void add_areas(const vb_surface *s, double *area) {
  for (size_t t = 0; t < s->n_triangles; t++) {
    double u[3], v[3], normal[3];
    vb_subtract(corner(s, t, 1), corner(s, t, 0), u);
    vb_subtract(corner(s, t, 2), corner(s, t, 0), v);
    vb_cross(u, v, normal);
    for (int k = 0; k < 3; k++)
      area[s->triangle[3 * t + (size_t)k]] += sqrt(vb_dot(normal, normal)) / 6;
  }
}

/// Adds the distances from the vertices of `from` to the surface `to`.
static vb_status add(const vb_surface *from, const vb_surface *to, sums *s, vb_error *error) {
  vb_box_tree tree = {0};
  double *area = calloc(from->n_vertices + 1, sizeof *area);
  vb_status status = area ? build_tree(to, &tree, error) : vb_error_memory(error);
  if (!status)
    add_areas(from, area);
  size_t guess = 0;
  for (size_t i = 0; !status && i < from->n_vertices; i++) {
    if (area[i] == 0)
      continue;
    if (i % 8 == 0 && vb_signal_caught())
      status = vb_error_set(error, VB_INTERRUPTED, "interrupted: surfaces are not compared");
    else if (i % 8 == 0)
      status = vb_time_limit_check(error);
    double square = surface_distance2(to, &tree, from->vertex + 3 * i, &guess);
    s->area += area[i];
    s->square += area[i] * square;
    s->most = fmax(s->most, sqrt(square));
  }
  free(area);
  vb_box_tree_clear(&tree);
  return status;
}

static vb_status check(const vb_surface *s, vb_error *error) {
  if (s->n_triangles == 0)
    return vb_bad_input(error, "a surface without triangles has no distance");
  for (size_t i = 0; i < 3 * s->n_vertices; i++)
    if (!isfinite(s->vertex[i]))
      return vb_bad_input(error, "vertex %zu of a surface is not finite", i / 3);
  return VB_OK;
}

vb_status vb_surface_distance(const vb_surface *a, const vb_surface *b, vb_surface_gap *out,
                              vb_error *error) {
  sums s = {0};
  vb_status status = check(a, error);
  if (!status)
    status = check(b, error);
  if (!status)
    status = add(a, b, &s, error);
  if (!status)
    status = add(b, a, &s, error);
  if (!status && !(s.area > 0))
    status = vb_bad_input(error, "surfaces without area have no distance");
  if (!status)
    *out = (vb_surface_gap){sqrt(s.square / s.area), s.most};
  return status;
}
