// SPDX-License-Identifier: GPL-3.0-or-later
/// What a team works on a body with, near to it: in shared memory where that has room, else in the
/// device's memory.
#ifndef VIPER_CUDA_CORE_WORKSPACE_H
#define VIPER_CUDA_CORE_WORKSPACE_H

#include "viper/backend.h"
#include "viper/model/body_groups.h"
#include "viper/method/newton.h"

/// Arrays that a method does not need have no room of their own.
typedef struct viper_near {
  viper_real *node, *node_hat;   ///< [n_nodes x 4]
  viper_real *frame, *frame_hat; ///< [n_segments x 4]
  viper_real *node_sum;          ///< [n_nodes x 4] of `jacobi-published`
  viper_real *inertia;           ///< [n_segments] of frames about u and v in this substep
  viper_real *h2a;               ///< [n_nodes x 2] h^2 over mass, over scale inertia
  viper_real *frame_h2a;         ///< [n_segments]
  viper_real *segment_lambda;    ///< [n_segments x VIPER_SEGMENT_ROWS]
  viper_real *joint_lambda;      ///< [n_joints x VIPER_JOINT_ROWS]
  viper_real *frame_sum;         ///< [n_segments x 3] of `jacobi-published` and `block-descent`
  // Of `block-descent`, the notes of its joints and frames:
  viper_turn *turn;       ///< [n_joints]
  viper_hold *hold;       ///< [n_joints]
  viper_pull *pull;       ///< [n_joints]
  viper_inverse *inverse; ///< [n_segments]
  // Of `direct`:
  viper_real *node_start, *frame_start; ///< like node and frame: where a step or a choice starts
  viper_real *gradient, *move;          ///< [n_columns x 4] (viper/linear/elimination.h)
  viper_real *diagonal;                 ///< [columns x 16] of the matrix that is held
  viper_real *block;                    ///< [blocks x 16]
  viper_real *value;                    ///< [viper_most_values] of elements that are summed
  viper_real *slope;                    ///< [n_columns x 2] a pair each (viper/cuda/core/pair.h)
  viper_real *partial;                  ///< [viper_partial_sums x 2] pairs
} viper_near;

/// How many there are of a body; columns and blocks are those that its elimination needs room for
/// (viper_pieces).
typedef struct viper_near_size {
  size_t nodes, segments, joints, columns, blocks;
} viper_near_size;

/// Those of a kind's bodies.
static inline viper_near_size viper_near_size_of_kind(const viper_kind *kind) {
  const viper_model *m = kind->model;
  viper_near_size size = {m->n_nodes, m->n_segments, m->n_joints, 0, 0};
  if (kind->elimination) {
    size.columns = kind->elimination->pieces.room_columns;
    size.blocks = kind->elimination->pieces.room_blocks;
  }
  return size;
}

/// Numbers in the notes of a joint.
#define VIPER_NOTES_OF_JOINT                                                                       \
  ((sizeof(viper_turn) + sizeof(viper_hold) + sizeof(viper_pull)) / sizeof(viper_real))

/// So many values are summed one after the other; more of them in rows of VIPER_PART.
#define VIPER_ROW  1024
#define VIPER_PART 32

/// Sums on the way to that of `n` values.
VIPER_FN size_t viper_partial_sums(size_t n) {
  size_t sums = 0;
  for (; n > VIPER_ROW; sums += n)
    n = (n + VIPER_PART - 1) / VIPER_PART;
  return sums;
}

/// The longest list of values that is summed: of segments and nodes, or of segments and joints.
VIPER_FN size_t viper_most_values(viper_near_size of) {
  return of.segments + (of.nodes > of.joints ? of.nodes : of.joints);
}

/// Numbers that `direct` needs besides those of the state.
VIPER_FN size_t viper_direct_reals(viper_near_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  return 4 * columns + 8 * columns + 16 * (of.columns + of.blocks) + values + 2 * columns +
         2 * viper_partial_sums(values);
}

/// Numbers that a method needs near a body.
VIPER_FN size_t viper_near_reals(viper_method method, viper_near_size of) {
  size_t n = of.nodes, s = of.segments, t = of.joints, reals = 8 * n + 9 * s;
  size_t multipliers = 2 * n + (1 + VIPER_SEGMENT_ROWS) * s + VIPER_JOINT_ROWS * t;
  if (method == VIPER_XPBD)
    reals += multipliers;
  else if (method == VIPER_JACOBI_PUBLISHED)
    reals += multipliers + 4 * n + 3 * s;
  else if (method == VIPER_BLOCK_DESCENT)
    reals += VIPER_NOTES_OF_JOINT * t + (3 + sizeof(viper_inverse) / sizeof(viper_real)) * s;
  else
    reals += viper_direct_reals(of);
  return (reals + 3) / 4 * 4; // rows of four stay aligned for the next body
}

/// Lays out what `direct` needs from `at` on, rows of four first.
VIPER_FN void viper_near_direct(viper_near *near, viper_real *at, viper_near_size of) {
  size_t columns = of.nodes + of.segments;
  near->node_start = at;
  near->frame_start = near->node_start + 4 * of.nodes;
  near->gradient = near->frame_start + 4 * of.segments;
  near->move = near->gradient + 4 * columns;
  near->diagonal = near->move + 4 * columns;
  near->block = near->diagonal + 16 * of.columns;
  near->slope = near->block + 16 * of.blocks;
  near->partial = near->slope + 2 * columns;
  near->inertia = near->partial + 2 * viper_partial_sums(viper_most_values(of));
  near->value = near->inertia + of.segments;
}

/// Lays them out from `at` on, rows of four first.
VIPER_FN viper_near viper_near_at(viper_method method, viper_real *at, viper_near_size of) {
  size_t n = of.nodes, s = of.segments, t = of.joints;
  viper_near near;
  near.node = at;
  near.node_hat = near.node + 4 * n;
  near.frame = near.node_hat + 4 * n;
  near.frame_hat = near.frame + 4 * s;
  near.node_sum = near.frame_hat + 4 * s;
  if (method == VIPER_DIRECT) {
    viper_near_direct(&near, near.node_sum, of);
    return near;
  }
  near.inertia = near.node_sum + (method == VIPER_JACOBI_PUBLISHED ? 4 * n : 0);
  near.h2a = near.inertia + s;
  near.frame_h2a = near.h2a + 2 * n;
  near.frame_sum = near.frame_h2a + s;
  near.segment_lambda = near.frame_sum + (method == VIPER_JACOBI_PUBLISHED ? 3 * s : 0);
  near.joint_lambda = near.segment_lambda + VIPER_SEGMENT_ROWS * s;
  if (method != VIPER_BLOCK_DESCENT)
    return near;
  near.frame_sum = near.inertia + s; // where other methods have their multipliers
  near.turn = (viper_turn *)(near.frame_sum + 3 * s);
  near.hold = (viper_hold *)(near.turn + t);
  near.pull = (viper_pull *)(near.hold + t);
  near.inverse = (viper_inverse *)(near.pull + t);
  return near;
}

#endif
