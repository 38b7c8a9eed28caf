// SPDX-License-Identifier: GPL-3.0-or-later
/// The broad phase: all pairs of spheres that overlap, by uniform grids.
///
/// A grid for each power of two that sizes differ by, so that a sphere much larger than the rest
/// costs nothing and loses no pair: a sphere looks among those of its own grid and of the coarser
/// ones. Grids are periodic: whatever is where, they have about as many cells as spheres; cells
/// that fall together cost comparisons, never pairs. Count, scan, fill and sort run in parallel;
/// the list of pairs does not depend on the number of threads. Time and memory are linear in
/// spheres and pairs. Single precision: spheres are to be rounded outwards.
#ifndef VIPER_CONTACT_GRID_H
#define VIPER_CONTACT_GRID_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct viper_sphere {
  float center[3];        ///< m; where it is not finite the sphere has no pairs
  float radius;           ///< m
  int32_t body;           ///< spheres of one body >= 0 make no pairs; -1: all do
  uint32_t groups, meets; ///< as in vb_filter
} viper_sphere;

/// Spheres i < j that overlap.
typedef struct viper_sphere_pair {
  int32_t i, j;
} viper_sphere_pair;

typedef struct viper_grid viper_grid;

/// A grid for up to `n` spheres; freed by viper_grid_destroy.
vb_status viper_grid_create(size_t n, viper_grid **out, vb_error *error);
void viper_grid_destroy(viper_grid *grid);

/// Finds the pairs among `n` spheres. `*pairs` belongs to the grid and is good until the next call;
/// they are ordered by the place of their spheres in the grid. Fails only for want of memory.
vb_status viper_grid_pairs(viper_grid *grid, const viper_sphere *sphere, size_t n, int threads,
                           const viper_sphere_pair **pairs, size_t *n_pairs, vb_error *error);

#endif
