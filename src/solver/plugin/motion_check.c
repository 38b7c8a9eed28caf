// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/motion_check.h"

#include <stdlib.h>
#include <string.h>

/// Bytes of a field, 0 of one of the whole scene: counters and sums are no motion.
static size_t field_bytes(const vb_guarded *g, size_t field) {
  return g->about->fields[field].location == VB_AT_SCENE
             ? 0
             : vb_guarded_numbers(g, field) * sizeof(double);
}

vb_status vb_motion_check_begin(vb_motion_check *motion, vb_guarded *g, vb_error *error) {
  vb_status status = VB_OK;
  *motion = (vb_motion_check){0};
  for (size_t i = 0; i < g->about->n_fields; i++)
    motion->bytes += field_bytes(g, i);
  char *at = motion->first = malloc(motion->bytes + 1);
  if (!at)
    return vb_error_memory(error);
  for (size_t i = 0; !status && i < g->about->n_fields; i++) {
    size_t bytes = field_bytes(g, i);
    if (bytes == 0)
      continue;
    status = vb_guarded_read(g, i, error);
    if (!status)
      memcpy(at, g->field[i].data, bytes);
    at += bytes;
  }
  return status;
}

vb_status vb_motion_check_look(vb_motion_check *motion, vb_guarded *g, vb_error *error) {
  const char *at = motion->first;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && !motion->moved && i < g->about->n_fields; i++) {
    size_t bytes = field_bytes(g, i);
    if (bytes == 0)
      continue;
    status = vb_guarded_read(g, i, error);
    motion->moved = !status && memcmp(at, g->field[i].data, bytes) != 0;
    at += bytes;
  }
  return status;
}

void vb_motion_check_end(vb_motion_check *motion) {
  free(motion->first);
  *motion = (vb_motion_check){0};
}

/// Whether any of `n` numbers is not 0.
static bool any(const double *number, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (number[i] != 0)
      return true;
  return false;
}

/// Whether something moves at time 0.
static bool has_velocity(const vb_scene *scene) {
  size_t n_nodes, n_segments, n_bones;
  const vb_node *node = vb_scene_nodes(scene, &n_nodes);
  const vb_segment *segment = vb_scene_segments(scene, &n_segments);
  const vb_bone *bone = vb_scene_bones(scene, &n_bones);
  for (size_t i = 0; i < n_nodes; i++)
    if (any(node[i].velocity, 3) || node[i].scale_rate != 0)
      return true;
  for (size_t i = 0; i < n_segments; i++)
    if (any(segment[i].angular_velocity, 3))
      return true;
  for (size_t i = 0; i < n_bones; i++)
    if (any(bone[i].velocity, 3) || any(bone[i].angular_velocity, 3))
      return true;
  return false;
}

static bool has_driver_that_moves(const vb_scene *scene) {
  size_t n_pins, n;
  const vb_pin *pin = vb_scene_pins(scene, &n_pins);
  const vb_frame_pin *frame = vb_scene_frame_pins(scene, &n);
  for (size_t i = 0; i < n_pins; i++)
    if (vb_driver_moves(scene, pin[i].driver))
      return true;
  for (size_t i = 0; i < n; i++)
    if (vb_driver_moves(scene, frame[i].driver))
      return true;
  return false;
}

const char *vb_motion_reason(const vb_scene *scene) {
  if (has_driver_that_moves(scene))
    return "a driver moves pins";
  if (vb_scene_dofs(scene) <= 0 || vb_scene_world(scene)->n_steps == 0)
    return NULL;
  if (any(vb_scene_world(scene)->gravity, 3))
    return "there is gravity";
  if (has_velocity(scene))
    return "there are velocities at time 0";
  if (vb_scene_count(scene, VB_SET_LOAD) > 0)
    return "there are loads";
  if (vb_scene_count(scene, VB_SET_ACTIVATION) > 0)
    return "there are activations";
  return NULL;
}
