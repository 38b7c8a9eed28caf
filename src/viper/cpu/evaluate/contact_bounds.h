// SPDX-License-Identifier: GPL-3.0-or-later
/// What Coulomb's bounds of sliding contacts will be after a Newton step, in double.
#ifndef VIPER_CPU_EVALUATE_CONTACT_BOUNDS_H
#define VIPER_CPU_EVALUATE_CONTACT_BOUNDS_H

#include "viper/cpu/evaluate/contact_matrix.h"

/// Bounds that are held in a Newton step follow the pushes one step behind. Where pushes follow
/// bounds closely, as those of two contacts of a rod beside each other do, they would run away from
/// each other. So the bounds of rows that slide become those that the push has after the step,
/// which is linear in them: with the matrix that was factored, and the `gradient` [all unknowns] at
/// these bounds. `move` [likewise] is scratch. Of more than some tens of such rows bounds stay as
/// they are. Fails only for want of memory.
vb_status viper_predict_bounds(viper_contact_matrix *matrix, const viper_model *model,
                               viper_contact_rows *rows, const double *gradient, double *move,
                               vb_error *error);

#endif
