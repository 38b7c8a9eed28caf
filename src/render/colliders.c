// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/colliders.h"

#include "scene/rotation.h"

#include <stdlib.h>

/// A collider is a surface of revolution: rings of vertices about its axis, of which each half of
/// the rows is about one of its two points.
enum { AROUND = 64, QUARTER = 16, ROWS = 2 * (QUARTER + 1) };

void vb_colliders_count(const vb_driven *d, size_t *n_vertices, size_t *n_triangles) {
  size_t n = vb_scene_count(d->scene, VB_SET_COLLIDER);
  *n_vertices += n * ROWS * AROUND;
  *n_triangles += n * (ROWS - 1) * AROUND * 2;
}

bool vb_colliders_has_cylinder(const vb_driven *d) {
  size_t n;
  const vb_collider *collider = vb_scene_colliders(d->scene, &n);
  bool found = false;
  for (size_t i = 0; i < n; i++)
    found = found || collider[i].shape == VB_COLLIDER_CYLINDER;
  return found;
}

/// Moves the ends of a cylinder along its axis to where `reach` ends.
static void lengthen(const vb_bounds *reach, const double axis[3], double end[2][3]) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < 8; i++) {
    double corner[3], along;
    for (int k = 0; k < 3; k++)
      corner[k] = i >> k & 1 ? reach->high[k] : reach->low[k];
    vb_subtract(corner, end[0], corner);
    along = vb_dot(corner, axis);
    least = fmin(least, along);
    most = fmax(most, along);
  }
  if (!isfinite(least) || !isfinite(most))
    return;
  vb_add_scaled(end[0], most, axis, end[1]);
  vb_add_scaled(end[0], least, axis, end[0]);
}

/// Two unit vectors normal to `axis` and to each other.
static void find_normals(const double axis[3], double u[3], double v[3]) {
  double frame[4];
  vb_frame_begin(axis, frame);
  vb_frame_axis(frame, 0, u);
  vb_frame_axis(frame, 1, v);
}

static void add_rings(double end[2][3], const double axis[3], double radius, bool open,
                      vb_shapes *s) {
  int32_t first = (int32_t)s->n_vertices;
  double u[3], v[3];
  find_normals(axis, u, v);
  for (int row = 0; row < ROWS; row++) {
    bool second = row > QUARTER;
    double angle = 0.5 * M_PI * (second ? ROWS - 1 - row : row) / QUARTER; // from the pole
    double along = open ? 0 : (second ? 1 : -1) * radius * cos(angle);
    double ring = open ? radius : radius * sin(angle);
    for (int i = 0; i < AROUND; i++) {
      double turn = 2 * M_PI * i / AROUND, *x = s->vertex[s->n_vertices];
      vb_add_scaled(end[second], along, axis, x);
      vb_add_scaled(x, ring * cos(turn), u, x);
      vb_add_scaled(x, ring * sin(turn), v, x);
      s->value[s->n_vertices++] = NAN;
    }
  }
  for (int32_t i = 0; i < (ROWS - 1) * AROUND; i++) {
    int32_t a = first + i, b = first + (i + 1) % AROUND + i / AROUND * AROUND;
    int32_t corner[2][3] = {{a, b, b + AROUND}, {a, b + AROUND, a + AROUND}};
    memcpy(s->triangle[s->n_triangles], corner, sizeof corner);
    s->n_triangles += 2;
  }
}

vb_status vb_colliders_add(const vb_driven *d, double time, const vb_bounds *reach,
                           vb_shapes *const *shapes, vb_error *error) {
  size_t n;
  const vb_collider *collider = vb_scene_colliders(d->scene, &n);
  double(*point)[2][3] = reallocarray(NULL, n + 1, sizeof *point);
  if (!point)
    return vb_error_memory(error);
  vb_driven_colliders(d, time, point);
  for (size_t i = 0; i < n; i++) {
    int shape = collider[i].shape;
    double axis[3] = {0, 0, 1};
    if (shape == VB_COLLIDER_SPHERE)
      memcpy(point[i][1], point[i][0], sizeof point[i][1]);
    else if (vb_distance(point[i][0], point[i][1]) > 0)
      vb_direction(point[i][0], point[i][1], axis);
    if (shape == VB_COLLIDER_CYLINDER)
      lengthen(reach, axis, point[i]);
    add_rings(point[i], axis, collider[i].radius, shape == VB_COLLIDER_CYLINDER, shapes[i]);
  }
  free(point);
  return VB_OK;
}
