// SPDX-License-Identifier: GPL-3.0-or-later
/// Parameter sweeps in scripts: runs at all combinations of the values on some axes, and gates over
/// slices of them. As in script/study/lua_loader.h, these functions raise Lua errors.
#ifndef VB_SCRIPT_STUDY_LUA_SWEEP_H
#define VB_SCRIPT_STUDY_LUA_SWEEP_H

#include "script/study/lua_loader.h"

/// Most runs of a sweep.
#define VB_SWEEP_MAX_RUNS 100000

/// Appends the runs of the sweep of the study at `index` (parameters at `parameters`) to the list
/// of entries at `list`, and notes the sweep for the functions below. Nothing where it has no
/// sweep.
void vb_sweep_add_entries(vb_loader *loader, int index, int parameters, int list);

/// Notes in a run of the sweep where it stands there. Nothing for another run.
void vb_sweep_mark_run(vb_loader *loader, vb_run_plan *plan);

/// Replaces the list of gates on top of the stack by one in which each gate over a slice of the
/// sweep has become plain gates, of named runs.
void vb_sweep_expand_gates(vb_loader *loader);

/// What lua_sweep.c and lua_slice.c share.

/// Pushes the noted sweep, a table: axes (list of names), names (list of the runs'), points (by the
/// run's name, tables from axis to value). False, and nothing pushed, where there is none.
bool vb_sweep_push(lua_State *L);

/// Pushes the name of the run at the point at `point` of the sweep with the axes at `axes`.
void vb_sweep_push_run_name(lua_State *L, int axes, int point);

/// Pushes how a value on an axis is called in names ("n33"), or to people ("n = 33").
void vb_sweep_push_value(lua_State *L, const char *axis, int value, bool in_words);

#endif
