// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver under test: volume-invariant position-based elastic rods.
#ifndef VIPER_VIPER_H
#define VIPER_VIPER_H

#include "solver/solver.h"

/// The VIPER solver, named "viper" in the table of solvers. Never changes; needs no set-up.
extern const vb_solver viper_solver;

#endif
