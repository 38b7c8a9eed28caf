// SPDX-License-Identifier: GPL-3.0-or-later
/// A surface that the elements carry: each vertex keeps its place in the element it lies in at
/// rest.
#ifndef NH_SURFACE_H
#define NH_SURFACE_H

#include "solid.h"

typedef struct nh_surface {
  const vb_triangle *triangle;
  int32_t *element;              ///< (n_vertices)
  double (*shape)[NH_MAX_NODES]; ///< (n_vertices) shape functions of its nodes there
  size_t n_vertices, n_triangles;
} nh_surface;

/// Finds the places of the scene's surface vertices; an empty surface where there is none.
/// VB_BAD_INPUT where one lies outside of all tetrahedra at rest. Freed by nh_surface_clear.
vb_status nh_surface_create(const nh_solid *solid, nh_surface *out, vb_error *error);
void nh_surface_clear(nh_surface *surface);

/// Writes the vertices (n_vertices x 3) for positions `x` (n_nodes x 3).
void nh_surface_vertices(const nh_surface *surface, const nh_solid *solid, const double *x,
                         double *out);

/// Volume that the triangles enclose [m^3], for vertices (n_vertices x 3).
double nh_surface_volume(const nh_surface *surface, const double *vertices);

#endif
