// SPDX-License-Identifier: GPL-3.0-or-later
/// vb.viperize: rods of a muscle's tetrahedra; vb.fibers: the directions of their fibers.
#include "muscle/fibers.h"
#include "muscle/viperize.h"
#include "script/scene/lua_mesh.h"

#include <string.h>

/// About the memory of the slices for each point of a rod: some 200 pieces of 64 bytes.
#define PIECE_BYTES ((size_t)200 * 64)

/// Marks the vertices that the list at `key` names.
static void mark(const vb_args *args, const char *key, size_t n_vertices, bool *out) {
  int64_t n = vb_args_length(args, key);
  memset(out, 0, n_vertices * sizeof *out);
  for (int64_t i = 0; i < n; i++)
    out[vb_args_integer_at(args, key, i, 0, (int64_t)n_vertices - 1)] = true;
}

/// Pushes the list of rods, each a list of points {x, y, z, radius}.
static void push_rods(lua_State *L, const vb_muscle_rods *rods) {
  lua_createtable(L, rods->n_rods, 0);
  for (int32_t i = 0; i < rods->n_rods; i++) {
    vb_sandbox_touch(L, (size_t)rods->n_slices * 4 * sizeof(double));
    lua_createtable(L, rods->n_slices, 0);
    for (int32_t j = 0; j < rods->n_slices; j++) {
      lua_createtable(L, 4, 0);
      for (int k = 0; k < 4; k++) {
        int32_t at = i * rods->n_slices + j;
        lua_pushnumber(L, k < 3 ? rods->point[at][k] : rods->radius[at]);
        lua_rawseti(L, -2, k + 1);
      }
      lua_rawseti(L, -2, j + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
}

/// Pushes the parts that rods are in, from 1 on: a list for each slice.
static void push_parts(lua_State *L, const vb_muscle_rods *rods) {
  lua_createtable(L, rods->n_slices, 0);
  for (int32_t j = 0; j < rods->n_slices; j++) {
    vb_sandbox_touch(L, (size_t)rods->n_rods * sizeof(double));
    lua_createtable(L, rods->n_rods, 0);
    for (int32_t i = 0; i < rods->n_rods; i++) {
      lua_pushinteger(L, rods->part[i * rods->n_slices + j] + 1);
      lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, -2, j + 1);
  }
}

/// Frees what a Lua object holds, whatever happens.
static int collect(lua_State *L) {
  vb_muscle_rods_clear(lua_touserdata(L, 1));
  return 0;
}

static vb_muscle_rods *push_owned(lua_State *L) {
  vb_muscle_rods *rods = lua_newuserdatauv(L, sizeof *rods, 0);
  *rods = (vb_muscle_rods){0};
  if (luaL_newmetatable(L, "viperbench rods of a muscle")) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return rods;
}

/// Reads the tetrahedra of the table at key "mesh", which stays open in `table`, and the vertices
/// of both ends. Lua owns the arrays.
static void read_muscle(const vb_args *args, vb_args *table, vb_mesh *mesh, vb_viperize *asked) {
  lua_State *L = args->L;
  size_t n_vertices = vb_lua_mesh_open(args, table);
  size_t n = (size_t)vb_args_length(table, "tetrahedra");
  if (n < 1)
    vb_args_fail(table, "needs \"tetrahedra\", a list of lists of 4 vertices");
  *mesh = (vb_mesh){.n_vertices = n_vertices, .n_tetrahedra = n};
  mesh->vertex = vb_lua_array(L, n_vertices, sizeof *mesh->vertex);
  mesh->tetrahedron = vb_lua_array(L, n, sizeof *mesh->tetrahedron);
  bool *ends = vb_lua_array(L, 2 * n_vertices, sizeof *ends);
  vb_lua_mesh_vertices(table, n_vertices, mesh->vertex);
  vb_lua_mesh_tetrahedra(table, n, n_vertices, mesh->tetrahedron);
  mark(args, "source", n_vertices, ends);
  mark(args, "sink", n_vertices, ends + n_vertices);
  for (size_t k = 0; k < n; k++)
    if (!(vb_mesh_volume(mesh, k) > 0))
      vb_args_fail(table, "tetrahedron %zu has no positive volume", k);
  asked->mesh = mesh;
  asked->source = ends;
  asked->sink = ends + n_vertices;
}

int vb_lua_fiber(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "fibers", "mesh source sink"), table;
  vb_viperize asked = {0};
  vb_mesh mesh;
  vb_error error;
  read_muscle(&args, &table, &mesh, &asked);
  double(*direction)[3] = vb_lua_array(L, mesh.n_tetrahedra, sizeof *direction);
  if (vb_fiber_run(&asked, direction, &error))
    vb_lua_throw(L, "fibers", &error);
  lua_createtable(L, (int)mesh.n_tetrahedra, 0);
  for (size_t k = 0; k < mesh.n_tetrahedra; k++) {
    vb_sandbox_touch(L, 3 * sizeof(double));
    lua_createtable(L, 3, 0);
    for (int c = 0; c < 3; c++) {
      lua_pushnumber(L, direction[k][c]);
      lua_rawseti(L, -2, c + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  return 1;
}

int vb_lua_viperize(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "viperize", "mesh source sink rods slices seed"), table;
  vb_viperize asked = {.n_rods = (int32_t)vb_args_integer(&args, "rods", 1, 2000),
                       .n_slices = (int32_t)vb_args_integer(&args, "slices", 2, 2000),
                       .seed = (uint64_t)vb_args_integer_or(&args, "seed", 0, INT32_MAX, 0)};
  vb_muscle_rods *rods = push_owned(L);
  size_t bytes = (size_t)asked.n_rods * (size_t)asked.n_slices * PIECE_BYTES;
  vb_sandbox_charge(L, bytes); // it must fit now; it is freed before the script goes on
  vb_sandbox_uncharge(L, bytes);
  vb_mesh mesh;
  vb_error error;
  read_muscle(&args, &table, &mesh, &asked);
  if (vb_viperize_run(&asked, rods, &error))
    vb_lua_throw(L, "viperize", &error);
  lua_createtable(L, 0, 6);
  push_rods(L, rods);
  lua_setfield(L, -2, "rods");
  if (rods->n_parts > 1) {
    push_parts(L, rods);
    lua_setfield(L, -2, "parts");
  }
  for (int i = 0; i < 2; i++) { // the surface is the mesh's own
    static const char *const keys[] = {"vertices", "triangles"};
    vb_args_push(&table, keys[i]);
    lua_setfield(L, -2, keys[i]);
  }
  lua_pushnumber(L, rods->volume);
  lua_setfield(L, -2, "volume");
  lua_pushnumber(L, rods->empty);
  lua_setfield(L, -2, "empty");
  return 1;
}
