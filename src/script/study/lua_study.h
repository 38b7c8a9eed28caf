// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads a study from its script. The public interface is study/study.h; this one lets tests set
/// the limits.
#ifndef VB_SCRIPT_STUDY_LUA_STUDY_H
#define VB_SCRIPT_STUDY_LUA_STUDY_H

#include "script/runtime/lua_sandbox.h"
#include "script/study/study_files.h"
#include "script/study/study_script.h"

/// As vb_study_load, within `limits` and with scripts looked for below `home`.
vb_status vb_lua_study_load(const vb_study_request *request, const char *home, vb_lua_limits limits,
                            vb_study **out, vb_error *error);

#endif
