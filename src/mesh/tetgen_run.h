// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/mesh: runs the program TetGen.
#ifndef VB_MESH_TETGEN_RUN_H
#define VB_MESH_TETGEN_RUN_H

#include "base/status.h"

/// Runs `tetgen SWITCHES FOLDER/m.smesh`. `name` is the surface in messages. VB_UNAVAILABLE where
/// it is not installed, VB_BAD_INPUT where it makes no mesh, VB_FAILED where it takes more than two
/// minutes or the time is over (base/time_limit.h), VB_INTERRUPTED by a signal.
vb_status vb_tetgen_run(const char *switches, const char *folder, const char *name,
                        vb_error *error);

#endif
