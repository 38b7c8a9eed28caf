// SPDX-License-Identifier: GPL-3.0-or-later
/// Muscles as rods: from tetrahedra to rods from a source to a sink (Angles et al. 2019, section 8;
/// Choi and Blemker 2013 for the harmonic field).
#ifndef VB_MUSCLE_VIPERIZE_H
#define VB_MUSCLE_VIPERIZE_H

#include "mesh/mesh.h"

#include <stdbool.h>

/// What is asked.
typedef struct vb_viperize {
  const vb_mesh *mesh; ///< tetrahedra; borrowed
  const bool *source;  ///< (n_vertices) where the field is 0
  const bool *sink;    ///< (n_vertices) where it is 1
  int32_t n_rods;      ///< from 1 on
  int32_t n_slices;    ///< from 2 on: points of each rod
  uint64_t seed;       ///< of the first points; 0 for the usual ones
} vb_viperize;

/// The rods. Point j of rod i is at [i * n_slices + j].
typedef struct vb_muscle_rods {
  double (*point)[3]; ///< m
  double *radius;     ///< (n_rods * n_slices) as points; equal in a part of a slice, m
  int32_t *part;      ///< likewise, the connected part of its slice, from 0 on
  double *level;      ///< (n_slices) value of the field, rising
  double *area;       ///< (n_slices) m^2
  double *field;      ///< (n_vertices) the harmonic field
  double length;      ///< of all rods, m
  double volume;      ///< of all rods, m^3: that of the mesh, less what is empty between slices
  double empty;       ///< share of the mesh's volume that is farther than two radii from any rod
  double hole[3];     ///< where it is farthest, in radii; 0 where nothing is empty, m
  double
      spread; ///< greatest deviation of a distance to the nearest point from the mean in its part
  int32_t n_rods, n_slices;
  int32_t n_parts; ///< most in a slice: more than 1 where a muscle has several heads
} vb_muscle_rods;

/// Solves for the field, cuts it into slices, spreads points over them, and joins these to rods.
/// Where a muscle branches, slices have several parts; rods are distributed over them by area where
/// they divide, and go through connected ones alone. The same for any number of threads.
/// VB_BAD_INPUT where an end is empty or both share a vertex, or a part of the mesh touches no end,
/// with the place; VB_FAILED where the time is over (base/time_limit.h). Freed by
/// vb_muscle_rods_clear.
vb_status vb_viperize_run(const vb_viperize *asked, vb_muscle_rods *out, vb_error *error);
void vb_muscle_rods_clear(vb_muscle_rods *rods);

/// The isosurface of a field (n_vertices) at `level`: vertices and triangles of `out` alone, each
/// triangle with vertices of its own. Fails for want of memory alone. Freed by vb_mesh_clear.
vb_status vb_viperize_slice(const vb_mesh *mesh, const double *field, double level, vb_mesh *out,
                            vb_error *error);

#endif
