// SPDX-License-Identifier: GPL-3.0-or-later
/// The child process of a channel: it holds a solver and answers the host's requests.
#ifndef VB_SOLVER_PLUGIN_SERVE_H
#define VB_SOLVER_PLUGIN_SERVE_H

#include "base/status.h"

/// Serves the solver of that name (see vb_solver_find) until the host is gone. VB_BAD_INPUT where
/// this process was not started by vb_channel_open.
vb_status vb_serve(const char *name, vb_error *error);

#endif
