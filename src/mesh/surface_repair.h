// SPDX-License-Identifier: GPL-3.0-or-later
/// Doubled triangles and such without an area: finds them, and repairs surfaces that have them.
#ifndef VB_MESH_SURFACE_REPAIR_H
#define VB_MESH_SURFACE_REPAIR_H

#include "mesh/surface_file.h"

/// What was repaired.
typedef struct vb_surface_repairs {
  size_t joined;  ///< vertices that were where another one is
  size_t dropped; ///< triangles with a corner twice
  size_t doubled; ///< triangles with the corners of another one
} vb_surface_repairs;

/// Drops the triangles that have a corner twice: they enclose nothing, and what was closed stays
/// so.
void vb_surface_drop_degenerate(vb_surface_file *file, vb_surface_repairs *repairs);

/// Joins vertices at equal places, drops triangles that then have a corner twice, and of triangles
/// with the same corners all but one; where they turn both ways, as two sides of a sheet do, one of
/// each way. VB_FAILED where the time is over (base/time_limit.h).
vb_status vb_surface_repair(vb_surface_file *file, vb_surface_repairs *repairs, vb_error *error);

/// Finds the first triangle whose corners are at the places of an earlier one's: writes the two to
/// `pair`, the earlier first, or -1 where there is none.
vb_status vb_surface_find_doubled(const vb_mesh *mesh, int32_t pair[2], vb_error *error);

#endif
