// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles of segments, and surfaces that segments carry.
#include "script/scene/lua_scene.h"

int vb_lua_bundle(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "bundle");
  vb_args args = vb_args_open(L, 2, "bundle", "segments");
  int64_t n = vb_args_length(&args, "segments");
  if (n < 2)
    vb_args_fail(&args, "\"segments\" must be a list of two segments or more");
  size_t count;
  const vb_bundled *before = vb_builder_elements(scene->builder, VB_SET_BUNDLE, &count);
  vb_bundled member = {.bundle = count ? before[count - 1].bundle + 1 : 0};
  for (int64_t i = 0; i < n; i++) {
    member.segment = vb_lua_index_at(&args, scene, VB_SET_SEGMENT, "segments", i);
    vb_lua_add(&args, scene, VB_SET_BUNDLE, &member, sizeof member);
  }
  lua_pushinteger(L, member.bundle);
  return 1;
}

/// Reads row `i` of the list of lists at `key`: `n` finite numbers.
static void read_row(const vb_args *args, const char *key, int64_t i, int n, double *out) {
  lua_State *L = args->L;
  vb_args_push(args, key);
  lua_rawgeti(L, -1, i + 1);
  if (!lua_istable(L, -1) || (int64_t)lua_rawlen(L, -1) != n)
    vb_args_fail(args, "\"%s\": element %lld must be a list of %d numbers", key, (long long)i + 1,
                 n);
  for (int k = 0; k < n; k++) {
    lua_rawgeti(L, -1, k + 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      vb_args_fail(args, "\"%s\": element %lld must be a list of %d numbers, not of a %s", key,
                   (long long)i + 1, n, luaL_typename(L, -1));
    out[k] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

static void add_vertices(const vb_args *args, vb_lua_scene *scene, int64_t n) {
  bool fastened = vb_args_has(args, "segments");
  if (fastened && vb_args_length(args, "segments") != n)
    vb_args_fail(args, "\"segments\" lists %lld segments where there are %lld vertices",
                 (long long)vb_args_length(args, "segments"), (long long)n);
  for (int64_t i = 0; i < n; i++) {
    vb_surface_vertex vertex = {.segment = -1};
    read_row(args, "vertices", i, 3, vertex.rest_position);
    if (fastened && vb_args_integer_at(args, "segments", i, INT64_MIN, INT64_MAX) != -1)
      vertex.segment = vb_lua_index_at(args, scene, VB_SET_SEGMENT, "segments", i);
    vb_lua_add(args, scene, VB_SET_SURFACE_VERTEX, &vertex, sizeof vertex);
  }
}

static void add_triangles(const vb_args *args, vb_lua_scene *scene, int64_t n, int64_t first,
                          int64_t n_vertices) {
  for (int64_t i = 0; i < n; i++) {
    double row[3];
    vb_triangle triangle = {0};
    read_row(args, "triangles", i, 3, row);
    for (int k = 0; k < 3; k++) {
      if (!(row[k] >= 0 && row[k] < (double)n_vertices && row[k] == (double)(int64_t)row[k]))
        vb_args_fail(args,
                     "\"triangles\": element %lld names vertex %g; there are %lld, counted from 0",
                     (long long)i + 1, row[k], (long long)n_vertices);
      triangle.vertex[k] = (int32_t)(first + (int64_t)row[k]);
    }
    vb_lua_add(args, scene, VB_SET_TRIANGLE, &triangle, sizeof triangle);
  }
}

int vb_lua_surface(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "surface");
  vb_args args = vb_args_open(L, 2, "surface", "vertices triangles segments");
  int64_t n = vb_args_length(&args, "vertices"), n_triangles = vb_args_length(&args, "triangles");
  if (n == 0)
    vb_args_fail(&args, "needs \"vertices\", a list of points {x, y, z}");
  int64_t first = vb_lua_count(scene, VB_SET_SURFACE_VERTEX);
  add_vertices(&args, scene, n);
  add_triangles(&args, scene, n_triangles, first, n);
  lua_pushinteger(L, first);
  return 1;
}
