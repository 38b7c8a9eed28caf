// SPDX-License-Identifier: GPL-3.0-or-later
/// vb.pills: capsules of a bone's surface.
#include "mesh/capsule_fit.h"
#include "mesh/tetrahedralize.h"
#include "script/scene/lua_mesh.h"

#include <math.h>

static int collect(lua_State *L) {
  vb_capsule_fit_clear(lua_touserdata(L, 1));
  return 0;
}

/// Pushes an object that frees what it holds, whatever happens.
static vb_capsule_fit *push_owned(lua_State *L) {
  vb_capsule_fit *fit = lua_newuserdatauv(L, sizeof *fit, 0);
  *fit = (vb_capsule_fit){0};
  if (luaL_newmetatable(L, "viperbench pills of a surface")) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return fit;
}

static void push_capsules(lua_State *L, const vb_capsule_fit *fit) {
  lua_createtable(L, (int)fit->n_capsules, 0);
  for (size_t p = 0; p < fit->n_capsules; p++) {
    lua_createtable(L, 8, 0);
    for (int k = 0; k < 8; k++) {
      lua_pushnumber(L, fit->ball[fit->capsule[p][k / 4]][k % 4]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)p + 1);
  }
}

/// Fills in the triangles of an opened mesh.
static void read_triangles(const vb_args *args, size_t n_vertices, vb_mesh *mesh) {
  vb_args_push(args, "triangles");
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    double row[3];
    vb_args_row(args, "triangles", "element", t, 3, row);
    for (int c = 0; c < 3; c++) {
      if (!(row[c] >= 0 && row[c] < (double)n_vertices && row[c] == floor(row[c])))
        vb_args_fail(args, "\"triangles\": element %zu names vertex %g; there are 0 to %zu", t,
                     row[c], n_vertices - 1);
      mesh->triangle[t][c] = (int32_t)row[c];
    }
  }
  lua_pop(args->L, 1);
}

int vb_lua_capsules(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "pills", "mesh file count"), table;
  if (vb_args_has(&args, "mesh") == vb_args_has(&args, "file"))
    vb_args_fail(&args, "needs either \"mesh\", a closed surface, or \"file\", which viperbench "
                        "pills wrote");
  if (vb_args_has(&args, "file")) {
    if (vb_args_has(&args, "count"))
      vb_args_fail(&args, "a \"file\" has its own count of pills");
    vb_lua_push_file_table(&args, "a table of pills, as viperbench pills writes it");
    return 1;
  }
  int64_t count = vb_args_integer(&args, "count", 1, 10000);
  vb_capsule_fit *fit = push_owned(L);
  size_t n_vertices = vb_lua_mesh_open(&args, &table);
  vb_mesh mesh = {.n_vertices = n_vertices,
                  .n_triangles = (size_t)vb_args_length(&table, "triangles")};
  mesh.vertex = vb_lua_array(L, n_vertices, sizeof *mesh.vertex);
  mesh.triangle = vb_lua_array(L, mesh.n_triangles + 1, sizeof *mesh.triangle);
  vb_error error;
  vb_lua_mesh_vertices(&table, n_vertices, mesh.vertex);
  read_triangles(&table, n_vertices, &mesh);
  const vb_tetrahedralize surfaces = {.outside = {"mesh", &mesh}};
  if (vb_tetrahedralize_check(&surfaces, &error) ||
      vb_capsule_fit_make(&mesh, (size_t)count, fit, &error))
    vb_lua_throw(L, "pills", &error);
  lua_createtable(L, 0, 2);
  push_capsules(L, fit);
  lua_setfield(L, -2, "pills");
  lua_pushnumber(L, fit->hausdorff);
  lua_setfield(L, -2, "hausdorff");
  return 1;
}
