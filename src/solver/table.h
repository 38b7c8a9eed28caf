// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds solvers by name. Which solvers the program has is not known here: the program that is
/// linked defines the table (cli/solvers.c).
#ifndef VB_SOLVER_TABLE_H
#define VB_SOLVER_TABLE_H

#include "solver/solver.h"

/// The solver of that name: one of the program ("viper"), a shared object ("./mine.so"), or one to
/// be checked while it works ("check:viper", "check:./mine.so"); see plugin/plugin.h for these.
/// VB_BAD_INPUT, and the names there are, for any other. Defined in plugin/find.c.
vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error);

/// Most solvers that a program has.
#define VB_MOST_SOLVERS 32

/// All solvers of the program, ended by a null.
const vb_solver *const *vb_solver_table(void);

#endif
