// SPDX-License-Identifier: GPL-3.0-or-later
/// What drivers and curves of a recorded run move: half-planes, colliders, factors on loads.
#ifndef VB_RENDER_DRIVEN_H
#define VB_RENDER_DRIVEN_H

#include "render/shapes.h"
#include "results/results_array.h"
#include "scene/scene.h"

/// The lists of a run's topology that tell it, and a scene of their drivers and curves alone.
typedef struct vb_driven {
  vb_array origin, axis, driver_curve, parent;        ///< of drivers
  vb_array curve, key_time, key_value, interpolation; ///< of curves
  vb_array plane_driver;                              ///< half-plane, driver
  vb_array collider, collider_point, collider_radius; ///< as in topology
  vb_array amplitude;                                 ///< of loads
  vb_scene *scene;
} vb_driven;

/// Reads them. `n_grounds` half-planes are recorded. VB_BAD_INPUT where the lists do not fit one
/// another. Freed by vb_driven_close.
vb_status vb_driven_open(vb_run_location place, size_t n_grounds, vb_driven *out, vb_error *error);
void vb_driven_close(vb_driven *driven);

/// Moves the half-planes (`ground`, in the recorded order, at time 0) to where they are at `time`
/// [s].
void vb_driven_grounds(const vb_driven *driven, double time, vb_ground *ground);

/// Writes both points of each collider [m] at `time` [s].
void vb_driven_colliders(const vb_driven *driven, double time, double (*point)[2][3]);

/// Whether a driver moves a collider.
bool vb_driven_moves_colliders(const vb_driven *driven);

#endif
