// SPDX-License-Identifier: GPL-3.0-or-later
/// Least-squares fits in scripts (vb.fit).
#ifndef VB_SCRIPT_SCENE_LUA_FIT_H
#define VB_SCRIPT_SCENE_LUA_FIT_H

#include <lua.h>

/// Adds vb.fit to the table at the top of the stack: vb.fit{ start = {..}, residuals = function(p)
/// } finds the parameters near `start` for which the sum of the squared residuals is least
/// (Levenberg and Marquardt's method by GSL, derivatives by differences). Returns { parameters =,
/// rms =, iterations = }. A fit that does not converge is an error.
void vb_lua_fit_define(lua_State *L);

#endif
