// SPDX-License-Identifier: GPL-3.0-or-later
/// How loads change as frames turn, for Newton's method in statics, in double. A torque that is
/// constant in space, and a load that turns with a segment, have no potential, so what they add to
/// the derivative of the gradient is not symmetric. It has three columns for each frame that they
/// act on or turn with, and few frames are such: a solve with the symmetric Hessian for each column
/// brings them in (Woodbury's identity).
#ifndef VIPER_CPU_EVALUATE_LOAD_STIFFNESS_H
#define VIPER_CPU_EVALUATE_LOAD_STIFFNESS_H

#include "viper/cpu/evaluate/newton_step.h"

typedef struct viper_load_stiffness {
  const viper_model *model;
  int n;           ///< frames that loads act on or turn with, and that nothing holds altogether
  int32_t *frame;  ///< [n] their indexes, each once
  double *column;  ///< [3 n x unknowns] derivatives of the gradient by their turns, or the moves
                   ///< that these make
  double *matrix;  ///< [3 n x 3 n] scratch
  double *right;   ///< [3 n] scratch
  vb_arena memory; ///< all of it
} viper_load_stiffness;

/// Memory, and the frames. `n` is 0 where there are none, and where they are so many (more than
/// VIPER_MOST_LOADED_FRAMES) that Newton's method goes without what they change. Freed by
/// viper_load_stiffness_destroy, after failure, too.
#define VIPER_MOST_LOADED_FRAMES 32
vb_status viper_load_stiffness_create(const viper_model *model, viper_load_stiffness *out,
                                      vb_error *error);
void viper_load_stiffness_destroy(viper_load_stiffness *self);

/// Notes the derivatives at the state of `cpu`, under the loads of `boundary`, and solves for their
/// moves with the matrix that `newton` factored last. Fails only for want of memory.
vb_status viper_load_stiffness_linearize(viper_load_stiffness *self, const viper_cpu *cpu,
                                         const viper_boundary *boundary, viper_newton_step *newton,
                                         vb_error *error);

/// Makes of `move`, found with that matrix alone, one that regards how loads change on the way.
/// False, and the move as it was, where no such one is determined.
bool viper_load_stiffness_apply(viper_load_stiffness *self, double *move);

#endif
