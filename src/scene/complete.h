// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the builder: computes the defaults of what a scene leaves out. All indexes must be
/// valid.
#ifndef VB_SCENE_COMPLETE_H
#define VB_SCENE_COMPLETE_H

#include "scene/builder.h"

/// Adds the bodies, and writes the body of each node. `names[i]` names the component of node
/// `named[i]`.
vb_status vb_complete_bodies(vb_builder *builder, const int32_t *named, const vb_body *names,
                             size_t n_names, vb_error *error);

/// Adds the default joints of each node that is not among the `n_owned` nodes at `owned` and has no
/// joint.
vb_status vb_complete_joints(vb_builder *builder, const int32_t *owned, size_t n_owned,
                             vb_error *error);

/// A rest curvature that was asked for: of the joint of two segments, along the path segment[0] ->
/// node -> segment[1].
typedef struct vb_rest_request {
  int32_t segment[2];
  int32_t node;
  double darboux[3];
} vb_rest_request;

/// Adds the rest curvatures that were asked for, where all joints are there. VB_BAD_INPUT where
/// there is no such joint.
vb_status vb_complete_rest_curvatures(vb_builder *builder, const vb_rest_request *requests,
                                      size_t n_requests, vb_error *error);

/// Friction that was asked for: of the body of node[0], where node[1] is -1, or between the bodies
/// of both.
typedef struct vb_friction_request {
  int32_t node[2];
  double static_friction;
  double kinetic_friction;
} vb_friction_request;

/// Adds friction of bodies and of pairs of them, where all bodies are there. What is asked for one
/// body twice alike is there once.
vb_status vb_complete_frictions(vb_builder *builder, const vb_friction_request *requests,
                                size_t n_requests, vb_error *error);

/// Makes a quaternion a unit one. One without a norm is left to be completed or refused.
void vb_normalize_quaternion(double q[4]);

/// Completes scales, rest lengths, inertias of frames and limits of hinges, and normalizes
/// quaternions.
void vb_complete_numbers(vb_builder *builder);

/// Completes bones, and moves the nodes that they carry to where the bones are. VB_BAD_INPUT where
/// a bone lacks numbers and has no tetrahedron inside.
vb_status vb_complete_bones(vb_builder *builder, vb_error *error);

/// Completes rest frames and frames, where all joints are there. The loops through the `n_loops`
/// nodes at `loops` share their closing twist; VB_BAD_INPUT where there is no such loop.
vb_status vb_complete_frames(vb_builder *builder, const int32_t *loops, size_t n_loops,
                             vb_error *error);

/// Turns the segments that bones carry as the bones are turned, where all rest frames are there.
void vb_complete_tied_frames(vb_builder *builder);

/// Sorts the sets that are to be sorted.
vb_status vb_complete_order(vb_builder *builder, vb_error *error);

#endif
