// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy, gradient, Gauss-Newton block and multiplier step of each energy term, derived from its
/// W, dW and K: K |W|^2 / 2, K dW^T W, K dW^T dW, and eq. 28 (corrected). Each row of W has its K:
/// viper_KIND_of_row.
///
/// For each term NAME of an element KIND this defines, in local unknowns (see element.h):
///   viper_NAME_energy(rest, x)                     J
///   viper_NAME_add_gradient(rest, x, g)            g[n] += gradient
///   viper_NAME_add_block(rest, x, g, h)            both g[n] and h[n][n] (lower triangle)
///   viper_NAME_multiplier(rest, x, h2a, lambda, d) lambda += dlambda, d[n] = -h^2 A^-1 dW^T
///   dlambda
#ifndef VIPER_ENERGY_TERMS_H
#define VIPER_ENERGY_TERMS_H

#include "viper/energy/bend.h"
#include "viper/energy/section.h"
#include "viper/energy/solid.h"
#include "viper/energy/stretch.h"
#include "viper/energy/surface_bend.h"
#include "viper/energy/taper.h"
#include "viper/energy/twist.h"
#include "viper/energy/volume.h"
#include "viper/energy/volume_bend.h"

/// The most unknowns of an element, and rows of a term.
#define VIPER_MOST_COLUMNS 11
#define VIPER_MOST_ROWS    3

// VIPER_NAME_UNKNOWNS: what a term acts on, as bits. Columns are checked: add_block wants them to
// rise.
#define VIPER_COLUMN_BIT(NAME, k)                                                                  \
  ((k) < VIPER_##NAME##_COLUMNS ? 1 << VIPER_##NAME##_COLUMN((k) % VIPER_##NAME##_COLUMNS) : 0)
#define VIPER_COLUMN_RISES(NAME, k)                                                                \
  ((k) >= VIPER_##NAME##_COLUMNS || VIPER_##NAME##_COLUMN((k)-1) < VIPER_##NAME##_COLUMN(k))
#define VIPER_ALL_COLUMNS(X, NAME, op)                                                             \
  X(NAME, 1)                                                                                       \
  op X(NAME, 2) op X(NAME, 3) op X(NAME, 4) op X(NAME, 5) op X(NAME, 6) op X(NAME, 7) op X(NAME,   \
                                                                                           8) op   \
  X(NAME, 9) op                                                                                    \
  X(NAME, 10)
#define VIPER_CHECK_TERM(name, NAME, n)                                                            \
  enum {                                                                                           \
    VIPER_##NAME##_UNKNOWNS =                                                                      \
        VIPER_COLUMN_BIT(NAME, 0) | VIPER_ALL_COLUMNS(VIPER_COLUMN_BIT, NAME, |)                   \
  };                                                                                               \
  VIPER_ASSERT(VIPER_##NAME##_COLUMNS <= n && VIPER_##NAME##_UNKNOWNS < 1 << n,                    \
               "columns of " #name " are unknowns of its element");                                \
  VIPER_ASSERT(VIPER_ALL_COLUMNS(VIPER_COLUMN_RISES, NAME, &&), "columns of " #name " rise");      \
  VIPER_ASSERT(VIPER_##NAME##_ROWS <= VIPER_MOST_ROWS, "rows of " #name);
#define VIPER_CHECK_SEGMENT_TERM(name, NAME) VIPER_CHECK_TERM(name, NAME, VIPER_SEGMENT_UNKNOWNS)
#define VIPER_CHECK_JOINT_TERM(name, NAME)   VIPER_CHECK_TERM(name, NAME, VIPER_JOINT_UNKNOWNS)
VIPER_SEGMENT_TERMS(VIPER_CHECK_SEGMENT_TERM)
VIPER_JOINT_TERMS(VIPER_CHECK_JOINT_TERM)
#define VIPER_CHECK_SOLID_TERM(name, NAME, SHOWN) VIPER_CHECK_SEGMENT_TERM(name, NAME)
VIPER_SOLID_TERMS(VIPER_CHECK_SOLID_TERM)
#undef VIPER_CHECK_SOLID_TERM
#undef VIPER_CHECK_SEGMENT_TERM
#undef VIPER_CHECK_JOINT_TERM
#undef VIPER_CHECK_TERM

/// Sums of the rows of W: the multipliers of a segment and of a joint.
#define VIPER_ROWS_OF(name, NAME) +VIPER_##NAME##_ROWS
enum {
  VIPER_SEGMENT_ROWS = 0 VIPER_SEGMENT_TERMS(VIPER_ROWS_OF),
  VIPER_JOINT_ROWS = 0 VIPER_JOINT_TERMS(VIPER_ROWS_OF)
};
#undef VIPER_ROWS_OF

/// The sum of K of an element's terms that act on any of these unknowns.
#define VIPER_DEFINE_SUM(kind, TERMS)                                                              \
  VIPER_FN viper_real viper_##kind##_k_on(const viper_##kind##_rest *rest, int unknowns) {         \
    viper_real sum = VIPER_R(0);                                                                   \
    TERMS(VIPER_ADD_K)                                                                             \
    return sum;                                                                                    \
  }
#define VIPER_ADD_K(name, NAME)                                                                    \
  if (VIPER_##NAME##_UNKNOWNS & unknowns)                                                          \
    sum += rest->k_##name;
VIPER_DEFINE_SUM(segment, VIPER_SEGMENT_TERMS)
VIPER_DEFINE_SUM(joint, VIPER_JOINT_TERMS)
#undef VIPER_DEFINE_SUM

/// The same of the terms of the material model solid.
VIPER_FN viper_real viper_solid_k_on(const viper_solid_rest *rest, int unknowns) {
  viper_real sum = VIPER_R(0);
#define VIPER_ADD_SOLID_K(name, NAME, SHOWN) VIPER_ADD_K(name, NAME)
  VIPER_SOLID_TERMS(VIPER_ADD_SOLID_K)
#undef VIPER_ADD_SOLID_K
  return sum;
}
#undef VIPER_ADD_K

/// No gradient and no block of an element's `n` unknowns, yet.
VIPER_FN void viper_clear(int n, viper_real *g, viper_real *h) {
  VIPER_UNROLL_LARGE for (int i = 0; i < n; i++) {
    g[i] = VIPER_R(0);
    VIPER_UNROLL_LARGE for (int j = 0; j < n; j++) h[i * n + j] = VIPER_R(0);
  }
}

/// Solves the m x m system a x = b in place of b (m <= 3), by elimination without pivoting: `a` is
/// the unit matrix and the product of a diagonal and a symmetric matrix, neither with negative
/// eigenvalues, so that all pivots are 1 at least.
VIPER_FN void viper_solve_small(int m, viper_real a[3][3], viper_real b[3]) {
  viper_real inverse[3];
  VIPER_UNROLL for (int k = 0; k < m; k++) {
    inverse[k] = VIPER_RECIPROCAL(a[k][k]);
    VIPER_UNROLL for (int i = k + 1; i < m; i++) {
      viper_real factor = a[i][k] * inverse[k];
      VIPER_UNROLL for (int j = k + 1; j < m; j++) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  VIPER_UNROLL for (int i = m - 1; i >= 0; i--) {
    VIPER_UNROLL for (int j = i + 1; j < m; j++) b[i] -= a[i][j] * b[j];
    b[i] *= inverse[i];
  }
}

#define VIPER_DEFINE_TERM(name, NAME, kind, n)                                                     \
  VIPER_FN viper_real viper_##name##_energy(const viper_##kind##_rest *rest,                       \
                                            const viper_##kind##_state *x) {                       \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_real sum = VIPER_R(0);                                                                   \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) sum +=                              \
        viper_##kind##_of_row(w[i] * w[i], x, VIPER_TERM_##NAME, i);                               \
    return VIPER_R(0.5) * rest->k_##name * sum;                                                    \
  }                                                                                                \
  VIPER_FN void viper_##name##_add_gradient(const viper_##kind##_rest *rest,                       \
                                            const viper_##kind##_state *x, viper_real g[n]) {      \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) {                                   \
      const viper_real k_i = viper_##kind##_of_row(rest->k_##name, x, VIPER_TERM_##NAME, i);       \
      VIPER_UNROLL for (int k = 0; k < VIPER_##NAME##_COLUMNS; k++) g[VIPER_##NAME##_COLUMN(k)] += \
          k_i * w[i] * dw[i][k];                                                                   \
    }                                                                                              \
  }                                                                                                \
  VIPER_FN void viper_##name##_add_block(const viper_##kind##_rest *rest,                          \
                                         const viper_##kind##_state *x, viper_real g[n],           \
                                         viper_real h[n][n]) {                                     \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) {                                   \
      const viper_real k_i = viper_##kind##_of_row(rest->k_##name, x, VIPER_TERM_##NAME, i);       \
      VIPER_UNROLL for (int k = 0; k < VIPER_##NAME##_COLUMNS; k++) {                              \
        viper_real kd = k_i * dw[i][k];                                                            \
        g[VIPER_##NAME##_COLUMN(k)] += kd * w[i];                                                  \
        VIPER_UNROLL for (int m = 0; m <= k; m++)                                                  \
            h[VIPER_##NAME##_COLUMN(k)][VIPER_##NAME##_COLUMN(m)] += kd * dw[i][m];                \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  VIPER_FN void viper_##name##_multiplier(                                                         \
      const viper_##kind##_rest *rest, const viper_##kind##_state *x, const viper_real h2a[n],     \
      viper_real lambda[VIPER_##NAME##_ROWS], viper_real d[n]) {                                   \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_real a[3][3], b[3];                                                                      \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) {                                   \
      const viper_real k_i = viper_##kind##_of_row(rest->k_##name, x, VIPER_TERM_##NAME, i);       \
      b[i] = k_i * w[i] - lambda[i];                                                               \
      VIPER_UNROLL for (int j = 0; j < VIPER_##NAME##_ROWS; j++) {                                 \
        a[i][j] = i == j ? VIPER_R(1) : VIPER_R(0);                                                \
        VIPER_UNROLL for (int k = 0; k < VIPER_##NAME##_COLUMNS; k++) a[i][j] +=                   \
            k_i * dw[i][k] * h2a[VIPER_##NAME##_COLUMN(k)] * dw[j][k];                             \
      }                                                                                            \
    }                                                                                              \
    viper_solve_small(VIPER_##NAME##_ROWS, a, b);                                                  \
    VIPER_UNROLL for (int k = 0; k < n; k++) d[k] = VIPER_R(0);                                    \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) {                                   \
      lambda[i] += b[i];                                                                           \
      VIPER_UNROLL for (int k = 0; k < VIPER_##NAME##_COLUMNS; k++) d[VIPER_##NAME##_COLUMN(k)] -= \
          h2a[VIPER_##NAME##_COLUMN(k)] * dw[i][k] * b[i];                                         \
    }                                                                                              \
  }

#define VIPER_DEFINE_SEGMENT_TERM(name, NAME)                                                      \
  VIPER_DEFINE_TERM(name, NAME, segment, VIPER_SEGMENT_UNKNOWNS)
#define VIPER_DEFINE_JOINT_TERM(name, NAME)                                                        \
  VIPER_DEFINE_TERM(name, NAME, joint, VIPER_JOINT_UNKNOWNS)
VIPER_SEGMENT_TERMS(VIPER_DEFINE_SEGMENT_TERM)
VIPER_JOINT_TERMS(VIPER_DEFINE_JOINT_TERM)
#define VIPER_DEFINE_SOLID_TERM(name, NAME, SHOWN)                                                 \
  VIPER_DEFINE_TERM(name, NAME, solid, VIPER_SOLID_UNKNOWNS)
VIPER_SOLID_TERMS(VIPER_DEFINE_SOLID_TERM)
#undef VIPER_DEFINE_SOLID_TERM
#undef VIPER_DEFINE_SEGMENT_TERM
#undef VIPER_DEFINE_JOINT_TERM
#undef VIPER_DEFINE_TERM

#endif
