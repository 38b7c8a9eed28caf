// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds what a ray meets among shapes.
#ifndef VB_RENDER_RAY_SEARCH_H
#define VB_RENDER_RAY_SEARCH_H

#include "render/shapes.h"
#include "scene/rotation.h"

/// Where a ray meets triangle `t`: distance, and the shares of its second and third corner. By
/// Cramer's rule for origin + distance direction = x0 + u (x1 - x0) + v (x2 - x0). Infinite where
/// they do not meet.
static inline double vb_ray_intersect_triangle(const vb_shapes *s, size_t t, const vb_ray *ray,
                                               double uv[2]) {
  const double *x = s->vertex[s->triangle[t][0]], *y = s->vertex[s->triangle[t][1]];
  const double *z = s->vertex[s->triangle[t][2]];
  const double *o = ray->origin;
  const double e[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]}; // in registers, unlike by loops
  const double f[3] = {z[0] - x[0], z[1] - x[1], z[2] - x[2]};
  const double from[3] = {o[0] - x[0], o[1] - x[1], o[2] - x[2]};
  double p[3], q[3];
  vb_cross(ray->direction, f, p);
  vb_cross(from, e, q);
  double volume = vb_dot(e, p);
  uv[0] = vb_dot(from, p) / volume; // seen edge on: not a number
  uv[1] = vb_dot(ray->direction, q) / volume;
  double distance = vb_dot(f, q) / volume;
  return uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1 && distance >= 0 ? distance : INFINITY;
}

/// The first item (or just any, where `any`) of prepared shapes that the ray meets, or -1, and its
/// distance. Of equally near ones the lowest.
int32_t vb_ray_search(const vb_shapes *shapes, const vb_ray *ray, bool any, double *distance);

#endif
