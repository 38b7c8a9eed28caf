// SPDX-License-Identifier: GPL-3.0-or-later
/// Arrays that detect writes beyond their ends, and elements that were not written.
#ifndef VB_SOLVER_PLUGIN_GUARD_H
#define VB_SOLVER_PLUGIN_GUARD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// An array between poisoned margins, these between pages that cannot be touched. It ends as close
/// to the page behind it as its alignment of 16 allows. Zeroed, it holds nothing.
typedef struct vb_guard {
  char *map;
  size_t map_bytes;
  char *data;
  size_t bytes; ///< of the array
} vb_guard;

/// What became of a guarded array.
typedef enum vb_guard_state {
  VB_GUARD_WRITTEN, ///< whole, and the margins are
  VB_GUARD_PARTLY,  ///< some of it was not written
  VB_GUARD_BEFORE,  ///< something was written before its begin
  VB_GUARD_BEYOND,  ///< something was written beyond its end
} vb_guard_state;

/// Makes an array of `bytes` bytes. VB_UNAVAILABLE for want of memory. Freed by vb_guard_free.
vb_status vb_guard_make(size_t bytes, vb_guard *out, vb_error *error);
void vb_guard_free(vb_guard *guard);

/// Fills array and margins with poison: signaling NaNs where they are read as doubles.
void vb_guard_poison(vb_guard *guard);

/// Looks at it after a call that must write it. In `*first` the number of the first eight bytes
/// that were not written, for VB_GUARD_PARTLY. What is left after whole eights is not reported.
vb_guard_state vb_guard_check(const vb_guard *guard, size_t *first);

/// Whether array and margins are as they were poisoned.
bool vb_guard_untouched(const vb_guard *guard);

/// Forbids, or allows again, to write to it: with everything else on its pages.
void vb_guard_lock(vb_guard *guard, bool locked);

/// Where an address is to a guarded array: -1 on the page before it, 0 in it or its margins, 1 on
/// the page behind it, 2 elsewhere.
int vb_guard_side(const vb_guard *guard, const void *address);

#endif
