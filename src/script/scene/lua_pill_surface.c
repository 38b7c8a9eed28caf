// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces around capsules as scripts see them, meshes without tetrahedra; and vertices inside a
/// capsule.
#include "mesh/capsule_surface.h"
#include "script/scene/lua_mesh.h"
#include "script/scene/lua_scene.h"

#include <math.h>

/// Reads capsule `i` of the list at the top of the stack: {x, y, z, radius, x, y, z, radius}.
static vb_capsule read_capsule(const vb_args *args, int64_t i) {
  lua_State *L = args->L;
  double v[8];
  vb_sandbox_touch(L, sizeof v);
  lua_rawgeti(L, -1, i + 1);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 8)
    vb_args_fail(args,
                 "\"pills\": element %lld must be a list of 8 numbers: x, y, z and radius at "
                 "either end",
                 (long long)i + 1);
  for (int k = 0; k < 8; k++) {
    lua_rawgeti(L, -1, k + 1);
    v[k] = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(v[k]) || (k % 4 == 3 && v[k] <= 0))
      vb_args_fail(args, "\"pills\": element %lld must hold finite numbers and positive radii",
                   (long long)i + 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return vb_capsule_make(v, v[3], v + 4, v[7]);
}

int vb_lua_capsule_surface(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "pill_surface", "pills faces blend");
  int64_t n = vb_args_length(&args, "pills"), faces = vb_args_integer(&args, "faces", 1, INT32_MAX);
  double blend = vb_args_number(&args, "blend");
  vb_error error;
  if (n < 1)
    vb_args_fail(&args, "needs \"pills\", a list of pills");
  vb_capsule *capsule = vb_lua_array(L, (size_t)n, sizeof *capsule);
  vb_args_push(&args, "pills");
  for (int64_t i = 0; i < n; i++)
    capsule[i] = read_capsule(&args, i);
  lua_pop(L, 1);
  vb_mesh *mesh = vb_lua_push_mesh(L, (size_t)faces, 0);
  vb_capsule_surface surface = {capsule, (size_t)n, blend, (size_t)faces};
  if (vb_capsule_surface_make(&surface, mesh, &error))
    vb_lua_throw(L, "pill_surface", &error);
  vb_lua_push_mesh_table(L, mesh);
  return 1;
}

int vb_lua_inside(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "inside", "mesh pill"), mesh;
  double v[8];
  if (vb_args_length(&args, "pill") != 8)
    vb_args_fail(&args, "\"pill\" must be a list of 8 numbers: x, y, z and radius at either end");
  for (int k = 0; k < 8; k++)
    v[k] = vb_args_number_at(&args, "pill", k);
  if (v[3] <= 0 || v[7] <= 0)
    vb_args_fail(&args, "the radii of \"pill\" are %g and %g m; they must be positive", v[3], v[7]);
  vb_capsule capsule = vb_capsule_make(v, v[3], v + 4, v[7]);
  size_t n = vb_lua_mesh_open(&args, &mesh);
  double(*vertex)[3] = vb_lua_array(L, n, sizeof *vertex);
  vb_lua_mesh_vertices(&mesh, n, vertex);
  lua_newtable(L);
  for (size_t i = 0; i < n; i++) {
    double normal[3], place;
    if (vb_capsule_distance(&capsule, vertex[i], normal, &place) > 0)
      continue;
    lua_pushinteger(L, (lua_Integer)i);
    vb_lua_append(L, lua_gettop(L) - 1);
  }
  return 1;
}
