// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the builder: rest frames on their way along the joints.
#ifndef VB_SCENE_TRANSPORT_H
#define VB_SCENE_TRANSPORT_H

#include "base/arena.h"
#include "scene/scene.h"

/// A joint seen from one of its segments.
typedef struct vb_adjacent {
  int32_t from;
  int32_t to;
  int32_t joint;
} vb_adjacent;

/// What transport works on.
typedef struct vb_transport {
  const vb_node *nodes;
  vb_segment *segments;
  const vb_joint *joints;
  vb_adjacent *adjacency; ///< 2 n_joints, sorted by `from`, then from the highest `to` down
  size_t *first;          ///< first entry of each segment, n_segments + 1
  vb_adjacent *stack;     ///< 2 n_joints + 1
  bool *given;            ///< whether the rest frame of a segment is what it should be
  bool *spread;           ///< whether it is in a loop that shares its closing twist
  int32_t *passed;        ///< 0 before a segment was passed, then a number that grows
  size_t n_nodes;
  size_t n_segments;
  size_t n_joints;
  vb_arena memory; ///< these arrays
} vb_transport;

/// Writes the rest frame of `across->to` by transport from `across->from`.
void vb_transport_across(const vb_transport *t, const vb_adjacent *across);

/// Shares the closing twist of the loop of segments through `node`, all of which have been passed,
/// equally among its joints, and marks them as given. VB_BAD_INPUT where joints make no loop there,
/// or several that meet, or where another rest frame than the first is given.
vb_status vb_transport_spread(vb_transport *t, int32_t node, vb_error *error);

#endif
