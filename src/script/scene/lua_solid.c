// SPDX-License-Identifier: GPL-3.0-or-later
/// s:mesh{...}: a solid body of tetrahedra.
#include "script/scene/lua_mesh.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Reads Young's modulus, Poisson's ratio and density.
static vb_tetrahedron read_material(const vb_args *outer) {
  vb_args args = vb_lua_open_material(outer, "E nu");
  vb_tetrahedron t = {.young = vb_args_positive(&args, "E", " Pa"),
                      .poisson = vb_args_number(&args, "nu"),
                      .density = vb_args_positive(outer, "density", " kg/m^3")};
  if (t.poisson <= -1 || t.poisson >= 0.5)
    vb_args_fail(&args, "\"nu\" is %g; it must be more than -1 and less than 0.5", t.poisson);
  lua_pop(outer->L, 1);
  return t;
}

/// Adds a node for each vertex; returns the first.
static int32_t add_nodes(const vb_args *args, vb_lua_scene *scene, double (*vertex)[3], size_t n) {
  int32_t first = 0;
  for (size_t i = 0; i < n; i++) {
    const double *x = vertex[i];
    vb_node node = {.rest_position = {x[0], x[1], x[2]}, .position = {x[0], x[1], x[2]}};
    vb_sample at = {.index = i, .count = n, .argument = {x[0], x[1], x[2]}, .n_arguments = 3};
    vb_args_sample(args, "position", &at, 3, node.position);
    vb_args_sample(args, "velocity", &at, 3, node.velocity);
    int32_t index = vb_lua_add(args, scene, VB_SET_NODE, &node, sizeof node);
    if (i == 0)
      first = index;
  }
  return first;
}

/// Adds the tetrahedra, on nodes from `first` on; returns the first of them.
static int32_t add_tetrahedra(const vb_args *args, vb_lua_scene *scene, int32_t (*vertex)[4],
                              size_t n, int32_t first, vb_tetrahedron material) {
  int32_t at = 0;
  for (size_t k = 0; k < n; k++) {
    for (int c = 0; c < 4; c++)
      material.node[c] = first + vertex[k][c];
    int32_t index = vb_lua_add(args, scene, VB_SET_TETRAHEDRON, &material, sizeof material);
    if (k == 0)
      at = index;
  }
  return at;
}

/// Sets field "faces" of the table at the top of the stack: those of the mesh, as nodes.
static void set_faces(const vb_args *mesh, int32_t first) {
  static const char *const names[] = {"x0", "x1", "y0", "y1", "z0", "z1", NULL};
  lua_State *L = mesh->L;
  if (!vb_args_has(mesh, "faces"))
    return;
  vb_args_push(mesh, "faces");
  vb_args faces = vb_args_open(L, -1, mesh->who, "x0 x1 y0 y1 z0 z1");
  lua_createtable(L, 0, 6);
  for (int f = 0; names[f]; f++) {
    int64_t n = vb_args_length(&faces, names[f]);
    lua_createtable(L, (int)n, 0);
    for (int64_t i = 0; i < n; i++) {
      lua_pushinteger(L, first + vb_args_integer_at(&faces, names[f], i, 0, VB_LUA_MAX_ELEMENTS));
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, names[f]);
  }
  lua_remove(L, -2);
  lua_setfield(L, -2, "faces");
}

int vb_lua_mesh(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "mesh");
  vb_args args = vb_args_open(L, 2, "mesh", "mesh material density position velocity name"), mesh;
  vb_tetrahedron material = read_material(&args);
  size_t n_vertices = vb_lua_mesh_open(&args, &mesh);
  size_t n = (size_t)vb_args_length(&mesh, "tetrahedra");
  if (n < 1)
    vb_args_fail(&mesh, "needs \"tetrahedra\", a list of lists of 4 vertices");
  double(*vertex)[3] = vb_lua_array(L, n_vertices, sizeof *vertex);
  int32_t(*tetrahedron)[4] = vb_lua_array(L, n, sizeof *tetrahedron);
  vb_lua_mesh_vertices(&mesh, n_vertices, vertex);
  vb_lua_mesh_tetrahedra(&mesh, n, n_vertices, tetrahedron);
  int32_t first = add_nodes(&args, scene, vertex, n_vertices);
  int32_t first_tetrahedron = add_tetrahedra(&args, scene, tetrahedron, n, first, material);
  vb_lua_name_body(&args, scene, first);
  lua_createtable(L, 0, 6);
  vb_lua_set_range(L, "nodes", first, (lua_Integer)n_vertices);
  vb_lua_set_integer(L, "first", first);
  vb_lua_set_integer(L, "last", first + (lua_Integer)n_vertices - 1);
  vb_lua_set_integer(L, "first_tetrahedron", first_tetrahedron);
  vb_lua_set_integer(L, "last_tetrahedron", first_tetrahedron + (lua_Integer)n - 1);
  set_faces(&mesh, first);
  vb_lua_set_region_nodes(&mesh, first);
  return 1;
}
