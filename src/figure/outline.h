// SPDX-License-Identifier: GPL-3.0-or-later
/// Computes the outline of a stretch of rod, projected along an axis.
#ifndef VB_FIGURE_OUTLINE_H
#define VB_FIGURE_OUTLINE_H

#include <stddef.h>

/// Corners of an outline, the last equal to the first.
#define VB_OUTLINE_CORNERS 35

/// The convex hull of two discs as a closed polygon, counterclockwise: the disc of radius `ra`
/// about `a` and of radius `rb` about `b` [m]. The larger disc where it holds the other. Its
/// corners lie on the hull.
void vb_outline_hull(const double a[2], double ra, const double b[2], double rb,
                     double out[VB_OUTLINE_CORNERS][2]);

#endif
