// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds what a ray meets among shapes.
#ifndef VB_RENDER_RAY_SEARCH_H
#define VB_RENDER_RAY_SEARCH_H

#include "render/shapes.h"
#include "scene/rotation.h"

/// Where a ray meets the triangle with corners x, y, z: distance, and the shares of the second and
/// third corner. By Cramer's rule for origin + distance direction = x + u (y - x) + v (z - x).
/// Infinite where they do not meet.
static inline double vb_ray_intersect_corners(const double x[3], const double y[3],
                                              const double z[3], const vb_ray *ray, double uv[2]) {
  const double *o = ray->origin;
  const double e[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]}; // in registers, unlike by loops
  const double f[3] = {z[0] - x[0], z[1] - x[1], z[2] - x[2]};
  const double from[3] = {o[0] - x[0], o[1] - x[1], o[2] - x[2]};
  double p[3], q[3];
  vb_cross(ray->direction, f, p);
  vb_cross(from, e, q);
  double volume = vb_dot(e, p), second = vb_dot(from, p), third = vb_dot(ray->direction, q);
  uv[0] = uv[1] = 0;
  if (second * volume < 0 || third * volume < 0) // most do not meet; a division takes long
    return INFINITY;
  uv[0] = second / volume; // seen edge on: not a number
  uv[1] = third / volume;
  double distance = vb_dot(f, q) / volume;
  return uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1 && distance >= 0 ? distance : INFINITY;
}

/// The same of triangle `t`.
static inline double vb_ray_intersect_triangle(const vb_shapes *s, size_t t, const vb_ray *ray,
                                               double uv[2]) {
  const int32_t *corner = s->triangle[t];
  return vb_ray_intersect_corners(s->vertex[corner[0]], s->vertex[corner[1]], s->vertex[corner[2]],
                                  ray, uv);
}

/// The first item (or just any, where `any`) of prepared shapes that the ray meets, or -1, and its
/// distance. Of equally near ones the lowest.
int32_t vb_ray_search(const vb_shapes *shapes, const vb_ray *ray, bool any, double *distance);

#endif
