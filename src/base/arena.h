// SPDX-License-Identifier: GPL-3.0-or-later
/// Memory for what is made of several arrays: arrays that are freed together, and arrays that grow.
#ifndef VB_BASE_ARENA_H
#define VB_BASE_ARENA_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The arrays that were taken from it. Start it zeroed; a copy of it may take its place.
typedef struct vb_arena {
  struct vb_arena_block *latest;
  bool failed; ///< there was no memory for one of them
} vb_arena;

/// An array of `n` elements of `size` bytes, all bits 0; never of no bytes. Null without memory,
/// which the arena remembers: whoever takes several asks once, after the last.
void *vb_arena_take(vb_arena *arena, size_t n, size_t size);

/// Makes `array`, a pointer, one of `n` elements.
#define VB_TAKE(arena, array, n) ((array) = vb_arena_take((arena), (n), sizeof *(array)))

/// A copy of a text; null for null. Without memory as vb_arena_take.
char *vb_arena_text(vb_arena *arena, const char *text);

/// VB_OK where all that was taken is there.
vb_status vb_arena_status(const vb_arena *arena, vb_error *error);

/// Frees all that was taken.
void vb_arena_clear(vb_arena *arena);

/// See VB_GROW; `array` points to the pointer.
bool vb_grow(void *array, size_t *capacity, size_t n, size_t size);

/// Makes room for `n` elements in an array of `capacity` elements, and for some more; null grows,
/// too. It belongs to the caller, who frees it. False without memory: all is as it was.
#define VB_GROW(array, capacity, n) vb_grow(&(array), &(capacity), (n), sizeof *(array))

/// See VB_APPEND; `array` points to the pointer.
void *vb_append(void *array, size_t *n, size_t size);

/// A pointer to one more element, all bits 0, behind the `n` of an array that grows in no other
/// way; null grows, too. It belongs to the caller, who frees it. Null without memory: all is as it
/// was.
#define VB_APPEND(array, n) vb_append(&(array), &(n), sizeof *(array))

#ifdef __cplusplus
}
#endif

#endif
