// SPDX-License-Identifier: GPL-3.0-or-later
/// Stages of an exact factorization (elimination.h), for parallel execution. A stage is a range of
/// columns of which none acts on another. Every block sums the contributions of earlier columns in
/// their order, so each number results from the same operations in the same order as in sequential
/// elimination.
#ifndef VIPER_LINEAR_SCHEDULE_H
#define VIPER_LINEAR_SCHEDULE_H

#include "viper/linear/elimination.h"

#include <stdbool.h>

/// What a column does to a later one by its blocks x and y, of which y is of the later column's
/// row, and x of that row or a later one: it changes block number `target`, or, where x is y, the
/// diagonal block of column number `target`.
typedef struct viper_update {
  int32_t column, x, y, target;
} viper_update;

/// Blocks that a column of a chain has at most.
#define VIPER_CHAIN_BLOCKS 3

/// Threads of a device that factor a column of a chain together: as many as it has rows in its
/// blocks, or a few more.
#define VIPER_TILE 16

// Where the numbers of a chain are: in rows of four, first the solutions of all columns, then their
// diagonal blocks (4 rows each), then the blocks.

/// A column of a chain that is factored, and the first of its panels.
typedef struct viper_forward_column {
  int32_t diagonal; ///< its first row
  int32_t block;    ///< likewise of its first block
  int32_t n_blocks;
  int32_t panel;
} viper_forward_column;

/// What is changed by one block of a column, or by its solution. A column of n blocks has n + 1
/// panels, that of the solution behind those of its blocks.
typedef struct viper_panel {
  int32_t row; ///< the first of this block, or that of the solution
  /// For each block up to this one, in the column of its row: the block of this block's row; the
  /// diagonal block, for this block itself; or the solution. Its first row, and the complement (~)
  /// for a block. Beyond this block the last one again.
  int32_t target[VIPER_CHAIN_BLOCKS];
} viper_panel;

/// Rows of a column on the way back that are noted with it.
#define VIPER_ROWS_NOTED 4

/// A column on the way back, its blocks, and the first of its rows; where it has fewer of them,
/// again its first; without any, itself.
typedef struct viper_backward_column {
  int32_t column, block, block_end, spare;
  int32_t row[VIPER_ROWS_NOTED];
} viper_backward_column;

/// A source of column c is a block of an earlier column whose row is c: by it that column acts on
/// c.
typedef struct viper_schedule {
  /// Whether no column has more blocks than VIPER_CHAIN_BLOCKS: a rod, or rods that branch.
  bool is_chain;
  int32_t n_stages, n_passes;
  int32_t *stage;           ///< [n_stages + 1] first column of each
  int32_t *submatrix_stage; ///< [submatrices + 2] first stage of each submatrix, then of the top;
                            ///< n_stages
  int32_t *column;          ///< [n_blocks] the column of each block
  int32_t *first_source;    ///< [n_columns + 1]
  int32_t *source;          ///< [n_blocks] the sources of each column, by their columns, rising
  /// For each column, row by row: for each of its sources how many blocks after it, in the same
  /// column, there is one of that row; 0 where there is none. (A column has fewer rows than 65536:
  /// its targets alone would take 8 GB.)
  int64_t *first_reach; ///< [n_columns + 1]
  uint16_t *reach;
  // The same without stages; nothing before viper_schedule_find_passes:
  /// A pass has what depends on nothing but earlier passes. Of a chain these are columns, of which
  /// no two act on the same column. Of other bodies, which have columns on which many act, these
  /// are updates, at most one of each block. All that is done to a block is done in the order of
  /// the columns.
  int32_t *pass;                 ///< [n_passes + 1] first column or update of each
  viper_forward_column *forward; ///< [n_columns] of a chain, pass by pass; else null
  viper_panel *panel;            ///< [n_panels], likewise
  viper_update *update;          ///< of other bodies, pass by pass; else null
  /// Columns of a level wait on the way back for those of earlier levels alone.
  int32_t n_levels, n_panels;
  int32_t *level;                  ///< [n_levels + 1] first of each in `backward`
  viper_backward_column *backward; ///< [n_columns]
  vb_arena memory;
} viper_schedule;

/// The schedule of an elimination. Freed by viper_schedule_destroy.
vb_status viper_schedule_create(const viper_elimination *elimination, viper_schedule **out,
                                vb_error *error);
/// Finds passes and levels, once, for devices: those of a body that is no chain take more memory
/// than the elimination itself. After an error the schedule is to be destroyed.
vb_status viper_schedule_find_passes(const viper_elimination *elimination, viper_schedule *schedule,
                                     vb_error *error);
void viper_schedule_destroy(viper_schedule *schedule);

#endif
