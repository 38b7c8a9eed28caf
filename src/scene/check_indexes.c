// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every index of a scene names an element that may be named there.
#include "scene/sets.h"

#include <stdbool.h>

/// Checks that element `of` of set `what` may name element `index` of set `target`, which has `n`.
static vb_status check_index(vb_tag what, size_t of, vb_tag target, int32_t index, size_t n,
                             vb_error *error) {
  if (index >= 0 && (size_t)index < n)
    return VB_OK;
  const char *name = vb_tag_name(target);
  if (n == 0)
    return vb_bad_input(error, "%s %zu: its %s %d does not exist; there is none", vb_tag_name(what),
                        of, name, index);
  return vb_bad_input(error, "%s %zu: its %s %d does not exist; there are 0 to %zu",
                      vb_tag_name(what), of, name, index, n - 1);
}

static vb_status check_counts(const vb_sets *sets, vb_error *error) {
  if (sets->n_worlds != 1)
    return vb_bad_input(error, "scene: it has %zu worlds; one is needed", sets->n_worlds);
  if (sets->n_nodes == 0)
    return vb_bad_input(error, "scene: it has no node; at least one is needed");
  return VB_OK;
}

static vb_status check_node(const vb_sets *sets, size_t i, vb_error *error) {
  return check_index(VB_SET_NODE, i, VB_SET_BODY, sets->nodes[i].body, sets->n_bodies, error);
}

static vb_status check_segment(const vb_sets *sets, size_t j, vb_error *error) {
  const int32_t *node = sets->segments[j].node;
  vb_status status = VB_OK;
  for (int end = 0; status == VB_OK && end < 2; end++)
    status = check_index(VB_SET_SEGMENT, j, VB_SET_NODE, node[end], sets->n_nodes, error);
  if (status == VB_OK && node[0] == node[1])
    status = vb_bad_input(error, "segment %zu: both of its nodes are node %d; a segment needs two",
                          j, node[0]);
  return status;
}

static vb_status check_tetrahedron(const vb_sets *sets, size_t k, vb_error *error) {
  const int32_t *node = sets->tetrahedra[k].node;
  vb_status status = VB_OK;
  for (int i = 0; status == VB_OK && i < 4; i++) {
    status = check_index(VB_SET_TETRAHEDRON, k, VB_SET_NODE, node[i], sets->n_nodes, error);
    for (int j = 0; status == VB_OK && j < i; j++)
      if (node[i] == node[j])
        status = vb_bad_input(error, "tetrahedron %zu: it names node %d twice; it needs four nodes",
                              k, node[i]);
  }
  return status;
}

static bool touches(const vb_segment *segment, int32_t node) {
  return segment->node[0] == node || segment->node[1] == node;
}

static vb_status check_joint(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_joint *joint = &sets->joints[i];
  vb_status status = check_index(VB_SET_JOINT, i, VB_SET_NODE, joint->node, sets->n_nodes, error);
  for (int side = 0; status == VB_OK && side < 2; side++)
    status =
        check_index(VB_SET_JOINT, i, VB_SET_SEGMENT, joint->segment[side], sets->n_segments, error);
  if (status != VB_OK)
    return status;
  if (joint->segment[0] == joint->segment[1])
    return vb_bad_input(error, "joint %zu: both of its segments are segment %d; a joint needs two",
                        i, joint->segment[0]);
  for (int side = 0; side < 2; side++)
    if (!touches(&sets->segments[joint->segment[side]], joint->node))
      return vb_bad_input(error,
                          "joint %zu: its segment %d does not touch its node %d; both should", i,
                          joint->segment[side], joint->node);
  return VB_OK;
}

/// Checks that a pin or load is at an existing node or segment.
static vb_status check_place(const vb_sets *sets, vb_tag what, size_t of, int32_t location,
                             int32_t index, vb_error *error) {
  if (location == VB_AT_NODE)
    return check_index(what, of, VB_SET_NODE, index, sets->n_nodes, error);
  if (location == VB_AT_SEGMENT)
    return check_index(what, of, VB_SET_SEGMENT, index, sets->n_segments, error);
  return vb_bad_input(error, "%s %zu: its location %d is neither node nor segment",
                      vb_tag_name(what), of, location);
}

static vb_status check_pin(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_pin *pin = &sets->pins[i];
  uint32_t fitting = pin->location == VB_AT_NODE ? VB_PIN_CENTER | VB_PIN_SCALE : VB_PIN_FRAME;
  vb_status status = check_place(sets, VB_SET_PIN, i, pin->location, pin->index, error);
  if (status == VB_OK)
    status = check_index(VB_SET_PIN, i, VB_SET_DRIVER, pin->driver, sets->n_drivers, error);
  if (status == VB_OK && (pin->mask == 0 || (pin->mask & ~fitting) != 0))
    status = vb_bad_input(
        error, "pin %zu: mask %u does not fit; it should be one or more of the bits of %u", i,
        pin->mask, fitting);
  return status;
}

/// Checks an index of a curve, which may be -1 for none.
static vb_status check_curve_index(const vb_sets *sets, vb_tag what, size_t of, int32_t curve,
                                   vb_error *error) {
  return curve == -1 ? VB_OK : check_index(what, of, VB_SET_CURVE, curve, sets->n_curves, error);
}

static vb_status check_driver(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_driver *driver = &sets->drivers[i];
  vb_status status = check_curve_index(sets, VB_SET_DRIVER, i, driver->angle, error);
  for (int k = 0; status == VB_OK && k < 3; k++)
    status = check_curve_index(sets, VB_SET_DRIVER, i, driver->translation[k], error);
  return status;
}

static vb_status check_load(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_load *load = &sets->loads[i];
  vb_status status = check_place(sets, VB_SET_LOAD, i, load->location, load->index, error);
  return status == VB_OK ? check_curve_index(sets, VB_SET_LOAD, i, load->amplitude, error) : status;
}

static vb_status check_curve(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_curve *curve = &sets->curves[i];
  if (curve->n_keys < 1)
    return vb_bad_input(error, "curve %zu: it has %d keys; at least one is needed", i,
                        curve->n_keys);
  int64_t last = (int64_t)curve->first_key + curve->n_keys - 1;
  if (curve->first_key < 0 || last >= (int64_t)sets->n_keys)
    return vb_bad_input(error, "curve %zu: its keys %d to %lld do not exist; there are %zu keys", i,
                        curve->first_key, (long long)last, sets->n_keys);
  return VB_OK;
}

vb_status vb_check_indexes(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {
      {check_node, sets->n_nodes},     {check_segment, sets->n_segments},
      {check_joint, sets->n_joints},   {check_pin, sets->n_pins},
      {check_driver, sets->n_drivers}, {check_load, sets->n_loads},
      {check_curve, sets->n_curves},   {check_tetrahedron, sets->n_tetrahedra}};
  vb_status status = check_counts(sets, error);
  return status == VB_OK ? vb_check_passes(sets, passes, sizeof passes / sizeof *passes, error)
                         : status;
}
