// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact rows in an interior-point method (../../contact/README.md, Newton), in double.
///
/// A row with the coefficient c of friction has u = ((C + d) / c, t) of its gap C and slip t, where
/// the dilation d is c |t| of the slip at the beginning of a step, and the force
/// f = (c y, z) of its push y and friction z. Coulomb's law says that both lie in the second-order
/// cone L of vectors whose first number is at least the length of the others, and that u.f = 0.
/// (Without the dilation, what slides would rise by c |t|.) Without friction u is C and f is y. The
/// objective of a row is the least, over slacks s in L, of
///   p/2 |s - u + f0 / p|^2 - mu log det s,
/// whose force is 2 mu s^-1 (mu / s without friction); f0 are forces of the step before. It is
/// smooth and convex, and tends to Coulomb's law as mu goes to 0 and f0 to f.
#ifndef VIPER_CPU_EVALUATE_CONTACT_CONES_H
#define VIPER_CPU_EVALUATE_CONTACT_CONES_H

#include "viper/cpu/evaluate/contact_rows.h"

/// Finds slacks and forces at the state that rows are placed at; `renew` first takes dilations from
/// slips. New rows, which have no dual, begin without a force of a step before.
void viper_cones_press(viper_contact_rows *rows, bool renew);

/// What a row adds to the objective, J, at another gap and slip.
double viper_cone_objective(const viper_contact_rows *rows, const viper_contact_row *row,
                            double gap, const double slip[3]);

/// The second derivatives by gap and slip that a primal-dual step takes, of slacks and duals
/// scaled to each other (Nesterov and Todd).
void viper_cone_stiffness(const viper_contact_rows *rows, const viper_contact_row *row,
                          double out[4][4]);

/// Moves duals by what a step says, of which `part` was taken. `change` [n x 4] of gap and slip by
/// the whole step. To be called before rows are placed anew.
void viper_cones_move(viper_contact_rows *rows, const double *change, double part);

/// Gives rows that slide with their static coefficient the kinetic one; whether there were any.
bool viper_cones_slide(viper_contact_rows *rows);

/// The greatest distance of a row from Coulomb's law, relative to its reach.
double viper_cones_error(const viper_contact_rows *rows);

/// Leaves to the augmented Lagrangian multipliers and bounds.
void viper_cones_leave(viper_contact_rows *rows);

#endif
