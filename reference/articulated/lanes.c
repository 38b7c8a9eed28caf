// SPDX-License-Identifier: GPL-3.0-or-later
#define AR_LANES_FUNCTION ar_lanes_base
#define AR_LANES_TARGET
#include "lanes_kernel.h"

void ar_lanes_fresh(unsigned lost, const ar_lanes f[9], ar_lanes q[4]) {
  for (int l = 0; l < AR_LANES; l++) {
    double matrix[9], turn[4], r[9];
    if (!(lost >> l & 1))
      continue;
    for (int i = 0; i < 9; i++)
      matrix[i] = f[i][l];
    ar_rotation_fresh(matrix, turn, r);
    for (int c = 0; c < 4; c++)
      q[c][l] = turn[c];
  }
}

void ar_lanes_fill(const ar_body *body, ar_block *block) {
  size_t n = body->n_elements, whole = (n + AR_LANES - 1) / AR_LANES * AR_LANES;
  for (size_t i = 0; i < whole; i++) {
    const ar_element *from = &body->element[i < n ? i : n - 1];
    ar_block *b = &block[i / AR_LANES];
    size_t l = i % AR_LANES;
    double volume = i < n ? from->volume : 0;
    for (int a = 0; a < 4; a++)
      b->node[a][l] = from->node[a];
    for (int a = 0; a < 3; a++)
      for (int c = 0; c < 3; c++)
        b->gradient[a][c][l] = from->gradient[a + 1][c];
    b->mu[l] = 2 * from->material.mu * volume;
    b->la[l] = from->material.la * volume;
  }
}

ar_lanes_function *ar_lanes_best(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return ar_lanes_v4;
  if (__builtin_cpu_supports("avx2"))
    return ar_lanes_v3;
#endif
  return ar_lanes_base;
}
