// SPDX-License-Identifier: GPL-3.0-or-later
/// Parameters of a scenario: defaults, the command line's settings, a run's own.
#include "script/study/lua_gold.h"

#include "base/nearest_word.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Most parameters that a message about an unknown one looks through.
enum { MOST_NAMES = 100 };

/// The text keys of the table at `index`; at most MOST_NAMES. They live as long as the table has
/// them.
static size_t names_of(lua_State *L, int index, const char *names[MOST_NAMES]) {
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    if (n < MOST_NAMES && lua_type(L, -2) == LUA_TSTRING)
      names[n++] = lua_tostring(L, -2);
  return n;
}

static _Noreturn void unknown_parameter(lua_State *L, int index, const char *who,
                                        const char *name) {
  vb_args args = vb_args_of(L, index, who);
  const char *names[MOST_NAMES];
  vb_args_unknown(&args, "parameter", name, names, names_of(L, index, names));
}

/// p.name where p has no such parameter.
static int no_parameter(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING)
    vb_lua_fail(L, "parameters: have names, not numbers");
  unknown_parameter(L, 1, "parameters", lua_tostring(L, 2));
}

/// Checks the name and the value, at -2 and -1, of a parameter.
static void check_parameter(lua_State *L, const char *who) {
  vb_args args = vb_args_of(L, 0, who); // no table: only its messages
  if (lua_type(L, -2) != LUA_TSTRING)
    vb_args_fail(&args, "\"parameters\" takes named values only (name = value)");
  const char *name = vb_args_text(&args, -2, "parameters");
  int type = lua_type(L, -1);
  if (type == LUA_TSTRING)
    vb_args_text(&args, -1, name);
  else if (type != LUA_TNUMBER && type != LUA_TBOOLEAN)
    vb_args_fail(&args, "parameter \"%s\" must be a number, a boolean or a text, not a %s", name,
                 luaL_typename(L, -1));
  if (type == LUA_TNUMBER && !isfinite(lua_tonumber(L, -1)))
    vb_args_fail(&args, "parameter \"%s\" must be finite", name);
}

/// Copies the defaults of the scenario at `index` to the table at `to`, which is on top of the
/// stack.
static void copy_defaults(lua_State *L, int index, int to) {
  int type = lua_getfield(L, index, "parameters");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_lua_fail(L, "study: \"parameters\" must be a table of defaults, not a %s",
                luaL_typename(L, -1));
  if (type == LUA_TNIL)
    lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    check_parameter(L, "study");
    vb_lua_copy_pair(L, to);
  }
  lua_settop(L, to);
}

/// Pushes the value of a setting from the command line, of the Lua type of its default.
static void push_setting(lua_State *L, const vb_setting *setting, int type) {
  const char *value = setting->value;
  vb_error error = {0};
  if (type == LUA_TSTRING) {
    lua_pushstring(L, value);
    return;
  }
  if (type == LUA_TBOOLEAN && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)) {
    lua_pushboolean(L, value[0] == 't');
    return;
  }
  if (type == LUA_TNUMBER && lua_stringtonumber(L, value) == strlen(value) + 1 &&
      isfinite(lua_tonumber(L, -1)))
    return;
  (void)vb_error_set(&error, VB_BAD_INPUT, "--set %s=%.100s: parameter \"%s\" takes %s",
                     setting->name, value, setting->name,
                     type == LUA_TBOOLEAN ? "true or false" : "a finite number");
  vb_lua_throw(L, "", &error);
}

/// Replaces defaults in the table at `to` by the request's settings.
static void apply_settings(vb_loader *loader, int to) {
  lua_State *L = loader->L;
  for (size_t i = 0; i < loader->request->n_parameters; i++) {
    const vb_setting *setting = &loader->request->parameters[i];
    lua_pushstring(L, setting->name);
    int type = lua_rawget(L, to);
    lua_pop(L, 1);
    if (type == LUA_TNIL)
      continue;
    loader->used[i] = true;
    push_setting(L, setting, type);
    lua_setfield(L, to, setting->name);
  }
}

/// Replaces parameters in the table at `to` by those of a run, the table at `own`.
static void apply_own(lua_State *L, int to, int own, const char *who) {
  for (lua_pushnil(L); lua_next(L, own); lua_pop(L, 1)) {
    check_parameter(L, who);
    const char *name = lua_tostring(L, -2);
    lua_pushvalue(L, -2);
    int type = lua_rawget(L, to);
    if (type == LUA_TNIL)
      unknown_parameter(L, to, who, name);
    if (type != lua_type(L, -2))
      vb_lua_fail(L, "%s: parameter \"%s\" must be a %s, not a %s", who, name,
                  lua_typename(L, type), luaL_typename(L, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, to, name);
  }
}

/// p in pairs(p), where one parameter is missing: it might be among what is asked for.
static int no_pairs(lua_State *L) {
  vb_lua_fail(L, "parameters: one of them is missing");
}

/// Takes the missing parameter out of the table at `to`, but where a run has a value of its own for
/// it, in the table at `own` (0: none). The table's metatable is on top.
static void hide(const vb_loader *loader, int to, int own) {
  lua_State *L = loader->L;
  if (!loader->missing || (own && lua_getfield(L, own, loader->missing) != LUA_TNIL))
    return;
  lua_pushstring(L, loader->missing);
  lua_pushnil(L);
  lua_rawset(L, to);
  lua_pushcfunction(L, no_pairs);
  lua_setfield(L, to + 1, "__pairs");
}

void vb_loader_push_parameters(vb_loader *loader, int index, int own, const char *who) {
  lua_State *L = loader->L;
  lua_newtable(L);
  int to = lua_gettop(L);
  copy_defaults(L, index, to);
  const char *key = vb_loader_push_reduced_parameters(loader, index);
  if (lua_istable(L, -1))
    apply_own(L, to, lua_gettop(L), key);
  lua_settop(L, to);
  apply_settings(loader, to);
  if (own)
    apply_own(L, to, own, who);
  vb_loader_check_ranges(loader, index, to, who);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, no_parameter);
  lua_setfield(L, -2, "__index");
  hide(loader, to, own);
  lua_settop(L, to + 1);
  lua_setmetatable(L, to);
}

void vb_loader_note_settings(vb_loader *loader, int parameters, int own) {
  lua_State *L = loader->L;
  for (size_t i = 0; i < loader->request->n_parameters; i++) {
    lua_pushstring(L, loader->request->parameters[i].name);
    lua_pushvalue(L, -1);
    bool has = lua_rawget(L, parameters) != LUA_TNIL;
    lua_pop(L, 1);
    bool replaced = lua_rawget(L, own ? own : parameters) != LUA_TNIL && own;
    lua_pop(L, 1);
    loader->reached[i] = loader->reached[i] || (has && !replaced);
  }
}

void vb_loader_check_settings(vb_loader *loader, int index) {
  for (size_t i = 0; i < loader->request->n_parameters; i++) {
    const char *name = loader->request->parameters[i].name;
    if (!loader->used[i])
      unknown_parameter(loader->L, index, "--set", name);
  }
}

static json_t *json_value(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN:
    return json_boolean(lua_toboolean(L, index));
  case LUA_TNUMBER:
    return lua_isinteger(L, index) ? json_integer(lua_tointeger(L, index))
                                   : json_real(lua_tonumber(L, index));
  default:
    return json_string(lua_tostring(L, index));
  }
}

/// The text of an object with as few digits as tell its numbers exactly: 0.1, not
/// 0.10000000000000001.
static char *shortest(const json_t *object) {
  char *text = NULL;
  bool exact = false;
  for (size_t digits = 15; digits <= 17 && !exact; digits++) {
    free(text);
    text = json_dumps(object, JSON_SORT_KEYS | JSON_REAL_PRECISION(digits));
    json_t *read = text ? json_loads(text, 0, NULL) : NULL;
    exact = json_equal(read, object);
    json_decref(read);
  }
  return text;
}

char *vb_loader_json(lua_State *L, int index) {
  json_t *object = json_object();
  // Nothing in this loop raises an error, which would lose the object.
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    json_object_set_new(object, lua_tostring(L, -2), json_value(L, -1));
  char *text = shortest(object);
  json_decref(object);
  if (!text)
    vb_lua_out_of_memory(L);
  return text;
}
