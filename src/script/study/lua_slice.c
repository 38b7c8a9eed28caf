// SPDX-License-Identifier: GPL-3.0-or-later
/// Gates over slices of a sweep: each becomes plain gates, of named runs.
#include "script/study/lua_sweep.h"

#include <stdio.h>
#include <string.h>

/// A gate being expanded. Places are absolute, on the stack; 0 for none.
typedef struct slice {
  vb_args args;
  int gate;    ///< the script's table
  int where;   ///< its "where"
  int against; ///< its "against"
  const char *over;
  int axes, names, points; ///< of the sweep
  int out;                 ///< the list of plain gates
  size_t runs;             ///< of the sweep that are in the slice
} slice;

/// The keys of a gate that are about its slice.
static const char SLICE_KEYS[] = "where over against";

/// Raises an error where `axis` is none of the sweep's.
static void check_axis(const slice *s, const char *key, const char *axis) {
  lua_State *L = s->args.L;
  const char *known[32];
  size_t n = lua_rawlen(L, s->axes);
  for (size_t i = 0; i < n && i < 32; i++) {
    lua_rawgeti(L, s->axes, (lua_Integer)i + 1);
    known[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
    if (strcmp(known[i], axis) == 0)
      return;
  }
  char kind[64];
  snprintf(kind, sizeof kind, "axis in \"%s\"", key);
  vb_args_unknown(&s->args, kind, axis, known, n < 32 ? n : 32);
}

/// Leaves the table of axes under `key` on the stack; its place, or 0 where there is none.
static int take_table(const slice *s, const char *key) {
  lua_State *L = s->args.L;
  int type = vb_args_push(&s->args, key);
  if (type == LUA_TNIL)
    return 0;
  if (type != LUA_TTABLE)
    vb_args_fail(&s->args, "\"%s\" must be a table (%s = {axis = value}), not a %s", key, key,
                 luaL_typename(L, -1));
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      vb_args_fail(&s->args, "\"%s\" takes axes by name (%s = {axis = value})", key, key);
    check_axis(s, key, lua_tostring(L, -2));
  }
  return table;
}

/// Whether the value on top of the stack is the one, or among those, at `wanted`.
static bool is_among(lua_State *L, int wanted) {
  if (!lua_istable(L, wanted))
    return lua_rawequal(L, -1, wanted);
  bool found = false;
  lua_Integer n = (lua_Integer)lua_rawlen(L, wanted);
  for (lua_Integer i = 1; i <= n && !found; i++) {
    lua_rawgeti(L, wanted, i);
    found = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
  }
  return found;
}

/// Whether the point at `point` is in the slice.
static bool is_inside(const slice *s, int point) {
  lua_State *L = s->args.L;
  bool inside = true;
  if (!s->where)
    return true;
  for (lua_pushnil(L); inside && lua_next(L, s->where); lua_settop(L, point + 1)) {
    int wanted = lua_gettop(L);
    lua_getfield(L, point, lua_tostring(L, -2));
    inside = is_among(L, wanted);
  }
  lua_settop(L, point);
  return inside;
}

/// Whether the slice leaves only one value of an axis, which then needs no word in a gate's name.
static bool is_settled(const slice *s, const char *axis) {
  lua_State *L = s->args.L;
  bool settled = s->over && strcmp(s->over, axis) == 0;
  if (s->where) {
    int type = lua_getfield(L, s->where, axis);
    settled = settled || (type != LUA_TNIL && (type != LUA_TTABLE || lua_rawlen(L, -1) == 1));
    lua_pop(L, 1);
  }
  return settled;
}

/// Pushes the name of the gate at a point: the script's, and where it is, in words.
static void push_gate_name(const slice *s, int point) {
  lua_State *L = s->args.L;
  int n = (int)lua_rawlen(L, s->axes), count = 1;
  luaL_checkstack(L, 2 * n + 10, "the axes of a grid");
  lua_pushstring(L, vb_args_string(&s->args, "name", true));
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, s->axes, i);
    const char *axis = lua_tostring(L, -1);
    if (is_settled(s, axis)) {
      lua_pop(L, 1);
      continue;
    }
    lua_getfield(L, point, axis);
    vb_sweep_push_value(L, axis, lua_gettop(L), true);
    lua_replace(L, -3);
    lua_pop(L, 1);
    lua_pushstring(L, count == 1 ? ": " : ", ");
    lua_insert(L, -2);
    count += 2;
  }
  lua_concat(L, count);
}

/// Pushes a plain gate for the point at `point`, which lacks its runs yet. Functions among its
/// values have been called with the point.
static void push_plain(const slice *s, int point) {
  lua_State *L = s->args.L;
  lua_newtable(L);
  int plain = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, s->gate); lua_pop(L, 1)) {
    const char *key = lua_tostring(L, -2);
    if (vb_args_lists(SLICE_KEYS, key))
      continue;
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    if (lua_isfunction(L, -1)) {
      lua_pushvalue(L, point);
      lua_call(L, 1, 1);
    }
    lua_rawset(L, plain);
  }
  push_gate_name(s, point);
  lua_setfield(L, plain, "name");
}

/// Pushes a list of up to two texts, which it pops.
static void push_pair(lua_State *L) {
  lua_createtable(L, 2, 0);
  lua_insert(L, -3);
  lua_rawseti(L, -3, 2);
  lua_rawseti(L, -2, 1);
}

/// Adds the gate of one run, the one named on top of the stack.
static void add_single(const slice *s, int point) {
  lua_State *L = s->args.L;
  lua_pushvalue(L, -1);
  push_plain(s, point);
  lua_insert(L, -2);
  lua_setfield(L, -2, "run");
  vb_lua_append(L, s->out);
}

/// Adds the gate of the run named on top of the stack and of the one that it is held against.
static void add_against(const slice *s, int point) {
  lua_State *L = s->args.L;
  lua_newtable(L);
  int other = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, point); lua_pop(L, 1)) {
    const char *axis = lua_tostring(L, -2);
    if (lua_getfield(L, s->against, axis) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushvalue(L, -1);
    }
    lua_setfield(L, other, axis);
  }
  vb_sweep_push_run_name(L, s->axes, other);
  lua_remove(L, other);
  if (lua_rawequal(L, -1, -2)) {
    lua_pop(L, 1);
    return;
  }
  lua_pushvalue(L, -1);
  if (lua_rawget(L, s->points) == LUA_TNIL)
    vb_args_fail(&s->args, "the grid has no run \"%.100s\" to compare \"%.100s\" with",
                 lua_tostring(L, -2), lua_tostring(L, -3));
  lua_pop(L, 1);
  lua_pushvalue(L, -2);
  lua_insert(L, -2);
  push_pair(L);
  push_plain(s, point);
  lua_insert(L, -2);
  lua_setfield(L, -2, "runs");
  vb_lua_append(L, s->out);
}

/// Adds a run to the lines along the axis "over": `lines` maps what the other axes say to a table
/// of the line's point, runs and sizes; its list part keeps their order.
static void add_to_line(const slice *s, int lines, int point) {
  lua_State *L = s->args.L;
  int name = lua_gettop(L);
  // A line is called as its points would be with the axis left out.
  lua_newtable(L);
  lua_pushvalue(L, point);
  vb_lua_copy_pairs(L, name + 1);
  lua_pushliteral(L, "");
  lua_setfield(L, name + 1, s->over);
  vb_sweep_push_run_name(L, s->axes, name + 1);
  const char *called = lua_tostring(L, -1);
  if (lua_getfield(L, lines, called) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, point);
    lua_setfield(L, -2, "point");
    lua_newtable(L);
    lua_setfield(L, -2, "runs");
    lua_newtable(L);
    lua_setfield(L, -2, "sizes");
    lua_pushvalue(L, -1);
    lua_setfield(L, lines, called);
    lua_pushvalue(L, -1);
    vb_lua_append(L, lines);
  }
  lua_getfield(L, -1, "runs");
  lua_pushvalue(L, name);
  vb_lua_append(L, lua_gettop(L) - 1);
  lua_getfield(L, -2, "sizes");
  lua_getfield(L, point, s->over);
  vb_lua_append(L, lua_gettop(L) - 1);
  lua_settop(L, name);
}

/// Adds a gate for each line.
static void add_lines(const slice *s, int lines) {
  lua_State *L = s->args.L;
  lua_Integer n = (lua_Integer)lua_rawlen(L, lines);
  bool sized = vb_args_has(&s->args, "sizes");
  const char *combine = vb_args_string(&s->args, "combine", true);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, lines, i);
    lua_getfield(L, -1, "point");
    push_plain(s, lua_gettop(L));
    lua_getfield(L, -3, "runs");
    lua_setfield(L, -2, "runs");
    if (!sized && strcmp(combine, "order") == 0) {
      lua_getfield(L, -3, "sizes");
      lua_setfield(L, -2, "sizes");
    }
    vb_lua_append(L, s->out);
    lua_pop(L, 2);
  }
}

/// Expands a gate over a slice into the list of plain ones.
static void expand(slice *s) {
  lua_State *L = s->args.L;
  lua_newtable(L);
  int lines = lua_gettop(L);
  lua_Integer n = (lua_Integer)lua_rawlen(L, s->names);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, s->names, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, s->points);
    int point = lua_gettop(L);
    bool inside = is_inside(s, point);
    lua_pushvalue(L, point - 1);
    if (inside && s->over)
      add_to_line(s, lines, point);
    else if (inside && s->against)
      add_against(s, point);
    else if (inside)
      add_single(s, point);
    s->runs += inside;
    lua_settop(L, lines);
  }
  if (s->runs == 0)
    vb_args_fail(&s->args, "\"where\" leaves none of the grid's runs");
  if (s->over)
    add_lines(s, lines);
}

/// Expands the gate on top of the stack, called `who`, into the list at `out`; pops it.
static void expand_gate(vb_loader *loader, const char *who, int out) {
  lua_State *L = loader->L;
  slice s = {.args = vb_args_of(L, -1, who), .gate = lua_gettop(L), .out = out};
  for (lua_pushnil(L); lua_next(L, s.gate); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING)
      vb_args_fail(&s.args, "takes named values only (key = value)");
  if (!vb_sweep_push(L))
    vb_args_fail(&s.args,
                 "\"where\", \"over\" and \"against\" need a grid, which the study does not "
                 "have");
  int sweep = lua_gettop(L);
  lua_getfield(L, sweep, "axes");
  lua_getfield(L, sweep, "names");
  lua_getfield(L, sweep, "points");
  s.axes = sweep + 1;
  s.names = sweep + 2;
  s.points = sweep + 3;
  if (vb_args_has(&s.args, "run") || vb_args_has(&s.args, "runs"))
    vb_args_fail(&s.args, "takes either \"run\" and \"runs\" or a slice of the grid");
  s.where = take_table(&s, "where");
  s.against = take_table(&s, "against");
  s.over = vb_args_string(&s.args, "over", false);
  if (s.over)
    check_axis(&s, "over", s.over);
  if (s.over && s.against)
    vb_args_fail(&s.args, "takes either \"over\" or \"against\"");
  expand(&s);
  lua_settop(L, s.gate - 1);
}

void vb_sweep_expand_gates(vb_loader *loader) {
  lua_State *L = loader->L;
  int list = lua_gettop(L);
  lua_newtable(L);
  lua_Integer n = (lua_Integer)lua_rawlen(L, list);
  for (lua_Integer i = 1; i <= n; i++) {
    vb_args gate = vb_args_of(L, list + 2, "gate");
    if (lua_rawgeti(L, list, i) == LUA_TTABLE &&
        (vb_args_has(&gate, "where") || vb_args_has(&gate, "over") ||
         vb_args_has(&gate, "against"))) {
      char who[96];
      snprintf(who, sizeof who, "gate %lld", (long long)i);
      expand_gate(loader, who, list + 1);
    } else {
      vb_lua_append(L, list + 1);
    }
  }
  lua_replace(L, list);
}
