// SPDX-License-Identifier: GPL-3.0-or-later
/// Meshes of tetrahedra as scripts see them: plain tables, made by vb.box and vb.read_mesh, looked
/// through by vb.vertices_at.
#include "script/scene/lua_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define METATABLE "viperbench mesh"

static const char *const AXES[] = {"x", "y", "z"};

/// A mesh that Lua collects, whatever happens, with the bytes it counts for.
typedef struct owned_mesh {
  vb_mesh mesh;
  size_t charged;
} owned_mesh;

static int collect_mesh(lua_State *L) {
  owned_mesh *owned = lua_touserdata(L, 1);
  vb_mesh_clear(&owned->mesh);
  vb_sandbox_uncharge(L, owned->charged);
  owned->charged = 0;
  return 0;
}

static owned_mesh *push_owned(lua_State *L) {
  owned_mesh *owned = lua_newuserdatauv(L, sizeof *owned, 0);
  *owned = (owned_mesh){0};
  if (luaL_newmetatable(L, METATABLE)) {
    lua_pushcfunction(L, collect_mesh);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return owned;
}

vb_mesh *vb_lua_push_mesh(lua_State *L, size_t n_vertices, size_t n_tetrahedra) {
  owned_mesh *owned = push_owned(L);
  // With what finding the boundary takes: 28 bytes for each of four sides, and their triangles.
  size_t vertex = 3 * sizeof(double), tetrahedron = 4 * sizeof(int32_t) + 4 * 40;
  bool fits = n_vertices < SIZE_MAX / 2 / vertex && n_tetrahedra < SIZE_MAX / 2 / tetrahedron;
  size_t bytes = fits ? n_vertices * vertex + n_tetrahedra * tetrahedron : SIZE_MAX;
  vb_sandbox_charge(L, bytes);
  owned->charged = bytes;
  return &owned->mesh;
}

/// Pushes a list of `n` lists of `width` numbers: of int32_t where they are `whole`, of double
/// otherwise. The array may be null where there are none.
static void push_rows(lua_State *L, const void *rows, bool whole, size_t n, size_t width) {
  const double *number = rows;
  const int32_t *index = rows;
  lua_createtable(L, (int)n, 0);
  for (size_t i = 0; i < n; i++) {
    vb_sandbox_touch(L, width * sizeof *number);
    lua_createtable(L, (int)width, 0);
    for (size_t c = 0; c < width; c++) {
      if (whole)
        lua_pushinteger(L, index[i * width + c]);
      else
        lua_pushnumber(L, number[i * width + c]);
      lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

void vb_lua_push_mesh_table(lua_State *L, const vb_mesh *mesh) {
  lua_createtable(L, 0, 4);
  push_rows(L, mesh->vertex, false, mesh->n_vertices, 3);
  lua_setfield(L, -2, "vertices");
  push_rows(L, mesh->tetrahedron, true, mesh->n_tetrahedra, 4);
  lua_setfield(L, -2, "tetrahedra");
  push_rows(L, mesh->triangle, true, mesh->n_triangles, 3);
  lua_setfield(L, -2, "triangles");
}

/// Adds the vertices of the six faces of a box to its table: faces.x0 where x is least, and so on.
static void add_faces(lua_State *L, const vb_mesh *mesh, const vb_box *box) {
  lua_createtable(L, 0, 6);
  for (int c = 0; c < 3; c++)
    for (int end = 0; end < 2; end++) {
      char name[16];
      lua_Integer n = 0;
      snprintf(name, sizeof name, "%s%d", AXES[c], end);
      lua_newtable(L);
      for (size_t i = 0; i < mesh->n_vertices; i++)
        if (mesh->vertex[i][c] == (end ? box->to[c] : box->from[c])) {
          lua_pushinteger(L, (lua_Integer)i);
          lua_rawseti(L, -2, ++n);
        }
      lua_setfield(L, -2, name);
    }
  lua_setfield(L, -2, "faces");
}

/// vb.box{...}
static int make_box(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "box", "from to cells tetrahedra");
  vb_box box = {.tetrahedra = (int)vb_args_integer_or(&args, "tetrahedra", 5, 6, 5)};
  vb_error error;
  vb_args_vector(&args, "from", 3, box.from);
  if (!vb_args_vector(&args, "to", 3, box.to))
    vb_args_fail(&args, "needs \"to\", its highest corner");
  if (vb_args_length(&args, "cells") != 3)
    vb_args_fail(&args, "needs \"cells\", a list of 3 counts as in {10, 2, 2}");
  size_t vertices = 1, cells = 1;
  for (int c = 0; c < 3; c++) {
    box.cells[c] = (int32_t)vb_args_integer_at(&args, "cells", c, 1, 1000000);
    vertices *= (size_t)box.cells[c] + 1;
    cells *= (size_t)box.cells[c];
  }
  vb_mesh *mesh = vb_lua_push_mesh(L, vertices, cells * (size_t)box.tetrahedra);
  if (vb_mesh_box(&box, mesh, &error))
    vb_lua_throw(L, NULL, &error);
  vb_lua_push_mesh_table(L, mesh);
  add_faces(L, mesh, &box);
  return 1;
}

const char *vb_lua_file_named(const vb_args *args, const char *key, const char *file,
                              const char *folder, const char **shown) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  lua_State *L = args->L;
  if (strspn(file, letters) != strlen(file) || strlen(file) > 100 || file[0] == '.')
    vb_args_fail(args,
                 "\"%s\" is \"%.100s\"; it must name a file in %s, or beside the script, of "
                 "letters, digits and _ - .",
                 key, file, folder);
  const char *beside = vb_sandbox_of(L)->folder;
  if (*beside) {
    *shown = lua_pushfstring(L, "%s/%s", beside, file);
    if (access(*shown, F_OK) == 0)
      return lua_pushstring(L, *shown);
    lua_pop(L, 1);
  }
  *shown = lua_pushfstring(L, "%s/%s", folder, file);
  return lua_pushfstring(L, "%s/%s", vb_sandbox_of(L)->home, *shown);
}

const char *vb_lua_file(const vb_args *args, const char *folder, const char **shown) {
  return vb_lua_file_named(args, "file", vb_args_string(args, "file", true), folder, shown);
}

void vb_lua_push_file_table(const vb_args *args, const char *what) {
  lua_State *L = args->L;
  const char *shown, *path = vb_lua_file(args, "scenarios/meshes", &shown);
  vb_error error;
  if (vb_script_load(L, path, shown, &error))
    vb_lua_throw(L, args->who, &error);
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1))
    vb_args_fail(args, "%s must return %s", shown, what);
}

/// vb.read_mesh{ file = "NAME.msh" }: a file of scenarios/meshes.
static int read_mesh(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "read_mesh", "file");
  const char *shown, *path = vb_lua_file(&args, "scenarios/meshes", &shown);
  vb_error error;
  vb_mesh *mesh = vb_lua_push_mesh(L, 0, 0);
  if (vb_mesh_read(path, shown, mesh, &error))
    vb_lua_throw(L, "read_mesh", &error);
  vb_lua_push_mesh_table(L, mesh);
  return 1;
}

size_t vb_lua_mesh_open(const vb_args *outer, vb_args *args) {
  if (vb_args_push(outer, "mesh") == LUA_TNIL)
    vb_args_fail(outer, "needs \"mesh\", as vb.box and vb.read_mesh make it");
  char who[96];
  snprintf(who, sizeof who, "%.80s: mesh", outer->who);
  *args = vb_args_open(outer->L, -1, who, "vertices tetrahedra triangles faces regions");
  int64_t n = vb_args_length(args, "vertices");
  if (n < 1)
    vb_args_fail(args, "needs \"vertices\", a list of points");
  return (size_t)n;
}

void vb_lua_mesh_vertices(const vb_args *args, size_t n, double (*out)[3]) {
  vb_args_push(args, "vertices");
  for (size_t i = 0; i < n; i++)
    vb_args_row(args, "vertices", "element", i, 3, out[i]);
  lua_pop(args->L, 1);
}

void vb_lua_mesh_tetrahedra(const vb_args *args, size_t n, size_t n_vertices, int32_t (*out)[4]) {
  vb_args_push(args, "tetrahedra");
  for (size_t i = 0; i < n; i++) {
    double row[4];
    vb_args_row(args, "tetrahedra", "element", i, 4, row);
    for (int c = 0; c < 4; c++) {
      if (!(row[c] >= 0 && row[c] < (double)n_vertices && row[c] == floor(row[c])))
        vb_args_fail(args, "\"tetrahedra\": element %zu names vertex %g; there are 0 to %zu", i,
                     row[c], n_vertices - 1);
      out[i][c] = (int32_t)row[c];
    }
  }
  lua_pop(args->L, 1);
}

/// vb.vertices_at{ mesh =, x =, y =, z =, tolerance = }: indexes of the vertices there.
static int vertices_at(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "vertices_at", "mesh x y z tolerance"), mesh;
  double tolerance = vb_args_number_or(&args, "tolerance", 1e-9), at[3] = {0};
  bool asked[3], any = false;
  for (int c = 0; c < 3; c++) {
    asked[c] = vb_args_has(&args, AXES[c]);
    at[c] = asked[c] ? vb_args_number(&args, AXES[c]) : 0;
    any = any || asked[c];
  }
  if (!any)
    vb_args_fail(&args, "needs \"x\", \"y\" or \"z\": a plane, or several that cross");
  size_t n = vb_lua_mesh_open(&args, &mesh);
  vb_args_push(&mesh, "vertices");
  lua_newtable(L);
  int list = lua_gettop(L);
  lua_Integer found = 0;
  lua_pushvalue(L, -2);
  for (size_t i = 0; i < n; i++) {
    double x[3];
    bool there = true;
    vb_args_row(&mesh, "vertices", "element", i, 3, x);
    for (int c = 0; c < 3; c++)
      there = there && (!asked[c] || fabs(x[c] - at[c]) <= tolerance);
    if (!there)
      continue;
    lua_pushinteger(L, (lua_Integer)i);
    lua_rawseti(L, list, ++found);
  }
  lua_settop(L, list);
  return 1;
}

void vb_lua_mesh_define(lua_State *L) {
  static const luaL_Reg functions[] = {{"box", make_box},
                                       {"read_mesh", read_mesh},
                                       {"read_surface", vb_lua_read_surface},
                                       {"tetrahedralize", vb_lua_tetrahedralize},
                                       {"viperize", vb_lua_viperize},
                                       {"fibers", vb_lua_fiber},
                                       {"muscle", vb_lua_muscle},
                                       {"pills", vb_lua_capsules},
                                       {"vertices_at", vertices_at},
                                       {"pill_surface", vb_lua_capsule_surface},
                                       {"inside", vb_lua_inside},
                                       {"read_links", vb_lua_read_links},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
