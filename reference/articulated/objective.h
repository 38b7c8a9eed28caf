// SPDX-License-Identifier: GPL-3.0-or-later
/// phi of a step, its gradient, and the residual.
#ifndef AR_OBJECTIVE_H
#define AR_OBJECTIVE_H

#include "step.h"

/// Evaluates phi and its gradient at the present unknowns: `objective` and `residual` of the
/// report, `gradient` (held nodes included) and `bone_gradient`. Writes whether links hold there.
/// Adds to the timers, from `since` on. VB_UNAVAILABLE for want of memory.
vb_status ar_objective_evaluate(ar_stepper *stepper, double h, double *since, bool *holds,
                                vb_error *error);

/// A bound of what rounding makes of the forces of elements and of bones' inertia [N].
double ar_objective_rounding(const ar_body *body, double h);

#endif
