// SPDX-License-Identifier: GPL-3.0-or-later
/// A time step: prediction, iterations, velocities.
#ifndef UMETANI_STEP_H
#define UMETANI_STEP_H

#include "reference/umetani/state.h"

/// Phases whose time is reported, in the order of the description.
typedef enum umetani_phase {
  UMETANI_PHASE_PREDICT,
  UMETANI_PHASE_PROJECT,
  UMETANI_PHASE_UPDATE,
  UMETANI_PHASE_COUNT
} umetani_phase;

/// One iteration over the edges, joints, rigid bodies and held frames of a body; number `visit`
/// since time 0, which a random order depends on.
void umetani_sweep(const umetani_rods *rods, const umetani_settings *settings, int32_t body,
                   double visit, umetani_state *state, umetani_scratch *scratch);

/// The paper's stiffnesses of all joints: those of the settings, or by the law of the stiffness.
/// Returns the share of components where that law asks for more than 1.
double umetani_set_alphas(const umetani_rods *rods, const umetani_settings *settings, double h,
                          double (*alpha)[3]);

/// Advances one step of length `h` from `time`; adds seconds per phase to `timer`.
/// False where memory is short.
bool umetani_step(const umetani_rods *rods, umetani_settings *settings, double time, double h,
                  umetani_state *state, umetani_scratch *scratch, double *timer);

/// Index of the first point that is not finite, or farther away than 1e6 times the scene's size; -1
/// for none.
int64_t umetani_check_state(const umetani_rods *rods, const umetani_state *state);

/// Calls `visit` with each constraint of the rods in its present state, and its multipliers (3).
/// Constraints without a gradient there are passed over. `kind`: length, bisector, distance, joint,
/// rigid body, attachment, held frame, place and turn in a triangle (0 to 8).
enum { UMETANI_KIND_COUNT = 9 };
typedef void umetani_visit(void *context, int kind, umetani_grouping grouping,
                           const umetani_element *element, const double *lambda);
void umetani_visit_all(const umetani_rods *rods, const umetani_settings *settings,
                       double (*target)[3][3], double (*x)[3], double (*alpha)[3],
                       const umetani_state *state, umetani_visit *visit, void *context);

#endif
