// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/lua_sweep.h"

#include "script/study/lua_gold.h"

#include "solver/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Place of the sweep in Lua's registry.
#define SWEEP "viperbench grid"

bool vb_sweep_push(lua_State *L) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, SWEEP) == LUA_TTABLE)
    return true;
  lua_pop(L, 1);
  return false;
}

void vb_sweep_push_value(lua_State *L, const char *axis, int value, bool in_words) {
  char number[64];
  if (lua_type(L, value) == LUA_TSTRING) {
    lua_pushvalue(L, value);
  } else if (lua_type(L, value) == LUA_TBOOLEAN) {
    lua_pushfstring(L, "%s%s", lua_toboolean(L, value) ? "" : "no-", axis);
  } else {
    if (lua_isinteger(L, value))
      snprintf(number, sizeof number, "%lld", (long long)lua_tointeger(L, value));
    else
      snprintf(number, sizeof number, "%.14g", lua_tonumber(L, value));
    lua_pushfstring(L, in_words ? "%s = %s" : "%s%s", axis, number);
  }
}

/// Pushes the parts of a point, joined.
static void push_joined(lua_State *L, int axes, int point, const char *joint, bool in_words) {
  int n = (int)lua_rawlen(L, axes), count = 0;
  luaL_checkstack(L, 2 * n + 10, "the axes of a grid");
  for (int i = 1; i <= n; i++) {
    if (i > 1) {
      lua_pushstring(L, joint);
      count++;
    }
    lua_rawgeti(L, axes, i);
    const char *axis = lua_tostring(L, -1);
    lua_getfield(L, point, axis);
    vb_sweep_push_value(L, axis, lua_gettop(L), in_words);
    lua_replace(L, -3);
    lua_pop(L, 1);
    count++;
  }
  lua_concat(L, count);
}

void vb_sweep_push_run_name(lua_State *L, int axes, int point) {
  push_joined(L, axes, point, "-", false);
}

/// What an axis sets, in the order in which axes stand in names.
typedef enum axis_kind {
  AXIS_SCENARIO,
  AXIS_SOLVER,
  AXIS_METHOD,
  AXIS_OPTION,
  AXIS_PARAMETER
} axis_kind;

/// Whether some solver at hand has that option.
static bool is_option(const vb_loader *loader, const char *name) {
  const vb_solver *asked;
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    if (vb_description_option((*s)->describe(*s), name))
      return true;
  return loader->request->solver && !vb_solver_find(loader->request->solver, &asked, NULL) &&
         vb_description_option(asked->describe(asked), name);
}

/// What `axis` sets. A parameter of the study goes before an option of that name; what is neither
/// is a parameter of other scenarios, which check it.
static axis_kind kind_of(vb_loader *loader, int parameters, const char *axis) {
  lua_State *L = loader->L;
  lua_pushstring(L, axis);
  bool parameter = lua_rawget(L, parameters) != LUA_TNIL;
  lua_pop(L, 1);
  if (strcmp(axis, "scenario") == 0)
    return AXIS_SCENARIO;
  if (strcmp(axis, "solver") == 0)
    return AXIS_SOLVER;
  if (parameter || !is_option(loader, axis))
    return AXIS_PARAMETER;
  return strcmp(axis, "method") == 0 ? AXIS_METHOD : AXIS_OPTION;
}

/// An axis to be sorted.
typedef struct sorted_axis {
  axis_kind kind;
  const char *name;
} sorted_axis;

static int by_kind(const void *a, const void *b) {
  const sorted_axis *x = a, *y = b;
  return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) : strcmp(x->name, y->name);
}

/// Checks the values of an axis, on top of the stack: numbers, texts or booleans; how many.
static lua_Integer check_values(lua_State *L, const char *name) {
  lua_Integer n = lua_istable(L, -1) ? (lua_Integer)lua_rawlen(L, -1) : 0;
  if (n == 0)
    vb_lua_fail(L, "grid: \"%.100s\" must be a list of values", name);
  for (lua_Integer i = 1; i <= n; i++) {
    int type = lua_rawgeti(L, -1, i);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
      vb_lua_fail(L, "grid: \"%.100s\" must hold numbers, texts or booleans, not a %s", name,
                  luaL_typename(L, -1));
    lua_pop(L, 1);
  }
  return n;
}

/// Pushes the list of the axes' names of the sweep at `sweep`, in their order. Raises an error
/// where the sweep has too many runs.
static void push_axes(vb_loader *loader, int sweep, int parameters) {
  lua_State *L = loader->L;
  lua_Integer runs = 1;
  size_t n = 0;
  for (lua_pushnil(L); lua_next(L, sweep); lua_pop(L, 1), n++) {
    if (lua_type(L, -2) != LUA_TSTRING)
      vb_lua_fail(L, "grid: takes named axes only (axis = {..})");
    runs *= check_values(L, lua_tostring(L, -2));
    if (runs > VB_SWEEP_MAX_RUNS)
      vb_lua_fail(L, "grid: has more than %d runs", VB_SWEEP_MAX_RUNS);
  }
  if (n == 0)
    vb_lua_fail(L, "grid: needs an axis (axis = {..})");
  sorted_axis *axes = vb_lua_array(L, n, sizeof *axes);
  size_t i = 0;
  for (lua_pushnil(L); lua_next(L, sweep); lua_pop(L, 1), i++) {
    const char *name = lua_tostring(L, -2);
    axes[i] = (sorted_axis){kind_of(loader, parameters, name), name};
  }
  qsort(axes, n, sizeof *axes, by_kind);
  lua_createtable(L, (int)n, 0);
  for (i = 0; i < n; i++) {
    lua_pushstring(L, axes[i].name);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_remove(L, -2);
}

/// Pushes point number `number` of the sweep: a table from axis to value. The last axis runs
/// fastest.
static void push_point(lua_State *L, int sweep, int axes, lua_Integer number) {
  lua_newtable(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, axes); i >= 1; i--) {
    lua_rawgeti(L, axes, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, sweep);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, number % n + 1);
    number /= n;
    lua_remove(L, -2);
    lua_rawset(L, -3);
  }
}

static lua_Integer count_points(lua_State *L, int sweep, int axes) {
  lua_Integer n = 1;
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, axes); i >= 1; i--) {
    lua_rawgeti(L, axes, i);
    lua_rawget(L, sweep);
    n *= (lua_Integer)lua_rawlen(L, -1);
    lua_pop(L, 1);
  }
  return n;
}

/// Pushes the entry of the run at the point at `point`.
static void push_entry(vb_loader *loader, int parameters, int axes, int point) {
  lua_State *L = loader->L;
  lua_newtable(L);
  int entry = lua_gettop(L);
  push_joined(L, axes, point, "-", false);
  lua_setfield(L, entry, "name");
  push_joined(L, axes, point, ", ", true);
  lua_setfield(L, entry, "label");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, point); lua_pop(L, 1)) {
    const char *axis = lua_tostring(L, -2);
    bool parameter = kind_of(loader, parameters, axis) == AXIS_PARAMETER;
    lua_pushvalue(L, -1);
    lua_setfield(L, parameter ? entry + 1 : entry, axis);
  }
  lua_setfield(L, entry, "parameters");
}

/// Asks the study's function "each", where there is one, what else is to be said of the run at a
/// point, and adds it to the entry on top of the stack. Whether there is to be such a run.
static bool call_each(vb_loader *loader, int index, int parameters, int point) {
  lua_State *L = loader->L;
  int entry = lua_gettop(L);
  int type = lua_getfield(L, index, "each");
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return true;
  }
  if (type != LUA_TFUNCTION)
    vb_lua_fail(L, "study: \"each\" must be a function of a point of the grid, not a %s",
                luaL_typename(L, -1));
  lua_pushvalue(L, point);
  lua_pushvalue(L, parameters);
  lua_pushstring(L, vb_loader_tier(loader));
  lua_call(L, 3, 1);
  bool wanted = !(lua_isboolean(L, -1) && !lua_toboolean(L, -1));
  if (lua_istable(L, -1)) {
    if (lua_getfield(L, -1, "name") != LUA_TNIL)
      vb_lua_fail(L, "study: \"each\" cannot give a run of the grid another \"name\"");
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "parameters") == LUA_TTABLE) {
      lua_getfield(L, entry, "parameters");
      lua_insert(L, -2);
      vb_lua_copy_pairs(L, lua_gettop(L) - 1);
      lua_setfield(L, -2, "parameters");
    } else {
      lua_pop(L, 1);
    }
    vb_lua_copy_pairs(L, entry);
  } else if (!lua_isboolean(L, -1) && !lua_isnil(L, -1)) {
    vb_lua_fail(L,
                "study: \"each\" must return further keys of a run, or false to leave it out, not "
                "a %s",
                luaL_typename(L, -1));
  } else {
    lua_pop(L, 1);
  }
  return wanted;
}

/// Pushes the table that "grid" of the study at `index` is or returns; false where there is none.
static bool push_sweep(vb_loader *loader, int index, int parameters) {
  lua_State *L = loader->L;
  int type = lua_getfield(L, index, "grid");
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, parameters);
    lua_pushstring(L, vb_loader_tier(loader));
    lua_call(L, 2, 1);
  }
  if (!lua_istable(L, -1))
    vb_lua_fail(L,
                "study: \"grid\" must be a table of axes, or a function that returns one, not a %s",
                luaL_typename(L, -1));
  return true;
}

/// Adds the entry on top of the stack to the list, notes its point in the sweep's table, and pops
/// it.
static void keep_entry(lua_State *L, int list, int noted, int point) {
  int entry = lua_gettop(L);
  lua_getfield(L, noted, "names");
  lua_getfield(L, entry, "name");
  vb_lua_append(L, entry + 1);
  lua_getfield(L, noted, "points");
  lua_getfield(L, entry, "name");
  lua_pushvalue(L, point);
  lua_rawset(L, -3);
  lua_settop(L, entry);
  vb_lua_append(L, list);
}

void vb_sweep_add_entries(vb_loader *loader, int index, int parameters, int list) {
  lua_State *L = loader->L;
  int top = lua_gettop(L);
  if (!push_sweep(loader, index, parameters))
    return;
  int sweep = lua_gettop(L);
  push_axes(loader, sweep, parameters);
  int axes = lua_gettop(L);
  lua_newtable(L);
  int noted = lua_gettop(L);
  lua_pushvalue(L, axes);
  lua_setfield(L, noted, "axes");
  lua_newtable(L);
  lua_setfield(L, noted, "names");
  lua_newtable(L);
  lua_setfield(L, noted, "points");
  lua_Integer n = count_points(L, sweep, axes);
  for (lua_Integer i = 0; i < n; i++) {
    push_point(L, sweep, axes, i);
    int point = lua_gettop(L);
    push_entry(loader, parameters, axes, point);
    if (call_each(loader, index, parameters, point))
      keep_entry(L, list, noted, point);
    lua_settop(L, noted);
  }
  lua_setfield(L, LUA_REGISTRYINDEX, SWEEP);
  lua_settop(L, top);
}

void vb_sweep_mark_run(vb_loader *loader, vb_run_plan *plan) {
  lua_State *L = loader->L;
  int top = lua_gettop(L);
  if (!vb_sweep_push(L))
    return;
  lua_getfield(L, -1, "points");
  if (lua_getfield(L, -1, plan->name) == LUA_TTABLE) {
    int point = lua_gettop(L);
    lua_getfield(L, top + 1, "axes");
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= n; i++) {
      lua_rawgeti(L, point + 1, i);
      const char *axis = lua_tostring(L, -1);
      bool number = lua_getfield(L, point, axis) == LUA_TNUMBER;
      plan->sweep = vb_lua_grow(L, plan->sweep, plan->n_sweep, sizeof *plan->sweep);
      vb_sweep_value *value = &plan->sweep[plan->n_sweep++];
      *value = (vb_sweep_value){.is_number = number, .number = lua_tonumber(L, -1)};
      value->axis = vb_lua_copy(L, axis);
      value->text = vb_lua_copy(L, luaL_tolstring(L, -1, NULL));
      lua_settop(L, point + 1);
    }
  }
  lua_settop(L, top);
}
