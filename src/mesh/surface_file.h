// SPDX-License-Identifier: GPL-3.0-or-later
/// Files of triangle meshes: OBJ, PLY and STL.
#ifndef VB_MESH_SURFACE_FILE_H
#define VB_MESH_SURFACE_FILE_H

#include "mesh/mesh_text.h"

/// Length of the name of a group, its zero included.
#define VB_GROUP_NAME 64

/// Triangles as they stand in a file, with the groups that it names (OBJ alone: g, o).
typedef struct vb_surface_file {
  vb_mesh mesh;                ///< vertices and triangles alone
  int32_t *group;              ///< (n_triangles) of each, -1 where it has none
  char (*name)[VB_GROUP_NAME]; ///< (n_groups)
  size_t n_groups;
} vb_surface_file;

/// Reads a file whose name ends in ".obj", ".ply" (text or binary) or ".stl" (text or binary).
/// Polygons are cut into triangles around their first corner. Vertices of STL are joined where they
/// are equal. VB_BAD_INPUT, with the file (as `shown`) and the line or byte, where the file is at
/// fault or has no triangle. `*out` is freed by vb_surface_file_clear.
vb_status vb_surface_file_read(const char *path, const char *shown, vb_surface_file *out,
                               vb_error *error);
void vb_surface_file_clear(vb_surface_file *file);

/// Internal: what a file has so far, in growing lists.
typedef struct vb_surface_lists {
  vb_surface_file file;
  size_t vertex_room, triangle_room, name_room;
  int32_t current; ///< group of the triangles that follow, or -1
  int32_t *slot; ///< (n_slots, a power of two) groups by a hash of their names, from 1 on; 0: none
  size_t n_slots;
} vb_surface_lists;

/// Internal: adds a vertex, or the triangle of three vertices that exist. They fail as `text` does.
void vb_surface_add_vertex(vb_mesh_text *text, vb_surface_lists *lists, const double x[3]);
void vb_surface_add_triangle(vb_mesh_text *text, vb_surface_lists *lists, const int64_t v[3]);

/// Internal: reads all of a text; `text` begins at the file's first byte.
void vb_surface_read_obj(vb_mesh_text *text, vb_surface_lists *out);
void vb_surface_read_ply(vb_mesh_text *text, vb_surface_lists *out);
void vb_surface_read_stl(vb_mesh_text *text, vb_surface_lists *out);

#endif
