// SPDX-License-Identifier: GPL-3.0-or-later
/// Stages of an exact factorization (elimination.h), for parallel execution. A stage is a range of
/// columns of which none acts on another. Every block sums the contributions of earlier columns in
/// their order, so each number results from the same operations in the same order as in sequential
/// elimination.
#ifndef VIPER_LINEAR_SCHEDULE_H
#define VIPER_LINEAR_SCHEDULE_H

#include "viper/linear/elimination.h"

/// What a column does to a later one by its blocks x and y, of which y is of the later column's
/// row, and x of that row or a later one: it changes block number `target`, or, where x is y, the
/// diagonal block of column number `target`.
typedef struct viper_update {
  int32_t column, x, y, target;
} viper_update;

/// A column on the way back, and its blocks.
typedef struct viper_backward_column {
  int32_t column, block, block_end, spare;
} viper_backward_column;

/// A source of column c is a block of an earlier column whose row is c: by it that column acts on
/// c.
typedef struct viper_schedule {
  int32_t n_stages;
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
  /// A pass has updates by columns to which all has been done in earlier passes, and at most one of
  /// each block. Every block gets its updates in the order of the columns.
  int32_t n_passes;
  int32_t *pass;        ///< [n_passes + 1] first update of each
  viper_update *update; ///< pass by pass
  /// Columns of a level wait on the way back for those of earlier levels alone.
  int32_t n_levels;
  int32_t *level;                  ///< [n_levels + 1] first of each in `backward`
  viper_backward_column *backward; ///< [n_columns]
  vb_arena memory;
} viper_schedule;

/// The schedule of an elimination. Freed by viper_schedule_destroy.
vb_status viper_schedule_create(const viper_elimination *elimination, viper_schedule **out,
                                vb_error *error);
/// Finds updates and levels, once, for devices: those take more memory than the elimination itself.
/// After an error the schedule is to be destroyed.
vb_status viper_schedule_find_passes(const viper_elimination *elimination, viper_schedule *schedule,
                                     vb_error *error);
void viper_schedule_destroy(viper_schedule *schedule);

#endif
