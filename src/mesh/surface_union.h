// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/mesh: several surfaces as one list of triangles, split into components.
#ifndef VB_MESH_SURFACE_UNION_H
#define VB_MESH_SURFACE_UNION_H

#include "mesh/tetrahedralize.h"

/// The surfaces, one after another, the outside first.
typedef struct vb_surface_union {
  vb_mesh mesh;       ///< vertices and triangles, sorted by surface, then component
  int32_t *component; ///< (n_components + 1) first triangle of each
  int32_t *surface;   ///< (n_components) 0 the outside, i + 1 the i-th inner one
  double *volume;     ///< (n_components) that each encloses, positive [m^3]
  size_t n_components;
} vb_surface_union;

/// Joins the surfaces, and checks them as vb_tetrahedralize_check does. Inner components that turn
/// inward are turned over. Freed by vb_surface_union_clear.
vb_status vb_surface_union_make(const vb_tetrahedralize *asked, vb_surface_union *out,
                                vb_error *error);
void vb_surface_union_clear(vb_surface_union *all);

#endif
