// SPDX-License-Identifier: GPL-3.0-or-later
/// The system of an iteration where links form a tree and nothing else couples bones: eliminated
/// from the leaves to the root, each bone together with the rows of the link to its parent. A block
/// is that of the motions of a bone and all behind it while the rest stays, so that it is regular,
/// with as many negative eigenvalues as rows, wherever the whole is the matrix of a least point.
#ifndef AR_TREE_H
#define AR_TREE_H

#include "links.h"

/// The most rows of a link, unknowns and rows of a bone, and their right sides: six against its
/// parent, its own, and one of zeros.
enum { AR_BRANCH_ROWS = 3 + AR_MOST_VALUES, AR_BRANCH = 6 + AR_BRANCH_ROWS, AR_COLUMNS = 8 };

/// A bone and the link to its parent.
typedef struct ar_branch {
  int32_t parent;                       ///< -1 for none: the world, a driver or nothing
  int32_t link;                         ///< -1 for none
  int side;                             ///< of the link that the bone is
  size_t n_rows;                        ///< of the link
  double matrix[AR_BRANCH][AR_BRANCH];  ///< of the bone's turn and shift, then of the rows
  double coupling[AR_BRANCH][6];        ///< against the parent's turn and shift
  double solved[AR_BRANCH][AR_COLUMNS]; ///< the block's inverse times `coupling` and the right side
} ar_branch;

typedef struct ar_tree {
  size_t n;          ///< bones; 0 where links form no tree
  int32_t *order;    ///< (n) parents before their children
  ar_branch *branch; ///< (n) by bone
} ar_tree;

/// Finds the tree of the links, in which the world and all drivers count as one bone. Where they
/// form none, or not one of all bones, there are no bones in it. Freed by ar_tree_clear.
vb_status ar_tree_create(const ar_links *links, ar_tree *out, vb_error *error);
void ar_tree_clear(ar_tree *tree);

/// Sets all matrices to 0 but for the rows of links at these poses.
void ar_tree_begin(ar_tree *tree, const ar_links *links, const ar_pose *bones);

/// Solves [Q C^T; C 0] (s, multipliers) = right, in place, `right` being of 6 n_bones unknowns and
/// the rows of `links`; the first 6 x 6 numbers of each matrix are Q's, and what is between the
/// turns of linked bones is in `coupling`. Overwrites the matrices. Writes whether the matrix is
/// that of a least point. Returns false, with `right` as it was, where a block is singular.
bool ar_tree_solve(ar_tree *tree, const ar_links *links, double *right, bool *least);

#endif
