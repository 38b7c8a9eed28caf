// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles as equality rows in the augmented Lagrangian of a substep (../../bundle/README.md,
/// Newton), in double.
///
/// The transform of a bundle, x -> t + S R x, is an unknown. A member with the middle c, scale s
/// and frame q, which are d, 1 and q0 at rest, has seven rows, in axes that turn with the section:
///   R^T (c - t) - S d,   s - S,   2 Im(conj(R q0) q)
/// With a multiplier l and a penalty p a row e adds l e + p e^2 / 2 to the objective, and its force
/// is l + p e. A turn or shift of all that there is, transforms included, changes no row.
#ifndef VIPER_CPU_EVALUATE_BUNDLE_ROWS_H
#define VIPER_CPU_EVALUATE_BUNDLE_ROWS_H

#include "viper/cpu/core/cpu_real.h"

/// Unknowns of a transform (shift and turn in the section's axes, and the scale between), and of a
/// member: two nodes, its frame, and the transform. A member has VIPER_BUNDLE_ROWS rows.
enum { VIPER_TRANSFORM_UNKNOWNS = 7, VIPER_MEMBER_UNKNOWNS = 18 };

/// Penalty over what holds a member where it is: inertia and the terms of its section. Of an error
/// each change of multipliers leaves some 1 in 1 + VIPER_BUNDLE_PENALTY; and by so much rounding of
/// coordinates makes more forces than the terms alone.
#define VIPER_BUNDLE_PENALTY 1e3

/// A member; errors are in m, 1, rad, forces in N, J, N m.
typedef struct viper_bundle_row {
  double arm[3];        ///< R^T (c - t), m
  double difference[4]; ///< conj(R q0) q, its real part not negative
  double error[VIPER_BUNDLE_ROWS], multiplier[VIPER_BUNDLE_ROWS], force[VIPER_BUNDLE_ROWS];
  double penalty[VIPER_BUNDLE_ROWS];
  double reach; ///< radius, which middles that are off are small beside, m
} viper_bundle_row;

/// All rows, none in a model without bundles.
typedef struct viper_bundle_rows {
  const viper_model *model;
  const viper_bundles *rest;
  size_t n, n_members;
  viper_bundle_transform *at, *from; ///< [n] now, and where a step begins
  viper_bundle_row *row;             ///< [n_members]
  viper_bundle_place *now;           ///< [n_members] where members are
  double *begin; ///< [n_members x VIPER_BUNDLE_ROWS] multipliers that the substep began with
  double h;      ///< of the substeps that penalties are for, s
  vb_arena memory;
} viper_bundle_rows;

/// Rows of the bundles `rest`, which must outlive them; null is none. To be cleared by
/// viper_bundle_rows_clear, after a failure, too.
vb_status viper_bundle_rows_create(viper_bundle_rows *rows, const viper_model *model,
                                   const viper_bundles *rest, vb_error *error);
void viper_bundle_rows_clear(viper_bundle_rows *rows);

/// Begins a substep of length `h` [s]: penalties by it, and multipliers are noted.
void viper_bundle_rows_begin(viper_bundle_rows *rows, double h);

/// Takes back the multipliers that the substep began with.
void viper_bundle_rows_restore(viper_bundle_rows *rows);

/// Fits all transforms to the state of `cpu`.
void viper_bundle_rows_fit(viper_bundle_rows *rows, const viper_cpu *cpu);

/// Finds rows and their forces at the state of `cpu` and the transforms.
void viper_bundle_rows_place(viper_bundle_rows *rows, const viper_cpu *cpu);

/// Finds the forces; or takes the multipliers for them, which balance at a solution; or takes the
/// forces as multipliers.
void viper_bundle_rows_press(viper_bundle_rows *rows);
void viper_bundle_rows_hold(viper_bundle_rows *rows);
void viper_bundle_rows_take(viper_bundle_rows *rows);

/// How far a row is off at most: middles in radii, scales, and frames [rad].
double viper_bundle_rows_error(const viper_bundle_rows *rows);

/// What all rows add to the objective, J.
double viper_bundle_rows_objective(const viper_bundle_rows *rows);

/// Adds the forces to a gradient over all unknowns: those of the model (unknowns.h), then those of
/// transforms.
void viper_bundle_rows_gradient(const viper_bundle_rows *rows, double *gradient);

/// The squared norm of what `gradient` has over the transforms, weighed by the inverse inertia that
/// each carries.
double viper_bundle_rows_norm2(const viper_bundle_rows *rows, const double *gradient);

/// The unknowns of member `i` of bundle `k`, and the second derivatives of what it adds; without
/// those of the rows themselves, unless `second`, a matrix that is nowhere negative.
void viper_bundle_rows_unknowns(const viper_bundle_rows *rows, size_t k, int32_t i,
                                int32_t at[VIPER_MEMBER_UNKNOWNS]);
void viper_bundle_rows_block(const viper_bundle_rows *rows, size_t k, int32_t i, bool second,
                             double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS]);

/// Notes where transforms are, as the beginning of a step; takes them back there; or by `part` of
/// the move over all unknowns from there.
void viper_bundle_rows_note(viper_bundle_rows *rows);
void viper_bundle_rows_back(viper_bundle_rows *rows);
void viper_bundle_rows_move(viper_bundle_rows *rows, const double *move, double part);

/// The forces on what members are, minus the gradient of the multipliers at the state that was
/// placed: those on nodes (x 4, N and J) are added to `node`, torques in body axes (x 3, N m)
/// written to `torque` for the segments of members.
void viper_bundle_rows_forces(const viper_bundle_rows *rows, double *node, double *torque);

#endif
