// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct vb_state_copy {
  char *to;         ///< or null
  const char *from; ///< or null; with neither, bytes are counted
  size_t bytes;     ///< so far
};

vb_status vb_state_create(const vb_state_array *arrays, size_t n_arrays, size_t *total,
                          vb_error *error) {
  size_t n = 0;
  // Where the first one begins the block is to be freed.
  assert(n_arrays > 0 && arrays[0].n != VB_NO_ARRAY);
  for (size_t i = 0; i < n_arrays; i++)
    n += arrays[i].n == VB_NO_ARRAY ? 0 : arrays[i].n;
  double *at = calloc(n + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  for (size_t i = 0; i < n_arrays; i++) {
    *arrays[i].at = arrays[i].n == VB_NO_ARRAY ? NULL : at;
    at += *arrays[i].at ? arrays[i].n : 0;
  }
  *total = n;
  return VB_OK;
}

void vb_carry(vb_state_copy *copy, void *data, size_t n, size_t size) {
  if (copy->to && n > 0)
    memcpy(copy->to + copy->bytes, data, n * size);
  if (copy->from && n > 0)
    memcpy(data, copy->from + copy->bytes, n * size);
  copy->bytes += n * size;
}

size_t vb_state_size(vb_state_carry *carry, const void *self) {
  vb_state_copy copy = {.bytes = 0};
  carry((void *)self, &copy);
  return copy.bytes;
}

void vb_state_save(vb_state_carry *carry, void *self, void *out) {
  vb_state_copy copy = {.to = out};
  const size_t size = vb_state_size(carry, self);
  carry(self, &copy);
  assert(copy.bytes == size);
}

void vb_state_restore(vb_state_carry *carry, void *self, const void *state) {
  vb_state_copy copy = {.from = state};
  const size_t size = vb_state_size(carry, self);
  carry(self, &copy);
  assert(copy.bytes == size);
}
