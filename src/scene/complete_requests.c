// SPDX-License-Identifier: GPL-3.0-or-later
/// What was asked for before joints and bodies had numbers: rest curvatures and friction.
#include "scene/complete.h"
#include "scene/sets.h"

#include <stdlib.h>
#include <string.h>

/// A joint by its node and its segments in order, and its number.
typedef struct joint_key {
  int32_t node;
  int32_t low;
  int32_t high;
  int32_t joint;
} joint_key;

static joint_key key_of(const int32_t segment[2], int32_t node, int32_t joint) {
  int swapped = segment[0] > segment[1];
  return (joint_key){node, segment[swapped], segment[!swapped], joint};
}

static int compare_keys(const void *left, const void *right) {
  const joint_key *a = left;
  const joint_key *b = right;
  if (a->node != b->node)
    return a->node < b->node ? -1 : 1;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

/// Adds one rest curvature to the joint `key` names. Seen along the other path, P becomes
/// conj(F) conj(P) F, with F the half turn about u: u changes its sign, v and w stay.
static vb_status add_rest_curvature(vb_builder *builder, const vb_rest_request *request,
                                    int32_t joint, vb_error *error) {
  size_t n;
  const vb_joint *joints = vb_builder_elements(builder, VB_SET_JOINT, &n);
  vb_rest_curvature rest = {.joint = joint};
  memcpy(rest.darboux, request->darboux, sizeof rest.darboux);
  if (joints[joint].segment[0] != request->segment[0])
    rest.darboux[0] = -rest.darboux[0];
  return vb_builder_add(builder, VB_SET_REST_CURVATURE, &rest, NULL, error);
}

vb_status vb_complete_rest_curvatures(vb_builder *builder, const vb_rest_request *requests,
                                      size_t n_requests, vb_error *error) {
  if (n_requests == 0)
    return VB_OK;
  size_t n;
  const vb_joint *joints = vb_builder_elements(builder, VB_SET_JOINT, &n);
  joint_key *keys = reallocarray(NULL, n + 1, sizeof *keys);
  if (!keys)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    keys[i] = key_of(joints[i].segment, joints[i].node, (int32_t)i);
  qsort(keys, n, sizeof *keys, compare_keys);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < n_requests; i++) {
    const vb_rest_request *r = &requests[i];
    joint_key key = key_of(r->segment, r->node, 0);
    const joint_key *found = bsearch(&key, keys, n, sizeof *keys, compare_keys);
    if (found)
      status = add_rest_curvature(builder, r, found->joint, error);
    else
      status = vb_bad_input(error, "rest curvature: segments %d and %d are not joined at node %d",
                            r->segment[0], r->segment[1], r->node);
  }
  free(keys);
  return status;
}

static vb_status add_pair(vb_builder *builder, const vb_friction_request *r, int32_t a, int32_t b,
                          vb_error *error) {
  vb_friction_pair pair = {{a < b ? a : b, a < b ? b : a}, r->static_friction, r->kinetic_friction};
  return vb_builder_add(builder, VB_SET_FRICTION_PAIR, &pair, NULL, error);
}

/// Adds friction of a body, unless `latest`, the request before for this body, says the same.
static vb_status add_friction(vb_builder *builder, const vb_friction_request *r, int32_t body,
                              const vb_friction_request *latest, vb_error *error) {
  vb_friction f = {
      .body = body, .static_friction = r->static_friction, .kinetic_friction = r->kinetic_friction};
  if (latest && latest->static_friction == r->static_friction &&
      latest->kinetic_friction == r->kinetic_friction)
    return VB_OK;
  return vb_builder_add(builder, VB_SET_FRICTION, &f, NULL, error);
}

vb_status vb_complete_frictions(vb_builder *builder, const vb_friction_request *requests,
                                size_t n_requests, vb_error *error) {
  if (n_requests == 0)
    return VB_OK;
  size_t n;
  const vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &n);
  const vb_friction_request **latest = calloc(n + 1, sizeof *latest); // by body
  vb_status status = latest ? VB_OK : vb_error_memory(error);
  for (const vb_friction_request *r = requests; !status && r < requests + n_requests; r++) {
    int32_t body = nodes[r->node[0]].body;
    if (r->node[1] >= 0) {
      status = add_pair(builder, r, body, nodes[r->node[1]].body, error);
      continue;
    }
    status = add_friction(builder, r, body, latest[body], error);
    latest[body] = r;
  }
  free(latest);
  return status;
}
