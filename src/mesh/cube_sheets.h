// SPDX-License-Identifier: GPL-3.0-or-later
/// The parts of an isosurface in a cube of a grid, found from which of its corners are inside.
#ifndef VB_MESH_CUBE_SHEETS_H
#define VB_MESH_CUBE_SHEETS_H

/// The corner of a cube, as bits x, y, z, at place `along` (0 or 1) on an axis and places `p` and
/// `q` on the axes after it. Edge 4 a + 2 p + q goes along axis a at places p and q.
static inline int vb_cube_corner(int axis, int along, int p, int q) {
  return along << axis | p << (axis + 1) % 3 | q << (axis + 2) % 3;
}

/// Numbers the sheets of the surface in a cube whose inside corners are the bits of `inside`: each
/// is a ring of edges that it crosses. Tells of each edge its sheet, or -1. On a face that is
/// crossed on all four sides inside corners are cut off, alike from either cube. Returns how many
/// sheets there are.
int vb_cube_sheets(int inside, int sheet[12]);

#endif
