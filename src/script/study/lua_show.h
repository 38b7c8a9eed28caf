// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to loading a study: its runs for show (tier "show"), of which movies are made.
/// Functions that take a loader run inside vb_sandbox_run and raise Lua errors.
#ifndef VB_SCRIPT_STUDY_LUA_SHOW_H
#define VB_SCRIPT_STUDY_LUA_SHOW_H

#include "script/study/lua_loader.h"

/// Reads the key "show" of the study's table at `index`: names of runs into the study; an error in
/// the tier show where it is missing.
void vb_loader_read_show(vb_loader *loader, int index);

/// Whether the study shows the run of that name.
bool vb_loader_is_shown(const vb_loader *loader, const char *run);

/// Makes a run of the tier show record a picture's worth of frames: 30 in a second of the scene, or
/// one a step where steps are longer; and the view of the study. `solver` is the run's.
void vb_loader_show(vb_loader *loader, vb_run_plan *plan, const vb_solver_description *solver);

#endif
