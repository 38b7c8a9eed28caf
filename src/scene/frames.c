// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest frames by parallel transport along the joints, and initial frames.
#include "base/arena.h"
#include "scene/complete.h"
#include "scene/rotation.h"

#include <stdbool.h>
#include <stdlib.h>

/// A joint seen from one of its segments.
typedef struct adjacent {
  int32_t from;
  int32_t to;
  int32_t joint;
} adjacent;

/// What transport works on.
typedef struct transport {
  const vb_node *nodes;
  vb_segment *segments;
  const vb_joint *joints;
  adjacent *adjacency; ///< 2 n_joints, sorted by `from`, then from the highest `to` down
  size_t *first;       ///< first link of each segment, n_segments + 1
  adjacent *stack;     ///< 2 n_joints + 1
  bool *given;         ///< whether a segment came with its rest frame
  bool *done;          ///< whether a segment was passed
  size_t n_segments;
  size_t n_joints;
  vb_arena memory; ///< these arrays
} transport;

static int compare_adjacent(const void *left, const void *right) {
  const adjacent *a = left;
  const adjacent *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to > b->to ? -1 : 1;
  return (a->joint < b->joint) - (a->joint > b->joint);
}

static vb_status transport_create(vb_builder *builder, transport *t, vb_error *error) {
  size_t n;
  t->nodes = vb_builder_elements(builder, VB_SET_NODE, &n);
  t->segments = vb_builder_elements(builder, VB_SET_SEGMENT, &t->n_segments);
  t->joints = vb_builder_elements(builder, VB_SET_JOINT, &t->n_joints);
  size_t n_adjacent = 2 * t->n_joints;
  VB_TAKE(&t->memory, t->adjacency, n_adjacent);
  VB_TAKE(&t->memory, t->stack, n_adjacent + 1);
  VB_TAKE(&t->memory, t->first, t->n_segments + 1);
  VB_TAKE(&t->memory, t->given, t->n_segments);
  VB_TAKE(&t->memory, t->done, t->n_segments);
  if (t->memory.failed)
    return vb_error_memory(error);
  for (size_t i = 0; i < t->n_joints; i++) {
    const int32_t *segment = t->joints[i].segment;
    t->adjacency[2 * i] = (adjacent){segment[0], segment[1], (int32_t)i};
    t->adjacency[2 * i + 1] = (adjacent){segment[1], segment[0], (int32_t)i};
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
static void rest_direction(const transport *t, int32_t segment, double w[3]) {
  const int32_t *node = t->segments[segment].node;
  vb_direction(t->nodes[node[0]].rest_position, t->nodes[node[1]].rest_position, w);
}

/// The rest frame of a segment where transport begins.
static void begin(const transport *t, int32_t segment) {
  double w[3];
  rest_direction(t, segment, w);
  vb_frame_begin(w, t->segments[segment].rest_frame);
}

/// The rest frame of `link->to` by transport from `link->from` between the tangents of the path.
/// The half turn F about u, which a segment stored against the path is seen through, leaves u as it
/// is.
static void transport_frame(const transport *t, const adjacent *across) {
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
static void transport_component(transport *t, int32_t start) {
  size_t depth = 0;
  if (!t->given[start])
    begin(t, start);
  t->stack[depth++] = (adjacent){start, start, -1};
  while (depth) {
    adjacent step = t->stack[--depth];
    if (t->done[step.to])
      continue;
    t->done[step.to] = true;
    if (step.joint >= 0 && !t->given[step.to])
      transport_frame(t, &step);
    if (t->given[step.to] && !isfinite(vb_quaternion_norm(t->segments[step.to].rest_frame)))
      continue; // to be refused: spreading it would hide where it came from
    for (size_t i = t->first[step.to]; i < t->first[step.to + 1]; i++)
      if (!t->done[t->adjacency[i].to])
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

vb_status vb_complete_frames(vb_builder *builder, vb_error *error) {
  transport t = {0};
  vb_status status = transport_create(builder, &t, error);
  if (status != VB_OK)
    goto cleanup;
  for (size_t j = 0; j < t.n_segments; j++)
    if (t.given[j] && !t.done[j])
      transport_component(&t, (int32_t)j);
  for (size_t j = 0; j < t.n_segments; j++)
    if (!t.done[j])
      transport_component(&t, (int32_t)j);
  for (size_t j = 0; j < t.n_segments; j++)
    if (vb_quaternion_norm(t.segments[j].frame) == 0)
      turn_frame(t.nodes, &t.segments[j]);
cleanup:
  vb_arena_clear(&t.memory);
  return status;
}
