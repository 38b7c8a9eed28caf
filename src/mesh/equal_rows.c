// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/equal_rows.h"

#include "base/time_limit.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const int64_t row[3]) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (int k = 0; k < 3; k++) {
    hash = (hash ^ (uint64_t)row[k]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29; // the low bits of coordinates are often all zero
  }
  return hash;
}

/// Looks each row up in a table of those before it, `slot` (n_slots, a power of two; -1: none).
static vb_status look_up(const int64_t (*row)[3], size_t n, int32_t *slot, size_t n_slots,
                         int32_t *first, vb_error *error) {
  size_t looks = 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = hash_of(row[i]) & (n_slots - 1);
    for (;; at = (at + 1) & (n_slots - 1)) {
      if (++looks % 1024 == 0 && vb_time_limit_over())
        return vb_time_limit_check(error);
      if (slot[at] < 0)
        slot[at] = (int32_t)i;
      if (memcmp(row[slot[at]], row[i], sizeof *row) == 0)
        break;
    }
    first[i] = slot[at];
  }
  return VB_OK;
}

vb_status vb_equal_rows(const int64_t (*row)[3], size_t n, int32_t *first, vb_error *error) {
  size_t n_slots = 64;
  if (n > INT32_MAX)
    return vb_bad_input(error, "there are more than %d rows", INT32_MAX);
  while (n_slots < 2 * n)
    n_slots *= 2;
  int32_t *slot = reallocarray(NULL, n_slots, sizeof *slot);
  if (!slot)
    return vb_error_memory(error);
  memset(slot, 0xff, n_slots * sizeof *slot);
  vb_status status = look_up(row, n, slot, n_slots, first, error);
  free(slot);
  return status;
}

vb_status vb_equal_places(const double *x, size_t n, int32_t *first, vb_error *error) {
  int64_t(*row)[3] = reallocarray(NULL, n + 1, sizeof *row);
  if (!row)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < 3; k++) {
      double plain = x[3 * i + k] + 0.0;
      memcpy(&row[i][k], &plain, sizeof plain);
    }
  vb_status status = vb_equal_rows((const int64_t(*)[3])row, n, first, error);
  free(row);
  return status;
}
