// SPDX-License-Identifier: GPL-3.0-or-later
/// A batch: as many bodies of one body group as there are SIMD lanes. Lanes without a body of their
/// own repeat the first one. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_BATCH_H
#define VIPER_CPU_BATCH_H

#include "viper/cpu/lanes.h"
#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"
#include "viper/method/newton.h"

#define viper_batch_sweeps VIPER_NAME(viper_batch_sweeps)
#define viper_batch_direct VIPER_NAME(viper_batch_direct)

/// Scalars in a struct of viper_real.

/// Inertias as the scene gives them.
typedef struct viper_frame_rest {
  viper_real inertia; ///< about u and v at scale 1, kg m^2
} viper_frame_rest;

typedef struct viper_batch {
  const viper_body_group *group;
  int32_t body[VIPER_LANES]; ///< of the whole model
  int n_bodies;              ///< lanes in use
  viper_node_x *node;        ///< [n_nodes] state
  viper_node_x *node_rate;
  viper_node_x *node_hat; ///< prediction, as if nothing were pinned
  viper_quat *frame;      ///< [n_segments]
  viper_vec3 *frame_rate;
  viper_quat *frame_hat;
  viper_node_x *node_pin; ///< [n_nodes] where pinned components are held; null without pins
  viper_quat *frame_pin;  ///< [n_segments]
  // Where lanes are pinned each in its own way: 1 where they are free, else 0. Null where the
  // group's pins are those of all.
  const viper_real *node_free;  ///< [n_nodes x 4]
  const viper_real *frame_free; ///< [n_segments]
  // Rest data of each body; null where the group is uniform.
  viper_node_inertia *node_inertia;
  viper_frame_rest *frame_rest;
  viper_segment_rest *segment;
  viper_joint_rest *joint;
} viper_batch;

/// Rest data of a uniform group: the scalars of the structs above, one after the other, and those
/// of the springs that block descent makes of them.
typedef struct viper_uniform {
  viper_scalar *node_inertia, *frame_rest, *segment, *joint;
  viper_scalar *segment_spring, *joint_spring;
} viper_uniform;

/// What a thread needs while it works on a batch.
typedef struct viper_scratch {
  viper_node_x *node_old;
  viper_quat *frame_old;
  viper_real *inertia;        ///< [n_segments] of the frames in this substep, kg m^2
  viper_node_inertia *h2a;    ///< [n_nodes] h^2 over mass and over scale inertia
  viper_real *frame_h2a;      ///< [n_segments] h^2 over inertia
  viper_real *segment_lambda; ///< [n_segments x VIPER_SEGMENT_ROWS]
  viper_real *joint_lambda;   ///< [n_joints x VIPER_JOINT_ROWS]
  viper_turn *turn;           ///< [n_joints] of `block-descent`: as of the sweep's nodes
  viper_hold *hold;           ///< [n_joints]
  viper_pull *pull;           ///< [n_joints]
  viper_inverse *inverse;     ///< [n_segments] of the frames' blocks
  viper_vec3 *axis;           ///< [n_segments] of the frames
  viper_node_x *node_sum;     ///< displacements to be averaged
  viper_vec3 *frame_sum;
  struct viper_block *diagonal; ///< [n_columns] of `direct`
  struct viper_block *block;    ///< [n_blocks]
  viper_real (*gradient)[4];    ///< [n_columns]
  viper_real (*move)[4];        ///< [n_columns]
  viper_node_x *node_start;
  viper_quat *frame_start;
} viper_scratch;

/// A batch at work.
typedef struct viper_access {
  viper_batch *batch;
  const viper_uniform *uniform;
  viper_scratch *scratch;
  const viper_model *model; ///< the group's
  const viper_adjacency *adjacency;
  const viper_elimination *elimination;
  viper_scalar h;
  bool chain; ///< VIPER_CHAIN: indexes follow from each other
} viper_access;

/// Moves a batch from its prediction to near the minimum of Phi.
void viper_batch_sweeps(viper_access *access, const viper_settings *settings);
void viper_batch_direct(viper_access *access, const viper_settings *settings);

#endif
