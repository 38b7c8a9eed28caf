// SPDX-License-Identifier: GPL-3.0-or-later
/// Rows of a sparse table, one after the other in one array: those of row i are value[first[i]] to
/// value[first[i + 1] - 1]. They are made by counting: who fills them counts the values of row i in
/// first[i + 2], calls vb_begin_rows, and puts each to value[first[i + 1]++], which leaves the
/// rows in the order in which they were put.
#ifndef VB_BASE_ROWS_H
#define VB_BASE_ROWS_H

#include "base/arena.h"

#include <stdint.h>

/// For qsort of int32_t, rising.
static inline int vb_compare_int32(const void *left, const void *right) {
  const int32_t *a = (const int32_t *)left, *b = (const int32_t *)right;
  return (*a > *b) - (*a < *b);
}

/// From counts in first[2] to first[n + 1] to where rows begin, in first[1] to first[n].
static inline void vb_begin_rows(int32_t *first, size_t n) {
  for (size_t i = 2; i < n + 1; i++)
    first[i] += first[i - 1];
}

/// What a pair of numbers is in rows.
typedef enum vb_pair_symmetry {
  VB_PAIRS_SYMMETRIC = 1, ///< each is in the row of the other
  VB_PAIRS_DIRECTED = 2   ///< the second is in the row of the first
} vb_pair_symmetry;

/// The `n` rows of pairs (n_pairs x 2), in their order; null without memory.
static inline int32_t *vb_make_rows(vb_arena *memory, size_t n, const int32_t *pair, size_t n_pairs,
                                    vb_pair_symmetry ways, int32_t **first) {
  int32_t *value = vb_arena_take(memory, 2 * n_pairs / (size_t)ways, sizeof *value);
  int32_t *begin = *first = vb_arena_take(memory, n + 2, sizeof *begin);
  if (!value || !begin)
    return NULL;
  for (size_t k = 0; k < 2 * n_pairs; k += (size_t)ways)
    begin[pair[k] + 2]++;
  vb_begin_rows(begin, n);
  for (size_t k = 0; k < 2 * n_pairs; k += (size_t)ways)
    value[begin[pair[k] + 1]++] = pair[k ^ 1];
  return value;
}

#endif
