// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that lie in the scene that the solver inside is given.
#include "planted/planted.h"

#include <stdlib.h>
#include <string.h>

/// Farther than anything in a scene moves, m.
static const double FAR = 1e6;

/// A copy whose elements may be changed, and the sets that become of it.
typedef struct draft {
  vb_scene *copy;
  const void *element[VB_SET_COUNT];
  size_t count[VB_SET_COUNT];
  vb_bending *bending; ///< one of each segment; or null
} draft;

/// The elements of a set of the copy, whose own they are.
static void *elements(const draft *d, vb_tag tag) {
  return (void *)d->element[tag];
}

static vb_world *world(const draft *d) {
  return elements(d, VB_SET_WORLD);
}

/// A contact has the friction of what touches, which both coefficients of every set tell.
#define MULTIPLY_FRICTION(d, tag, type, factor)                                                    \
  for (size_t i = 0; i < (d)->count[tag]; i++) {                                                   \
    ((type *)elements(d, tag))[i].static_friction *= (factor);                                     \
    ((type *)elements(d, tag))[i].kinetic_friction *= (factor);                                    \
  }

static void multiply_friction(draft *d, double factor) {
  MULTIPLY_FRICTION(d, VB_SET_CONTACT, vb_contact, factor)
  MULTIPLY_FRICTION(d, VB_SET_HALF_PLANE, vb_half_plane, factor)
  MULTIPLY_FRICTION(d, VB_SET_COLLIDER, vb_collider, factor)
  MULTIPLY_FRICTION(d, VB_SET_FRICTION, vb_friction, factor)
  MULTIPLY_FRICTION(d, VB_SET_FRICTION_PAIR, vb_friction_pair, factor)
}

/// Capsules no longer touch; half-planes and colliders, whose fields are still read, are far away.
static void remove_contact(draft *d) {
  vb_half_plane *plane = elements(d, VB_SET_HALF_PLANE);
  vb_collider *collider = elements(d, VB_SET_COLLIDER);
  d->count[VB_SET_CONTACT] = 0;
  for (size_t i = 0; i < d->count[VB_SET_HALF_PLANE]; i++)
    plane[i].offset -= FAR;
  for (size_t i = 0; i < d->count[VB_SET_COLLIDER]; i++) {
    collider[i].radius += collider[i].inside ? FAR : 0;
    for (int k = 0; k < 2 && !collider[i].inside; k++)
      collider[i].point[k][0] += k == 0 || collider[i].shape != VB_COLLIDER_SPHERE ? FAR : 0;
  }
}

/// Multiplies the stiffness of bending of every segment.
static vb_status multiply_bending(draft *d, double factor, vb_error *error) {
  size_t n = d->count[VB_SET_SEGMENT];
  const vb_bending *own = elements(d, VB_SET_BENDING);
  d->bending = calloc(n + 1, sizeof *d->bending);
  if (!d->bending)
    return vb_error_memory(error);
  for (size_t j = 0; j < n; j++)
    d->bending[j] = (vb_bending){.segment = (int32_t)j, .factor = {1, 1}};
  for (size_t i = 0; i < d->count[VB_SET_BENDING]; i++)
    d->bending[own[i].segment] = own[i];
  for (size_t j = 0; j < n; j++)
    for (int k = 0; k < 2; k++)
      d->bending[j].factor[k] *= factor;
  d->element[VB_SET_BENDING] = d->bending;
  d->count[VB_SET_BENDING] = n;
  return VB_OK;
}

/// Plants the fault; `*changed` says whether it is one of the scene.
static vb_status plant(draft *d, int kind, bool *changed, vb_error *error) {
  *changed = true;
  switch (kind) {
  case VB_PLANTED_HALF_STEP:
    world(d)->step *= 0.5;
    return VB_OK;
  case VB_PLANTED_SLOW_TIME:
    world(d)->step *= 0.98;
    return VB_OK;
  case VB_PLANTED_DOUBLE_DAMPING:
    world(d)->damping *= 2;
    return VB_OK;
  case VB_PLANTED_FRICTION:
    multiply_friction(d, 1.05);
    return VB_OK;
  case VB_PLANTED_NO_CONTACT:
    remove_contact(d);
    return VB_OK;
  case VB_PLANTED_TERM_MISSING:
    return multiply_bending(d, 0, error);
  case VB_PLANTED_BENDING:
    return multiply_bending(d, 1.02, error);
  default:
    *changed = false;
    return VB_OK;
  }
}

vb_status planted_change_scene(const vb_scene *scene, int kind, vb_scene **out, vb_error *error) {
  bool changed = false;
  draft d = {.copy = malloc(vb_scene_bytes(scene))};
  if (!d.copy)
    return vb_error_memory(error);
  memcpy(d.copy, scene, vb_scene_bytes(scene));
  for (int tag = 1; tag < VB_SET_COUNT; tag++)
    d.element[tag] = vb_scene_set(d.copy, (vb_tag)tag, &d.count[tag]);
  vb_status status = plant(&d, kind, &changed, error);
  if (!status && changed)
    status = vb_scene_pack(d.element, d.count, out, error);
  free(d.bending);
  free(d.copy);
  return status;
}
