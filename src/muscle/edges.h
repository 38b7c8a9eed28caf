// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: the edges of a mesh, and the parts that it has where a field is between
/// two values.
#ifndef VB_MUSCLE_EDGES_H
#define VB_MUSCLE_EDGES_H

#include "mesh/mesh.h"

/// The corners of a tetrahedron's edges.
extern const int vb_edge_corner[6][2];

/// Edges of tetrahedra, each once.
typedef struct vb_edges {
  int32_t (*of)[6]; ///< (n_tetrahedra) by tetrahedron, as vb_edge_corner
  int32_t *parent;  ///< (n) for vb_edges_join
  size_t n;
} vb_edges;

/// Fails for want of memory alone. Freed by vb_edges_clear.
vb_status vb_edges_create(const vb_mesh *mesh, vb_edges *out, vb_error *error);
void vb_edges_clear(vb_edges *edges);

/// Fills `parent` (base/components.h): edges are joined that the part of the mesh connects in which
/// a linear field (n_vertices) is from `low` to `high`. What that part has in a tetrahedron is
/// convex and has its corners on the tetrahedron's edges; so two of its points are connected if,
/// and only if, the edges they lie on are.
void vb_edges_join(vb_edges *edges, const vb_mesh *mesh, const double *field, double low,
                   double high);

#endif
