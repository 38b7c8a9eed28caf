// SPDX-License-Identifier: GPL-3.0-or-later
/// Directions of a muscle's fibers: along the gradient of the harmonic field (Choi and Blemker
/// 2013).
#ifndef VB_MUSCLE_FIBERS_H
#define VB_MUSCLE_FIBERS_H

#include "muscle/viperize.h"

/// Writes a unit vector for each tetrahedron of `asked->mesh` (n_tetrahedra x 3), from its source
/// to its sink: the gradient of the harmonic field, which is constant in it. Where the field is
/// constant, within an end, the direction is the mean of those around. Counts of rods and slices
/// do not matter. VB_BAD_INPUT as vb_viperize_run where an end is empty or not reached.
vb_status vb_fiber_run(const vb_viperize *asked, double (*direction)[3], vb_error *error);

#endif
