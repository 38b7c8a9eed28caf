// SPDX-License-Identifier: GPL-3.0-or-later
/// The function `include` of scripts.
#ifndef VB_SCRIPT_RUNTIME_LUA_INCLUDE_H
#define VB_SCRIPT_RUNTIME_LUA_INCLUDE_H

#include "script/runtime/lua_sandbox.h"

/// Gives scripts include("octopus"), what scenarios/lib/octopus.lua returns, run once; and
/// include("problems/elastica"), likewise of scenarios/problems/elastica.lua.
void vb_lua_include_define(lua_State *L);

#endif
