// SPDX-License-Identifier: GPL-3.0-or-later
/// A tree of bounding boxes with four branches a node, whose boxes a ray is compared with at once.
#ifndef VB_RENDER_RAY_TREE_H
#define VB_RENDER_RAY_TREE_H

#include "mesh/box_tree.h"

enum { VB_RAY_BRANCHES = 4 };

/// Four boxes, relative to the tree's middle and rounded outward, and what is in them.
typedef struct vb_ray_node {
  float side[3][2][VB_RAY_BRANCHES]; ///< low and high along each axis, m; low > high: no branch
  int32_t first[VB_RAY_BRANCHES];    ///< first of its items (a place in `item`), or its node
  int32_t count[VB_RAY_BRANCHES];    ///< of items; 0 for a node
} vb_ray_node;

/// The tree; node 0 is its root. It is empty where there are no items.
typedef struct vb_ray_tree {
  vb_ray_node *node;
  int32_t *item; ///< (n_items) items in the order of the leaves
  size_t n_items;
  vb_bounds bounds; ///< of all, enlarged by `margin`
  double middle[3]; ///< m
  double margin;    ///< m; more than what rounding to float displaces a ray by within the bounds
} vb_ray_tree;

/// More branches than can wait while a tree is walked depth first.
enum { VB_RAY_TREE_WAITING = 192 };

/// Builds the tree of `n` items. A node's items are parted where the sum of areas times numbers of
/// items of the parts' boxes is least, of 16 places along the longest side of their middles. The
/// same items give the same tree. VB_BAD_INPUT where there are more items than indexes, or a bound
/// is not finite. `*out` is freed by vb_ray_tree_clear.
vb_status vb_ray_tree_build(const vb_bounds *bounds, size_t n, vb_ray_tree *out, vb_error *error);
void vb_ray_tree_clear(vb_ray_tree *tree);

#endif
