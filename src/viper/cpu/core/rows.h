// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads and stores rows of scalars, one per element, as vectors with one element per lane. Only
/// for sources that end in _lanes.c.
#ifndef VIPER_CPU_CORE_ROWS_H
#define VIPER_CPU_CORE_ROWS_H

#include "viper/energy/real.h"

#include <stddef.h>

/// The rows of as many elements as there are lanes. Lanes without one of their own repeat another,
/// and are not written.
typedef struct viper_rows {
  int32_t i[VIPER_LANES];
  int n; ///< lanes in use
} viper_rows;

// Loops over lanes are functions of their own: inlined everywhere they would make the phases so
// large that compilers take minutes over them.
#define VIPER_CALL static __attribute__((noinline, unused))

// Rows are taken four components and four lanes at a time: loaded as they lie, and turned.
#define VIPER_QUADS (VIPER_LANES / 4)
typedef viper_scalar viper_quad __attribute__((vector_size(4 * sizeof(viper_scalar)),
                                               aligned(sizeof(viper_scalar)), may_alias));

VIPER_FN void viper_turn_quads(viper_quad r[4]) {
  viper_quad low0 = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
  viper_quad high0 = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  viper_quad low1 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  viper_quad high1 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  r[0] = __builtin_shufflevector(low0, low1, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(low0, low1, 2, 3, 6, 7);
  r[2] = __builtin_shufflevector(high0, high1, 0, 1, 4, 5);
  r[3] = __builtin_shufflevector(high0, high1, 2, 3, 6, 7);
}

/// The first `n` components of rows of `width` scalars, from component `k` on.
VIPER_CALL void viper_gather_rows(const viper_scalar *p, const viper_rows *at, int width, int k,
                                  int n, viper_real *out) {
  int c = 0;
  for (; VIPER_QUADS > 0 && c + 4 <= n; c += 4)
    for (int q = 0; q < VIPER_QUADS; q++) {
      viper_quad r[4];
      VIPER_UNROLL for (int i = 0; i < 4; i++) r[i] =
          *(const viper_quad *)(p + (size_t)at->i[4 * q + i] * (size_t)width + (size_t)(k + c));
      viper_turn_quads(r);
      VIPER_UNROLL for (int i = 0; i < 4; i++) *
          (viper_quad *)((viper_scalar *)&out[c + i] + 4 * q) = r[i];
    }
  for (; c < n; c++)
    for (int lane = 0; lane < VIPER_LANES; lane++)
      ((viper_scalar *)&out[c])[lane] = p[(size_t)at->i[lane] * (size_t)width + (size_t)(k + c)];
}

/// The `n` values of each lane one after the other, from `out` + lane * `width` on, where there is
/// room for whole fours.
VIPER_FN void viper_turn_out(const viper_real *x, int n, viper_scalar *out, int width) {
  for (int c = 0; VIPER_QUADS > 0 && c < n; c += 4)
    for (int q = 0; q < VIPER_QUADS; q++) {
      viper_quad r[4];
      VIPER_UNROLL for (int i = 0; i < 4; i++) r[i] =
          *(const viper_quad *)((const viper_scalar *)&x[c + i < n ? c + i : n - 1] + 4 * q);
      viper_turn_quads(r);
      VIPER_UNROLL for (int i = 0; i < 4; i++) *
          (viper_quad *)(out + (size_t)(4 * q + i) * (size_t)width + c) = r[i];
    }
  for (int lane = 0; VIPER_QUADS == 0 && lane < VIPER_LANES; lane++)
    for (int c = 0; c < n; c++)
      out[lane * width + c] = x[c][lane];
}

VIPER_CALL void viper_scatter_rows(viper_scalar *p, const viper_rows *at, int width, int k, int n,
                                   const viper_real *x) {
  int c = 0;
  for (; VIPER_QUADS > 0 && c + 4 <= n; c += 4)
    for (int q = 0; 4 * q < at->n; q++) {
      viper_quad r[4];
      VIPER_UNROLL for (int i = 0; i < 4; i++) r[i] =
          *(const viper_quad *)((const viper_scalar *)&x[c + i] + 4 * q);
      viper_turn_quads(r);
      for (int i = 0; i < 4 && 4 * q + i < at->n; i++)
        *(viper_quad *)(p + (size_t)at->i[4 * q + i] * (size_t)width + (size_t)(k + c)) = r[i];
    }
  for (; c < n; c++)
    for (int lane = 0; lane < at->n; lane++)
      p[(size_t)at->i[lane] * (size_t)width + (size_t)(k + c)] = x[c][lane];
}

#endif
