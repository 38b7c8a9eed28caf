// SPDX-License-Identifier: GPL-3.0-or-later
/// The ranges that a scenario declares for its parameters.
#include "script/study/lua_gold.h"

#include <stdio.h>
#include <string.h>

/// Whether the parameter is set by the command line.
static bool is_set(const vb_loader *loader, const char *name) {
  for (size_t i = 0; i < loader->request->n_parameters; i++)
    if (strcmp(loader->request->parameters[i].name, name) == 0)
      return true;
  return false;
}

/// Raises the error of the parameter `name`, whose value is on top of the stack.
static _Noreturn void fail(vb_loader *loader, const char *name, const char *must, const char *who) {
  lua_State *L = loader->L;
  vb_error error = {0};
  const char *value = luaL_tolstring(L, -1, NULL);
  if (!is_set(loader, name))
    vb_lua_fail(L, "%s: parameter \"%.100s\" is %.100s; it must be %s", who, name, value, must);
  (void)vb_error_set(&error, VB_BAD_INPUT, "--set %s=%.100s: it must be %s", name, value, must);
  vb_lua_throw(L, "", &error);
}

/// Checks the number on top of the stack against the limits in the table at `range`.
static void check_limits(vb_loader *loader, int range, const char *name, const char *who) {
  lua_State *L = loader->L;
  static const char *const KEYS[] = {"above", "least", "below", "most"};
  static const char *const WORDS[] = {"above", "at least", "below", "at most"};
  double value = lua_tonumber(L, -1);
  for (int k = 0; k < 4; k++) {
    char must[64];
    if (lua_getfield(L, range, KEYS[k]) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    double limit = lua_tonumber(L, -1);
    lua_pop(L, 1);
    bool right = k == 0   ? value > limit
                 : k == 1 ? value >= limit
                 : k == 2 ? value < limit
                          : value <= limit;
    snprintf(must, sizeof must, "%s %.9g", WORDS[k], limit);
    if (!right)
      fail(loader, name, must, who);
  }
}

/// Checks the text on top of the stack against the words that the table at `range` lists.
static void check_words(vb_loader *loader, int range, const char *name, const char *who) {
  lua_State *L = loader->L;
  char list[400] = "";
  lua_Integer n = (lua_Integer)lua_rawlen(L, range);
  bool found = n == 0;
  for (lua_Integer i = 1; i <= n; i++) {
    size_t used = strlen(list);
    lua_rawgeti(L, range, i);
    found = found || lua_rawequal(L, -1, -2);
    snprintf(list + used, sizeof list - used, "%s%s",
             i == 1   ? ""
             : i == n ? " or "
                      : ", ",
             luaL_tolstring(L, -1, NULL));
    lua_pop(L, 2);
  }
  if (!found)
    fail(loader, name, list, who);
}

/// Checks that the table at `range` is a range, of the parameter `name`.
static void check_range(lua_State *L, int range, const char *name) {
  char who[160];
  snprintf(who, sizeof who, "study: the range of \"%.80s\"", name);
  if (!lua_istable(L, range))
    vb_lua_fail(L, "%s must be a table of limits or words, not a %s", who, luaL_typename(L, range));
  if (lua_rawlen(L, range) > 0)
    return;
  vb_args args = vb_args_open(L, range, who, "above least below most");
  static const char *const KEYS[] = {"above", "least", "below", "most"};
  for (size_t k = 0; k < 4; k++)
    if (vb_args_has(&args, KEYS[k]))
      vb_args_number(&args, KEYS[k]);
}

void vb_loader_check_ranges(vb_loader *loader, int index, int parameters, const char *who) {
  lua_State *L = loader->L;
  int top = lua_gettop(L), type = lua_getfield(L, index, "ranges");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_lua_fail(L, "study: \"ranges\" must be a table, not a %s", luaL_typename(L, -1));
  int ranges = lua_gettop(L);
  for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, ranges); lua_settop(L, ranges + 1)) {
    if (lua_type(L, ranges + 1) != LUA_TSTRING)
      vb_lua_fail(L, "study: \"ranges\" takes named values only (name = { least = 1 })");
    const char *name = lua_tostring(L, ranges + 1);
    check_range(L, ranges + 2, name);
    lua_pushvalue(L, ranges + 1);
    type = lua_rawget(L, parameters);
    if (type == LUA_TNIL)
      vb_lua_fail(L, "study: \"ranges\" has \"%.100s\", which is no parameter", name);
    if (lua_rawlen(L, ranges + 2) > 0)
      check_words(loader, ranges + 2, name, who);
    else if (type == LUA_TNUMBER)
      check_limits(loader, ranges + 2, name, who);
    type = LUA_TTABLE;
  }
  lua_settop(L, top);
}
