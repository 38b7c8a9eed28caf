// SPDX-License-Identifier: GPL-3.0-or-later
/// Checks of a triangle mesh: its connected components, its volume, its self-intersections.
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

/// Pairs of triangles that cross: an edge of one goes through the other.
typedef struct vb_surface_crossings {
  size_t within;  ///< both of one component
  size_t between; ///< of two parts
} vb_surface_crossings;

/// Describes a mesh of `vertex` (n_vertices x 3, m) and `triangle` (n_triangles x 3, vertices that
/// exist). Fails for want of memory alone.
vb_status vb_surface_shape_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                              size_t n_triangles, vb_surface_shape *out, vb_error *error);

/// Counts the pairs of triangles that cross, each once. Edges are looked at that have no corner in
/// common with the other triangle, so that neighbors do not count for being so. What only touches
/// does not count: signs of volumes decide, computed without tolerance, so that a touch that
/// rounding cannot distinguish from a crossing may count as either. The same for any number of
/// threads. VB_BAD_INPUT where a coordinate is not finite.
vb_status vb_surface_crossings_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_crossings *out, vb_error *error);

#endif
