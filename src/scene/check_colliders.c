// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether colliders of a scene, all else being sound, are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

/// What is wrong with the shape of a collider, or null.
static const char *shape_defect(const vb_collider *c) {
  static const double origin[3] = {0, 0, 0};
  if (c->shape < VB_COLLIDER_SPHERE || c->shape > VB_COLLIDER_CAPSULE)
    return "its shape is none of sphere, cylinder and capsule (0 to 2)";
  if (c->inside != 0 && c->inside != 1)
    return "inside should be 0 or 1";
  if (c->inside && c->shape != VB_COLLIDER_CYLINDER)
    return "bodies can stay inside of a cylinder alone";
  if (c->shape == VB_COLLIDER_SPHERE)
    return vb_distance(c->point[1], origin) > 0 ? "a sphere has one point; the second should be 0"
                                                : NULL;
  return vb_distance(c->point[0], c->point[1]) > 0 ? NULL : "its two points should differ";
}

static vb_status check_collider(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_collider *c = &sets->colliders[i];
  const char *defect = shape_defect(c);
  return defect ? vb_bad_input(error, "collider %zu (%s): %s", i, c->name, defect) : VB_OK;
}

vb_status vb_check_colliders(const vb_sets *sets, vb_error *error) {
  const vb_check_pass pass = {check_collider, sets->n_colliders};
  return vb_check_passes(sets, &pass, 1, error);
}
