// SPDX-License-Identifier: GPL-3.0-or-later
/// What "list" and "info" tell of a solver.
#ifndef VB_CLI_SOLVER_PAGE_H
#define VB_CLI_SOLVER_PAGE_H

#include "solver/solver.h"
#include "table/listing.h"

/// Prints a name and what it is behind `before`, in a column of `width`; it goes on below itself
/// where a terminal is narrow.
void vb_cli_print_named(const char *before, const char *name, int width, const char *what);

/// Prints a solver and all of its options, with their defaults and choices.
void vb_cli_print_solver(const vb_solver_description *about);

/// The same as JSON; the caller's reference.
json_t *vb_cli_describe_solver(const vb_solver_description *about);

/// Adds a row of an option of a solver: name, what, default, choices.
void vb_cli_add_option(vb_listing *table, const vb_option_info *option);

/// Prints the choices of an option of the program's solvers ("direct xpbd"), each once; their names
/// where it is "solver", those of their options where it is "option"; nothing where there are none.
void vb_cli_print_choices(FILE *out, const char *option);

#endif
