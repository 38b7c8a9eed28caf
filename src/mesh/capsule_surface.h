// SPDX-License-Identifier: GPL-3.0-or-later
/// Generates closed triangle meshes around capsules, along the smooth union of these.
#ifndef VB_MESH_CAPSULE_SURFACE_H
#define VB_MESH_CAPSULE_SURFACE_H

#include "mesh/capsule.h"
#include "mesh/mesh.h"

#include <stdbool.h>

/// How a surface is made.
typedef struct vb_capsule_surface {
  const vb_capsule *capsule;
  size_t n_capsules;
  double blend;   ///< m > 0: about the radius with which creases between capsules are filled
  size_t n_faces; ///< wanted
} vb_capsule_surface;

/// Distance-like field of the smooth union of at least one capsule [m], negative inside; writes its
/// gradient. With the capsules' distances d_i, their normals n_i, and weights w_i proportional to
/// exp(-d_i / blend) it is
///   m = -blend log sum exp(-d_i / blend),  the usual smooth minimum, where normals disagree, and
///   d = min d_i                            where they agree:  m + |sum w_i n_i|^8 (d - m).
/// The first makes fillets, but alone would bulge by blend log n where n capsules coincide, as
/// around their common ball. The field is from d - blend log n to d, so that no capsule sticks out
/// of it. The gradient is that of m, sum w_i n_i.
double vb_capsule_field(const vb_capsule_surface *surface, const double x[3], double gradient[3]);

/// Makes the surface: a lattice of cubes, whose size is chosen such that the number of triangles
/// comes within 3 % of the wanted one; a vertex in each cube for each sheet of the surface through
/// it, moved onto the surface; a quadrangle around each edge of the lattice through the surface,
/// cut along its shorter diagonal. It is closed: each edge has two triangles, which turn outward.
/// `out->vertex` and `out->triangle` alone are filled; freed by vb_mesh_clear. VB_BAD_INPUT where
/// there are no capsules, the blend is not positive, fewer than 100 or more than 10 million faces
/// are wanted, these are too few to resolve the capsules, or the time is over (base/time_limit.h).
vb_status vb_capsule_surface_make(const vb_capsule_surface *surface, vb_mesh *out, vb_error *error);

#endif
