// SPDX-License-Identifier: GPL-3.0-or-later
/// One Newton step of Phi from a state, in double: how far it is from where its gradient vanishes.
#ifndef VIPER_CPU_EVALUATE_NEWTON_STEP_H
#define VIPER_CPU_EVALUATE_NEWTON_STEP_H

#include "viper/cpu/core/cpu_real.h"

/// The sparse Hessian of a model and the order of its elimination.
typedef struct viper_newton_step viper_newton_step;

/// Freed by viper_newton_step_destroy; null is none.
vb_status viper_newton_step_create(const viper_model *model, viper_newton_step **out,
                                   vb_error *error);
void viper_newton_step_destroy(viper_newton_step *self);

/// The largest displacement of a node [m] that one Newton step from the state of `cpu` makes, in
/// double, for substep length `h`; the Hessian may be indefinite. NaN where it is singular. Fails
/// only for want of memory.
vb_status viper_newton_step_evaluate(viper_newton_step *self, const viper_cpu *cpu, double h,
                                     double *out, vb_error *error);

/// The displacements of all nodes in that step (n_nodes x 3, m); NaN where the Hessian is singular.
/// Fails only for want of memory.
vb_status viper_newton_step_moves(viper_newton_step *self, const viper_cpu *cpu, double h,
                                  double *out, vb_error *error);

// Of statics alone, in parts. Vectors are over all unknowns: nodes (x 4), then frames (x 3), of
// which those with held parts have turns about their free axes (held_axes.h).

/// The gradient of Phi; 0 where pinned.
void viper_newton_step_gradient(viper_newton_step *self, const viper_cpu *cpu, double *out);

/// Factors the Hessian of Phi at the state of `cpu`; or, `frames_held`, that over centers and
/// scales alone. With `magnitudes` negative pivots count by their magnitudes, so that solutions
/// descend.
/// `*n_negative` of them, -1 where the Hessian is singular or not finite. Fails only for want of
/// memory.
vb_status viper_newton_step_factor(viper_newton_step *self, const viper_cpu *cpu, bool frames_held,
                                   bool magnitudes, int *n_negative, vb_error *error);

/// Solves with what was factored last, in place of the right side `x`; 0 where pinned. Fails only
/// for want of memory.
vb_status viper_newton_step_solve(viper_newton_step *self, double *x, vb_error *error);

#endif
