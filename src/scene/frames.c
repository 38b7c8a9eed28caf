// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest frames by parallel transport along the joints, and initial frames.
#include "scene/complete.h"
#include "scene/rotation.h"
#include "scene/transport.h"

#include <stdlib.h>

static int compare_adjacent(const void *left, const void *right) {
  const vb_adjacent *a = left;
  const vb_adjacent *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to > b->to ? -1 : 1;
  return (a->joint < b->joint) - (a->joint > b->joint);
}

static vb_status transport_create(vb_builder *builder, vb_transport *t, vb_error *error) {
  t->nodes = vb_builder_elements(builder, VB_SET_NODE, &t->n_nodes);
  t->segments = vb_builder_elements(builder, VB_SET_SEGMENT, &t->n_segments);
  t->joints = vb_builder_elements(builder, VB_SET_JOINT, &t->n_joints);
  size_t n_adjacent = 2 * t->n_joints;
  VB_TAKE(&t->memory, t->adjacency, n_adjacent);
  VB_TAKE(&t->memory, t->stack, n_adjacent + 1);
  VB_TAKE(&t->memory, t->first, t->n_segments + 1);
  VB_TAKE(&t->memory, t->given, t->n_segments);
  VB_TAKE(&t->memory, t->spread, t->n_segments);
  VB_TAKE(&t->memory, t->passed, t->n_segments);
  if (t->memory.failed)
    return vb_error_memory(error);
  for (size_t i = 0; i < t->n_joints; i++) {
    const int32_t *segment = t->joints[i].segment;
    t->adjacency[2 * i] = (vb_adjacent){segment[0], segment[1], (int32_t)i};
    t->adjacency[2 * i + 1] = (vb_adjacent){segment[1], segment[0], (int32_t)i};
    t->first[segment[0] + 1]++;
    t->first[segment[1] + 1]++;
  }
  for (size_t j = 0; j < t->n_segments; j++) {
    t->first[j + 1] += t->first[j];
    t->given[j] = vb_quaternion_norm(t->segments[j].rest_frame) != 0;
  }
  qsort(t->adjacency, n_adjacent, sizeof *t->adjacency, compare_adjacent);
  return VB_OK;
}

/// Unit vector from node[0] to node[1] at rest; zero where they coincide.
static void rest_direction(const vb_transport *t, int32_t segment, double w[3]) {
  const int32_t *node = t->segments[segment].node;
  vb_direction(t->nodes[node[0]].rest_position, t->nodes[node[1]].rest_position, w);
}

/// The rest frame of a segment where transport begins.
static void begin(const vb_transport *t, int32_t segment) {
  double w[3];
  rest_direction(t, segment, w);
  vb_frame_begin(w, t->segments[segment].rest_frame);
}

/// Transport is between the tangents of the path. The half turn F about u, which a segment stored
/// against the path is seen through, leaves u as it is.
void vb_transport_across(const vb_transport *t, const vb_adjacent *across) {
  const vb_segment *from = &t->segments[across->from];
  vb_segment *to = &t->segments[across->to];
  int32_t node = t->joints[across->joint].node;
  double w[3], tangent_from[3], tangent_to[3];
  rest_direction(t, across->to, w);
  vb_frame_axis(from->rest_frame, 2, tangent_from);
  for (int i = 0; i < 3; i++) {
    tangent_from[i] *= from->node[1] == node ? 1 : -1;
    tangent_to[i] = w[i] * (to->node[0] == node ? 1 : -1);
  }
  vb_frame_carry(from->rest_frame, tangent_from, tangent_to, w, to->rest_frame);
}

/// Passes all segments that joints connect with `start`, depth first and the lowest first, so that
/// a loop is walked around once and closes where it began.
static void transport_component(vb_transport *t, int32_t *n_passed, int32_t start) {
  size_t depth = 0;
  if (!t->given[start])
    begin(t, start);
  t->stack[depth++] = (vb_adjacent){start, start, -1};
  while (depth) {
    vb_adjacent step = t->stack[--depth];
    if (t->passed[step.to])
      continue;
    t->passed[step.to] = ++*n_passed;
    if (step.joint >= 0 && !t->given[step.to])
      vb_transport_across(t, &step);
    if (t->given[step.to] && !isfinite(vb_quaternion_norm(t->segments[step.to].rest_frame)))
      continue; // to be refused: spreading it would hide where it came from
    for (size_t i = t->first[step.to]; i < t->first[step.to + 1]; i++)
      if (!t->passed[t->adjacency[i].to])
        t->stack[depth++] = t->adjacency[i];
  }
}

/// The initial frame of a segment: its rest frame, turned with the segment.
static void turn_frame(const vb_node *nodes, vb_segment *segment) {
  double u[3], w[3], direction[3], turn[4];
  memcpy(segment->frame, segment->rest_frame, sizeof segment->frame);
  if (!(vb_direction(nodes[segment->node[0]].position, nodes[segment->node[1]].position,
                     direction) > 0))
    return;
  vb_frame_axis(segment->rest_frame, 0, u);
  vb_frame_axis(segment->rest_frame, 2, w);
  vb_least_rotation(w, direction, u, turn);
  vb_quaternion_multiply(turn, segment->rest_frame, segment->frame);
}

/// Passes all segments, those first whose rest frames are given.
static void transport_all(vb_transport *t) {
  int32_t n_passed = 0;
  memset(t->passed, 0, t->n_segments * sizeof *t->passed);
  for (int given = 1; given >= 0; given--)
    for (size_t j = 0; j < t->n_segments; j++)
      if ((t->given[j] || !given) && !t->passed[j])
        transport_component(t, &n_passed, (int32_t)j);
}

vb_status vb_complete_frames(vb_builder *builder, const int32_t *loops, size_t n_loops,
                             vb_error *error) {
  vb_transport t = {0};
  vb_status status = transport_create(builder, &t, error);
  if (status == VB_OK)
    transport_all(&t);
  for (size_t i = 0; status == VB_OK && i < n_loops; i++)
    status = vb_transport_spread(&t, loops[i], error);
  // What hangs on a loop turns with it.
  if (status == VB_OK && n_loops > 0)
    transport_all(&t);
  for (size_t j = 0; status == VB_OK && j < t.n_segments; j++)
    if (vb_quaternion_norm(t.segments[j].frame) == 0)
      turn_frame(t.nodes, &t.segments[j]);
  vb_arena_clear(&t.memory);
  return status;
}
