// SPDX-License-Identifier: GPL-3.0-or-later
/// Triangles of a mesh that cross.
#ifndef VB_MESH_SURFACE_CROSSINGS_H
#define VB_MESH_SURFACE_CROSSINGS_H

#include "base/arena.h"
#include "mesh/box_tree.h"

#include <stdbool.h>

/// Pairs of triangles that cross: an edge of one goes through the other.
typedef struct vb_surface_crossings {
  size_t within;    ///< both of one component
  size_t between;   ///< of two parts
  int32_t first[2]; ///< the first such pair; -1 where there is none
} vb_surface_crossings;

/// Counts the pairs of triangles that cross, each once. Edges are looked at that have no corner in
/// common with the other triangle, so that neighbors do not count for being so. What only touches
/// does not count: signs of volumes decide, computed without tolerance, so that a touch that
/// rounding cannot distinguish from a crossing may count as either. The same for any number of
/// threads. VB_BAD_INPUT where a coordinate is not finite.
vb_status vb_surface_crossings_of(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_crossings *out, vb_error *error);

/// A mesh whose vertices move, for repeated searches: its tree of triangles is made once, and only
/// its boxes are made anew. Triangles that are moved far apart make searches longer, not wrong.
typedef struct vb_surface_watch {
  const int32_t *triangle;
  size_t n_vertices, n_triangles;
  double grow; ///< pairs count that cross if edges go on by this share of them at both ends, and
               ///< triangles grow by it about their middles; 0 to begin with
  int32_t *component; ///< [n_vertices] (vb_surface_components)
  vb_bounds *bounds;  ///< [n_triangles]
  vb_box_tree tree;
  vb_arena memory; ///< but the tree
} vb_surface_watch;

/// Begins to watch a mesh whose `triangle` (n_triangles x 3) stay, with vertices near `vertex`
/// (n_vertices x 3, m). VB_BAD_INPUT where a coordinate is not finite. `*out` is freed by
/// vb_surface_watch_clear in any case.
vb_status vb_surface_watch_create(const double *vertex, size_t n_vertices, const int32_t *triangle,
                                  size_t n_triangles, vb_surface_watch *out, vb_error *error);
void vb_surface_watch_clear(vb_surface_watch *watch);

/// As vb_surface_crossings_of, with the vertices at `vertex` (n_vertices x 3, m), of the pairs of
/// which a triangle is in `asked` (n_triangles; null: all). Sets `crosses` (n_triangles; may be
/// null) of both triangles of each, and leaves it for others as it is.
vb_status vb_surface_watch_mark(vb_surface_watch *watch, const double *vertex, const bool *asked,
                                bool *crosses, vb_surface_crossings *out, vb_error *error);

/// Adds to `direction` (n_vertices) which way vertices move so that the lines on which triangles
/// cross grow shorter, and at last vanish: of each edge that goes through a triangle, the gradient
/// of that line's length, half of it for the edge's vertices and half, the other direction, for the
/// triangle's (Volino and Magnenat-Thalmann 2006, "Resolving surface collisions through
/// intersection contour minimization"). That tells the way out of surfaces that went through each
/// other or through themselves, whichever side they came from. A sum of unit vectors, and longer
/// where an edge goes through at a small angle. `crosses` are the triangles that
/// vb_surface_watch_mark found with the same vertices.
void vb_surface_watch_shorten(const vb_surface_watch *watch, const double *vertex,
                              const bool *crosses, double (*direction)[3]);

#endif
