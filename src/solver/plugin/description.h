// SPDX-License-Identifier: GPL-3.0-or-later
/// Serializes descriptions of solvers for another process, and checks them.
#ifndef VB_SOLVER_PLUGIN_DESCRIPTION_H
#define VB_SOLVER_PLUGIN_DESCRIPTION_H

#include "solver/plugin/pack.h"
#include "solver/solver.h"

/// Options that every solver in a process of its own has besides its own options: what that process
/// may take. The host's, of which the solver is not told.
#define VB_TIME_LIMIT   "time_limit"   ///< of a call, s
#define VB_MEMORY_LIMIT "memory_limit" ///< of data, GB (1e9 bytes)
#define VB_CPU_LIMIT    "cpu_limit"    ///< processor time, s

/// Whether an option is one of these.
bool vb_option_is_host(const char *name);

void vb_description_pack(const vb_solver_description *description, vb_pack *pack);

/// A description from the block, whose texts it points to; the block must live as long. It has
/// the options of the host besides those that were packed. VB_BAD_INPUT where the block is no
/// description. Freed by vb_description_free.
vb_status vb_description_unpack(vb_pack *pack, vb_solver_description *out, vb_error *error);
void vb_description_free(vb_solver_description *description);

/// Whether a description can be worked with: names that can name datasets and options, no name
/// twice, units, known locations, defaults that are allowed. VB_BAD_INPUT and one sentence
/// otherwise.
vb_status vb_description_check(const vb_solver_description *description, vb_error *error);

#endif
