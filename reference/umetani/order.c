// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/state.h"

void umetani_order_chain(umetani_order order, int32_t n, int32_t *out) {
  int32_t last_odd = n % 2 ? n - 2 : n - 1;
  for (int32_t i = 0; i < n; i++)
    switch (order) {
    case UMETANI_INTERLEAVED: // 0, n-1, 2, n-3, .. or 0, n-2, 2, n-4, ..
      out[i] = i % 2 ? last_odd - (i - 1) : i;
      break;
    case UMETANI_ENDS:
      out[i] = i % 2 ? n - 1 - i / 2 : i / 2;
      break;
    case UMETANI_SEQUENTIAL:
    case UMETANI_RANDOM:
      out[i] = i;
      break;
    }
}

/// The same for a run of elements that begins at number `first`.
static void order_run(umetani_order order, int32_t first, int32_t n, int32_t *list) {
  umetani_order_chain(order, n, list + first);
  for (int32_t i = first; i < first + n; i++)
    list[i] += first;
}

void umetani_order_elements(const umetani_rods *rods, umetani_order order,
                            umetani_scratch *scratch) {
  for (size_t c = 0; c < rods->n_chains; c++) {
    const umetani_chain *chain = &rods->chain[c];
    order_run(order, chain->first_edge, chain->n_edges, scratch->edge_order);
    order_run(order, chain->first_joint, chain->n_joints, scratch->joint_order);
  }
}

/// The next number of a sequence (splitmix64, Steele et al. 2014).
static uint64_t next(uint64_t *seed) {
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

void umetani_shuffle(uint64_t seed, int32_t n, int32_t *list) {
  for (int32_t i = n - 1; i > 0; i--) {
    int32_t k = (int32_t)(next(&seed) % (uint64_t)(i + 1));
    int32_t other = list[k];
    list[k] = list[i];
    list[i] = other;
  }
}
