// SPDX-License-Identifier: GPL-3.0-or-later
/// Phi of a chain, and its minimizer by Newton's method with an exact banded factorization.
#ifndef BERGOU_NEWTON_H
#define BERGOU_NEWTON_H

#include "reference/bergou/state.h"

/// Moves the free unknowns of chain `c` to the minimizer of Phi for step length `h`. They are at
/// the prediction, pinned ones where they are held; `scratch` has the prediction and the old state.
/// Fills the chain's part of `state->gradient`. Ends when the residual is at most `tolerance` or
/// the gradient is within its rounding errors, or after `iterations`; returns its norms. Chains may
/// be worked on at once.
bergou_norms bergou_newton(const bergou_rods *rods, const bergou_chain *c, double h, int iterations,
                           double tolerance, bergou_state *state, bergou_scratch *scratch);

#endif
