// SPDX-License-Identifier: GPL-3.0-or-later
/// What the two methods of a substep in contact share: contact_newton.c minimizes the augmented
/// Lagrangian, contact_interior.c goes through the interior of Coulomb's cones.
#ifndef VIPER_CPU_EVALUATE_CONTACT_NEWTON_INTERNAL_H
#define VIPER_CPU_EVALUATE_CONTACT_NEWTON_INTERNAL_H

#include "viper/cpu/evaluate/contact_matrix.h"
#include "viper/cpu/evaluate/contact_newton.h"

/// What rows may be off, over the tolerance: gaps of some 1e-7 of the radii. Pushes of contacts
/// that are all but redundant, as those of rings on each other, converge slowly, and move nothing.
#define VIPER_ROWS_TOLERANCE 10

struct viper_contact_newton {
  const viper_model *model;
  viper_contact_state state;
  viper_contact_rows rows;
  viper_bundle_rows bundles;
  viper_contact_matrix *matrix;
  viper_cpu cpu; ///< the state, as evaluations see it
  double h;
  int steps;               ///< in this substep
  bool warm;               ///< this substep began with forces of the one before
  bool inside;             ///< the interior-point method is at work
  double first_barrier;    ///< of the interior-point method in this substep, J
  int idle;                ///< of the latest steps those without progress
  bool waiting;            ///< for the minimum of an objective: its bounds stay, too
  double best;             ///< least residual so far
  double *gradient, *move; ///< over all unknowns
  double *turn;            ///< [n_segments x 3] of a step, in body axes, rad
  double *change;          ///< [rows x 4] of gaps and slips along the move
  size_t change_capacity;
  double *node_from, *frame_from;
  double *node_begin, *frame_begin; ///< the prediction that the substep began with
  vb_arena memory;
};

/// Places rows at the state.
void viper_contact_newton_place(viper_contact_newton *self);

/// The gradient of the objective; returns its norm, relative to those of its inertial part and of
/// contacts.
double viper_contact_newton_gradient(viper_contact_newton *self);

/// Factors the Hessian where that is positive, else its positive part, element by element;
/// `*definite` tells whether there is a factor. Fails only for want of memory.
vb_status viper_contact_newton_factor(viper_contact_newton *self, bool *definite, vb_error *error);

/// Solves for the move by the gradient at hand; none without a factor. Fails only for want of
/// memory.
vb_status viper_contact_newton_solve(viper_contact_newton *self, bool definite, vb_error *error);

/// Whether the move is as small as the rounding of coordinates.
bool viper_contact_newton_is_rounding(const viper_contact_newton *self);

/// Takes the greatest of the parts 1, 1/2, ... of the move with which the objective falls by a part
/// of what the slope promises; none where there is none. `change` is that of the whole move. Fails
/// only for want of memory.
vb_status viper_contact_newton_search(viper_contact_newton *self, double *taken, vb_error *error);

/// Begins a substep with the interior-point method, or not.
void viper_contact_interior_begin(viper_contact_newton *self);

/// A step of the interior-point method, as viper_contact_newton_step; none, and no longer `inside`,
/// where the matrix has no factor.
vb_status viper_contact_interior_step(viper_contact_newton *self, double tolerance, bool *done,
                                      vb_error *error);

#endif
