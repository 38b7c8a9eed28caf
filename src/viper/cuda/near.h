// SPDX-License-Identifier: GPL-3.0-or-later
/// What a team works on a body with, near to it: in shared memory where that has room, else in the
/// device's memory.
#ifndef VIPER_CUDA_NEAR_H
#define VIPER_CUDA_NEAR_H

#include "viper/backend.h"
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
} viper_near;

/// Numbers in the notes of a joint.
#define VIPER_NOTES_OF_JOINT                                                                       \
  ((sizeof(viper_turn) + sizeof(viper_hold) + sizeof(viper_pull)) / sizeof(viper_real))

/// Numbers that a method needs near a body of `n` nodes, `s` segments and `t` joints.
VIPER_FN size_t viper_near_reals(viper_method method, size_t n, size_t s, size_t t) {
  size_t reals = 8 * n + 9 * s;
  size_t multipliers = 2 * n + (1 + VIPER_SEGMENT_ROWS) * s + VIPER_JOINT_ROWS * t;
  if (method == VIPER_XPBD)
    reals += multipliers;
  else if (method == VIPER_JACOBI_PUBLISHED)
    reals += multipliers + 4 * n + 3 * s;
  else if (method == VIPER_BLOCK_DESCENT)
    reals += VIPER_NOTES_OF_JOINT * t + (3 + sizeof(viper_inverse) / sizeof(viper_real)) * s;
  return (reals + 3) / 4 * 4; // rows of four stay aligned for the next body
}

/// Lays them out from `at` on, rows of four first.
VIPER_FN viper_near viper_near_at(viper_method method, viper_real *at, size_t n, size_t s,
                                  size_t t) {
  viper_near near;
  near.node = at;
  near.node_hat = near.node + 4 * n;
  near.frame = near.node_hat + 4 * n;
  near.frame_hat = near.frame + 4 * s;
  near.node_sum = near.frame_hat + 4 * s;
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
