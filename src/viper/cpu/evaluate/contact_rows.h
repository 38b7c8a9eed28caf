// SPDX-License-Identifier: GPL-3.0-or-later
/// Contacts and limits of scales in the augmented Lagrangian of a substep (../../contact/README.md,
/// Newton), in double.
///
/// A row has a gap C >= 0, linear in centers and scales, with the multiplier `push`, and the slip d
/// of the surfaces across its normal, with the multiplier `drag`. With penalties p and g they are
/// terms of the objective
///   y^2 / 2p,  y = max(0, push - p C);     |z|^2 / 2g where |z| <= b, else (b |z| - b^2 / 2) / g,
///   z = drag - g d,
/// whose forces are y along the normal and z, cut to the length b, across it. The bound b is held
/// while the objective is minimized: so it is convex in C and d, and its Hessian symmetric.
#ifndef VIPER_CPU_EVALUATE_CONTACT_ROWS_H
#define VIPER_CPU_EVALUATE_CONTACT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A frame that friction rolls about its own axis w.
typedef struct viper_row_roller {
  int32_t segment;
  double arm;      ///< m
  double slope[3]; ///< of the slip by its roll, m
} viper_row_roller;

/// A contact of four nodes (two capsules) or one (a half-plane), or the limit of a node's scale.
/// Forces are in N; those of a limit in J.
typedef struct viper_contact_row {
  uint64_t key; ///< names the contact: the same in another list
  int n_nodes;
  int32_t node[4];
  double weight[4], pull[4]; ///< as those of viper_touch; pulls in m
  double normal[3], offset;
  double carried[3]; ///< how far the half-plane moved in the substep, m
  size_t first_roller, n_rollers;
  double at_rest, sliding;            ///< coefficients of friction
  double reach;                       ///< what gaps are small beside, m; of a limit 1
  double penalty, grip;               ///< of the gap and of the slip, N/m
  double push, drag[3];               ///< multipliers
  bool is_sliding;                    ///< friction is that of sliding
  double bound;                       ///< of friction
  double gap, slip[3];                ///< at the state that was placed
  double force, friction[3];          ///< y, and z as it is cut, there
  double dilation, slack[4], dual[4]; ///< of the interior-point method (contact_cones.h)
  bool is_closed, is_held;            ///< of a Newton step from the end (contact_distance.c)
} viper_contact_row;

/// The rows of a substep, and the state that they are placed at. Nodes (x 4) and frames (x 4;
/// w, x, y, z) are at the same places as before the substep (`old`).
typedef struct viper_contact_rows {
  double barrier;         ///< mu of contact_cones.h, J; 0 for the augmented Lagrangian
  double penalty_factor;  ///< of slacks there, over the penalties of the rows
  viper_contact_row *row; ///< [n]
  size_t n, capacity;
  viper_contact_row *before; ///< [n_before] the list before this one, by rising keys
  size_t n_before, before_capacity;
  viper_row_roller *roller; ///< [n_rollers]
  size_t n_rollers, rollers_capacity;
} viper_contact_rows;

/// Begins a new list; what the one before has found is there for viper_rows_recall. False without
/// memory. Of a new substep `forget` it.
bool viper_rows_begin(viper_contact_rows *rows, bool forget);

/// Takes the penalty of its slip, multipliers, bound and whether it slides from the contact of the
/// same key in the list before, if there is one; friction as far as it is across the normal.
void viper_rows_recall(const viper_contact_rows *rows, viper_contact_row *row);

/// Finds gaps, slips and the slopes of rolls at a state.
void viper_rows_place(viper_contact_rows *rows, const double *node, const double *node_old,
                      const double *frame, const double *frame_old);

/// Finds the forces; with `renew` bounds first become what Coulomb's law says of the push.
void viper_rows_press(viper_contact_rows *rows, bool renew);

/// Takes the forces as multipliers.
void viper_rows_take(viper_contact_rows *rows);

/// Lowers the penalties of slips: with a high one a Newton step may go through all of what sticks,
/// from sliding one way to sliding the other, and only a small part of it is any good.
void viper_rows_reduce(viper_contact_rows *rows);

/// Takes the multipliers for the forces: what balances at a solution.
void viper_rows_hold(viper_contact_rows *rows);

/// What a row adds to the objective, J, at another gap and slip.
double viper_row_objective(const viper_contact_row *row, double gap, const double slip[3]);

/// Second derivatives of that by gap and slip.
void viper_row_stiffness(const viper_contact_row *row, double out[4][4]);

/// How gap and slip change along moves of nodes (x 4) and rolls of frames (one number a segment,
/// `stride` apart).
double viper_row_change(const viper_contact_rows *rows, const viper_contact_row *row,
                        const double *node, const double *roll, size_t stride, double slip[3]);

/// The greatest distance of a row from where it is solved, relative to its reach: of the gap from
/// being open or pushing, of the slip from sticking or sliding, of the bound from Coulomb's law.
double viper_rows_error(const viper_contact_rows *rows);

/// Frees the lists.
void viper_rows_clear(viper_contact_rows *rows);

#endif
