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

/// Completes scales and rest lengths, and normalizes quaternions.
void vb_complete_numbers(vb_builder *builder);

/// Completes rest frames and frames, where all joints are there.
vb_status vb_complete_frames(vb_builder *builder, vb_error *error);

#endif
