// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to loading a study: with which planted solvers its gates must fail.
#ifndef VB_SCRIPT_STUDY_LUA_PLANTED_H
#define VB_SCRIPT_STUDY_LUA_PLANTED_H

#include "script/study/lua_loader.h"

/// Reads the key "planted" of the study's table at `index` into the study. Raises an error for an
/// unknown kind, an exemption without a reason, and one of a kind that the study need not see.
void vb_loader_read_planted(vb_loader *loader, int index);

#endif
