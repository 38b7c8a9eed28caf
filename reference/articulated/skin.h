// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces that tetrahedra carry: each vertex keeps its barycentric coordinates in the one that
/// it lies in at rest.
#ifndef AR_SKIN_H
#define AR_SKIN_H

#include "scene/scene.h"

/// A vertex of the scene's surface.
typedef struct ar_skin_vertex {
  int32_t node[4];  ///< of its tetrahedron
  double weight[4]; ///< barycentric coordinates at rest
} ar_skin_vertex;

typedef struct ar_skin {
  ar_skin_vertex *vertex;
  const vb_triangle *triangle; ///< the scene's
  size_t n_vertices, n_triangles;
} ar_skin;

/// Finds the tetrahedron of each surface vertex of a scene that outlives the skin; no vertices
/// where there is no surface. VB_BAD_INPUT where one lies outside of all tetrahedra at rest. Freed
/// by ar_skin_clear.
vb_status ar_skin_create(const vb_scene *scene, ar_skin *out, vb_error *error);
void ar_skin_clear(ar_skin *skin);

/// Writes the vertices (n_vertices x 3) for positions `x` (n_nodes x 3).
void ar_skin_vertices(const ar_skin *skin, const double *x, double *out);

/// Volume that the triangles enclose, for positions `x` (n_nodes x 3) [m^3].
double ar_skin_volume(const ar_skin *skin, const double *x);

#endif
