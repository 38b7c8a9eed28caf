// SPDX-License-Identifier: GPL-3.0-or-later
/// Checks of a triangle mesh: its connected components, its volume, its orientation.
#ifndef VB_MESH_SURFACE_CHECKS_H
#define VB_MESH_SURFACE_CHECKS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// How a mesh is connected.
typedef struct vb_surface_shape {
  size_t n_vertices; ///< that triangles have
  size_t n_edges;
  size_t n_boundary_edges; ///< of one triangle
  size_t n_crowded_edges;  ///< of three or more triangles, or of two that run along it the same way
  size_t n_components;     ///< connected by edges
  int64_t euler; ///< vertices - edges + triangles: 2 for each closed component without handles
  double volume; ///< that closed parts hold [m^3], where triangles turn outward
} vb_surface_shape;

/// Describes a mesh of `vertex` (n_vertices x 3, m) and `triangle` (n_triangles x 3, vertices that
/// exist). Fails for want of memory alone.
vb_status vb_surface_shape_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                              size_t n_triangles, vb_surface_shape *out, vb_error *error);

/// Checks that triangles form closed surfaces that all turn one way: each edge has two triangles,
/// which run along it in opposite directions, and no triangle has a corner twice. VB_BAD_INPUT,
/// with the place of the first edge at fault.
vb_status vb_surface_check_closed(const double *vertex, const int32_t *triangle, size_t n_triangles,
                                  vb_error *error);

/// Writes of each vertex the component that it belongs to, as the lowest vertex of that one.
void vb_surface_components(int32_t *component, size_t n_vertices, const int32_t *triangle,
                           size_t n_triangles);

/// How often triangles wind around point `x`: the sum of their solid angles over 4 pi, 1 inside a
/// closed surface that turns outward, 0 outside (van Oosterom and Strackee 1983).
double vb_surface_winding(const double *vertex, const int32_t *triangle, size_t n_triangles,
                          const double x[3]);

#endif
