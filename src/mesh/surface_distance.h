// SPDX-License-Identifier: GPL-3.0-or-later
/// Distance between two triangle meshes: root mean square and Hausdorff.
#ifndef VB_MESH_SURFACE_DISTANCE_H
#define VB_MESH_SURFACE_DISTANCE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// A surface; borrowed.
typedef struct vb_surface {
  const double *vertex; ///< (n_vertices x 3) m
  size_t n_vertices;
  const int32_t *triangle; ///< (n_triangles x 3) vertices, all of which exist
  size_t n_triangles;
} vb_surface;

/// Distances between two surfaces [m], from the vertices of either to the triangles of the other.
/// Vertices of no triangle do not count.
typedef struct vb_surface_gap {
  double rms;       ///< over both; a vertex weighs a third of the area of its triangles
  double hausdorff; ///< the greatest
} vb_surface_gap;

/// Measures the gap. VB_BAD_INPUT where a surface has no triangle or no area, or a coordinate is
/// not finite, VB_INTERRUPTED after a signal.
vb_status vb_surface_distance(const vb_surface *a, const vb_surface *b, vb_surface_gap *out,
                              vb_error *error);

/// Squared distance [m^2] of point `p` to the triangle with the corners a, b, c, which may be
/// degenerate.
double vb_triangle_distance2(const double p[3], const double a[3], const double b[3],
                             const double c[3]);

#endif
