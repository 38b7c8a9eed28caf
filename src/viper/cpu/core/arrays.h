// SPDX-License-Identifier: GPL-3.0-or-later
/// Arrays over a whole model in the working precision, one entry per element, which single bodies
/// share with the rest of the CPU backend.
#ifndef VIPER_CPU_CORE_ARRAYS_H
#define VIPER_CPU_CORE_ARRAYS_H

#include "viper/cpu/core/lanes.h"
#include "viper/method/fields.h"
#include "viper/model/adjacency.h"

/// Rows of scalars. Behind the last segment and the last joint is one without stiffness, behind the
/// last frame a row of zeros, which nothing changes.
struct viper_arrays {
  const viper_model *model;
  const viper_adjacency *adjacency;     ///< for `block-descent` and `jacobi-published`
  const viper_elimination *elimination; ///< for `direct`
  // The fields: rows of their types' numbers. Those of `state` and what else lasts are viper_cpu's.
#define VIPER_ROWS(name, type, place, set, spare) viper_scalar *name;
  VIPER_STATE_FIELDS(VIPER_ROWS)
  VIPER_RATE_FIELDS(VIPER_ROWS)
  VIPER_HISTORY_FIELDS(VIPER_ROWS) ///< null without bdf2
  VIPER_SPIN_FIELDS(VIPER_ROWS)    ///< null without a gyroscope
  VIPER_OLD_FIELDS(VIPER_ROWS)
  VIPER_METHOD_FIELDS(VIPER_ROWS)
#undef VIPER_ROWS
  viper_scalar *active;        ///< [n_segments + 1 x 2]: viper_contraction; null without any
  viper_scalar *turned_node;   ///< [n_nodes x 4] accelerations by loads that turn, of centers and
                               ///< scales; null without any
  viper_scalar *turned_frame;  ///< [n_segments x 3] torques by them
  viper_scalar *held;          ///< [n_segments + 1 x 7]: viper_held; null without any
  const viper_scalar *bending; ///< [n_joints + 1 x 4]: viper_bending; null without any
  const viper_scalar *fused;   ///< [n_joints + 1 x 2]: viper_fused; null without any
  const viper_scalar *moments; ///< [n_segments x 2]: viper_moments; null where all are discs
  const viper_scalar *node_inertia; ///< [n_nodes x 2]: mass, scale inertia
  const viper_scalar *segment;      ///< [n_segments + 1 x 5]: viper_segment_rest
  const viper_scalar *solid;        ///< [n_segments + 1 x 4]: viper_solid_rest; null without any
  const viper_scalar *joint;        ///< [n_joints + 1 x 16]: viper_joint_rest; for `direct`
                             ///< [16 x joint_stride], since it goes through them in their order
  size_t joint_stride;      ///< n_joints and a vector more
  const double *pin_target; ///< [n_pins x 4] in this substep: see viper_boundary
  const double *follow;     ///< [n_follows x 12] likewise; null where no node follows drivers
  // Of `direct`:
  const uint8_t *node_pinned, *frame_pinned;    ///< [n_nodes], [n_segments] and a vector of lanes
                                                ///< more: whether an unknown is pinned
  const uint8_t *segment_pinned, *joint_pinned; ///< likewise, whether one is among theirs
  viper_scalar *value;                          ///< [n_nodes + n_segments + n_joints]
  const struct viper_panels *panels;            ///< where the factor is not kept, else null
  viper_scalar *diagonal, *block; ///< [n_columns x 16], [n_blocks x 16]; null with panels
  viper_scalar *gradient, *move;  ///< [n_columns x 4]
  double *slope;                  ///< [VIPER_MAX_PARTITIONS + 1 x 2] (viper_slope)
};

#endif
