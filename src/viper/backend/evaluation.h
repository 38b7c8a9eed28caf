// SPDX-License-Identifier: GPL-3.0-or-later
/// Evaluates a state in double precision, for every backend: energies, residual, reactions,
/// contact.
#ifndef VIPER_BACKEND_EVALUATION_H
#define VIPER_BACKEND_EVALUATION_H

#include "viper/backend/backend.h"

typedef struct viper_evaluation viper_evaluation;

/// Looks at `state`, which others hold and change, and which must outlive it, as must the model.
/// Freed by viper_evaluation_destroy.
vb_status viper_evaluation_create(const viper_model *model, const viper_state *state,
                                  viper_evaluation **out, vb_error *error);
void viper_evaluation_destroy(viper_evaluation *evaluation);

/// Energies [J] in the order of the description.
void viper_evaluation_energies(const viper_evaluation *evaluation, double out[VIPER_N_ENERGIES]);

/// Gradient of Phi for substep length `h` over all unknowns, pinned ones included: node
/// (n_nodes x 4, N and J) and frame (n_segments x 3, body axes, N m).
void viper_evaluation_gradient(const viper_evaluation *evaluation, double h, double *node,
                               double *frame);

/// Relative residual for substep length `h`: the gradient's norm over its value at the prediction
/// or the terms' own forces; 0 where it is within the rounding errors of its own evaluation.
double viper_evaluation_residual(const viper_evaluation *evaluation, double h);

#endif
