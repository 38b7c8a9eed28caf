// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Before each array: what was taken before it. As long as keeps arrays aligned for any type.
typedef struct vb_arena_block {
  _Alignas(max_align_t) struct vb_arena_block *before;
} vb_arena_block;

void *vb_arena_take(vb_arena *arena, size_t n, size_t size) {
  bool fits = n <= (SIZE_MAX - sizeof(vb_arena_block)) / size - 1;
  vb_arena_block *block = fits ? calloc(1, sizeof *block + (n ? n : 1) * size) : NULL;
  if (!block) {
    arena->failed = true;
    return NULL;
  }
  block->before = arena->latest;
  arena->latest = block;
  return block + 1;
}

char *vb_arena_text(vb_arena *arena, const char *text) {
  char *copy = text ? vb_arena_take(arena, strlen(text) + 1, 1) : NULL;
  return copy ? strcpy(copy, text) : NULL;
}

vb_status vb_arena_status(const vb_arena *arena, vb_error *error) {
  return arena->failed ? vb_error_memory(error) : VB_OK;
}

void vb_arena_clear(vb_arena *arena) {
  while (arena->latest) {
    vb_arena_block *block = arena->latest;
    arena->latest = block->before;
    free(block);
  }
}

bool vb_grow(void *array, size_t *capacity, size_t n, size_t size) {
  if (n <= *capacity)
    return true;
  size_t more = n + n / 2 + 64;
  void *old;
  memcpy(&old, array, sizeof old); // of whatever type of pointer
  void *grown = more > n ? reallocarray(old, more, size) : NULL;
  if (!grown)
    return false;
  memcpy(array, &grown, sizeof grown);
  *capacity = more;
  return true;
}

void *vb_append(void *array, size_t *n, size_t size) {
  char *data;
  memcpy(&data, array, sizeof data); // of whatever type of pointer
  if ((*n & (*n - 1)) == 0) {        // full: there is room for the next power of two
    bool fits = *n <= SIZE_MAX / 2;
    data = fits ? reallocarray(data, *n ? 2 * *n : 1, size) : NULL;
    if (!data)
      return NULL;
    memcpy(array, &data, sizeof data);
  }
  return memset(data + (*n)++ * size, 0, size);
}
