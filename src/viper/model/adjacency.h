// SPDX-License-Identifier: GPL-3.0-or-later
/// Element adjacency, and the visiting order for block descent: the segments and joints at each
/// node, and the joints at each frame. Indexes are the model's.
#ifndef VIPER_MODEL_ADJACENCY_H
#define VIPER_MODEL_ADJACENCY_H

#include "viper/model/model.h"

/// Elements that act on a node or a frame, sorted by role: a node is a segment's end 0 or 1, or
/// before (0), at (1) or after (2) a joint (before and after only if a term depends on them); a
/// frame is side 0 or 1 of a joint. Those of row `i` and role `r`, with R roles, are
/// element[first[R i + r]] to element[first[R i + r + 1] - 1], in ascending order.
typedef struct viper_table {
  int32_t *first;
  int32_t *element;
} viper_table;

/// The number of terms with a stiffness that act on the unknowns of a node and of a frame: the
/// divisor of `jacobi-published` (at least 1).
typedef struct viper_counts {
  int32_t center, scale;
} viper_counts;

typedef struct viper_adjacency {
  viper_table node_segment; ///< by node, 2 roles
  viper_table node_joint;   ///< by node, 3 roles
  viper_table frame_joint;  ///< by segment, 2 roles
  int32_t *node_order;      ///< nodes sorted by body, then color; those of one color share no term
  int32_t *frame_order;     ///< the same for frames
  /// Ranges of node_order (joints 0) and frame_order (joints 1): for each body its nodes color by
  /// color, then its frames.
  viper_phase *phase;
  int32_t *body_phase;      ///< [n_bodies + 1] into phase
  viper_counts *node_count; ///< [n_nodes]
  int32_t *frame_count;     ///< [n_segments]
  vb_arena memory;          ///< all arrays
} viper_adjacency;

/// Computes the adjacency of a model. Freed by viper_adjacency_destroy.
vb_status viper_adjacency_create(const viper_model *model, viper_adjacency **out, vb_error *error);
void viper_adjacency_destroy(viper_adjacency *adjacency);

#endif
