// SPDX-License-Identifier: GPL-3.0-or-later
/// The solvers at hand.
#ifndef VB_SOLVER_TABLE_H
#define VB_SOLVER_TABLE_H

#include "solver/solver.h"

/// The solver of that name ("viper"), or VB_BAD_INPUT and the names there are.
vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error);

/// All solvers, ended by a null.
const vb_solver *const *vb_solver_table(void);

#endif
