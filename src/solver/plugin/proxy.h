// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's side of a solver that runs in a process of its own. For plugin.c.
#ifndef VB_SOLVER_PLUGIN_PROXY_H
#define VB_SOLVER_PLUGIN_PROXY_H

#include "solver/plugin/channel.h"
#include "solver/plugin/plugin.h"

/// The least that a process may take to open a solver, s: an interpreter has much to read.
#define VB_LOAD_S 20.0

/// A solver whose functions call a child process. The first member is its interface.
typedef struct vb_proxy {
  vb_solver solver;
  vb_solver_description about;
  char *name;    ///< as requested
  char *program; ///< of its processes, or null for the running one
  char *path;    ///< of the shared object or Python file, or null
  char sha256[65];
  char *described; ///< the bytes that `about` points into
  struct vb_proxy *next;
} vb_proxy;

/// The functions of such a solver, those that may be null among them.
extern const vb_solver vb_proxy_functions;

/// Writes the SHA-256 of the proxy's file; "" where it has none.
vb_status vb_proxy_digest(const char *path, char hex[65], vb_error *error);

#endif
