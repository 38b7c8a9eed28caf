// SPDX-License-Identifier: GPL-3.0-or-later
/// A tree of bounding boxes, which finds the items that a ray, a box or a point may intersect.
#ifndef VB_MESH_BOX_TREE_H
#define VB_MESH_BOX_TREE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The box that holds an item.
typedef struct vb_bounds {
  double low[3], high[3]; ///< m
} vb_bounds;

/// A node: a leaf holds items, any other node two nodes that lie side by side.
typedef struct vb_box_node {
  vb_bounds bounds;
  int32_t first; ///< first of its items (a place in `item`), or the first of its two nodes
  int32_t count; ///< of items; 0 where it is no leaf
} vb_box_node;

/// The tree; node 0 is its root. It is empty where there are no items.
typedef struct vb_box_tree {
  vb_box_node *node;
  size_t n_nodes;
  int32_t *item; ///< (n_items) items in the order of the leaves
  size_t n_items;
} vb_box_tree;

/// More nodes than can wait while a tree is walked depth first.
#define VB_BOX_TREE_DEPTH 64

/// Builds the tree of `n` items by halving them at the median of their middles along the longest
/// side, down to leaves of at most two. The same items give the same tree. VB_BAD_INPUT where
/// there are more items than indexes, or a bound is not finite. `*out` is freed by
/// vb_box_tree_clear.
vb_status vb_box_tree_build(const vb_bounds *bounds, size_t n, vb_box_tree *out, vb_error *error);
void vb_box_tree_clear(vb_box_tree *tree);

/// Makes the boxes of a tree hold its items where these have moved to `bounds` (n_items).
void vb_box_tree_update(vb_box_tree *tree, const vb_bounds *bounds);

/// The bounds of nothing, and their growth to hold the ball of radius `radius` about `x`.
vb_bounds vb_bounds_none(void);
void vb_bounds_grow(vb_bounds *bounds, const double x[3], double radius);

/// Whether two boxes have a point in common.
static inline bool vb_bounds_overlap(const vb_bounds *a, const vb_bounds *b) {
  for (int k = 0; k < 3; k++)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
      return false;
  return true;
}

/// The square of the distance of a point to a box [m^2], 0 inside.
static inline double vb_bounds_distance2(const vb_bounds *b, const double x[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    // Not fmax: it is a call, which took a fifth of the time of a search.
    double below = b->low[k] - x[k], above = x[k] - b->high[k], d = below > above ? below : above;
    sum += d > 0 ? d * d : 0;
  }
  return sum;
}

#endif
