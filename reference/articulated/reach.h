// SPDX-License-Identifier: GPL-3.0-or-later
/// Projections that Newton's method alone does not reach: where masses differ much, or links are
/// stretched out, its steps overshoot.
#ifndef AR_REACH_H
#define AR_REACH_H

#include "project.h"

/// Minimizes the projection's |T - T0|_W^2 / 2 on the motions that the rows which hold now allow,
/// from `start` (n_bones) on, once that is brought to them: Newton's method with the absolute
/// values of the eigenvalues of its matrix, along steps that are brought back to the rows and
/// halved until the objective falls. Poses, multipliers, the gap and iterations are the
/// projector's; `scratch` as large as T. VB_UNAVAILABLE where LAPACK fails.
vb_status ar_reach(ar_projector *projector, const ar_pose *start, const double *target,
                   double *scratch, bool *reached, vb_error *error);

#endif
