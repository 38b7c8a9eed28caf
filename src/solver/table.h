// SPDX-License-Identifier: GPL-3.0-or-later
/// The solvers at hand.
#ifndef VB_SOLVER_TABLE_H
#define VB_SOLVER_TABLE_H

#include "solver/solver.h"

/// The solver of that name: one of the program ("viper"), a shared object ("./mine.so"), or one to
/// be examined as it works ("check:viper", "check:./mine.so"); see plugin.h for these.
/// VB_BAD_INPUT, and the names there are, for any other.
vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error);

/// All solvers, ended by a null.
const vb_solver *const *vb_solver_table(void);

#endif
