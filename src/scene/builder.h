// SPDX-License-Identifier: GPL-3.0-or-later
/// Builds a scene element by element: adds defaults, checks it, and makes it read-only.
#ifndef VB_SCENE_BUILDER_H
#define VB_SCENE_BUILDER_H

#include "scene/scene.h"

typedef struct vb_builder vb_builder;

/// A builder of an empty scene without gravity; freed by vb_builder_destroy.
vb_status vb_builder_create(vb_builder **out, vb_error *error);
void vb_builder_destroy(vb_builder *builder);

/// The world, to be filled in place (step and n_steps must be set).
vb_world *vb_builder_world(vb_builder *builder);

/// Appends a copy of one element of set `tag` (a vb_node for VB_SET_NODE, ..; neither world nor
/// body) and writes its index to `*index` (may be null). What is zero in it is completed by
/// vb_builder_freeze: the scale of a node; rest_length, rest_frame and frame of a segment.
vb_status vb_builder_add(vb_builder *builder, vb_tag tag, const void *element, int32_t *index,
                         vb_error *error);

/// The elements of set `tag` so far, to be read or changed in place; valid until the next add.
void *vb_builder_elements(vb_builder *builder, vb_tag tag, size_t *count);

/// Names the connected component that holds `node`, an existing one; the first name given wins, and
/// a component without one is called "body<index>". VB_BAD_INPUT where it does not fit
/// VB_NAME_SIZE.
vb_status vb_builder_name(vb_builder *builder, int32_t node, const char *name, vb_error *error);

/// Says that the joints at `node`, an existing one, are those that were added, and no others (a
/// hinge has none). A node at which a joint was added counts as complete. At any other node freeze
/// adds the joints: two segments are joined; of three or more each is joined to the thickest (of
/// equals the lowest index).
vb_status vb_builder_own_joints(vb_builder *builder, int32_t node, vb_error *error);

/// Completes, checks and lays out the scene; the caller frees `*out` with free(). Adds bodies,
/// numbered by their lowest nodes (a lone node is one); missing joints; rest lengths; and missing
/// rest frames: w along the segment, u by parallel transport along the joints from a segment whose
/// rest frame is given, or else from the lowest one, whose u is the axis of the least component of
/// w, crossed with w. A loop is closed by the joint back to the segment where it began, which keeps
/// the closing twist. A missing frame is the rest frame turned by the least rotation that takes w
/// to the segment's direction at time 0. Quaternions are normalized. VB_BAD_INPUT as vb_scene_check
/// says it. The builder stays usable and as it was.
vb_status vb_builder_freeze(vb_builder *builder, vb_scene **out, vb_error *error);

#endif
