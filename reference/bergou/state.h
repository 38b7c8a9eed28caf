// SPDX-License-Identifier: GPL-3.0-or-later
/// The state of a solver, and the scratch arrays of a step. Arrays are in the scene's order.
#ifndef BERGOU_STATE_H
#define BERGOU_STATE_H

#include "reference/bergou/rods.h"

/// What the next step depends on and what is read: one array of `n_doubles`, in parts.
typedef struct bergou_state {
  size_t n_doubles;
  double *position;         ///< nodes x 3, m; the array begins here
  double *velocity;         ///< nodes x 3, m/s
  double *scale;            ///< nodes
  double *frame;            ///< segments x 4, (w, x, y, z)
  double *angular_velocity; ///< segments x 3, world axes, rad/s
  double *segment_scale;    ///< segments
  double *active;           ///< segments: the stretch at which each rests
  double *gradient; ///< unknowns: of Phi at the end of the latest substep, pinned ones included
  double *work;     ///< drivers, loads, then activations: J done on the bodies since time 0
  double *residual; ///< one: of the latest substep
} bergou_state;

/// What a substep works with.
typedef struct bergou_scratch {
  double *old_position, *old_frame; ///< at the start of the substep
  double *hat_position, *hat_frame; ///< prediction, as if nothing were pinned
  double *try_position, *try_frame; ///< before a trial step
  double *direction;                ///< unknowns: Newton's step
  double *load;                     ///< unknowns: gravity, forces and torques, world axes
  double *band;                     ///< unknowns x (BERGOU_BAND + 1), LAPACK's lower band storage
  bool *held;                       ///< unknowns: whether pinned
} bergou_scratch;

/// What the gradient is made of.
typedef enum bergou_part {
  BERGOU_INERTIA,
  BERGOU_LOADS,
  BERGOU_STRETCH,
  BERGOU_BEND,
  BERGOU_TWIST,
  BERGOU_PARTS
} bergou_part;

/// Residual of a chain: squared norms of gradients, weighted by inverse inertias, over unknowns
/// that are not pinned.
typedef struct bergou_norms {
  double now;                ///< of Phi's gradient
  double pull;               ///< of its inertial part with the loads
  double part[BERGOU_PARTS]; ///< of each part; after the substep
  double rounding;           ///< of what rounding of positions, frames and their differences makes
} bergou_norms;

/// Makes both, zeroed but for `held`. Freed by bergou_state_free and bergou_scratch_free.
vb_status bergou_state_create(const bergou_rods *rods, bergou_state *out, vb_error *error);
vb_status bergou_scratch_create(const bergou_rods *rods, bergou_scratch *out, vb_error *error);
void bergou_state_free(bergou_state *state);
void bergou_scratch_free(bergou_scratch *scratch);

#endif
