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
/// body) and writes its index to `*index` (may be null). Sets that are to be sorted are sorted by
/// vb_builder_freeze, which changes their indexes. What is zero in it is completed: the scale of a
/// node; rest_length, rest_frame, frame and frame_inertia of a segment; both limits of a hinge, to
/// none; and of a bone
/// - where mass or inertia is 0, those of mass, center and inertia that are 0: they are the
///   tetrahedra's all of whose nodes it carries, with their density changed where the mass is
///   given;
/// - a frame of zeros, to no turn; and a position of zeros, to the center, where the frame was left
///   out or mass or inertia was.
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

/// Gives the joint of `segment[0]` and `segment[1]` at `node`, all of them existing, a rest
/// curvature and twist in place of that of the rest frames: the Darboux vector `darboux` [1/m] in
/// the frame midway between both, along the path segment[0] -> node -> segment[1]. (Along the other
/// path its components are -u, v, w.) Freeze refuses it where there is no such joint.
vb_status vb_builder_rest_curvature(vb_builder *builder, const int32_t segment[2], int32_t node,
                                    const double darboux[3], vb_error *error);

/// Says that the loop of joined segments through `node`, an existing one, shares its closing twist
/// equally among its joints. Freeze refuses it where there is no loop, where the loop meets
/// another, or where rest frames are given but for that at which transport begins.
vb_status vb_builder_spread_loop(vb_builder *builder, int32_t node, vb_error *error);

/// Gives the body that will hold `node`, an existing one, friction of its own (see vb_friction). A
/// body takes one; the same again is no other.
vb_status vb_builder_friction(vb_builder *builder, int32_t node, double static_friction,
                              double kinetic_friction, vb_error *error);

/// Gives the two bodies that will hold the nodes `node`, existing ones, friction between each other
/// in place of theirs (see vb_friction_pair).
vb_status vb_builder_friction_pair(vb_builder *builder, const int32_t node[2],
                                   double static_friction, double kinetic_friction,
                                   vb_error *error);

/// Fills an empty builder with all of a sound scene. Freeze then completes nothing and gives the
/// same bytes; elements and names that are added later are refused by it. The world may be changed.
vb_status vb_builder_load(vb_builder *builder, const vb_scene *scene, vb_error *error);

/// Completes, checks and lays out the scene; the caller frees `*out` with free(). Adds bodies,
/// numbered by their lowest nodes (a lone node is one); missing joints; rest lengths; and missing
/// rest frames: w along the segment, u by parallel transport along the joints from a segment whose
/// rest frame is given, or else from the lowest one, whose u is the axis of the least component of
/// w, crossed with w. A loop is closed by the joint back to the segment where it began, which keeps
/// the closing twist unless the loop spreads it. A missing frame is the rest frame turned by the
/// least rotation that takes w to the segment's direction at time 0. What a bone carries is where
/// the bone is at time 0, and as fast. Quaternions are normalized. VB_BAD_INPUT as vb_scene_check
/// says it, VB_FAILED where the time is over (base/time_limit.h). The builder stays usable and as
/// it was.
vb_status vb_builder_freeze(vb_builder *builder, vb_scene **out, vb_error *error);

#endif
