// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/runtime/lua_include.h"

#include <string.h>

/// The registry's table of what was included, by name.
#define INCLUDES "viperbench includes"

/// In front of the names of files that do not lie in scenarios/lib.
static const char problems[] = "problems/";

/// Whether a name is that of a problem.
static bool is_problem(const char *name) {
  return strncmp(name, problems, strlen(problems)) == 0;
}

/// Pushes the path below the home folder of what include names.
static const char *push_path(lua_State *L, const char *name, const char *folder) {
  const char *slash = *folder ? "/" : "", *lib = is_problem(name) ? "" : "lib/";
  return lua_pushfstring(L, "%s%sscenarios/%s%s.lua", folder, slash, lib, name);
}

/// Runs the script of `name` and leaves what it returns on the stack.
static void run_include(lua_State *L, const char *name) {
  const char *path = push_path(L, name, vb_sandbox_of(L)->home);
  const char *shown = push_path(L, name, "");
  vb_error error;
  if (vb_script_load(L, path, shown, &error))
    vb_lua_throw(L, "include", &error);
  lua_call(L, 0, 1);
  lua_insert(L, -3);
  lua_pop(L, 2);
}

static int include(lua_State *L) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING)
    vb_lua_fail(L,
                "include: takes the name of a file in scenarios/lib, as in include(\"octopus\")");
  size_t size;
  const char *name = lua_tolstring(L, 1, &size);
  size_t before = is_problem(name) ? strlen(problems) : 0;
  if (size == before || size > 100 || before + strspn(name + before, letters) != size)
    vb_lua_fail(L, "include: \"%.100s\" is no name; it must be of letters, digits and _", name);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, INCLUDES);
  int type = lua_getfield(L, 2, name);
  if (type == LUA_TBOOLEAN)
    vb_lua_fail(L, "include: %s includes itself", push_path(L, name, ""));
  if (type != LUA_TNIL)
    return 1;
  lua_pushboolean(L, false); // while it runs
  lua_setfield(L, 2, name);
  run_include(L, name);
  if (lua_isnil(L, -1) || lua_isboolean(L, -1))
    vb_lua_fail(L, "include: %s must return a function or a table", push_path(L, name, ""));
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

void vb_lua_include_define(lua_State *L) {
  lua_pushcfunction(L, include);
  lua_setglobal(L, "include");
}
