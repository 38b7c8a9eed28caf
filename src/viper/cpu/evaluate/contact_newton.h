// SPDX-License-Identifier: GPL-3.0-or-later
/// A substep in contact by semi-smooth Newton on the augmented Lagrangian of elasticity, contact
/// and friction (../../contact/README.md, Newton), in double, for a state of any precision.
#ifndef VIPER_CPU_EVALUATE_CONTACT_NEWTON_H
#define VIPER_CPU_EVALUATE_CONTACT_NEWTON_H

#include "viper/cpu/evaluate/bundle_rows.h"
#include "viper/cpu/evaluate/contact_rows.h"
#include "viper/model/boundary.h"

/// Memory, and a substep at work: viper_contact_newton.

/// States are of nodes (x 4) and of frames (x 4; w, x, y, z).
typedef struct viper_contact_state {
  double *node, *frame;         ///< now; what is pinned is where it is held
  double *node_old, *frame_old; ///< before the substep
  double *node_hat, *frame_hat; ///< predicted, without contacts
  double *active;               ///< [n_segments x 2] as viper_state has it; null without
} viper_contact_state;

/// With `bundles` as rows, too, which must outlive it; null: without. Freed by
/// viper_contact_newton_destroy; null is none.
vb_status viper_contact_newton_create(const viper_model *model, const viper_bundles *bundles,
                                      viper_contact_newton **out, vb_error *error);
void viper_contact_newton_destroy(viper_contact_newton *self);

/// The state and the rows, which the caller fills; and bundles, of which it sets the multipliers.
viper_contact_state *viper_contact_newton_state(viper_contact_newton *self);
viper_contact_rows *viper_contact_newton_rows(viper_contact_newton *self);
viper_bundle_rows *viper_contact_newton_bundles(viper_contact_newton *self);

/// Begins a substep of length `h` [s] with drivers at `boundary`, from a state that is the
/// prediction: stays there, or goes back to the old state, where the objective is less. `warm` is
/// the part that rows have of the forces of the substep before, from all of which steps begin; 0:
/// they begin without.
void viper_contact_newton_begin(viper_contact_newton *self, const viper_boundary *boundary,
                                double warm, double h);

/// Whether steps from forces of the substep before lead nowhere: it should begin anew, without,
/// from the prediction, which viper_contact_newton_restore puts back.
bool viper_contact_newton_is_lost(const viper_contact_newton *self);
void viper_contact_newton_restore(viper_contact_newton *self);

/// One Newton step, with rows that were made at the state; none where it is within `tolerance` of
/// the solution: of the residual, and of rows relative to their reach. `*done` tells. The rows have
/// the forces at the end. Fails only for want of memory.
vb_status viper_contact_newton_step(viper_contact_newton *self, double tolerance, bool *done,
                                    vb_error *error);

/// Penalty of a closed row in a Newton step that is to be known, over what moves its nodes alone,
/// by their inertia: a millionth of the displacement is left, times what mass rests on it over
/// theirs.
#define VIPER_CLOSED 1e6

/// What the predictions of a state at the end of a substep do not tell of its contacts.
typedef struct viper_contact_before {
  double *node_hat0; ///< n_nodes x 4: predictions before contacts pushed
  double *torque; ///< n_segments: friction about the axis w of each frame that its prediction does
                  ///< not hold, N m; or null
} viper_contact_before;

/// The largest displacement of a node [m] in one Newton step from the state, whatever method left
/// it: with the whole Hessian, which may be indefinite, and the rows that are closed there as
/// constraints. Rows have the forces of the substep as multipliers, and penalties by VIPER_CLOSED.
/// The predictions hold these forces. NaN where the Hessian is singular. Fails only for want of
/// memory.
vb_status viper_contact_newton_distance(viper_contact_newton *self,
                                        const viper_contact_before *before,
                                        const viper_boundary *boundary, double h, double *out,
                                        vb_error *error);

#endif
