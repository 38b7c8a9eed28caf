// SPDX-License-Identifier: GPL-3.0-or-later
#include "obstacle.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

size_t ar_obstacle_count(const vb_scene *scene) {
  return vb_scene_count(scene, VB_SET_HALF_PLANE) + vb_scene_count(scene, VB_SET_COLLIDER);
}

void ar_obstacle_carry(const vb_scene *scene, int32_t driver, double from, double to,
                       const double x[3], double out[3]) {
  double first[4], last[4], start[3], end[3], own[3];
  vb_driver_motion(scene, driver, from, first, start);
  vb_driver_motion(scene, driver, to, last, end);
  const double back[4] = {first[0], -first[1], -first[2], -first[3]};
  vb_subtract(x, start, own);
  vb_quaternion_rotate(back, own, own);
  vb_rigid_move(last, end, own, out);
}

static ar_obstacle at_rest(const vb_scene *scene, size_t i) {
  size_t n_planes, n_drivers, n;
  const vb_half_plane *plane = vb_scene_half_planes(scene, &n_planes);
  const vb_plane_driver *pair = vb_scene_plane_drivers(scene, &n_drivers);
  ar_obstacle o = {.shape = -1, .driver = -1};
  if (i >= n_planes) {
    const vb_collider *collider = vb_scene_colliders(scene, &n) + (i - n_planes);
    o.shape = collider->shape;
    o.inside = collider->inside != 0;
    o.driver = collider->driver;
    o.radius = collider->radius;
    o.friction[0] = collider->static_friction;
    o.friction[1] = collider->kinetic_friction;
    memcpy(o.point, collider->point, sizeof o.point);
    return o;
  }
  o.friction[0] = plane[i].static_friction;
  o.friction[1] = plane[i].kinetic_friction;
  for (size_t k = 0; k < n_drivers; k++)
    if (pair[k].half_plane == (int32_t)i)
      o.driver = pair[k].driver;
  for (int k = 0; k < 3; k++) { // two points along the normal move as it does
    o.point[0][k] = plane[i].offset * plane[i].normal[k];
    o.point[1][k] = o.point[0][k] + plane[i].normal[k];
  }
  return o;
}

ar_obstacle ar_obstacle_at(const vb_scene *scene, size_t i, double time) {
  ar_obstacle o = at_rest(scene, i);
  for (int k = 0; k < 2 && o.driver >= 0; k++)
    ar_obstacle_carry(scene, o.driver, 0, time, o.point[k], o.point[k]);
  if (o.shape != VB_COLLIDER_SPHERE)
    o.length = vb_direction(o.point[0], o.point[1], o.axis);
  return o;
}

double ar_obstacle_depth(const ar_obstacle *o, const double x[3], double normal[3]) {
  double arm[3];
  vb_subtract(x, o->point[0], arm);
  if (o->shape < 0) {
    memcpy(normal, o->axis, sizeof o->axis);
    return -vb_dot(arm, normal);
  }
  double along = vb_dot(arm, o->axis); // 0 of a sphere
  if (o->shape == VB_COLLIDER_CAPSULE)
    along = fmin(fmax(along, 0), o->length);
  vb_add_scaled(arm, -along, o->axis, arm);
  double distance = sqrt(vb_dot(arm, arm));
  for (int k = 0; k < 3; k++)
    normal[k] = distance > 0 ? (o->inside ? -arm[k] : arm[k]) / distance : 0;
  return o->inside ? distance - o->radius : o->radius - distance;
}
