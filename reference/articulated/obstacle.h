// SPDX-License-Identifier: GPL-3.0-or-later
/// Half-planes and colliders, where they are at some time.
#ifndef AR_OBSTACLE_H
#define AR_OBSTACLE_H

#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A half-plane, or a collider.
typedef struct ar_obstacle {
  int32_t shape; ///< of vb_collider_shape, or -1 for a half-plane
  bool inside;
  int32_t driver;     ///< -1 for none
  double point[2][3]; ///< of a half-plane: a point of it
  double axis[3];     ///< unit vector; of a half-plane its normal
  double length;      ///< of a capsule's axis, m
  double radius;      ///< m
  double friction[2]; ///< coefficients of one that sticks and of one that slides
} ar_obstacle;

/// Half-planes, then colliders.
size_t ar_obstacle_count(const vb_scene *scene);

/// Obstacle `i` where it is at `time`.
ar_obstacle ar_obstacle_at(const vb_scene *scene, size_t i, double time);

/// How deep the point `x` is in an obstacle [m], and the unit vector out of it; 0 or less where it
/// is not.
double ar_obstacle_depth(const ar_obstacle *obstacle, const double x[3], double normal[3]);

/// Where a driver's motion carries the point that is at `x` at the time `from` until `to`.
void ar_obstacle_carry(const vb_scene *scene, int32_t driver, double from, double to,
                       const double x[3], double out[3]);

#endif
