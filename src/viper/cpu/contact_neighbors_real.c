// SPDX-License-Identifier: GPL-3.0-or-later
/// The list of pairs that may be near: made, and mended.
#include "viper/cpu/contact_real.h"

#include <stdlib.h>
#include <string.h>

/// Makes room for `n` elements of `size` bytes; what there was is kept without memory, too.
static bool grow(void **array, size_t n, size_t size) {
  void *grown = realloc(*array, n * size);
  if (grown)
    *array = grown;
  return grown;
}

static bool reserve(viper_near *near, size_t n) {
  if (n <= near->capacity)
    return true;
  size_t capacity = n + n / 4 + 256;
  void *other = near->other, *limit = near->limit, *spare = near->spare;
  bool grown = grow(&other, capacity, sizeof *near->other) &&
               grow(&limit, capacity, sizeof *near->limit) &&
               grow(&spare, capacity, sizeof *near->spare);
  near->other = other;
  near->limit = limit;
  near->spare = spare;
  near->capacity = grown ? capacity : near->capacity;
  return grown;
}

/// The limits of a segment's new pairs: those of before, without the ways until now; new pairs are
/// to be looked at.
static void carry_limits(viper_near *near, const viper_sphere_pairs *pairs, int32_t i) {
  int32_t old = near->first[i], end = near->first[i + 1];
  for (int32_t k = pairs->first[i]; k < pairs->first[i + 1]; k++) {
    int32_t j = pairs->other[k];
    while (old < end && near->other[old] < j)
      old++;
    bool known = old < end && near->other[old] == j;
    near->spare[k] = known ? near->limit[old] - (near->way[i] + near->way[j]) : -1;
  }
}

bool viper_contact_list(viper_near *near, int32_t n_segments, const viper_sphere_pairs *pairs,
                        int threads) {
  int32_t n = pairs->first[n_segments];
  if (!reserve(near, (size_t)n))
    return false;
  if (!near->listed) // nothing is known
    memset(near->first, 0, ((size_t)n_segments + 1) * sizeof *near->first);
#pragma omp parallel num_threads(threads) if (n_segments > VIPER_CONTACT_PARALLEL)
  {
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      carry_limits(near, pairs, i);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      near->way[i] = 0;
  }
  memcpy(near->first, pairs->first, ((size_t)n_segments + 1) * sizeof *near->first);
  if (n > 0)
    memcpy(near->other, pairs->other, (size_t)n * sizeof *near->other);
  viper_scalar *limit = near->limit;
  near->limit = near->spare;
  near->spare = limit;
  near->n_moved = 0;
  near->listed = true;
  return true;
}

static int compare_pairs(const void *x, const void *y) {
  const int32_t *a = x, *b = y;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// The first place in a segment's row whose other segment is not before `j`.
static int32_t place_of(const viper_near *near, int32_t i, int32_t j) {
  int32_t begin = near->first[i], n = near->first[i + 1] - begin;
  while (n > 0) {
    int32_t half = n / 2;
    bool behind = near->other[begin + half] < j;
    begin = behind ? begin + half + 1 : begin;
    n = behind ? n - half - 1 : half;
  }
  return begin;
}

bool viper_contact_lists(const viper_near *near, int32_t i, int32_t j) {
  int32_t k = place_of(near, i, j);
  return k < near->first[i + 1] && near->other[k] == j;
}

/// Sorts the pairs to be added, and drops those that are twice there.
static void sift(viper_near *near) {
  size_t n = 0;
  if (near->n_added > 0)
    qsort(near->added, near->n_added, sizeof *near->added, compare_pairs);
  for (size_t e = 0; e < near->n_added; e++) {
    int32_t i = near->added[e][0], j = near->added[e][1];
    if (n > 0 && near->added[n - 1][0] == i && near->added[n - 1][1] == j)
      continue;
    near->added[n][0] = i;
    near->added[n++][1] = j;
  }
  near->n_added = n;
}

bool viper_contact_mend(viper_near *near, int32_t n_segments) {
  sift(near);
  if (!reserve(near, (size_t)near->first[n_segments] + near->n_added))
    return false;
  int32_t end = near->first[n_segments];
  for (size_t e = near->n_added; e > 0; e--) { // from behind: what lies between moves by e places
    int32_t at = place_of(near, near->added[e - 1][0], near->added[e - 1][1]);
    memmove(near->other + at + e, near->other + at, (size_t)(end - at) * sizeof *near->other);
    memmove(near->limit + at + e, near->limit + at, (size_t)(end - at) * sizeof *near->limit);
    near->other[at + (int32_t)e - 1] = near->added[e - 1][1];
    near->limit[at + (int32_t)e - 1] = -1;
    end = at;
  }
  int32_t before = 0;
  for (int32_t i = 0; i <= n_segments; i++) {
    near->first[i] += before;
    while (before < (int32_t)near->n_added && near->added[before][0] == i)
      before++;
  }
  near->n_added = 0;
  return true;
}
