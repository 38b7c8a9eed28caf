// SPDX-License-Identifier: GPL-3.0-or-later
/// Names of solvers that run in a process of their own, and where these come from.
#ifndef VB_SOLVER_ORIGIN_H
#define VB_SOLVER_ORIGIN_H

#include "solver/solver.h"

/// Whether a name is that of a shared object: a path with a slash, or one that ends in ".so".
bool vb_plugin_named(const char *name);

/// What follows "check:" in the name of a solver to be examined, or null.
const char *vb_plugin_checked(const char *name);

/// Where a solver comes from.
typedef struct vb_solver_origin {
  const char *name;   ///< as it was asked for: "check:./mine.so"
  const char *path;   ///< of the shared object, absolute; or null where it is one of the program's
  const char *sha256; ///< of that file, 64 hexadecimal digits; or null
} vb_solver_origin;

/// Where `solver` comes from; false where it is one of the program that runs in this process.
/// Answered by solver/plugin/.
bool vb_solver_find_origin(const vb_solver *solver, vb_solver_origin *out);

#endif
