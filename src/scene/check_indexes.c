// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every index of a scene names an element that may be named there.
#include "base/text.h"
#include "scene/checks.h"

#include <stdio.h>
#include <string.h>

static vb_status check_index(const vb_sets *sets, vb_tag what, size_t of, vb_tag target,
                             int32_t index, vb_error *error) {
  size_t n;
  vb_sets_get(sets, target, &n);
  if (index >= 0 && (size_t)index < n)
    return VB_OK;
  const char *name = vb_tag_name(target);
  if (n == 0)
    return vb_bad_input(error, "%s %zu: its %s %d does not exist; there is none", vb_tag_name(what),
                        of, name, index);
  return vb_bad_input(error, "%s %zu: its %s %d does not exist; there are 0 to %zu",
                      vb_tag_name(what), of, name, index, n - 1);
}

/// The names of some locations, as in "node, segment nor bone".
typedef struct list {
  char text[96];
} list;

static list list_locations(unsigned locations) {
  list out = {""};
  for (int32_t k = 0; locations >> k; k++) {
    const char *name = vb_place_name(k);
    if (!(locations >> k & 1))
      continue;
    const char *before = !*out.text ? "" : locations >> k == 1 ? " nor " : ", ";
    vb_text_add(out.text, sizeof out.text, "%s%s", before, name);
  }
  return out;
}

/// Checks the location and the index behind it that `at` holds.
static vb_status check_place(const vb_sets *sets, vb_tag tag, size_t of, const vb_member *location,
                             const int32_t *at, vb_error *error) {
  if (at[0] < 0 || at[0] >= 32 || !(location->locations >> at[0] & 1))
    return vb_bad_input(error, "%s %zu: its location %d is neither %s", vb_tag_name(tag), of, at[0],
                        list_locations(location->locations).text);
  return check_index(sets, tag, of, vb_location_tag(at[0]), at[1], error);
}

/// Checks an index of an element, or the place where it is.
static vb_status check_member(const vb_sets *sets, vb_tag tag, size_t of, const vb_member *member,
                              const char *element, vb_error *error) {
  const int32_t *at = (const int32_t *)(const void *)(element + member->offset);
  if (member->kind == VB_KIND_LOCATION)
    return check_place(sets, tag, of, member, at, error);
  vb_status status = VB_OK;
  for (int k = 0; status == VB_OK && k < member->n; k++)
    if (!(at[k] == -1 && member->optional >> k & 1))
      status = check_index(sets, tag, of, member->of, at[k], error);
  return status;
}

/// Checks the indexes of all sets; those of bodies and joints where these are `made`.
static vb_status check_all(const vb_sets *sets, bool made, vb_error *error) {
  vb_status status = VB_OK;
  for (vb_tag tag = VB_SET_WORLD; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    size_t n;
    const char *elements = vb_sets_get(sets, tag, &n);
    for (int k = 0; k < set->n_members; k++) {
      const vb_member *m = &set->members[k];
      bool index = m->kind == VB_KIND_INDEX || m->kind == VB_KIND_LOCATION;
      bool early = !made && (m->of == VB_SET_BODY || m->of == VB_SET_JOINT);
      for (size_t i = 0; index && !early && m->rule != VB_RULE_OWN && !status && i < n; i++)
        status = check_member(sets, tag, i, m, elements + i * set->size, error);
    }
  }
  return status;
}

static vb_status check_counts(const vb_sets *sets, vb_error *error) {
  if (sets->n_worlds != 1)
    return vb_bad_input(error, "scene: it has %zu worlds; one is needed", sets->n_worlds);
  if (sets->n_nodes == 0 && sets->n_bones == 0)
    return vb_bad_input(error, "scene: it has neither node nor bone; at least one is needed");
  return VB_OK;
}

static vb_status check_segment(const vb_sets *sets, size_t j, vb_error *error) {
  const int32_t *node = sets->segments[j].node;
  if (node[0] == node[1])
    return vb_bad_input(error, "segment %zu: both of its nodes are node %d; a segment needs two", j,
                        node[0]);
  return VB_OK;
}

static vb_status check_tetrahedron(const vb_sets *sets, size_t k, vb_error *error) {
  const int32_t *node = sets->tetrahedra[k].node;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      if (node[i] == node[j])
        return vb_bad_input(error, "tetrahedron %zu: it names node %d twice; it needs four nodes",
                            k, node[i]);
  return VB_OK;
}

static bool touches(const vb_segment *segment, int32_t node) {
  return segment->node[0] == node || segment->node[1] == node;
}

static vb_status check_joint(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_joint *joint = &sets->joints[i];
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

static vb_status check_pin(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_pin *pin = &sets->pins[i];
  uint32_t fitting = pin->location == VB_AT_NODE ? VB_PIN_CENTER | VB_PIN_SCALE : VB_PIN_FRAME;
  if (pin->mask == 0 || (pin->mask & ~fitting) != 0)
    return vb_bad_input(error,
                        "pin %zu: mask %u does not fit; it should be one or more of the bits of %u",
                        i, pin->mask, fitting);
  return VB_OK;
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

static vb_status check_with(const vb_sets *sets, bool made, vb_error *error) {
  const vb_check_pass passes[] = {{check_segment, sets->n_segments},
                                  {check_joint, sets->n_joints},
                                  {check_pin, sets->n_pins},
                                  {check_curve, sets->n_curves},
                                  {check_tetrahedron, sets->n_tetrahedra}};
  vb_status status = check_counts(sets, error);
  if (status == VB_OK)
    status = check_all(sets, made, error);
  return status == VB_OK ? vb_check_passes(sets, passes, sizeof passes / sizeof *passes, error)
                         : status;
}

vb_status vb_check_draft_indexes(const vb_sets *sets, vb_error *error) {
  return check_with(sets, false, error);
}

vb_status vb_check_indexes(const vb_sets *sets, vb_error *error) {
  return check_with(sets, true, error);
}
