// SPDX-License-Identifier: GPL-3.0-or-later
/// Capsules (pills, in scripts and in the paper): convex hulls of two balls.
#ifndef VB_MESH_CAPSULE_H
#define VB_MESH_CAPSULE_H

#include "mesh/box_tree.h"

#include <stdbool.h>

/// A capsule. A single ball, where one ball holds the other, has no axis. Made by vb_capsule_make.
typedef struct vb_capsule {
  double a[3];     ///< center of the first ball, or of the single one, m
  double axis[3];  ///< unit vector from it to the second; zero for a single ball
  double length;   ///< distance of the centers, m; 0 for a single ball
  double r_a, r_b; ///< radii, m
  double sine;     ///< of the angle between wall and axis: (r_a - r_b) / length
  bool second;     ///< whether the single ball is the second
} vb_capsule;

/// The capsule of the balls (a, r_a) and (b, r_b).
vb_capsule vb_capsule_make(const double a[3], double r_a, const double b[3], double r_b);

/// Distance [m] of point `x` to the surface, negative inside (eq. 83, corrected). Writes the unit
/// vector away from the capsule, zero on the axis, and the place along the capsule, from 0 to 1, of
/// the ball between the two that is nearest.
double vb_capsule_distance(const vb_capsule *capsule, const double x[3], double normal[3],
                           double *place);

/// The least box that holds it.
vb_bounds vb_capsule_bounds(const vb_capsule *capsule);

#endif
