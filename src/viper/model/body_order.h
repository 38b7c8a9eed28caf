// SPDX-License-Identifier: GPL-3.0-or-later
/// Orders the bodies of a scene in the model so that neighbors in space are close in memory.
#ifndef VIPER_MODEL_BODY_ORDER_H
#define VIPER_MODEL_BODY_ORDER_H

#include "base/status.h"
#include "scene/scene.h"

/// Writes for each of the scene's `n_bodies` bodies its place in the model: its own number or, in a
/// scene with contact, its place along an axis, the axis across gravity over which the middles at
/// time 0 spread most. So bodies that touch are near in memory, and threads that share bodies or
/// contacts in that order seldom need the same data.
vb_status viper_body_order(const vb_scene *scene, size_t n_bodies, int32_t *place, vb_error *error);

#endif
