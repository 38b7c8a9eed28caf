// SPDX-License-Identifier: GPL-3.0-or-later
/// Evaluates a state in double precision, for every backend: energies, residual, Newton step,
/// reactions.
#ifndef VIPER_BACKEND_EVALUATION_H
#define VIPER_BACKEND_EVALUATION_H

#include "viper/backend/backend.h"

typedef struct viper_evaluation viper_evaluation;

/// Looks at `state`, which others hold and change, and which must outlive it, as must the model.
/// By the `settings`: in statics Phi has no inertia, and predictions are loads (method/statics.h);
/// then `h` counts nowhere. With integrator midpoint all of Phi is that of the middle of the latest
/// substep, h before its end; energies are those of the end. Freed by viper_evaluation_destroy.
vb_status viper_evaluation_create(const viper_model *model, const viper_state *state,
                                  const viper_settings *settings, viper_evaluation **out,
                                  vb_error *error);
void viper_evaluation_destroy(viper_evaluation *evaluation);

/// Notes what acts from outside, and where drivers hold parts of frames, at `time` [s], the
/// state's: before viper_evaluation_held and viper_evaluation_newton_step.
void viper_evaluation_at(viper_evaluation *evaluation, double time);

/// Energies [J] in the order of the description.
void viper_evaluation_energies(const viper_evaluation *evaluation, double out[VIPER_N_ENERGIES]);

/// Gradient of Phi for substep length `h` over all unknowns, pinned ones included: node
/// (n_nodes x 4, N and J) and frame (n_segments x 3, body axes, N m).
void viper_evaluation_gradient(const viper_evaluation *evaluation, double h, double *node,
                               double *frame);

/// Leaves of the gradient `g` over frame `segment` what is along held directions.
void viper_evaluation_held(const viper_evaluation *evaluation, int32_t segment, double g[3]);

/// What acts from outside at `time`, as viper_boundary_forces has it; until the next call.
const double *viper_evaluation_loads(viper_evaluation *evaluation, double time);

/// The residual (method/README.md) of a step that ended at `time`, for substep length `h`, of a
/// scene without bundles. Fails only for want of memory.
vb_status viper_evaluation_residual(viper_evaluation *evaluation, double h, double time,
                                    double *out, vb_error *error);

/// The largest displacement of a node [m] in one Newton step from the state with the full Hessian
/// of Phi for substep length `h`, without contact and bundles. NaN where the Hessian is singular.
/// Fails only for want of memory.
vb_status viper_evaluation_newton_step(viper_evaluation *evaluation, double h, double *out,
                                       vb_error *error);

/// The displacements of all nodes in that step (n_nodes x 3, m), likewise.
vb_status viper_evaluation_moves(viper_evaluation *evaluation, double h, double *out,
                                 vb_error *error);

/// What came of a search for an equilibrium.
typedef struct viper_equilibrium {
  bool found;
  double residual;  ///< of the last state that was looked at, may be NaN
  int n_increments; ///< in which the load step was taken
} viper_equilibrium;

/// Brings the state, of statics and at `time` [s], to an equilibrium at `time` + `h`, and adds the
/// work done; to the tolerance of `settings`. Loads that turn have the direction of its end. Where
/// none is found the state is of no use. `state` is that of create. Fails only for want of memory.
vb_status viper_evaluation_load_step(viper_evaluation *evaluation, viper_state *state,
                                     const viper_settings *settings, double time, double h,
                                     viper_equilibrium *out, vb_error *error);

/// The residual as if loads that turn had the direction of the present frames. Fails only for want
/// of memory.
vb_status viper_evaluation_turned_residual(viper_evaluation *evaluation, double time, double *out,
                                           vb_error *error);

#endif
