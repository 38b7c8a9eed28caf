// SPDX-License-Identifier: GPL-3.0-or-later
/// Meshes in scripts: tables of vertices, tetrahedra and triangles with zero-based indexes.
#ifndef VB_SCRIPT_SCENE_LUA_MESH_H
#define VB_SCRIPT_SCENE_LUA_MESH_H

#include "mesh/mesh.h"
#include "script/runtime/lua_args.h"

/// Adds vb.box, vb.read_mesh, vb.read_surface, vb.tetrahedralize, vb.viperize, vb.muscle,
/// vb.pills, vb.vertices_at, vb.pill_surface, vb.inside and vb.read_links to the table at the top
/// of the stack.
void vb_lua_mesh_define(lua_State *L);

/// Pushes the path of the file that key "file" names, and returns it: beside the running script, or
/// else in `folder` of the home; `*shown` is what messages call it, pushed below.
const char *vb_lua_file(const vb_args *args, const char *folder, const char **shown);

/// Pushes an object that holds the empty mesh returned, and frees it when it is collected. Counts
/// what a mesh of that size takes.
vb_mesh *vb_lua_push_mesh(lua_State *L, size_t n_vertices, size_t n_tetrahedra);

/// Pushes the table of a mesh: its vertices, tetrahedra and triangles.
void vb_lua_push_mesh_table(lua_State *L, const vb_mesh *mesh);

/// The same for a file's name that stands anywhere in the arguments.
const char *vb_lua_file_named(const vb_args *args, const char *key, const char *file,
                              const char *folder, const char **shown);

/// Pushes the table that the script of key "file", in scenarios/meshes, returns; `what` it must be.
void vb_lua_push_file_table(const vb_args *args, const char *what);

/// Sets field "regions" of the table at the top of the stack where the opened mesh has some: the
/// lists of the vertices of each, `first` added.
void vb_lua_set_region_nodes(const vb_args *mesh, int64_t first);

/// vb.read_surface{...} and vb.tetrahedralize{...} (lua_tetrahedralize.c)
int vb_lua_read_surface(lua_State *L);
int vb_lua_tetrahedralize(lua_State *L);

/// vb.viperize{ mesh =, source =, sink =, rods =, slices = } and vb.fibers{ mesh =, source =, sink
/// = } (lua_viperize.c)
int vb_lua_viperize(lua_State *L);
int vb_lua_fiber(lua_State *L);

/// vb.muscle{ scene =, file = | data =, E =, nu =, density =, ... } (lua_muscle.c)
int vb_lua_muscle(lua_State *L);

/// vb.pills{ mesh =, count = | file = } (lua_pills.c)
int vb_lua_capsules(lua_State *L);

/// vb.pill_surface{...} and vb.inside{ mesh =, pill = }: the vertices of a mesh that are in a
/// capsule (lua_pill_surface.c)
int vb_lua_capsule_surface(lua_State *L);
int vb_lua_inside(lua_State *L);

/// vb.read_links{ file =, bones = }: joints of a file of scenarios/meshes, as s:link takes them
/// (lua_link_file.c)
int vb_lua_read_links(lua_State *L);

/// Pushes the mesh at key "mesh" of `outer` and opens it as `args`. Returns the number of its
/// vertices, at least one.
size_t vb_lua_mesh_open(const vb_args *outer, vb_args *args);

/// Reads the vertices, n x 3 [m], of an opened mesh.
void vb_lua_mesh_vertices(const vb_args *args, size_t n, double (*out)[3]);

/// Reads `n` tetrahedra of an opened mesh; an error where one names no vertex.
void vb_lua_mesh_tetrahedra(const vb_args *args, size_t n, size_t n_vertices, int32_t (*out)[4]);

#endif
