// SPDX-License-Identifier: GPL-3.0-or-later
/// Arrays over a whole model in the working precision, one entry per element, which single bodies
/// share with the rest of the CPU backend.
#ifndef VIPER_CPU_ARRAYS_H
#define VIPER_CPU_ARRAYS_H

#include "viper/cpu/lanes.h"
#include "viper/energy/real.h"
#include "viper/model/adjacency.h"

/// Rows of scalars. Behind the last segment and the last joint is one without stiffness, behind the
/// last frame a row of zeros, which nothing changes.
struct viper_arrays {
  const viper_model *model;
  const viper_adjacency *adjacency;     ///< for `block-descent` and `jacobi-published`
  const viper_elimination *elimination; ///< for `direct`
  viper_scalar *node, *node_hat;        ///< [n_nodes x 4]: center, scale
  viper_scalar *frame, *frame_hat;      ///< [n_segments + 1 x 4]: w, x, y, z
  viper_scalar *node_old, *frame_old;   ///< before the substep
  viper_scalar *node_rate, *frame_rate; ///< [n_nodes x 4], [n_segments x 3]
  const viper_scalar *node_inertia;     ///< [n_nodes x 2]: mass, scale inertia
  const viper_scalar *segment;          ///< [n_segments + 1 x 5]: viper_segment_rest
  const viper_scalar *joint;            ///< [n_joints + 1 x 16]: viper_joint_rest; for `direct`
                             ///< [16 x joint_stride], since it goes through them in their order
  size_t joint_stride;      ///< n_joints and a vector more
  viper_scalar *inertia;    ///< [n_segments] of frames about u and v in this substep
  const double *pin_target; ///< [n_pins x 4] in this substep: see viper_boundary
  // Of `xpbd` and `jacobi-published`:
  viper_scalar *h2a;                           ///< [n_nodes x 2]: h^2 over mass, over scale inertia
  viper_scalar *frame_h2a;                     ///< [n_segments]
  viper_scalar *segment_lambda, *joint_lambda; ///< [n_segments x 8], [n_joints x 6]
  viper_scalar *node_sum, *frame_sum;          ///< [n_nodes x 4], [n_segments x 3]
  // Of `block-descent`, and frame_sum:
  viper_scalar *turn, *hold, *pull; ///< [n_joints + 1 x 7], [.. x 5], [.. x 2]; the last are 0
  viper_scalar *inverse;            ///< [n_segments x 3]: viper_inverse
  // Of `direct`:
  const uint8_t *node_pinned, *frame_pinned;    ///< [n_nodes], [n_segments] and a vector of lanes
                                                ///< more: whether an unknown is pinned
  const uint8_t *segment_pinned, *joint_pinned; ///< likewise, whether one is among theirs
  viper_scalar *node_start, *frame_start;       ///< where the line search starts
  viper_scalar *value;                          ///< [n_nodes + n_segments + n_joints]
  const struct viper_panels *panels;            ///< where the factor is not kept, else null
  viper_scalar *diagonal, *block; ///< [n_columns x 16], [n_blocks x 16]; null with panels
  viper_scalar *gradient, *move;  ///< [n_columns x 4]
  double *slope;                  ///< [VIPER_MAX_PARTITIONS + 1]
};

#endif
