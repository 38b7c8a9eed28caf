// SPDX-License-Identifier: GPL-3.0-or-later
/// What drivers and curves of a recorded run move: half-planes, colliders, factors on loads.
#ifndef VB_RENDER_DRIVEN_H
#define VB_RENDER_DRIVEN_H

#include "render/shapes.h"
#include "results/results_set.h"
#include "scene/scene.h"

/// A scene of the drivers and curves, half-planes and colliders of a run alone, and its loads.
typedef struct vb_driven {
  vb_scene *scene;
  vb_load *loads; ///< (n_loads)
  size_t n_loads;
} vb_driven;

/// Reads them. VB_BAD_INPUT where what is recorded of them makes no sound scene. Freed by
/// vb_driven_close.
vb_status vb_driven_open(vb_run_location place, vb_driven *out, vb_error *error);
void vb_driven_close(vb_driven *driven);

/// Moves the half-planes (`ground`, in the recorded order, at time 0) to where they are at `time`
/// [s].
void vb_driven_grounds(const vb_driven *driven, double time, vb_ground *ground);

/// Writes both points of each collider [m] at `time` [s].
void vb_driven_colliders(const vb_driven *driven, double time, double (*point)[2][3]);

/// Whether a driver moves a collider.
bool vb_driven_moves_colliders(const vb_driven *driven);

#endif
