// SPDX-License-Identifier: GPL-3.0-or-later
/// The state of a solver's instance: its arrays in one block, and how it is saved. A solver lists
/// what is saved once, in a function that hands part after part to vb_carry; size, saving and
/// restoring follow from it.
#ifndef VB_SOLVER_STATE_H
#define VB_SOLVER_STATE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// A pointer to numbers that may be declared as one to rows of them.
typedef double *vb_state_place __attribute__((may_alias));

/// An array of numbers in a block.
typedef struct vb_state_array {
  vb_state_place *at;
  size_t n; ///< or VB_NO_ARRAY
} vb_state_array;

/// An array that is left out: a null pointer.
#define VB_NO_ARRAY SIZE_MAX

/// Makes a block of zeros and lays the arrays into it, one after the other. Writes how many numbers
/// it has to `*total`. The first array is where it begins; freed by free().
vb_status vb_state_create(const vb_state_array *arrays, size_t n_arrays, size_t *total,
                          vb_error *error);

/// A state on its way into a block of bytes, or out of it.
typedef struct vb_state_copy vb_state_copy;

/// Hands over `n` elements of `size` bytes at `data`: they are counted, written or replaced.
void vb_carry(vb_state_copy *copy, void *data, size_t n, size_t size);

/// The same of a pointer to elements; of one member.
#define VB_CARRY(copy, data, n)   vb_carry(copy, data, n, sizeof *(data))
#define VB_CARRY_ONE(copy, value) vb_carry(copy, &(value), 1, sizeof(value))

/// Hands over all that is saved of `self`: the same parts at any time.
typedef void vb_state_carry(void *self, vb_state_copy *copy);

/// Bytes of a saved state; writes it; takes it back.
size_t vb_state_size(vb_state_carry *carry, const void *self);
void vb_state_save(vb_state_carry *carry, void *self, void *out);
void vb_state_restore(vb_state_carry *carry, void *self, const void *state);

#endif
