// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/muscle: the levels of slices that are equally far apart along the fibers.
#ifndef VB_MUSCLE_LEVELS_H
#define VB_MUSCLE_LEVELS_H

#include "muscle/viperize.h"

/// Writes `n` levels of a harmonic field (n_vertices, from 0 to 1), rising, that are equally far
/// apart, and the first and the last a quarter of that from the ends: an isosurface at an end would
/// consist of the mesh's own triangles. The distance of two levels is their mean distance along the
/// gradient's lines, each line weighing what flows along it. The flux Q through every isosurface is
/// the same, so that
///   ds/dphi = integral (1/|grad phi|) |grad phi| dA / Q = A(phi) / Q
/// with the area A of the isosurface: parts of the mesh without flux do not count. Fails for want
/// of memory, and VB_FAILED where the time is over (base/time_limit.h).
vb_status vb_levels_choose(const vb_mesh *mesh, const double *field, size_t n, double *level,
                           vb_error *error);

/// The index of the first of `n` rising levels that is more than `t`; n where none is.
size_t vb_levels_next(const double *level, size_t n, double t);

#endif
