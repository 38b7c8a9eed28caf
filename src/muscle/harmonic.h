// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: the harmonic field between two ends.
#ifndef VB_MUSCLE_HARMONIC_H
#define VB_MUSCLE_HARMONIC_H

#include "muscle/viperize.h"

/// Solves Laplace's equation by linear tetrahedra, 0 at the source, 1 at the sink, no flux through
/// the rest of the boundary: `field` (n_vertices), from 0 to 1. VB_BAD_INPUT as vb_viperize_run.
vb_status vb_harmonic_solve(const vb_viperize *asked, double *field, vb_error *error);

/// Writes the gradient of a field (n_vertices) in each tetrahedron (n_tetrahedra x 3) [1/m];
/// exactly 0 where its four values are equal.
void vb_harmonic_gradient(const vb_mesh *mesh, const double *field, double (*out)[3]);

#endif
