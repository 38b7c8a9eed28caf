// SPDX-License-Identifier: GPL-3.0-or-later
/// How rods differ from the isotropic rod of their drawn shape: bending factors, rest curvature,
/// and the closing twist of loops.
#include "script/scene/lua_scene.h"

void vb_lua_read_bending(const vb_args *args, vb_lua_scene *scene, const vb_sample *at,
                         int32_t segment) {
  vb_bending bending = {.segment = segment};
  if (!vb_args_sample(args, "bending", at, 2, bending.factor))
    return;
  if (bending.factor[0] < 0 || bending.factor[1] < 0)
    vb_args_fail(args, "\"bending\" of segment %zu is {%g, %g}; its factors must not be negative",
                 at->index, bending.factor[0], bending.factor[1]);
  vb_lua_add(args, scene, VB_SET_BENDING, &bending, sizeof bending);
}

void vb_lua_add_rest_curvature(const vb_args *args, vb_lua_scene *scene, const int32_t segment[2],
                               int32_t node, const double darboux[3]) {
  vb_error error;
  vb_lua_charge(args->L, scene, sizeof(vb_rest_curvature));
  if (vb_builder_rest_curvature(scene->builder, segment, node, darboux, &error))
    vb_lua_throw(args->L, args->who, &error);
}

/// Whether the value of `key` is a list of lists.
static bool has_rows(const vb_args *args, const char *key) {
  lua_State *L = args->L;
  int top = lua_gettop(L);
  bool rows = vb_args_push(args, key) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TTABLE;
  lua_settop(L, top);
  return rows;
}

/// The Darboux vector of the joint at inner node `i` (from 1) of a rod of `n` nodes.
static void read_darboux(const vb_args *args, bool rows, size_t i, size_t n, double out[3]) {
  static const char key[] = "rest_curvature";
  if (rows) {
    vb_args_push(args, key);
    vb_args_row(args, key, "joint", i - 1, 3, out);
    lua_pop(args->L, 1);
    return;
  }
  vb_sample at = {
      .index = i - 1, .count = n - 2, .argument = {(double)i / (double)(n - 1)}, .n_arguments = 1};
  vb_args_sample(args, key, &at, 3, out);
}

void vb_lua_read_rod_shape(const vb_args *args, vb_lua_scene *scene, size_t n, int32_t first_node,
                           int32_t first_segment) {
  static const char *const loops[] = {"closing", "spread", NULL};
  vb_error error;
  bool rows = has_rows(args, "rest_curvature");
  if (rows && vb_args_length(args, "rest_curvature") != (int64_t)n - 2)
    vb_args_fail(args, "\"rest_curvature\" lists %lld joints; the rod has %zu",
                 (long long)vb_args_length(args, "rest_curvature"), n - 2);
  for (size_t i = 1; i + 1 < n && vb_args_has(args, "rest_curvature"); i++) {
    double darboux[3];
    int32_t at = first_segment + (int32_t)i;
    read_darboux(args, rows, i, n, darboux);
    vb_lua_add_rest_curvature(args, scene, (int32_t[]){at - 1, at}, first_node + (int32_t)i,
                              darboux);
  }
  const char *loop = vb_args_string(args, "loop", false);
  if (!loop || vb_args_choice(args, "loop", loop, loops) == 0)
    return;
  if (vb_builder_spread_loop(scene->builder, first_node, &error))
    vb_lua_throw(args->L, args->who, &error);
}
