// SPDX-License-Identifier: GPL-3.0-or-later
/// Bodies, default joints and numbers that a scene leaves out.
#include "scene/complete.h"
#include "base/components.h"
#include "scene/material.h"
#include "scene/rotation.h"
#include "scene/sets.h"

#include <stdio.h>
#include <stdlib.h>

int32_t vb_components(int32_t *component, size_t n_nodes, const vb_segment *segments,
                      size_t n_segments, const vb_tetrahedron *tetrahedra, size_t n_tetrahedra) {
  for (size_t i = 0; i < n_nodes; i++)
    component[i] = (int32_t)i;
  for (size_t j = 0; j < n_segments; j++)
    vb_component_join(component, segments[j].node[0], segments[j].node[1]);
  for (size_t k = 0; k < n_tetrahedra; k++)
    for (int i = 1; i < 4; i++)
      vb_component_join(component, tetrahedra[k].node[0], tetrahedra[k].node[i]);
  // Roots are the lowest of their trees, so that a parent has its number before its children.
  int32_t n = 0;
  for (size_t i = 0; i < n_nodes; i++)
    component[i] = component[i] == (int32_t)i ? n++ : component[component[i]];
  return n;
}

vb_status vb_complete_bodies(vb_builder *builder, const int32_t *named, const vb_body *names,
                             size_t n_names, vb_error *error) {
  size_t n_nodes, n_segments, n_tetrahedra, n;
  vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &n_nodes);
  vb_segment *segments = vb_builder_elements(builder, VB_SET_SEGMENT, &n_segments);
  vb_tetrahedron *tetrahedra = vb_builder_elements(builder, VB_SET_TETRAHEDRON, &n_tetrahedra);
  int32_t *component = reallocarray(NULL, n_nodes + 1, sizeof *component);
  if (!component)
    return vb_error_memory(error);
  int32_t n_bodies =
      vb_components(component, n_nodes, segments, n_segments, tetrahedra, n_tetrahedra);
  for (size_t i = 0; i < n_nodes; i++)
    nodes[i].body = component[i];
  free(component);

  vb_status status = VB_OK;
  for (int32_t i = 0; status == VB_OK && i < n_bodies; i++)
    status = vb_builder_add(builder, VB_SET_BODY, &(vb_body){0}, NULL, error);
  if (status != VB_OK)
    return status;
  vb_body *bodies = vb_builder_elements(builder, VB_SET_BODY, &n);
  for (int32_t i = 0; i < n_bodies; i++)
    snprintf(bodies[i].name, sizeof bodies[i].name, "body%d", i);
  // From last to first, so that the first name of a body is the one that stays.
  for (size_t i = n_names; i-- > 0;)
    bodies[nodes[named[i]].body] = names[i];
  return VB_OK;
}

/// Radius of segment `segment`: the mean of its nodes'.
static double segment_radius(const vb_node *nodes, const vb_segment *segment) {
  return (nodes[segment->node[0]].rest_radius + nodes[segment->node[1]].rest_radius) / 2;
}

/// The thickest of `n` > 0 segments, of equals the first.
static int32_t thickest(const vb_node *nodes, const vb_segment *segments, const int32_t *at,
                        size_t n) {
  int32_t best = at[0];
  for (size_t i = 1; i < n; i++)
    if (segment_radius(nodes, &segments[at[i]]) > segment_radius(nodes, &segments[best]))
      best = at[i];
  return best;
}

/// Lists the segments at each node in increasing order: those of node i are at[first[i]] to
/// at[first[i + 1] - 1]. The caller frees both.
static vb_status segments_at_nodes(const vb_segment *segments, size_t n_segments, size_t n_nodes,
                                   size_t **first_out, int32_t **at_out, vb_error *error) {
  size_t *first = calloc(n_nodes + 2, sizeof *first);
  int32_t *at = reallocarray(NULL, 2 * n_segments + 1, sizeof *at);
  if (!first || !at) {
    free(first);
    free(at);
    return vb_error_memory(error);
  }
  // Counted two places further on: filling then moves each begin to where it belongs.
  for (size_t j = 0; j < n_segments; j++)
    for (int end = 0; end < 2; end++)
      first[segments[j].node[end] + 2]++;
  for (size_t i = 2; i < n_nodes + 2; i++)
    first[i] += first[i - 1];
  for (size_t j = 0; j < n_segments; j++)
    for (int end = 0; end < 2; end++)
      at[first[segments[j].node[end] + 1]++] = (int32_t)j;
  *first_out = first;
  *at_out = at;
  return VB_OK;
}

/// Joins the `n` segments at `node`: two as they come, more each to the thickest.
static vb_status join(vb_builder *builder, int32_t node, const int32_t *at, size_t n,
                      vb_error *error) {
  if (n < 2)
    return VB_OK;
  size_t count;
  const vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &count);
  const vb_segment *segments = vb_builder_elements(builder, VB_SET_SEGMENT, &count);
  int32_t hub = n == 2 ? at[0] : thickest(nodes, segments, at, n);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < n; i++)
    if (at[i] != hub)
      status = vb_builder_add(builder, VB_SET_JOINT,
                              &(vb_joint){.segment = {hub, at[i]}, .node = node}, NULL, error);
  return status;
}

vb_status vb_complete_joints(vb_builder *builder, const int32_t *owned, size_t n_owned,
                             vb_error *error) {
  size_t n_nodes, n_segments, n_joints;
  vb_builder_elements(builder, VB_SET_NODE, &n_nodes);
  const vb_segment *segments = vb_builder_elements(builder, VB_SET_SEGMENT, &n_segments);
  const vb_joint *joints = vb_builder_elements(builder, VB_SET_JOINT, &n_joints);
  size_t *first = NULL;
  int32_t *at = NULL;
  char *is_owned = calloc(n_nodes + 1, 1);
  vb_status status = is_owned ? VB_OK : vb_error_memory(error);
  if (status == VB_OK)
    status = segments_at_nodes(segments, n_segments, n_nodes, &first, &at, error);
  if (status != VB_OK)
    goto cleanup;
  for (size_t i = 0; i < n_owned; i++)
    is_owned[owned[i]] = 1;
  for (size_t i = 0; i < n_joints; i++)
    is_owned[joints[i].node] = 1;
  for (size_t i = 0; status == VB_OK && i < n_nodes; i++)
    if (!is_owned[i])
      status = join(builder, (int32_t)i, at + first[i], first[i + 1] - first[i], error);
cleanup:
  free(at);
  free(first);
  free(is_owned);
  return status;
}

void vb_normalize_quaternion(double q[4]) {
  double norm = vb_quaternion_norm(q);
  if (norm > 0 && isfinite(norm))
    for (int i = 0; i < 4; i++)
      q[i] /= norm;
}

void vb_complete_numbers(vb_builder *builder) {
  size_t n_nodes, n;
  vb_node *nodes = vb_builder_elements(builder, VB_SET_NODE, &n_nodes);
  for (size_t i = 0; i < n_nodes; i++)
    if (nodes[i].scale == 0)
      nodes[i].scale = 1;
  vb_segment *segments = vb_builder_elements(builder, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++) {
    vb_segment *segment = &segments[j];
    if (segment->rest_length == 0)
      segment->rest_length =
          vb_distance(nodes[segment->node[0]].rest_position, nodes[segment->node[1]].rest_position);
    vb_normalize_quaternion(segment->rest_frame);
    vb_normalize_quaternion(segment->frame);
    if (segment->frame_inertia[0] == 0 && segment->frame_inertia[1] == 0 &&
        segment->frame_inertia[2] == 0)
      vb_disc_inertia(segment, nodes, segment->frame_inertia);
  }
  vb_link *links = vb_builder_elements(builder, VB_SET_LINK, &n);
  for (size_t i = 0; i < n; i++)
    if (links[i].limit[0] == 0 && links[i].limit[1] == 0) {
      links[i].limit[0] = -INFINITY;
      links[i].limit[1] = INFINITY;
    }
}
