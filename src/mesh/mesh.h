// SPDX-License-Identifier: GPL-3.0-or-later
/// Meshes of tetrahedra: generated boxes, and files of TetGen and Gmsh. Also of triangles alone.
#ifndef VB_MESH_MESH_H
#define VB_MESH_MESH_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// A mesh. All indexes are zero-based.
typedef struct vb_mesh {
  double (*vertex)[3]; ///< (n_vertices) m
  size_t n_vertices;
  int32_t (*tetrahedron)[4]; ///< (n_tetrahedra) vertices, of positive volume
  size_t n_tetrahedra;
  int32_t (*triangle)[3]; ///< (n_triangles) the boundary: vertices, counterclockwise from outside
  size_t n_triangles;
  int32_t *region; ///< (n_tetrahedra) 0, or the inner region from 1 on; null where there is none
} vb_mesh;

/// A box of cells, each cut into 5 or 6 tetrahedra such that neighbors fit.
typedef struct vb_box {
  double from[3]; ///< lowest corner, m
  double to[3];   ///< highest corner, m
  int32_t cells[3];
  int tetrahedra; ///< per cell. 5: cells mirror their neighbors, so that the mesh prefers no
                  ///< diagonal. 6: all cells equal, around their diagonal (Kuhn)
} vb_box;

/// Meshes a box. Vertex (i, j, k), counted along x, y, z, has the index
/// (i (cells[1] + 1) + j) (cells[2] + 1) + k. VB_BAD_INPUT where the box is empty, or has more
/// vertices or tetrahedra than indexes. `*out` is freed by vb_mesh_clear.
vb_status vb_mesh_box(const vb_box *box, vb_mesh *out, vb_error *error);

/// Reads a mesh: Gmsh 4.1 ASCII where `path` ends in ".msh"; TetGen where it ends in ".node" or
/// ".ele", the other file being beside it. Vertices that no tetrahedron uses are left out, the
/// others keep their order; tetrahedra of negative volume are turned over. VB_BAD_INPUT, with the
/// file (as `shown`) and the line, where the file is at fault. `*out` is freed by vb_mesh_clear.
vb_status vb_mesh_read(const char *path, const char *shown, vb_mesh *out, vb_error *error);

/// Frees what a mesh holds, and empties it.
void vb_mesh_clear(vb_mesh *mesh);

/// Volume of tetrahedron `k` [m^3].
double vb_mesh_volume(const vb_mesh *mesh, size_t k);

/// Finds the boundary of a mesh that has none: the triangles of one tetrahedron each, in the order
/// of their tetrahedra. VB_BAD_INPUT if more than two tetrahedra share a triangle, VB_FAILED where
/// the time is over (base/time_limit.h).
vb_status vb_mesh_find_boundary(vb_mesh *mesh, vb_error *error);

#endif
