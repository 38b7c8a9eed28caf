// SPDX-License-Identifier: GPL-3.0-or-later
/// Order and fill of the exact factorization: blocks of L D L^T over nodes (4 unknowns) and frames
/// (3 unknowns), leaf to root along the graph. A chain becomes a band; a tree has no fill beyond
/// that of its chains; a loop carries the columns of the node it is closed at.
#ifndef VIPER_LINEAR_ELIMINATION_H
#define VIPER_LINEAR_ELIMINATION_H

#include "base/arena.h"
#include "viper/model/model.h"

#define VIPER_MAX_PARTITIONS 2
#define VIPER_TOP            255
/// Nodes from which on a body is divided: some ms of work, against some us for a barrier.
#define VIPER_DIVIDED_NODES 4096

/// Submatrices of an order: no column of one acts on a column of another. Behind them is the top,
/// on which all act. One submatrix and an empty top, but of a large body whose order is dissected
/// for a device.
typedef struct viper_submatrices {
  int32_t n;
  int32_t *first; ///< [n + 2] first column of each, then of the top, then the number of columns
  /// Room for the columns of the top and of any one submatrix, and for their blocks.
  size_t room_columns, room_blocks;
} viper_submatrices;

/// A vertex is a node (its index) or a frame (n_nodes + the segment's index). A column is a
/// vertex's place in the order; the columns of a body are contiguous and begin at first_node +
/// first_segment. A block couples a column with the later column `row`. A block reference is the
/// block's index where the first vertex of the pair is the row, and its complement (~) where the
/// second is.
typedef struct viper_elimination {
  int32_t *column_of;    ///< [n_columns] by vertex
  int32_t *first_block;  ///< [n_columns + 1] first block of each column
  int32_t *row;          ///< [n_blocks] rows, increasing within a column
  int64_t *first_target; ///< [n_columns + 1]
  int32_t *target; ///< for each column, for i, for j < i of its rows: the block (row i, col row j)
  int32_t (*segment)[3]; ///< [n_segments] block references of (b, a), (frame, a), (frame, b)
  int32_t (*joint)[6];   ///< [n_joints] of (j, n), (k, n), (k, j), (prev, n), (next, n), (next,
                         ///< prev); the last three only where outer scales count
  /// Large bodies fall into partitions that do not meet before their last columns, the top: what
  /// threads can factor at the same time. Of a body that is not divided all is partition 0.
  int32_t *top;       ///< [n_bodies] first column of the top, or the end of the body's columns
  uint8_t *partition; ///< [n_columns] below VIPER_MAX_PARTITIONS; of the top VIPER_TOP
  int32_t n_nodes;    ///< vertices from here on are frames
  size_t n_columns, n_blocks;
  viper_submatrices submatrices;
  vb_arena memory;
} viper_elimination;

/// Analyzes the model. Freed by viper_elimination_destroy.
vb_status viper_elimination_create(const viper_model *model, viper_elimination **out,
                                   vb_error *error);
void viper_elimination_destroy(viper_elimination *elimination);

#endif
