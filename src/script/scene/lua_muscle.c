// SPDX-License-Identifier: GPL-3.0-or-later
/// vb.muscle: the rods that vb.viperize or `viperbench viperize` made, as a body of a scene.
#include "script/scene/lua_mesh.h"
#include "script/scene/lua_scene.h"

#include <stdio.h>

/// Pushes the table of rods: key "data", or what the script of key "file" returns.
static void push_data(const vb_args *args) {
  bool file = vb_args_has(args, "file");
  if (file == vb_args_has(args, "data"))
    vb_args_fail(args, "needs either \"file\", which viperbench viperize wrote, or \"data\", which "
                       "vb.viperize returned");
  if (file) {
    vb_lua_push_file_table(args, "a table of rods, as viperbench viperize writes it");
  } else if (vb_args_push(args, "data") != LUA_TTABLE) {
    vb_args_fail(args, "\"data\" must be a table, as vb.viperize returns it");
  }
}

/// Checks rod `i` of the list at the top of the stack; `*n` is the length of those before, or 0.
static void check_rod(const vb_args *rods, lua_Integer i, lua_Integer *n) {
  lua_State *L = rods->L;
  if (lua_rawgeti(L, -1, i + 1) != LUA_TTABLE)
    vb_args_fail(rods, "rod %lld must be a list of points {x, y, z, radius}", (long long)i);
  lua_Integer length = (lua_Integer)lua_rawlen(L, -1);
  if (length < 2 || (*n && length != *n))
    vb_args_fail(rods, "rod %lld has %lld points; all must have the same number, 2 or more",
                 (long long)i, (long long)length);
  *n = length;
  for (lua_Integer j = 0; j < length; j++) {
    double x[4];
    vb_args_row(rods, "rods", "point", (size_t)j, 4, x);
    if (!(x[3] > 0))
      vb_args_fail(rods, "point %lld of rod %lld has radius %g m; it must be positive",
                   (long long)j, (long long)i, x[3]);
  }
  lua_pop(L, 1);
}

/// Checks the parts that the rods are in, where the table has them: `m` lists of `n` numbers.
static void check_parts(const vb_args *data, lua_Integer n, lua_Integer m) {
  lua_State *L = data->L;
  if (!vb_args_has(data, "parts"))
    return;
  if (vb_args_length(data, "parts") != m)
    vb_args_fail(data, "\"parts\" must have a list for each of the %lld points of a rod",
                 (long long)m);
  vb_args_push(data, "parts");
  for (lua_Integer j = 0; j < m; j++) {
    if (lua_rawgeti(L, -1, j + 1) != LUA_TTABLE || (lua_Integer)lua_rawlen(L, -1) != n)
      vb_args_fail(data, "list %lld of \"parts\" must have a number for each of the %lld rods",
                   (long long)j, (long long)n);
    for (lua_Integer i = 0; i < n; i++) {
      lua_rawgeti(L, -1, i + 1);
      if (!lua_isinteger(L, -1))
        vb_args_fail(data, "number %lld in list %lld of \"parts\" must be whole", (long long)i,
                     (long long)j);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/// Checks the table at the top of the stack.
static void check_data(const vb_args *args, bool skin) {
  char who[96];
  snprintf(who, sizeof who, "%.80s: data", args->who);
  vb_args data = vb_args_open(args->L, -1, who, "rods parts vertices triangles volume empty");
  int64_t n = vb_args_length(&data, "rods");
  if (n < 1)
    vb_args_fail(&data, "needs \"rods\", a list of lists of points {x, y, z, radius}");
  lua_Integer length = 0;
  vb_args_push(&data, "rods");
  for (lua_Integer i = 0; i < n; i++)
    check_rod(&data, i, &length);
  lua_pop(args->L, 1);
  check_parts(&data, n, length);
  if (skin && (!vb_args_has(&data, "vertices") || !vb_args_has(&data, "triangles")))
    vb_args_fail(&data, "has no \"vertices\" and \"triangles\" for a skin; give them, or write "
                        "skin = false");
}

/// Checks that "area", where it is given, is a ball.
static void check_area(const vb_args *args) {
  double area[4];
  if (vb_args_vector(args, "area", 4, area) && !(area[3] > 0))
    vb_args_fail(args, "\"area\" is {x, y, z, radius} with the radius %g m; it must be positive",
                 area[3]);
}

/// Checks the tendon of a key, where it is given: a line of two points or more, its radius, and a
/// material.
static void check_tendon(const vb_args *args, const char *key) {
  char who[96];
  if (!vb_args_has(args, key))
    return;
  if (vb_args_push(args, key) != LUA_TTABLE)
    vb_args_fail(args, "\"%s\" must be a table { points =, radius =, E = }", key);
  snprintf(who, sizeof who, "%.60s: %s", args->who, key);
  vb_args tendon = vb_args_open(args->L, -1, who, "points radius E nu density");
  const int64_t n = vb_args_length(&tendon, "points");
  if (n < 2)
    vb_args_fail(&tendon, "needs \"points\", a list of two points {x, y, z} or more");
  vb_args_push(&tendon, "points");
  for (int64_t j = 0; j < n; j++) {
    double x[3];
    vb_args_row(&tendon, "points", "point", (size_t)j, 3, x);
  }
  lua_pop(args->L, 1);
  vb_args_positive(&tendon, "radius", " m");
  vb_args_positive(&tendon, "E", " Pa");
  lua_pop(args->L, 1);
}

int vb_lua_muscle(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "muscle",
                              "scene file data E nu density name model activation kind from to "
                              "area skin tendon_first tendon_last");
  if (vb_args_push(&args, "scene") != LUA_TUSERDATA || !vb_lua_scene_test(L, -1))
    vb_args_fail(&args, "needs \"scene\", as vb.scene makes it");
  vb_args_positive(&args, "E", " Pa");
  vb_args_number(&args, "nu");
  vb_args_positive(&args, "density", " kg/m^3");
  double from = vb_args_number_or(&args, "from", 0), to = vb_args_number_or(&args, "to", 1);
  if (!(from >= 0 && from < to && to <= 1))
    vb_args_fail(&args, "it is active from %g to %g; these must rise within 0 to 1", from, to);
  check_area(&args);
  check_tendon(&args, "tendon_first");
  check_tendon(&args, "tendon_last");
  bool skin = vb_args_boolean_or(&args, "skin", true);
  push_data(&args);
  check_data(&args, skin);
  int data = lua_gettop(L);
  lua_getglobal(L, "include"); // what adds them is a library that users may read and change
  lua_pushliteral(L, "muscle");
  lua_call(L, 1, 1);
  vb_args_push(&args, "scene");
  lua_pushvalue(L, data);
  lua_pushvalue(L, 1);
  lua_call(L, 3, 1);
  return 1;
}
