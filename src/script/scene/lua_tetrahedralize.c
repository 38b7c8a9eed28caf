// SPDX-License-Identifier: GPL-3.0-or-later
/// vb.read_surface and vb.tetrahedralize: closed surfaces from files or tables, and the tetrahedra
/// in them.
#include "mesh/surface_file.h"
#include "mesh/tetrahedralize.h"
#include "script/scene/lua_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER      "scenarios/meshes"
#define MOST_INSIDE 1000

/// Reads a file of the folder into the empty mesh. Groups of the file are dropped.
static const char *read_file(const vb_args *args, const char *key, const char *file,
                             vb_mesh *mesh) {
  const char *shown, *path = vb_lua_file_named(args, key, file, FOLDER, &shown);
  vb_surface_file read;
  vb_error error;
  if (vb_surface_file_read(path, shown, &read, &error))
    vb_lua_throw(args->L, args->who, &error);
  *mesh = read.mesh;
  read.mesh = (vb_mesh){0};
  vb_surface_file_clear(&read);
  return shown;
}

/// Copies the table of a mesh at the top of the stack, of which triangles alone are taken.
static void copy_table(const vb_args *outer, const char *key, vb_mesh *mesh) {
  lua_State *L = outer->L;
  char who[96];
  snprintf(who, sizeof who, "%.60s: %.30s", outer->who, key);
  vb_args args = vb_args_open(L, -1, who, "vertices tetrahedra triangles faces regions");
  int64_t n = vb_args_length(&args, "vertices"), m = vb_args_length(&args, "triangles");
  if (n < 1 || m < 1)
    vb_args_fail(&args, "needs \"vertices\" and \"triangles\", as vb.read_surface makes them");
  mesh->vertex = reallocarray(NULL, (size_t)n, sizeof *mesh->vertex);
  mesh->triangle = reallocarray(NULL, (size_t)m, sizeof *mesh->triangle);
  if (!mesh->vertex || !mesh->triangle)
    vb_args_fail(&args, "out of memory");
  vb_lua_mesh_vertices(&args, (size_t)n, mesh->vertex);
  mesh->n_vertices = (size_t)n;
  vb_args_push(&args, "triangles");
  for (int64_t i = 0; i < m; i++) {
    double row[3];
    vb_args_row(&args, "triangles", "element", (size_t)i, 3, row);
    for (int c = 0; c < 3; c++) {
      if (!(row[c] >= 0 && row[c] < (double)n && row[c] == floor(row[c])))
        vb_args_fail(&args, "\"triangles\": element %lld names vertex %g; there are 0 to %lld",
                     (long long)i, row[c], (long long)n - 1);
      mesh->triangle[i][c] = (int32_t)row[c];
    }
  }
  mesh->n_triangles = (size_t)m;
  lua_pop(L, 1);
}

/// Reads the surface at the top of the stack, a file's name or a table. What it pushes stays, so
/// that it is not collected.
static vb_named_surface read_value(const vb_args *args, const char *key, const char *name) {
  lua_State *L = args->L;
  int value = lua_gettop(L), kind = lua_type(L, value);
  vb_mesh *mesh = vb_lua_push_mesh(L, 0, 0);
  if (kind == LUA_TSTRING)
    return (vb_named_surface){read_file(args, key, lua_tostring(L, value), mesh), mesh};
  if (kind != LUA_TTABLE)
    vb_args_fail(args, "\"%s\" must be the name of a file, or a table of a mesh, not a %s", key,
                 lua_typename(L, kind));
  lua_pushvalue(L, value);
  copy_table(args, key, mesh);
  return (vb_named_surface){name, mesh};
}

int vb_lua_read_surface(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "read_surface", "file");
  vb_mesh *mesh = vb_lua_push_mesh(L, 0, 0);
  read_file(&args, "file", vb_args_string(&args, "file", true), mesh);
  vb_lua_push_mesh_table(L, mesh);
  return 1;
}

/// Pushes the list of the vertices that each inner region has, counted from 0.
static void push_regions(lua_State *L, const vb_mesh *mesh, int32_t n_regions) {
  int32_t *seen = vb_lua_array(L, mesh->n_vertices, sizeof *seen);
  memset(seen, 0, mesh->n_vertices * sizeof *seen);
  lua_createtable(L, n_regions, 0);
  for (int32_t r = 1; r <= n_regions; r++) {
    lua_Integer n = 0;
    vb_sandbox_touch(L, mesh->n_tetrahedra * sizeof *mesh->tetrahedron);
    for (size_t k = 0; k < mesh->n_tetrahedra; k++)
      for (int c = 0; mesh->region[k] == r && c < 4; c++)
        seen[mesh->tetrahedron[k][c]] = r;
    lua_newtable(L);
    for (size_t i = 0; i < mesh->n_vertices; i++)
      if (seen[i] == r) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_rawseti(L, -2, ++n);
      }
    lua_rawseti(L, -2, r);
  }
  lua_remove(L, -2);
}

int vb_lua_tetrahedralize(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "tetrahedralize", "outside inside size quality keep_surface");
  vb_tetrahedralize asked = {.size = vb_args_not_negative_or(&args, "size", " m", 0),
                             .quality = vb_args_number_or(&args, "quality", 1.6),
                             .keep_surface = vb_args_boolean_or(&args, "keep_surface", false)};
  int64_t n = vb_args_has(&args, "inside") ? vb_args_length(&args, "inside") : 0;
  vb_error error;
  if (n > MOST_INSIDE)
    vb_args_fail(&args, "\"inside\" lists %lld surfaces; at most %d", (long long)n, MOST_INSIDE);
  luaL_checkstack(L, 8 * (int)n + 40, "surfaces");
  vb_named_surface *inside = vb_lua_array(L, (size_t)n + 1, sizeof *inside);
  if (vb_args_push(&args, "outside") == LUA_TNIL)
    vb_args_fail(&args, "needs \"outside\", a closed surface: the name of a file, or a table");
  asked.outside = read_value(&args, "outside", "outside");
  for (int64_t i = 0; i < n; i++) {
    vb_args_push(&args, "inside");
    lua_rawgeti(L, -1, i + 1);
    const char *name = lua_pushfstring(L, "inside[%d]", (int)i + 1);
    lua_pushvalue(L, -2);
    inside[i] = read_value(&args, "inside", name);
  }
  asked.inside = inside;
  asked.n_inside = (size_t)n;
  vb_mesh *mesh = vb_lua_push_mesh(L, 0, 0);
  int32_t n_regions = 0;
  if (vb_tetrahedralize_run(&asked, mesh, &n_regions, &error))
    vb_lua_throw(L, "tetrahedralize", &error);
  vb_lua_push_mesh_table(L, mesh);
  push_regions(L, mesh, n_regions);
  lua_setfield(L, -2, "regions");
  return 1;
}

void vb_lua_set_region_nodes(const vb_args *mesh, int64_t first) {
  lua_State *L = mesh->L;
  if (!vb_args_has(mesh, "regions"))
    return;
  int64_t n = vb_args_length(mesh, "regions");
  vb_args_push(mesh, "regions");
  lua_createtable(L, (int)n, 0);
  for (int64_t r = 1; r <= n; r++) {
    if (lua_rawgeti(L, -2, r) != LUA_TTABLE)
      vb_args_fail(mesh, "\"regions\" must hold lists of vertices");
    lua_newtable(L);
    lua_Integer m = (lua_Integer)lua_rawlen(L, -2);
    for (lua_Integer i = 1; i <= m; i++) {
      vb_sandbox_touch(L, sizeof(lua_Integer));
      lua_rawgeti(L, -2, i);
      lua_Integer vertex = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
      if (vertex < 0 || vertex > INT32_MAX)
        vb_args_fail(mesh, "\"regions\" must hold lists of vertices");
      lua_Integer node = first + vertex;
      lua_pop(L, 1);
      lua_pushinteger(L, node);
      lua_rawseti(L, -2, i);
    }
    lua_rawseti(L, -3, r);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
  lua_setfield(L, -2, "regions");
}
