// SPDX-License-Identifier: GPL-3.0-or-later
/// The matrix of `direct` for a line: eliminated from both ends of the chain to its middle, the two
/// sides side by side in a pair. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_LINE_PAIRS_H
#define VIPER_CPU_LINE_PAIRS_H

#include "viper/backend/line.h"
#include "viper/cpu/core/lanes.h"
#include "viper/method/fields.h"

#define viper_pairs_lay       VIPER_NAME(viper_pairs_lay)
#define viper_pairs_assemble  VIPER_NAME(viper_pairs_assemble)
#define viper_pairs_put_moves VIPER_NAME(viper_pairs_put_moves)
#define viper_pairs_solve     VIPER_NAME(viper_pairs_solve)

/// Gradients and packed blocks of the elements of a row, and of its nodes and frames: first of
/// inertia alone, then minus the gradient and the diagonal block of all that acts on them.
typedef struct viper_line_segment {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], packed[VIPER_SEGMENT_PACKED];
} viper_line_segment;

typedef struct viper_line_joint {
  viper_real g[VIPER_JOINT_UNKNOWNS], packed[VIPER_JOINT_PACKED];
} viper_line_joint;

typedef struct viper_line_node {
  viper_real g[4], packed[10];
} viper_line_node;

typedef struct viper_line_frame {
  viper_real g[3], packed[6];
} viper_line_frame;

/// The order in which elements around the nodes of a row, and their segments, are added: that of
/// the model.
typedef struct viper_line_order {
  viper_mask segment;  ///< where the segment before a node is added first
  viper_mask color[2]; ///< where the joint before a node, of numbers p - 2, has this color of three
} viper_line_order;

/// Where an element of the chain lies.
typedef struct viper_line_place {
  int32_t row, lane;
} viper_line_place;

typedef struct viper_pair_columns viper_pair_columns; ///< pairs_lanes.c

/// A line as `direct` sees it.
typedef struct viper_pairs {
  int32_t n, root;             ///< nodes; the one in the middle
  bool upper_first;            ///< see viper_body_group
  viper_line_place *place;     ///< [n] by number
  int32_t *node_column;        ///< [n] from the body's first
  int32_t *frame_column;       ///< [n - 1]
  viper_line_order *order;     ///< [rows]
  viper_line_segment *segment; ///< [rows], and VIPER_LINE_REACH before them
  viper_line_joint *joint;     ///< likewise
  viper_line_node *node;       ///< [rows]
  viper_line_frame *frame;     ///< [rows]
  viper_real (*node_move)[4];  ///< [rows] the solution
  viper_real (*frame_move)[3]; ///< [rows]
  double (*slope)[2];          ///< [2 n - 1] by column
  viper_pair_columns *column;
} viper_pairs;

/// Takes the memory of a chain of `n` nodes in `rows` rows from a block (viper_take).
void viper_pairs_lay(viper_pairs *p, char *block, size_t *at, int32_t n, int32_t rows);

/// Takes the columns from the rows, and begins the solution with minus the gradient.
void viper_pairs_assemble(const viper_pairs *p);

/// Writes the solution, or what it is begun with, to the rows of node_move and frame_move.
void viper_pairs_put_moves(const viper_pairs *p);

/// Factors the matrix, solves, and writes the solution to its rows. Returns gradient . move; writes
/// what negative pivots gave to it to `*shifted`.
double viper_pairs_solve(const viper_pairs *p, double *shifted);

#endif
