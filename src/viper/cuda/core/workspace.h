// SPDX-License-Identifier: GPL-3.0-or-later
/// Per-body workspace of a cooperative group: in shared memory if it fits, otherwise in global
/// memory.
#ifndef VIPER_CUDA_CORE_WORKSPACE_H
#define VIPER_CUDA_CORE_WORKSPACE_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"
#include "viper/method/fields.h"

/// The fields that are there; all numbers.
#define VIPER_WORKSPACE_FIELDS(X) VIPER_STATE_FIELDS(X) VIPER_METHOD_FIELDS(X)

/// Arrays that a method does not need have no room of their own.
typedef struct viper_workspace {
#define VIPER_ROWS(name, type, place, set, spare) viper_real *name;
  VIPER_WORKSPACE_FIELDS(VIPER_ROWS)
#undef VIPER_ROWS
  // Of `direct`:
  viper_real *gradient, *move; ///< [n_columns x 4] (viper/linear/elimination.h)
  viper_real *diagonal;        ///< [columns x 16] of the matrix that is held
  viper_real *block;           ///< [blocks x 16]
  viper_real *value;           ///< [viper_most_values] of elements that are summed
  viper_real *slope;           ///< [n_columns x 2] a pair each (viper/cuda/core/pair.h)
  viper_real *partial;         ///< [viper_partial_sums x 2] pairs
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

/// Numbers that `direct` needs besides those of the fields.
VIPER_FN size_t viper_direct_reals(viper_workspace_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  return 8 * columns + 16 * (of.columns + of.blocks) + values + 2 * columns +
         2 * viper_partial_sums(values);
}

/// Numbers that a method needs near a body.
VIPER_FN size_t viper_workspace_reals(viper_method method, viper_workspace_size of) {
  const unsigned sets = viper_traits(method);
  size_t reals = sets & VIPER_FACTORS ? viper_direct_reals(of) : 0;
#define COUNT(name, type, place, set, spare)                                                       \
  reals += sets & (set) ? VIPER_REALS(type) * of.place##s : 0;
  VIPER_WORKSPACE_FIELDS(COUNT)
#undef COUNT
  return (reals + 3) / 4 * 4; // rows of four stay aligned for the next body
}

/// Lays out what `direct` needs from `at` on, rows of four first; returns where that ends.
VIPER_FN viper_real *viper_workspace_direct(viper_workspace *workspace, viper_real *at,
                                            viper_workspace_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  workspace->gradient = at;
  workspace->move = workspace->gradient + 4 * columns;
  workspace->diagonal = workspace->move + 4 * columns;
  workspace->block = workspace->diagonal + 16 * of.columns;
  workspace->slope = workspace->block + 16 * of.blocks;
  workspace->partial = workspace->slope + 2 * columns;
  workspace->value = workspace->partial + 2 * viper_partial_sums(values);
  return workspace->value + values;
}

/// Lays them out from `at` on, rows of four first.
// NOLINTNEXTLINE(readability-function-size): a statement for each field of the list
VIPER_FN viper_workspace viper_workspace_at(viper_method method, viper_real *at,
                                            viper_workspace_size of) {
  const unsigned sets = viper_traits(method);
  viper_workspace workspace;
#define PLACE(name, type, place, set, spare)                                                       \
  if ((VIPER_REALS(type) == 4) == fours && (sets & (set))) {                                       \
    workspace.name = at;                                                                           \
    at += VIPER_REALS(type) * of.place##s;                                                         \
  }
  bool fours = true;
  VIPER_WORKSPACE_FIELDS(PLACE)
  if (sets & VIPER_FACTORS)
    at = viper_workspace_direct(&workspace, at, of);
  fours = false;
  // cppcheck-suppress uselessAssignmentPtrArg ; the last field is followed by none
  VIPER_WORKSPACE_FIELDS(PLACE)
#undef PLACE
  return workspace;
}

#endif
