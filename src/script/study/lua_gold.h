// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to loading a study: its tolerances, and its reduction to the size of a gold result
/// (tier "gold"). Functions that take a loader run inside vb_sandbox_run and raise Lua errors.
#ifndef VB_SCRIPT_STUDY_LUA_GOLD_H
#define VB_SCRIPT_STUDY_LUA_GOLD_H

#include "script/study/lua_loader.h"

/// Reads the key "compare" of the study's table at `index` into the study, as JSON.
void vb_loader_read_compare(vb_loader *loader, int index);

/// Reads the key "gold" of the study's table at `index`. False: there is no gold result;
/// then raises an error in that tier.
void vb_loader_read_gold(vb_loader *loader, int index);

/// The tier that scripts see: a gold result and runs for show are cuts of the quick size.
const char *vb_loader_tier(const vb_loader *loader);

/// Whether the run of that name, the one at `place` (from 0) of its study, belongs to the tier.
bool vb_loader_selects(const vb_loader *loader, const char *run, size_t place);

/// Raises an error where "gold", or in its tier "show", names a run that is no key of the table at
/// `kept`.
void vb_loader_check_gold(vb_loader *loader, int kept);

/// Pushes the table of parameters that a gold result or runs for show change, or nil; returns the
/// key that it is in. The scenario's table is at `index`.
const char *vb_loader_push_reduced_parameters(vb_loader *loader, int index);

/// Cuts the scene of `builder` and the record of its run to the size of a gold result, in that
/// tier.
void vb_loader_shorten(const vb_loader *loader, vb_builder *builder, vb_run_plan *plan);

#endif
