// SPDX-License-Identifier: GPL-3.0-or-later
/// Acceleration of a step's local and global steps: places of flesh and maps of bones are combined,
/// the bones made rigid and linked again, and what does not lower phi is undone.
#ifndef AR_ACCELERATE_H
#define AR_ACCELERATE_H

#include "step.h"

/// Allocates, for settings that ask for it; freed by ar_accelerate_clear.
vb_status ar_accelerate_create(ar_stepper *stepper, vb_error *error);
void ar_accelerate_clear(ar_stepper *stepper);

/// Before an iteration: remembers the unknowns.
void ar_accelerate_begin(ar_stepper *stepper);

/// After it: moves the unknowns on. Multipliers stay those of the iteration. Writes whether it
/// moved them. Not where contacts or limits of hinges hold, which change what is minimized.
vb_status ar_accelerate_move(ar_stepper *stepper, bool *moved, vb_error *error);

/// Goes back to where the iteration ended, and forgets those before.
void ar_accelerate_undo(ar_stepper *stepper);

#endif
