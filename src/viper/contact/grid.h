// SPDX-License-Identifier: GPL-3.0-or-later
/// The broad phase of contact: finds all pairs of overlapping spheres with uniform grids.
///
/// There is a grid for each power of two in size. A sphere is compared with those of its own grid
/// and of the coarser ones, so a sphere much larger than the others misses no pair and does not
/// slow the search. Grids are periodic and have about as many cells as spheres, whatever the extent
/// of the scene. Cells that coincide cost comparisons, but yield no false pairs. Counting,
/// scanning, filling and sorting run in parallel. Pairs are sorted, so they depend on the spheres
/// only. Time and memory are linear in spheres and pairs. The precision is single: callers round
/// spheres outwards.
#ifndef VIPER_CONTACT_GRID_H
#define VIPER_CONTACT_GRID_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct viper_sphere {
  float center[3];        ///< m; if not finite, the sphere has no pairs
  float radius;           ///< m
  int32_t body;           ///< spheres of the same body >= 0 make no pairs; with -1 all do
  uint32_t groups, meets; ///< as in vb_filter
} viper_sphere;

/// Spheres i < j that overlap: for each i the j are other[first[i]] to other[first[i + 1] - 1], in
/// ascending order.
typedef struct viper_sphere_pairs {
  const int32_t *first; ///< [spheres + 1]
  const int32_t *other; ///< [first[spheres]]
} viper_sphere_pairs;

typedef struct viper_grid viper_grid;

/// A grid for up to `n` spheres; freed by viper_grid_destroy.
vb_status viper_grid_create(size_t n, viper_grid **out, vb_error *error);
void viper_grid_destroy(viper_grid *grid);

/// Finds the pairs of `n` spheres of different bodies, or of body -1, whose groups meet. The grid
/// owns the pairs; they are valid until the next call. Fails for lack of memory, or with 2^31 pairs
/// or more.
vb_status viper_grid_pairs(viper_grid *grid, const viper_sphere *sphere, size_t n, int threads,
                           viper_sphere_pairs *pairs, vb_error *error);

/// A list of spheres, in no order; freed by the caller.
typedef struct viper_sphere_list {
  int32_t *sphere;
  size_t n, capacity;
} viper_sphere_list;

/// Appends to `out` the spheres of the latest viper_grid_pairs, as they were then, that make a pair
/// with `sphere`, the present state of sphere number `self`. False for lack of memory.
bool viper_grid_around(const viper_grid *grid, const viper_sphere *sphere, int32_t self,
                       viper_sphere_list *out);

#endif
