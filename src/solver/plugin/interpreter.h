// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the Python that a solver written in it runs in, and the package that serves it there.
#ifndef VB_SOLVER_PLUGIN_INTERPRETER_H
#define VB_SOLVER_PLUGIN_INTERPRETER_H

#include "solver/plugin/channel.h"

/// Makes this process, which serves solver `name`, an interpreter that goes on in its place
/// (vb_serve_on): the one that the environment variable VIPERBENCH_PYTHON names, or that of the
/// virtual environment in use (VIRTUAL_ENV), or the first python3 of PATH. The package is beside
/// the program: in ../share/viperbench/python, ../src/python or ../../src/python; or around it, in
/// ../../.., in a wheel. Returns only on failure, with VB_UNAVAILABLE.
vb_status vb_interpreter_start(const char *name, const vb_channel *channel, vb_error *error);

#endif
