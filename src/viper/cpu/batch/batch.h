// SPDX-License-Identifier: GPL-3.0-or-later
/// A batch: as many bodies of one body group as there are SIMD lanes. Lanes without a body of their
/// own repeat the first one. Only for sources that end in _lanes.c.
#ifndef VIPER_CPU_BATCH_BATCH_H
#define VIPER_CPU_BATCH_BATCH_H

#include "viper/cpu/core/lanes.h"
#include "viper/method/closed_descent.h"
#include "viper/method/fields.h"

#define viper_batch_sweeps     VIPER_NAME(viper_batch_sweeps)
#define viper_batch_direct     VIPER_NAME(viper_batch_direct)
#define viper_batch_take_chain VIPER_NAME(viper_batch_take_chain)

/// Inertias as the scene gives them.
typedef struct viper_frame_rest {
  viper_real inertia; ///< about u at scale 1, kg m^2
} viper_frame_rest;

/// Rest data of elements: X(name, type, place), `solid` a segment of a body that has some of the
/// material model solid; and what block descent makes of them.
#define VIPER_REST_DATA(X)                                                                         \
  X(node_inertia, viper_node_inertia, node)                                                        \
  X(frame_rest, viper_frame_rest, segment)                                                         \
  X(moments, viper_moments, segment)                                                               \
  X(segment, viper_segment_rest, segment)                                                          \
  X(joint, viper_joint_rest, joint)                                                                \
  X(solid, viper_solid_rest, solid)
#define VIPER_SPRING_DATA(X)                                                                       \
  X(segment_spring, viper_segment_spring, segment)                                                 \
  X(joint_spring, viper_joint_spring, joint)                                                       \
  X(node_spring, viper_node_spring, node)

// An element of an array is one of the body in each lane; of uniform data, a row of scalars.
#define VIPER_ARRAY(name, type, place, set, spare) type *name;
#define VIPER_REST_ARRAY(name, type, place)        type *name;
#define VIPER_UNIFORM_ARRAY(name, type, place)     viper_scalar *name;

typedef struct viper_batch {
  const viper_body_group *group;
  int32_t body[VIPER_LANES]; ///< of the whole model
  int n_bodies;              ///< lanes in use
  VIPER_STATE_FIELDS(VIPER_ARRAY)
  VIPER_RATE_FIELDS(VIPER_ARRAY)
  VIPER_HISTORY_FIELDS(VIPER_ARRAY) ///< null without bdf2
  VIPER_SPIN_FIELDS(VIPER_ARRAY)    ///< null without a gyroscope
  viper_node_x *node_pin; ///< [n_nodes] where pinned components are held; null without pins
  viper_quat *frame_pin;  ///< [n_segments]
  // Where lanes are pinned each in its own way: 1 where they are free, else 0. Null where the
  // group's pins are those of all.
  const viper_real *node_free;  ///< [n_nodes x 4]
  const viper_real *frame_free; ///< [n_segments]
  // Rest data of each body, and of chains what block descent makes of them; null where the group is
  // uniform.
  VIPER_REST_DATA(VIPER_REST_ARRAY)
  VIPER_SPRING_DATA(VIPER_REST_ARRAY)
  viper_real *factor; ///< [VIPER_N_FACTORS] of multiples (VIPER_MULTIPLES); else null
} viper_batch;

/// Rest data of a uniform group: the scalars of the structs, one after the other.
typedef struct viper_uniform {
  VIPER_REST_DATA(VIPER_UNIFORM_ARRAY)
  VIPER_SPRING_DATA(VIPER_UNIFORM_ARRAY)
} viper_uniform;

/// What a thread needs while it works on a batch.
typedef struct viper_scratch {
  VIPER_OLD_FIELDS(VIPER_ARRAY)
  VIPER_METHOD_FIELDS(VIPER_ARRAY)
  viper_vec3 *axis;             ///< [n_segments] of `block-descent`: direction of the frames
  viper_cross_axes *hat_axes;   ///< [n_segments] likewise in fast arithmetic: viper_hat_axes_of
  viper_node_inertia *a_h2;     ///< [n_nodes] inertias over h^2
  struct viper_block *diagonal; ///< [n_columns] of `direct`
  struct viper_block *block;    ///< [n_blocks]
  struct viper_chain_node *chain_node;   ///< [n_nodes] of chains in place of these
  struct viper_chain_frame *chain_frame; ///< [n_segments]
  struct viper_chain_elements *elements;
  struct viper_slope *slope; ///< [n_columns]
  viper_real (*gradient)[4]; ///< [n_columns]
  viper_real (*move)[4];     ///< [n_columns]
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
  bool chain;      ///< VIPER_CHAIN: indexes follow from each other
  bool streams;    ///< chains are assembled while they are eliminated
  bool second;     ///< whether blocks have second derivatives (method/linearize.h)
  viper_real part; ///< 1, or 0 of a body that has none
} viper_access;

/// Takes the memory of `direct` for chains of up to `n` nodes from a block (viper_take).
void viper_batch_take_chain(viper_scratch *s, char *block, size_t *at, size_t n);

/// Moves a batch from its prediction to near the minimum of Phi.
void viper_batch_sweeps(viper_access *w, const viper_settings *settings);
void viper_batch_direct(viper_access *w, const viper_settings *settings);

#endif
