// SPDX-License-Identifier: GPL-3.0-or-later
/// A time step: prediction, solve, velocities, work, and the radius update.
#ifndef BERGOU_STEP_H
#define BERGOU_STEP_H

#include "reference/bergou/state.h"

/// Phases whose time is reported, in the order of the description.
typedef enum bergou_phase {
  BERGOU_PHASE_PREDICT,
  BERGOU_PHASE_SOLVE,
  BERGOU_PHASE_UPDATE,
  BERGOU_PHASE_COUNT
} bergou_phase;

/// What may change from step to step.
typedef struct bergou_settings {
  int threads;
  int iterations;   ///< of Newton per substep, at most
  int substeps;     ///< per step
  double tolerance; ///< relative residual that ends a substep
} bergou_settings;

/// Writes the scene's initial state: scales are the scene's own until the first step.
void bergou_start(const bergou_rods *rods, bergou_state *state);

/// How a step's substeps ended.
typedef struct bergou_outcome {
  bool converged;  ///< all chains in all of them
  double residual; ///< the greatest
} bergou_outcome;

/// Advances one step of length `h` from `time`; adds seconds per phase to `timer`.
bergou_outcome bergou_step(const bergou_rods *rods, const bergou_settings *settings, double time,
                           double h, bergou_state *state, bergou_scratch *scratch, double *timer);

/// Index of the first segment whose length is 0 or whose values are not finite; -1 for none.
int64_t bergou_check_state(const bergou_rods *rods, const bergou_state *state);

#endif
