// SPDX-License-Identifier: GPL-3.0-or-later
/// Per-body workspace of a cooperative group: in shared memory if it fits, otherwise in global
/// memory.
#ifndef VIPER_CUDA_CORE_WORKSPACE_H
#define VIPER_CUDA_CORE_WORKSPACE_H

#include "viper/backend.h"
#include "viper/method/newton.h"
#include "viper/model/body_groups.h"

/// Arrays that a method does not need have no room of their own.
typedef struct viper_workspace {
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
} viper_workspace;

/// How many there are of a body; columns and blocks are those that its elimination needs room for
/// (viper_submatrices).
typedef struct viper_workspace_size {
  size_t nodes, segments, joints, columns, blocks;
} viper_workspace_size;

/// Those of a kind's bodies.
static inline viper_workspace_size
viper_workspace_size_of_body_group(const viper_body_group *group) {
  const viper_model *m = group->model;
  viper_workspace_size size = {m->n_nodes, m->n_segments, m->n_joints, 0, 0};
  if (group->elimination) {
    size.columns = group->elimination->submatrices.room_columns;
    size.blocks = group->elimination->submatrices.room_blocks;
  }
  return size;
}

/// Numbers in the notes of a joint.
#define VIPER_NOTES_OF_JOINT                                                                       \
  ((sizeof(viper_turn) + sizeof(viper_hold) + sizeof(viper_pull)) / sizeof(viper_real))

/// So many values are summed one after the other; more of them in rows of VIPER_SUM_CHUNK.
#define VIPER_ROW       1024
#define VIPER_SUM_CHUNK 32

/// Sums on the way to that of `n` values.
VIPER_FN size_t viper_partial_sums(size_t n) {
  size_t sums = 0;
  for (; n > VIPER_ROW; sums += n)
    n = (n + VIPER_SUM_CHUNK - 1) / VIPER_SUM_CHUNK;
  return sums;
}

/// The longest list of values that is summed: of segments and nodes, or of segments and joints.
VIPER_FN size_t viper_most_values(viper_workspace_size of) {
  return of.segments + (of.nodes > of.joints ? of.nodes : of.joints);
}

/// Numbers that `direct` needs besides those of the state.
VIPER_FN size_t viper_direct_reals(viper_workspace_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  return 4 * columns + 8 * columns + 16 * (of.columns + of.blocks) + values + 2 * columns +
         2 * viper_partial_sums(values);
}

/// Numbers that a method needs near a body.
VIPER_FN size_t viper_workspace_reals(viper_method method, viper_workspace_size of) {
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
VIPER_FN void viper_workspace_direct(viper_workspace *workspace, viper_real *at,
                                     viper_workspace_size of) {
  size_t columns = of.nodes + of.segments;
  workspace->node_start = at;
  workspace->frame_start = workspace->node_start + 4 * of.nodes;
  workspace->gradient = workspace->frame_start + 4 * of.segments;
  workspace->move = workspace->gradient + 4 * columns;
  workspace->diagonal = workspace->move + 4 * columns;
  workspace->block = workspace->diagonal + 16 * of.columns;
  workspace->slope = workspace->block + 16 * of.blocks;
  workspace->partial = workspace->slope + 2 * columns;
  workspace->inertia = workspace->partial + 2 * viper_partial_sums(viper_most_values(of));
  workspace->value = workspace->inertia + of.segments;
}

/// Lays them out from `at` on, rows of four first.
VIPER_FN viper_workspace viper_workspace_at(viper_method method, viper_real *at,
                                            viper_workspace_size of) {
  size_t n = of.nodes, s = of.segments, t = of.joints;
  viper_workspace workspace;
  workspace.node = at;
  workspace.node_hat = workspace.node + 4 * n;
  workspace.frame = workspace.node_hat + 4 * n;
  workspace.frame_hat = workspace.frame + 4 * s;
  workspace.node_sum = workspace.frame_hat + 4 * s;
  if (method == VIPER_DIRECT) {
    viper_workspace_direct(&workspace, workspace.node_sum, of);
    return workspace;
  }
  workspace.inertia = workspace.node_sum + (method == VIPER_JACOBI_PUBLISHED ? 4 * n : 0);
  workspace.h2a = workspace.inertia + s;
  workspace.frame_h2a = workspace.h2a + 2 * n;
  workspace.frame_sum = workspace.frame_h2a + s;
  workspace.segment_lambda = workspace.frame_sum + (method == VIPER_JACOBI_PUBLISHED ? 3 * s : 0);
  workspace.joint_lambda = workspace.segment_lambda + VIPER_SEGMENT_ROWS * s;
  if (method != VIPER_BLOCK_DESCENT)
    return workspace;
  workspace.frame_sum = workspace.inertia + s; // where other methods have their multipliers
  workspace.turn = (viper_turn *)(workspace.frame_sum + 3 * s);
  workspace.hold = (viper_hold *)(workspace.turn + t);
  workspace.pull = (viper_pull *)(workspace.hold + t);
  workspace.inverse = (viper_inverse *)(workspace.pull + t);
  return workspace;
}

#endif
