// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the broad phase: the data of the grid, for grid.c (sorts spheres into cells) and
/// grid_pairs.c (finds pairs).
#ifndef VIPER_CONTACT_GRID_INTERNAL_H
#define VIPER_CONTACT_GRID_INTERNAL_H

#include "base/arena.h"
#include "viper/contact/grid.h"

enum {
  VIPER_GRID_LEVELS = 24, ///< the finest also holds all smaller spheres
  VIPER_GRID_CHUNK = 128, ///< spheres per unit of work of a thread
  VIPER_GRID_WIDTH = 4    ///< spheres that are compared with one in a vector
};

/// A periodic grid. Its cells are as wide as the largest sphere that it may hold.
typedef struct viper_grid_level {
  double inverse;  ///< 1 / width of a cell, 1/m
  int32_t mask[3]; ///< cells along each axis (a power of two) minus 1
  int shift[2];    ///< log2 of cells in a row, and in a layer
  int32_t first;   ///< its first cell
  size_t n;        ///< spheres
  double low[3], high[3];
} viper_grid_level;

/// Pairs that a thread found, in no order.
typedef struct viper_pair_buffer {
  int32_t (*pair)[2];
  size_t n, capacity;
} viper_pair_buffer;

/// Spheres in the order of cells, component by component, padded by spheres without radius.
typedef struct viper_sorted_spheres {
  float *x, *y, *z, *r; ///< [n + VIPER_GRID_WIDTH]
  int32_t *body;
  uint32_t *groups, *meets;
} viper_sorted_spheres;

struct viper_grid {
  size_t capacity; ///< spheres
  int32_t n;       ///< of the latest call
  viper_grid_level level[VIPER_GRID_LEVELS];
  uint8_t *level_of; ///< [n]
  int32_t *cell_of;  ///< [n]
  int32_t *start;    ///< [cells + 1] first sphere of each cell, in the order of cells
  size_t start_capacity;
  int32_t *order;              ///< [n] spheres in the order of cells
  viper_sorted_spheres sorted; ///< likewise
  viper_pair_buffer *buffer;   ///< [n_buffers], one for each thread
  int n_buffers;
  size_t buffer_capacity;
  int32_t *first; ///< [n + 2] as in viper_sphere_pairs
  int32_t *other;
  size_t other_capacity;
  vb_arena memory; ///< all arrays except those that grow: start, buffers and other
};

/// Coordinate of the cell of `x`, before it is wrapped.
static inline int64_t viper_grid_along(const viper_grid_level *l, float x) {
  // floor would be a function call on old processors.
  double at = (double)x * l->inverse;
  if (!(at > -1e15 && at < 1e15))
    return 0; // farther coordinates and NaN have no pairs
  int64_t whole = (int64_t)at;
  return whole - ((double)whole > at);
}

/// The cell at wrapped coordinates.
static inline int32_t viper_grid_cell(const viper_grid_level *l, int64_t x, int64_t y, int64_t z) {
  return l->first + ((int32_t)(x & l->mask[0]) | (int32_t)(y & l->mask[1]) << l->shift[0] |
                     (int32_t)(z & l->mask[2]) << l->shift[1]);
}

/// Sorts numbers in ascending order.
void viper_grid_sort(int32_t *number, int32_t n);

/// Finds the pairs of the `n` spheres that were sorted into cells. False for lack of memory, or if
/// there are too many.
bool viper_grid_find_pairs(viper_grid *grid, int32_t n, int threads);

#endif
