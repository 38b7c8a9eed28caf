// SPDX-License-Identifier: GPL-3.0-or-later
/// Boundary conditions of a scene at a time: targets of pins, external loads, and rest values of
/// active segments. In double precision.
#ifndef VIPER_MODEL_BOUNDARY_H
#define VIPER_MODEL_BOUNDARY_H

#include "viper/model/model.h"

#include <stdbool.h>

typedef struct viper_boundary {
  double *target;        ///< n_pins x 4: center [m] and scale, or the frame (w, x, y, z)
  double *node_load;     ///< n_nodes x 4: force [N], scale force [J]; null in a scene without loads
  double *frame_load;    ///< n_segments x 3: torque in world axes [N m]; likewise
  double *follower_load; ///< n_follower_loads x 4: force [N] and scale force [J], or torque [N m]
                         ///< and 0, of each follower load before it turns; not contained in the
                         ///< loads above
  double *follow;        ///< n_follows x 3 x 4: see viper_boundary_follow
  double *plane;         ///< n_plane_drivers x VIPER_PLANE_VALUES: see viper_boundary_planes
  bool *moves;           ///< n_drivers: whether a driver, or one of its parents, has a curve
  double *active;        ///< n_activations x 2: see viper_activation_at
  bool filled;           ///< whether constant targets have been set
  vb_arena memory;       ///< all arrays
} viper_boundary;

/// Allocates the boundary of a model. Freed by viper_boundary_destroy, also after failure.
vb_status viper_boundary_create(const viper_model *model, viper_boundary *out, vb_error *error);
void viper_boundary_destroy(viper_boundary *boundary);

/// Writes the rest stretch and scale of the segment of an activation of the kind hill at time 0:
/// its contractile element is as long as it.
void viper_hill_start(const viper_model *model, const viper_model_activation *activation,
                      double out[2]);

/// Writes the rest stretch and scale of the segment of an activation at `time` [s]; of the kind
/// hill, whose rest shape depends on the motion, the excitation and 1.
void viper_activation_at(const viper_model *model, const viper_model_activation *activation,
                         double time, double out[2]);

/// Fills `follow` for a substep from `time` to `time` + `h` [s]: rows of [M b], the affine map that
/// moves the prediction x of a node to where its iterations begin.
void viper_boundary_follow(viper_boundary *boundary, const viper_model *model, double time,
                           double h);

/// Numbers per driven half-plane in a substep.
enum { VIPER_PLANE_VALUES = 20 };

/// Position of a driven half-plane at `time` [s]: its unit normal, and its offset [m].
void viper_driven_plane_at(const vb_scene *scene, const vb_plane_driver *driven, double time,
                           double normal[3], double *offset);

/// Fills `plane` for a substep from `time` to `time` + `h` [s]: normal and offset at its end; rows
/// of [D d], the affine map from the final position of a point of the half-plane to its
/// displacement; 1/h^2, and three zeros.
void viper_boundary_planes(viper_boundary *boundary, const viper_model *model, double time,
                           double h);

/// Fills the boundary for `time` [s], except `follow` and `plane`.
void viper_boundary_at(viper_boundary *boundary, const viper_model *model, double time);

/// Writes the external forces over the unknowns: gravity and loads on nodes (n_nodes x 4, N and J),
/// then torques on frames (n_segments x 3, world axes, N m). Follower loads have the direction of
/// the predicted frames `frame_hat` (n_segments x 4), which includes the rotation by torques.
void viper_boundary_forces(const viper_boundary *boundary, const viper_model *model,
                           const double *frame_hat, double *out);

#endif
