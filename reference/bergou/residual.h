// SPDX-License-Identifier: GPL-3.0-or-later
/// The residual of a substep: the norm of Phi's gradient over the sum of the norms of its parts.
#ifndef BERGOU_RESIDUAL_H
#define BERGOU_RESIDUAL_H

#include "reference/bergou/state.h"

/// Fills the parts of the norms of chain `c` at its state, for step length `h`. Uses its part of
/// `scratch->direction`.
void bergou_measure_parts(const bergou_rods *rods, const bergou_chain *c, double h,
                          const bergou_state *state, bergou_scratch *scratch, bergou_norms *out);

/// Whether the gradient is within its rounding errors.
bool bergou_within_rounding(const bergou_norms *norms);

/// Whether the residual is surely below `tolerance`: the inertial part with the loads is no more
/// than the sum of the parts' norms.
bool bergou_converged(const bergou_norms *norms, double tolerance);

/// The residual of norms that were summed over chains, as solver.h has it.
double bergou_residual(const bergou_norms *norms);

#endif
