// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every index of a scene names an element that may be named there.
#include "scene/checks.h"

vb_status vb_check_index(vb_tag what, size_t of, vb_tag target, int32_t index, size_t n,
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
  if (sets->n_nodes == 0 && sets->n_bones == 0)
    return vb_bad_input(error, "scene: it has neither node nor bone; at least one is needed");
  return VB_OK;
}

static vb_status check_node(const vb_sets *sets, size_t i, vb_error *error) {
  return vb_check_index(VB_SET_NODE, i, VB_SET_BODY, sets->nodes[i].body, sets->n_bodies, error);
}

static vb_status check_segment(const vb_sets *sets, size_t j, vb_error *error) {
  const int32_t *node = sets->segments[j].node;
  vb_status status = VB_OK;
  for (int end = 0; status == VB_OK && end < 2; end++)
    status = vb_check_index(VB_SET_SEGMENT, j, VB_SET_NODE, node[end], sets->n_nodes, error);
  if (status == VB_OK && node[0] == node[1])
    status = vb_bad_input(error, "segment %zu: both of its nodes are node %d; a segment needs two",
                          j, node[0]);
  return status;
}

static vb_status check_tetrahedron(const vb_sets *sets, size_t k, vb_error *error) {
  const int32_t *node = sets->tetrahedra[k].node;
  vb_status status = VB_OK;
  for (int i = 0; status == VB_OK && i < 4; i++) {
    status = vb_check_index(VB_SET_TETRAHEDRON, k, VB_SET_NODE, node[i], sets->n_nodes, error);
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
  vb_status status =
      vb_check_index(VB_SET_JOINT, i, VB_SET_NODE, joint->node, sets->n_nodes, error);
  for (int side = 0; status == VB_OK && side < 2; side++)
    status = vb_check_index(VB_SET_JOINT, i, VB_SET_SEGMENT, joint->segment[side], sets->n_segments,
                            error);
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

/// Checks that element `of` of set `what` is at an existing element of one of the locations of
/// `allowed`, a mask of bits (1 << vb_location), which are "`names`".
static vb_status check_place(const vb_sets *sets, vb_tag what, size_t of, int32_t location,
                             int32_t index, unsigned allowed, const char *names, vb_error *error) {
  static const vb_tag TAG[] = {[VB_AT_NODE] = VB_SET_NODE,
                               [VB_AT_SEGMENT] = VB_SET_SEGMENT,
                               [VB_AT_TETRAHEDRON] = VB_SET_TETRAHEDRON,
                               [VB_AT_BONE] = VB_SET_BONE,
                               [VB_AT_LINK] = VB_SET_LINK};
  if (location < 0 || location > VB_AT_LINK || !(allowed >> location & 1))
    return vb_bad_input(error, "%s %zu: its location %d is neither %s", vb_tag_name(what), of,
                        location, names);
  size_t n;
  vb_sets_get(sets, TAG[location], &n);
  return vb_check_index(what, of, TAG[location], index, n, error);
}

#define AT(location) (1u << VB_AT_##location)

static vb_status check_pin(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_pin *pin = &sets->pins[i];
  uint32_t fitting = pin->location == VB_AT_NODE ? VB_PIN_CENTER | VB_PIN_SCALE : VB_PIN_FRAME;
  vb_status status = check_place(sets, VB_SET_PIN, i, pin->location, pin->index,
                                 AT(NODE) | AT(SEGMENT), "node nor segment", error);
  if (status == VB_OK)
    status = vb_check_index(VB_SET_PIN, i, VB_SET_DRIVER, pin->driver, sets->n_drivers, error);
  if (status == VB_OK && (pin->mask == 0 || (pin->mask & ~fitting) != 0))
    status = vb_bad_input(
        error, "pin %zu: mask %u does not fit; it should be one or more of the bits of %u", i,
        pin->mask, fitting);
  return status;
}

/// Checks an index of a curve, which may be -1 for none.
static vb_status check_curve_index(const vb_sets *sets, vb_tag what, size_t of, int32_t curve,
                                   vb_error *error) {
  return curve == -1 ? VB_OK : vb_check_index(what, of, VB_SET_CURVE, curve, sets->n_curves, error);
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
  vb_status status = check_place(sets, VB_SET_LOAD, i, load->location, load->index,
                                 AT(NODE) | AT(SEGMENT) | AT(BONE) | AT(LINK),
                                 "node, segment, bone nor link", error);
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

static vb_status check_filter(const vb_sets *sets, size_t i, vb_error *error) {
  return vb_check_index(VB_SET_FILTER, i, VB_SET_SEGMENT, sets->filters[i].segment,
                        sets->n_segments, error);
}

static vb_status check_bending(const vb_sets *sets, size_t i, vb_error *error) {
  return vb_check_index(VB_SET_BENDING, i, VB_SET_SEGMENT, sets->bendings[i].segment,
                        sets->n_segments, error);
}

static vb_status check_frame_pin(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_frame_pin *pin = &sets->frame_pins[i];
  vb_status status =
      vb_check_index(VB_SET_FRAME_PIN, i, VB_SET_SEGMENT, pin->segment, sets->n_segments, error);
  return status == VB_OK ? vb_check_index(VB_SET_FRAME_PIN, i, VB_SET_DRIVER, pin->driver,
                                          sets->n_drivers, error)
                         : status;
}

static vb_status check_turning_load(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_follower_load *turning = &sets->follower_loads[i];
  vb_status status =
      vb_check_index(VB_SET_FOLLOWER_LOAD, i, VB_SET_LOAD, turning->load, sets->n_loads, error);
  return status == VB_OK ? vb_check_index(VB_SET_FOLLOWER_LOAD, i, VB_SET_SEGMENT, turning->segment,
                                          sets->n_segments, error)
                         : status;
}

static vb_status check_activation(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_activation *a = &sets->activations[i];
  vb_status status = check_place(sets, VB_SET_ACTIVATION, i, a->location, a->index,
                                 AT(SEGMENT) | AT(TETRAHEDRON), "segment nor tetrahedron", error);
  return status == VB_OK
             ? vb_check_index(VB_SET_ACTIVATION, i, VB_SET_CURVE, a->curve, sets->n_curves, error)
             : status;
}

static vb_status check_parent(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_parent *p = &sets->parents[i];
  vb_status status =
      vb_check_index(VB_SET_PARENT, i, VB_SET_DRIVER, p->driver, sets->n_drivers, error);
  return status == VB_OK
             ? vb_check_index(VB_SET_PARENT, i, VB_SET_DRIVER, p->parent, sets->n_drivers, error)
             : status;
}

static vb_status check_follow(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_follow *f = &sets->follows[i];
  vb_status status = vb_check_index(VB_SET_FOLLOW, i, VB_SET_NODE, f->node, sets->n_nodes, error);
  for (int k = 0; status == VB_OK && k < 2; k++)
    if (k == 0 || f->driver[k] != -1)
      status =
          vb_check_index(VB_SET_FOLLOW, i, VB_SET_DRIVER, f->driver[k], sets->n_drivers, error);
  return status;
}

static vb_status check_tie(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_tie *tie = &sets->ties[i];
  vb_status status = check_place(sets, VB_SET_TIE, i, tie->location, tie->index,
                                 AT(NODE) | AT(SEGMENT), "node nor segment", error);
  return status == VB_OK
             ? vb_check_index(VB_SET_TIE, i, VB_SET_BONE, tie->bone, sets->n_bones, error)
             : status;
}

static vb_status check_link(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_link *link = &sets->links[i];
  vb_status status =
      vb_check_index(VB_SET_LINK, i, VB_SET_BONE, link->bone[0], sets->n_bones, error);
  if (status == VB_OK && link->bone[1] != -1)
    status = vb_check_index(VB_SET_LINK, i, VB_SET_BONE, link->bone[1], sets->n_bones, error);
  if (status == VB_OK && link->driver != -1)
    status = vb_check_index(VB_SET_LINK, i, VB_SET_DRIVER, link->driver, sets->n_drivers, error);
  return status;
}

static vb_status check_plane_driver(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_plane_driver *p = &sets->plane_drivers[i];
  vb_status status = vb_check_index(VB_SET_PLANE_DRIVER, i, VB_SET_HALF_PLANE, p->half_plane,
                                    sets->n_half_planes, error);
  return status == VB_OK ? vb_check_index(VB_SET_PLANE_DRIVER, i, VB_SET_DRIVER, p->driver,
                                          sets->n_drivers, error)
                         : status;
}

static vb_status check_collider(const vb_sets *sets, size_t i, vb_error *error) {
  int32_t driver = sets->colliders[i].driver;
  return driver == -1
             ? VB_OK
             : vb_check_index(VB_SET_COLLIDER, i, VB_SET_DRIVER, driver, sets->n_drivers, error);
}

vb_status vb_check_indexes(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_node, sets->n_nodes},
                                  {check_segment, sets->n_segments},
                                  {check_joint, sets->n_joints},
                                  {check_pin, sets->n_pins},
                                  {check_driver, sets->n_drivers},
                                  {check_load, sets->n_loads},
                                  {check_curve, sets->n_curves},
                                  {check_tetrahedron, sets->n_tetrahedra},
                                  {check_filter, sets->n_filters},
                                  {check_bending, sets->n_bendings},
                                  {check_frame_pin, sets->n_frame_pins},
                                  {check_turning_load, sets->n_follower_loads},
                                  {check_activation, sets->n_activations},
                                  {check_parent, sets->n_parents},
                                  {check_follow, sets->n_follows},
                                  {check_tie, sets->n_ties},
                                  {check_link, sets->n_links},
                                  {check_plane_driver, sets->n_plane_drivers},
                                  {check_collider, sets->n_colliders}};
  vb_status status = check_counts(sets, error);
  return status == VB_OK ? vb_check_passes(sets, passes, sizeof passes / sizeof *passes, error)
                         : status;
}
