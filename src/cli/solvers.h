// SPDX-License-Identifier: GPL-3.0-or-later
/// The solvers that the program is made with.
#ifndef VB_CLI_SOLVERS_H
#define VB_CLI_SOLVERS_H

#include "solver/table.h"

/// All of them, ended by a null. vb_solver_table, which the program asks, gives the same; a test
/// program that is linked with a vb_solver_table of its own may wrap them.
extern const vb_solver *const vb_program_solvers[];

#endif
