// SPDX-License-Identifier: GPL-3.0-or-later
/// The child process of a channel: it holds a solver and answers the host's requests.
#ifndef VB_SOLVER_PLUGIN_SERVE_H
#define VB_SOLVER_PLUGIN_SERVE_H

#include "solver/plugin/channel.h"

/// Gives the solver of that name, perhaps one to be checked, to the process that is to serve it.
/// The head of the channel says where it is meanwhile.
typedef vb_status vb_serve_find(const char *name, vb_channel *channel, const vb_solver **out,
                                vb_error *error);

/// Serves the solver of that name until the host is gone, and has a watchdog end what the solver
/// leaves behind. VB_BAD_INPUT where this process was not started by vb_channel_open.
vb_status vb_serve(const char *name, vb_serve_find *find, vb_error *error);

/// The same in a program that was started in the place of one that serves, and which begins by
/// answering what that one was asked.
vb_status vb_serve_on(const char *name, vb_serve_find *find, vb_error *error);

#endif
