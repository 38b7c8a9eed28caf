// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves of a frame with held components (frame_pin.h), by its free components. If two are held,
/// the third axis is the only direction. If component k alone is held, n_k . delta = 0 determines
/// delta_k from the others: delta_k = -c . delta. Gradients and blocks over the free components
/// result from this substitution. Point-wise.
#ifndef VIPER_METHOD_FRAME_CHART_H
#define VIPER_METHOD_FRAME_CHART_H

#include "viper/method/frame_pin.h"

typedef struct viper_chart {
  viper_real free[3];  ///< 1 if a component is free, else 0
  viper_real slope[3]; ///< c; 0 if a component is not free or two are held
} viper_chart;

VIPER_FN viper_chart viper_chart_of(const viper_held *held, viper_quat q) {
  viper_quat d = viper_quat_mul(viper_quat_conj(held->at), q);
  const viper_real one = VIPER_R(1), zero = VIPER_R(0);
  viper_real f[3] = {held->free.x, held->free.y, held->free.z};
  viper_real row[3][3] = {{d.w, -d.z, d.y}, {d.z, d.w, -d.x}, {-d.y, d.x, d.w}};
  viper_real single = f[0] * f[1] + f[1] * f[2] + f[2] * f[0]; // 1 if one is held, 3 if none
  viper_real inverse = one / d.w;
  viper_chart out;
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real n = zero;
    VIPER_UNROLL for (int k = 0; k < 3; k++) n += (one - f[k]) * row[k][i];
    out.free[i] = f[i];
    out.slope[i] = VIPER_SELECT(single == one, f[i] * n * inverse, zero);
  }
  return out;
}

/// Projects the gradient `g` over a frame's rotation to its free components.
VIPER_FN void viper_chart_gradient(const viper_chart *c, viper_real g[3]) {
  viper_real held = VIPER_R(0), one = VIPER_R(1);
  VIPER_UNROLL for (int k = 0; k < 3; k++) held += (one - c->free[k]) * g[k];
  VIPER_UNROLL for (int i = 0; i < 3; i++) g[i] = c->free[i] * (g[i] - c->slope[i] * held);
}

/// Completes a move of the free components by the held one.
VIPER_FN void viper_chart_move(const viper_chart *c, viper_real d[3]) {
  viper_real along = c->slope[0] * d[0] + c->slope[1] * d[1] + c->slope[2] * d[2];
  VIPER_UNROLL for (int k = 0; k < 3; k++) d[k] -= (VIPER_R(1) - c->free[k]) * along;
}

/// A diagonal that bounds the block over the free components, from a diagonal `h` that bounds the
/// block over all. The slopes c add c c^T times the entry of the held component, which is bounded
/// by the sums of its rows' magnitudes.
VIPER_FN void viper_chart_diagonal(const viper_chart *c, viper_real h[3]) {
  viper_real held = VIPER_R(0), sum = VIPER_R(0), one = VIPER_R(1);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    held += (one - c->free[k]) * h[k];
    sum += viper_signed(c->slope[k], c->slope[k]);
  }
  VIPER_UNROLL for (int i = 0; i < 3; i++) h[i] +=
      viper_signed(c->slope[i], c->slope[i]) * sum * held;
}

/// The index of entry (i, k) of a packed symmetric matrix.
#define VIPER_PACKED_AT(i, k) ((i) >= (k) ? (i) * ((i) + 1) / 2 + (k) : (k) * ((k) + 1) / 2 + (i))

/// Restricts the gradient and packed block of an element with `n` unknowns to the free components
/// of the frame whose unknowns begin at `first`.
VIPER_FN void viper_chart_block(int n, int first, const viper_chart *c, viper_real *g,
                                viper_real *packed) {
  viper_real t[3], held = VIPER_R(0), m[3];
  viper_chart_gradient(c, g + first);
  VIPER_UNROLL for (int k = 0; k < 3; k++) m[k] = VIPER_R(1) - c->free[k];
  VIPER_UNROLL_LARGE for (int i = 0; i < n; i++) {
    viper_real row = VIPER_R(0);
    if (i >= first && i < first + 3)
      continue;
    VIPER_UNROLL for (int k = 0; k < 3; k++) row += m[k] * packed[VIPER_PACKED_AT(i, first + k)];
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      viper_real *x = &packed[VIPER_PACKED_AT(i, first + k)];
      *x = c->free[k] * (*x - c->slope[k] * row);
    }
  }
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    t[i] = VIPER_R(0);
    VIPER_UNROLL for (int k = 0; k < 3; k++) t[i] +=
        m[k] * packed[VIPER_PACKED_AT(first + i, first + k)];
    held += m[i] * t[i];
  }
  VIPER_UNROLL for (int i = 0; i < 3; i++) VIPER_UNROLL for (int k = 0; k <= i; k++) {
    viper_real *x = &packed[VIPER_PACKED_AT(first + i, first + k)];
    viper_real less = c->slope[i] * t[k] + c->slope[k] * t[i];
    *x = c->free[i] * c->free[k] * (*x - less + c->slope[i] * c->slope[k] * held);
  }
}

#endif
