// SPDX-License-Identifier: GPL-3.0-or-later
/// Motions of drivers, those that they ride on included.
#include "scene/rotation.h"
#include "scene/scene.h"
#include "scene/sets.h"

#include <math.h>
#include <stdlib.h>

void vb_driver_at(const vb_scene *scene, const vb_driver *driver, double time, double d[3],
                  double *angle) {
  for (int i = 0; i < 3; i++)
    d[i] = vb_scene_curve(scene, driver->translation[i], time, 0);
  *angle = vb_scene_curve(scene, driver->angle, time, 0);
}

/// The sets that motions are made of; the others are left empty.
static vb_sets motion_sets(const vb_scene *scene) {
  vb_sets sets = {0};
  sets.drivers = vb_scene_set(scene, VB_SET_DRIVER, &sets.n_drivers);
  sets.curves = vb_scene_set(scene, VB_SET_CURVE, &sets.n_curves);
  sets.keys = vb_scene_set(scene, VB_SET_KEY, &sets.n_keys);
  sets.parents = vb_scene_set(scene, VB_SET_PARENT, &sets.n_parents);
  return sets;
}

static int compare_parents(const void *left, const void *right) {
  const vb_parent *a = left;
  const vb_parent *b = right;
  return (a->driver > b->driver) - (a->driver < b->driver);
}

/// The driver that `driver` rides on, or -1.
static int32_t parent_of(const vb_sets *sets, int32_t driver) {
  if (sets->n_parents == 0)
    return -1;
  const vb_parent key = {.driver = driver};
  const vb_parent *found =
      bsearch(&key, sets->parents, sets->n_parents, sizeof key, compare_parents);
  return found ? found->parent : -1;
}

static double value_at(const vb_sets *sets, int32_t curve, double time) {
  if (curve < 0)
    return 0;
  const vb_curve *c = &sets->curves[curve];
  return vb_curve_at(sets->keys + c->first_key, (size_t)c->n_keys, time);
}

/// x -> R (x - origin) + origin + d
static void own_motion(const vb_sets *sets, int32_t driver, double time, double q[4], double b[3]) {
  const vb_driver *d = &sets->drivers[driver];
  double half = 0.5 * value_at(sets, d->angle, time), turned[3];
  q[0] = cos(half);
  for (int k = 0; k < 3; k++)
    q[1 + k] = sin(half) * d->axis[k];
  vb_quaternion_rotate(q, d->origin, turned);
  // A driver without rotation keeps its displacement bit by bit.
  for (int k = 0; k < 3; k++)
    b[k] = value_at(sets, d->translation[k], time) + (d->origin[k] - turned[k]);
}

void vb_sets_motion(const vb_sets *sets, int32_t driver, double time, double q[4], double b[3]) {
  own_motion(sets, driver, time, q, b);
  for (int32_t p = parent_of(sets, driver); p >= 0; p = parent_of(sets, p)) {
    double turn[4], shift[3];
    own_motion(sets, p, time, turn, shift);
    vb_rigid_move(turn, shift, b, b);
    vb_quaternion_multiply(turn, q, q);
  }
}

void vb_driver_motion(const vb_scene *scene, int32_t driver, double time, double q[4],
                      double b[3]) {
  vb_sets sets = motion_sets(scene);
  vb_sets_motion(&sets, driver, time, q, b);
}

bool vb_driver_moves(const vb_scene *scene, int32_t driver) {
  vb_sets sets = motion_sets(scene);
  for (; driver >= 0; driver = parent_of(&sets, driver)) {
    const vb_driver *d = &sets.drivers[driver];
    if (d->angle >= 0 || d->translation[0] >= 0 || d->translation[1] >= 0 || d->translation[2] >= 0)
      return true;
  }
  return false;
}
