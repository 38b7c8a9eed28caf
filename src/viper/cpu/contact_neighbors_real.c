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

static bool reserve(viper_neighbor_list *neighbors, size_t n) {
  if (n <= neighbors->capacity)
    return true;
  size_t capacity = n + n / 4 + 256;
  void *other = neighbors->other, *limit = neighbors->limit, *spare = neighbors->spare;
  bool grown = grow(&other, capacity, sizeof *neighbors->other) &&
               grow(&limit, capacity, sizeof *neighbors->limit) &&
               grow(&spare, capacity, sizeof *neighbors->spare);
  neighbors->other = other;
  neighbors->limit = limit;
  neighbors->spare = spare;
  neighbors->capacity = grown ? capacity : neighbors->capacity;
  return grown;
}

/// The limits of a segment's new pairs: those of before, without the displacements until now; new
/// pairs are to be looked at.
static void carry_limits(viper_neighbor_list *neighbors, const viper_sphere_pairs *pairs,
                         int32_t i) {
  int32_t old = neighbors->first[i], end = neighbors->first[i + 1];
  for (int32_t k = pairs->first[i]; k < pairs->first[i + 1]; k++) {
    int32_t j = pairs->other[k];
    while (old < end && neighbors->other[old] < j)
      old++;
    bool known = old < end && neighbors->other[old] == j;
    neighbors->spare[k] =
        known ? neighbors->limit[old] - (neighbors->displacement[i] + neighbors->displacement[j])
              : -1;
  }
}

bool viper_contact_list(viper_neighbor_list *neighbors, int32_t n_segments,
                        const viper_sphere_pairs *pairs, int threads) {
  int32_t n = pairs->first[n_segments];
  if (!reserve(neighbors, (size_t)n))
    return false;
  if (!neighbors->listed) // nothing is known
    memset(neighbors->first, 0, ((size_t)n_segments + 1) * sizeof *neighbors->first);
#pragma omp parallel num_threads(threads) if (n_segments > VIPER_CONTACT_PARALLEL)
  {
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      carry_limits(neighbors, pairs, i);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n_segments; i++)
      neighbors->displacement[i] = 0;
  }
  memcpy(neighbors->first, pairs->first, ((size_t)n_segments + 1) * sizeof *neighbors->first);
  if (n > 0)
    memcpy(neighbors->other, pairs->other, (size_t)n * sizeof *neighbors->other);
  viper_scalar *limit = neighbors->limit;
  neighbors->limit = neighbors->spare;
  neighbors->spare = limit;
  neighbors->n_moved = 0;
  neighbors->listed = true;
  return true;
}

static int compare_pairs(const void *x, const void *y) {
  const int32_t *a = x, *b = y;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// The first place in a segment's row whose other segment is not before `j`.
static int32_t place_of(const viper_neighbor_list *neighbors, int32_t i, int32_t j) {
  int32_t begin = neighbors->first[i], n = neighbors->first[i + 1] - begin;
  while (n > 0) {
    int32_t half = n / 2;
    bool behind = neighbors->other[begin + half] < j;
    begin = behind ? begin + half + 1 : begin;
    n = behind ? n - half - 1 : half;
  }
  return begin;
}

bool viper_contact_lists(const viper_neighbor_list *neighbors, int32_t i, int32_t j) {
  int32_t k = place_of(neighbors, i, j);
  return k < neighbors->first[i + 1] && neighbors->other[k] == j;
}

/// Sorts the pairs to be added, and drops those that are twice there.
static void sift(viper_neighbor_list *neighbors) {
  size_t n = 0;
  if (neighbors->n_added > 0)
    qsort(neighbors->added, neighbors->n_added, sizeof *neighbors->added, compare_pairs);
  for (size_t e = 0; e < neighbors->n_added; e++) {
    int32_t i = neighbors->added[e][0], j = neighbors->added[e][1];
    if (n > 0 && neighbors->added[n - 1][0] == i && neighbors->added[n - 1][1] == j)
      continue;
    neighbors->added[n][0] = i;
    neighbors->added[n++][1] = j;
  }
  neighbors->n_added = n;
}

bool viper_contact_mend(viper_neighbor_list *neighbors, int32_t n_segments) {
  sift(neighbors);
  if (!reserve(neighbors, (size_t)neighbors->first[n_segments] + neighbors->n_added))
    return false;
  int32_t end = neighbors->first[n_segments];
  for (size_t e = neighbors->n_added; e > 0;
       e--) { // from behind: what lies between moves by e places
    int32_t at = place_of(neighbors, neighbors->added[e - 1][0], neighbors->added[e - 1][1]);
    memmove(neighbors->other + at + e, neighbors->other + at,
            (size_t)(end - at) * sizeof *neighbors->other);
    memmove(neighbors->limit + at + e, neighbors->limit + at,
            (size_t)(end - at) * sizeof *neighbors->limit);
    neighbors->other[at + (int32_t)e - 1] = neighbors->added[e - 1][1];
    neighbors->limit[at + (int32_t)e - 1] = -1;
    end = at;
  }
  int32_t before = 0;
  for (int32_t i = 0; i <= n_segments; i++) {
    neighbors->first[i] += before;
    while (before < (int32_t)neighbors->n_added && neighbors->added[before][0] == i)
      before++;
  }
  neighbors->n_added = 0;
  return true;
}
