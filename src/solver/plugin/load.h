// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the solver that a process of the program serves.
#ifndef VB_SOLVER_PLUGIN_LOAD_H
#define VB_SOLVER_PLUGIN_LOAD_H

#include "solver/plugin/channel.h"

/// The solver in the shared object `path`, which stays open. The head of the channel says where it
/// is. VB_BAD_INPUT where it cannot be opened, has no solver, one of another version, or one that
/// lacks functions.
vb_status vb_load_plugin(const char *path, vb_channel *channel, const vb_solver **out,
                         vb_error *error);

/// The solver of any name (a vb_serve_find): of the program, of a shared object; of a Python file
/// it does not return, for the process becomes an interpreter.
vb_status vb_load_solver(const char *name, vb_channel *channel, const vb_solver **out,
                         vb_error *error);

#endif
