// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins that end: what is held in which step.
#ifndef VB_SCENE_PIN_ENDS_H
#define VB_SCENE_PIN_ENDS_H

#include "scene/scene.h"

/// The number of steps of `world` that a pin holds which ends at `time` [s]: those that end no
/// later, up to a millionth of a step.
int64_t vb_pin_end_steps(const vb_world *world, double time);

/// How many of the scene's pin ends have come once `done` steps are done.
size_t vb_count_ended_pins(const vb_scene *scene, int64_t done);

/// The least number of steps, more than `done`, after which a pin ends; INT64_MAX where none does.
int64_t vb_next_pin_end(const vb_scene *scene, int64_t done);

/// The scene as it is held in the step that follows the first `done` ones: without what has ended,
/// and without the set of pin ends. The caller frees `*out` with free(). Fails only for want of
/// memory.
vb_status vb_scene_held_after(const vb_scene *scene, int64_t done, vb_scene **out, vb_error *error);

#endif
