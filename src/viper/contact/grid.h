// SPDX-License-Identifier: GPL-3.0-or-later
/// The broad phase of contact: finds all pairs of overlapping spheres with uniform grids.
///
/// A grid for each power of two that sizes differ by, so that a sphere much larger than the rest
/// costs nothing and loses no pair: a sphere looks among those of its own grid and of the coarser
/// ones. Grids are periodic: whatever is where, they have about as many cells as spheres; cells
/// that fall together cost comparisons, never pairs. Count, scan, fill and sort run in parallel;
/// the pairs are sorted, so that they depend on the spheres alone. Time and memory are linear in
/// spheres and pairs. Single precision: spheres are to be rounded outwards.
#ifndef VIPER_CONTACT_GRID_H
#define VIPER_CONTACT_GRID_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct viper_sphere {
  float center[3];        ///< m; where it is not finite the sphere has no pairs
  float radius;           ///< m
  int32_t body;           ///< spheres of one body >= 0 make no pairs; -1: all do
  uint32_t groups, meets; ///< as in vb_filter
} viper_sphere;

/// Spheres i < j that overlap: for each i the j's, rising, are other[first[i]] to
/// other[first[i + 1] - 1].
typedef struct viper_sphere_pairs {
  const int32_t *first; ///< [spheres + 1]
  const int32_t *other; ///< [first[spheres]]
} viper_sphere_pairs;

typedef struct viper_grid viper_grid;

/// A grid for up to `n` spheres; freed by viper_grid_destroy.
vb_status viper_grid_create(size_t n, viper_grid **out, vb_error *error);
void viper_grid_destroy(viper_grid *grid);

/// Finds the pairs of `n` spheres that are of different bodies, or of body -1, and whose groups
/// meet. They belong to the grid, until it is asked again. Fails without memory, or with 2^31 pairs
/// and more.
vb_status viper_grid_pairs(viper_grid *grid, const viper_sphere *sphere, size_t n, int threads,
                           viper_sphere_pairs *pairs, vb_error *error);

/// Spheres that were found, in no order; freed by the caller.
typedef struct viper_sphere_list {
  int32_t *sphere;
  size_t n, capacity;
} viper_sphere_list;

/// Appends to `out` the spheres of the latest viper_grid_pairs, as they were then, that make a pair
/// with another one: with sphere number `self` as it is now. False without memory.
bool viper_grid_around(const viper_grid *grid, const viper_sphere *sphere, int32_t self,
                       viper_sphere_list *out);

#endif
