// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted/planted.h"

#include <stdlib.h>
#include <string.h>

/// The factor on the length of a step.
static double step_factor(int kind) {
  return kind == VB_PLANTED_HALF_STEP ? 0.5 : 1;
}

vb_status planted_change_scene(const vb_scene *scene, int kind, vb_scene **out, vb_error *error) {
  double factor = step_factor(kind);
  if (factor == 1)
    return VB_OK;
  vb_scene *copy = malloc(vb_scene_bytes(scene));
  if (!copy)
    return vb_error_memory(error);
  memcpy(copy, scene, vb_scene_bytes(scene));
  vb_world *world = (vb_world *)vb_scene_world(copy);
  world->step *= factor;
  *out = copy;
  return VB_OK;
}
