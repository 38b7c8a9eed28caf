// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_distance.h"

#include "base/time_limit.h"
#include "scene/rotation.h"

#include <math.h>
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

/// A sphere around each triangle, that tells which cannot be nearest.
typedef struct ball {
  double center[3];
  double radius;
} ball;

static const double *corner(const vb_surface *s, size_t triangle, int k) {
  return s->vertex + 3 * (size_t)s->triangle[3 * triangle + (size_t)k];
}

static ball *make_balls(const vb_surface *s) {
  ball *balls = reallocarray(NULL, s->n_triangles, sizeof *balls);
  for (size_t t = 0; balls && t < s->n_triangles; t++) {
    ball *b = &balls[t];
    for (int k = 0; k < 3; k++)
      b->center[k] = (corner(s, t, 0)[k] + corner(s, t, 1)[k] + corner(s, t, 2)[k]) / 3;
    b->radius = 0;
    for (int k = 0; k < 3; k++)
      b->radius = fmax(b->radius, vb_distance(b->center, corner(s, t, k)));
  }
  return balls;
}

/// Distance of `p` to the surface; `*guess` is a triangle to try first, and becomes the nearest.
static double surface_distance(const vb_surface *s, const ball *balls, const double p[3],
                               size_t *guess) {
  double best = sqrt(
      vb_triangle_distance2(p, corner(s, *guess, 0), corner(s, *guess, 1), corner(s, *guess, 2)));
  for (size_t t = 0; t < s->n_triangles; t++) {
    double reach = best + balls[t].radius, from[3];
    vb_subtract(p, balls[t].center, from);
    if (vb_dot(from, from) >= reach * reach)
      continue;
    double d = sqrt(vb_triangle_distance2(p, corner(s, t, 0), corner(s, t, 1), corner(s, t, 2)));
    if (d < best) {
      best = d;
      *guess = t;
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

/// Adds the distances from the vertices of `from` to the surface `to`.
static vb_status add(const vb_surface *from, const vb_surface *to, sums *s, vb_error *error) {
  double *area = calloc(from->n_vertices + 1, sizeof *area);
  ball *balls = make_balls(to);
  if (!area || !balls) {
    free(area);
    free(balls);
    return vb_error_memory(error);
  }
  for (size_t t = 0; t < from->n_triangles; t++) {
    double u[3], v[3], normal[3];
    vb_subtract(corner(from, t, 1), corner(from, t, 0), u);
    vb_subtract(corner(from, t, 2), corner(from, t, 0), v);
    vb_cross(u, v, normal);
    for (int k = 0; k < 3; k++)
      area[from->triangle[3 * t + (size_t)k]] += sqrt(vb_dot(normal, normal)) / 6;
  }
  size_t guess = 0;
  for (size_t i = 0; i < from->n_vertices; i++) {
    if (area[i] == 0)
      continue;
    if (i % 8 == 0 && vb_time_limit_over())
      break;
    double d = surface_distance(to, balls, from->vertex + 3 * i, &guess);
    s->area += area[i];
    s->square += area[i] * d * d;
    s->most = fmax(s->most, d);
  }
  free(area);
  free(balls);
  return vb_time_limit_check(error);
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
