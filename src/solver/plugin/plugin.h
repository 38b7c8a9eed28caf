// SPDX-License-Identifier: GPL-3.0-or-later
/// Solvers that run in a process of their own: shared objects, classes in Python files, and solvers
/// under examination ("check:"). Their code never runs in this process.
#ifndef VB_SOLVER_PLUGIN_PLUGIN_H
#define VB_SOLVER_PLUGIN_PLUGIN_H

#include "solver/table.h"

/// Opens a solver by such a name as table.h tells of ("./mine.so", "check:viper"): starts a
/// process that asks it for its description, which is checked. `program` (null: the running one) is
/// the program of its processes. A solver is opened once and lives as long as this program; any
/// thread may ask. VB_BAD_INPUT where it cannot be worked with, in one sentence.
///
/// Each of its instances has a process of its own. A solver that crashes, does not return within
/// the option `time_limit`, needs more than the options `memory_limit` and `cpu_limit` allow its
/// process, or breaks a promise of solver.h, fails the call with VB_FAILED and one sentence.
vb_status vb_plugin_open(const char *name, const char *program, const vb_solver **out,
                         vb_error *error);

/// What the process of an instance has used.
typedef struct vb_plugin_usage {
  double cpu_s;     ///< processor time, s
  int64_t switches; ///< involuntary context switches
  double memory;    ///< bytes that making the instance allocated
} vb_plugin_usage;

/// What the process of `instance` had used at its latest answer; false where `solver` is not one
/// that vb_plugin_open made.
bool vb_plugin_find_usage(const vb_solver *solver, const void *instance, vb_plugin_usage *out);

#endif
