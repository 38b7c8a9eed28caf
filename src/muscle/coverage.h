// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: which part of a muscle no rod fills.
#ifndef VB_MUSCLE_COVERAGE_H
#define VB_MUSCLE_COVERAGE_H

#include "muscle/viperize.h"

/// Fills `empty` and `hole` of rods whose points and radii are known: a tetrahedron is empty where
/// its middle is farther than two radii from the axis of every rod. Rods of equal cells leave gaps
/// and corners nearer than that; a head of the muscle without a source does not. Returns the volume
/// of those between the first and the last slice [m^3], which the rods of these slices should not
/// make up for. `ratio` is room for n_tetrahedra numbers. The same for any number of threads.
double vb_coverage_find(const vb_mesh *mesh, vb_muscle_rods *rods, double *ratio);

#endif
