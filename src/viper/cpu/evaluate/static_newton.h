// SPDX-License-Identifier: GPL-3.0-or-later
/// Newton's method for an equilibrium under given loads, in double, of a whole model. It differs
/// from that of a backend (method/equilibrium.h) in that it regards how loads change as frames turn
/// (load_stiffness.h), which makes a difference where these have no potential.
#ifndef VIPER_CPU_EVALUATE_STATIC_NEWTON_H
#define VIPER_CPU_EVALUATE_STATIC_NEWTON_H

#include "viper/cpu/evaluate/load_stiffness.h"

/// A solve. Vectors are over all unknowns, as those of viper_newton_step.
typedef struct viper_static_newton {
  viper_cpu *cpu;           ///< the state, which moves
  viper_boundary *boundary; ///< what acts and holds
  viper_newton_step *step;
  viper_load_stiffness stiffness;
  double tolerance;   ///< of the residual
  double *start_load; ///< a load besides the boundary's: on nodes (x 4), and torques on frames
                      ///< in world axes (x 3)
  double left;        ///< part of it that acts
  bool descend; ///< negative pivots of the Hessian count by their magnitudes, so that steps descend
  double *load; ///< all that acts, likewise
  double *load_from;       ///< where a step begins
  double *move;            ///< of a step
  double *settle;          ///< of centers and scales, after its frames have turned
  double *turn;            ///< [n_segments x 3] of a step, in body axes, rad
  viper_node_x *node_from; ///< [n_nodes] where a step begins
  viper_quat *frame_from;  ///< [n_segments]
  vb_arena memory;
} viper_static_newton;

/// Memory; the others must outlive it. Freed by viper_static_newton_destroy, after failure, too.
vb_status viper_static_newton_create(viper_cpu *cpu, viper_boundary *boundary,
                                     viper_newton_step *step, double tolerance,
                                     viper_static_newton *out, vb_error *error);
void viper_static_newton_destroy(viper_static_newton *self);

/// Puts all that acts on the state where evaluations expect it (node_hat, frame_hat).
void viper_static_newton_place_loads(viper_static_newton *self);

/// Moves the state to an equilibrium. Where loads have a potential it must descend, to a minimum.
/// Where they have none, an equilibrium may be none: past half a turn the Hessian of a rod that a
/// couple rolls up is indefinite, and with the load stiffness it is the derivative of the forces
/// as it stands. `*residual` is that of its end, greater than the tolerance or
/// not a number where none was found. Fails only for want of memory.
vb_status viper_static_newton_solve(viper_static_newton *self, double *residual, vb_error *error);

#endif
