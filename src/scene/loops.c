// SPDX-License-Identifier: GPL-3.0-or-later
/// Loops of segments whose closing twist is shared among their joints.
#include "scene/rotation.h"
#include "scene/transport.h"

#include <math.h>
#include <stdlib.h>

/// A loop as it is walked around.
typedef struct loop {
  vb_adjacent *across; ///< n: from each segment to the next, the last one back to the first
  size_t n;
} loop;

/// How many joints of each segment lead to others that are not dead ends; 0 at a dead end. What is
/// left over are loops, and what lies between loops. Freed by the caller; null without memory.
static int32_t *count_ways(const vb_transport *t) {
  int32_t *ways = reallocarray(NULL, t->n_segments + 1, sizeof *ways);
  int32_t *ends = reallocarray(NULL, t->n_segments + 1, sizeof *ends);
  if (!ways || !ends) {
    free(ends);
    free(ways);
    return NULL;
  }
  size_t n_ends = 0;
  for (size_t j = 0; j < t->n_segments; j++) {
    ways[j] = (int32_t)(t->first[j + 1] - t->first[j]);
    if (ways[j] == 1)
      ends[n_ends++] = (int32_t)j;
  }
  while (n_ends > 0) {
    int32_t j = ends[--n_ends];
    ways[j] = 0;
    for (size_t i = t->first[j]; i < t->first[j + 1]; i++) {
      int32_t to = t->adjacency[i].to;
      if (ways[to] > 0 && --ways[to] == 1)
        ends[n_ends++] = to;
    }
  }
  free(ends);
  return ways;
}

/// A segment of a loop at `node`: one side of a joint there whose sides are no dead ends; or -1.
static int32_t segment_of_loop(const vb_transport *t, const int32_t *ways, int32_t node) {
  for (size_t i = 0; i < t->n_joints; i++) {
    const vb_joint *joint = &t->joints[i];
    if (joint->node == node && ways[joint->segment[0]] > 0 && ways[joint->segment[1]] > 0)
      return joint->segment[0];
  }
  return -1;
}

/// The way on from segment `from`, not back across joint `joint`; of two the one to the lowest
/// segment, as transport goes.
static const vb_adjacent *way_on(const vb_transport *t, const int32_t *ways, int32_t from,
                                 int32_t joint) {
  const vb_adjacent *best = NULL;
  for (size_t i = t->first[from]; i < t->first[from + 1]; i++)
    if (ways[t->adjacency[i].to] > 0 && t->adjacency[i].joint != joint)
      best = &t->adjacency[i];
  return best;
}

/// Walks around the loop from segment `start`; false where it meets another loop.
static bool walk(const vb_transport *t, const int32_t *ways, int32_t start, loop *out) {
  int32_t at = start, joint = -1;
  out->n = 0;
  do {
    if (ways[at] != 2)
      return false;
    out->across[out->n] = *way_on(t, ways, at, joint);
    joint = out->across[out->n].joint;
    at = out->across[out->n++].to;
  } while (at != start);
  return true;
}

/// 1 where a segment is stored along the walk that leaves it across `on`, else -1.
static int direction_of(const vb_transport *t, const vb_adjacent *on) {
  return t->segments[on->from].node[1] == t->joints[on->joint].node ? 1 : -1;
}

/// Transport around the loop from its first segment, whose rest frame stays, and each further one
/// turned about its axis w by its share, so that the twist of each joint is the same.
static void spread(const vb_transport *t, const loop *l) {
  vb_segment *first = &t->segments[l->across[0].from];
  double begin[4], end[4], twist[4];
  memcpy(begin, first->rest_frame, sizeof begin);
  for (size_t i = 0; i < l->n; i++)
    vb_transport_across(t, &l->across[i]);
  memcpy(end, first->rest_frame, sizeof end);
  memcpy(first->rest_frame, begin, sizeof begin);
  const double back[4] = {end[0], -end[1], -end[2], -end[3]};
  vb_quaternion_multiply(back, begin, twist); // a turn about w
  double angle = 2 * atan2(twist[0] < 0 ? -twist[3] : twist[3], fabs(twist[0]));
  angle *= direction_of(t, &l->across[0]);
  for (size_t i = 1; i < l->n; i++) {
    double *frame = t->segments[l->across[i].from].rest_frame;
    double half = 0.5 * angle * (double)i / (double)l->n * direction_of(t, &l->across[i]);
    const double turn[4] = {cos(half), 0, 0, sin(half)};
    vb_quaternion_multiply(frame, turn, frame);
  }
}

/// The segment of a loop at which transport came to it.
static int32_t first_passed(const vb_transport *t, const loop *l) {
  int32_t best = l->across[0].from;
  for (size_t i = 1; i < l->n; i++)
    if (t->passed[l->across[i].from] < t->passed[best])
      best = l->across[i].from;
  return best;
}

/// Shares the twist of a loop, found but not yet begun where transport began.
static vb_status spread_from_start(vb_transport *t, const int32_t *ways, int32_t node, loop *l,
                                   vb_error *error) {
  int32_t start = first_passed(t, l);
  if (t->spread[start])
    return VB_OK;
  walk(t, ways, start, l);
  for (size_t i = 1; i < l->n; i++)
    if (t->given[l->across[i].from])
      return vb_bad_input(error,
                          "loop at node %d: the rest frame of its segment %d is given; a loop that "
                          "distributes its twist can have only one given frame",
                          node, l->across[i].from);
  spread(t, l);
  for (size_t i = 0; i < l->n; i++)
    t->given[l->across[i].from] = t->spread[l->across[i].from] = true;
  return VB_OK;
}

vb_status vb_transport_spread(vb_transport *t, int32_t node, vb_error *error) {
  int32_t *ways = count_ways(t);
  loop l = {.across = reallocarray(NULL, t->n_segments + 1, sizeof *l.across)};
  vb_status status = ways && l.across ? VB_OK : vb_error_memory(error);
  int32_t found = status == VB_OK ? segment_of_loop(t, ways, node) : -1;
  if (status == VB_OK && found < 0)
    status = vb_bad_input(error, "loop at node %d: no loop of joined segments passes there", node);
  if (status == VB_OK && !walk(t, ways, found, &l))
    status = vb_bad_input(
        error, "loop at node %d: it meets another loop; give the rest frames instead", node);
  if (status == VB_OK)
    status = spread_from_start(t, ways, node, &l, error);
  free(l.across);
  free(ways);
  return status;
}
