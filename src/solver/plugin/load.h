// SPDX-License-Identifier: GPL-3.0-or-later
/// Opens a shared object and finds the solver in it.
#ifndef VB_SOLVER_PLUGIN_LOAD_H
#define VB_SOLVER_PLUGIN_LOAD_H

#include "solver/plugin/channel.h"

/// The solver in the shared object `path`, which stays open. The head of the channel says where it
/// is. VB_BAD_INPUT where it cannot be opened, has no solver, one of another version, or one that
/// lacks functions.
vb_status vb_load_plugin(const char *path, vb_channel *channel, const vb_solver **out,
                         vb_error *error);

#endif
