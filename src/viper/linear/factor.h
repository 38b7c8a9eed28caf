// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization along the graph (viper/linear/elimination.h): blocks over nodes and
/// frames, four unknowns each, L D L^T. Included with
///   VIPER_ENTRY             what a matrix entry is: a scalar, or one in each lane
///   VIPER_WIDE              the same in double, VIPER_WIDEN(x), VIPER_WIDE_ZERO and
///                           VIPER_WIDE_SELECT; VIPER_NARROWED(x), one rounded to an entry
///   VIPER_ENTRY_SELECT, VIPER_ENTRY_ONE   choices, and 1 as an entry
///   VIPER_ENTRY_FOUR       where four entries are read and written at once: then what an element
///                           adds is read before any of it is written, which compilers cannot know
///                           to be allowed
/// defined; VIPER_WIDE_NEGATIVE(sign, part), a wide part where a sign of 1 or -1 is -1, and else
/// 0, where it is not a choice; VIPER_TOPOLOGY, where segments and joints are not those of a
/// viper_model; and VIPER_RANGE with what follows it below, where a matrix does not hold all
/// columns of its elimination.
#ifndef VIPER_LINEAR_FACTOR_H
#define VIPER_LINEAR_FACTOR_H

#include "viper/energy/element.h"
#include "viper/linear/elimination.h"

#include <stdbool.h>
#include <string.h>

#define VIPER_BLOCK 4

#ifndef VIPER_TOPOLOGY
#define VIPER_TOPOLOGY viper_model
#endif

#ifndef VIPER_FIXED
#define VIPER_FIXED(p) (*(p)) // a number that is never written
#endif

#ifndef VIPER_ALIGNED
#define VIPER_ALIGNED // as a block's numbers are
#endif

#ifndef VIPER_RANGE
#define VIPER_DIAGONAL(m, c)   (&(m)->diagonal[c])
#define VIPER_BLOCK_AT(m, i)   (&(m)->block[i])
#define VIPER_HAS_COLUMN(m, c) true
#define VIPER_HAS_BLOCK(m, i)  true
#define VIPER_HAS_GRADIENT(m)  true
#endif

#ifndef VIPER_WIDE_NEGATIVE
#define VIPER_WIDE_NEGATIVE(sign, part)                                                            \
  VIPER_WIDE_SELECT(VIPER_WIDEN(sign) < VIPER_WIDE_ZERO, (part), VIPER_WIDE_ZERO)
#endif

#define VIPER_ROWS_AT_ONCE 4 // of VIPER_ENTRY_FOUR

#ifdef __CUDACC__
#define VIPER_ALWAYS VIPER_ON_BODY
#else
#define VIPER_ALWAYS static inline __attribute__((always_inline))
#endif

/// A diagonal block is stored row by row, of which the lower triangle counts; one that couples two
/// columns is stored column by column.
typedef struct VIPER_ALIGNED viper_block {
  VIPER_ENTRY a[VIPER_BLOCK][VIPER_BLOCK];
} viper_block;

// Four entries as one, where they are scalars: a row or column of a block at a time. C++ brings a
// type of its own.
#ifdef VIPER_ENTRY_IS_SCALAR
#ifndef __cplusplus
typedef VIPER_ENTRY viper_four
    __attribute__((vector_size(VIPER_BLOCK * VIPER_PRECISION / 8), aligned(8), may_alias));
#endif
#define VIPER_FOUR(block, i) (*(viper_four *)(block)->a[i])
#endif

/// A matrix over the columns of an elimination, its right side and its solution.
typedef struct viper_matrix {
  const viper_elimination *elimination;
  const VIPER_TOPOLOGY *model;
  viper_block *diagonal;                ///< [n_columns], lower triangles
  viper_block *block;                   ///< [n_blocks]
  VIPER_ENTRY (*gradient)[VIPER_BLOCK]; ///< [n_columns]
  VIPER_ENTRY (*move)[VIPER_BLOCK];     ///< [n_columns]
#ifdef VIPER_RANGE
  VIPER_RANGE range; ///< of the columns that it holds
#endif
} viper_matrix;

VIPER_ON_BODY int32_t viper_node_column(const viper_matrix *m, int32_t i) {
  return VIPER_FIXED(m->elimination->column_of + i);
}

VIPER_ON_BODY int32_t viper_frame_column(const viper_matrix *m, int32_t j) {
  return VIPER_FIXED(m->elimination->column_of + m->elimination->n_nodes + j);
}

/// Entry (i, j) of a symmetric matrix whose lower triangle is stored row by row.
VIPER_ON_BODY int viper_packed(int i, int j) {
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/// Adds the part of a local matrix that couples two vertices to its block: rows from `row` on
/// belong to the first vertex from its component `row_at` on, columns likewise to the second.
VIPER_ALWAYS void viper_couple(viper_matrix *m, int32_t reference, const VIPER_ENTRY *h, int row,
                               int n_rows, int row_at, int col, int n_cols, int col_at) {
  int32_t at = reference >= 0 ? reference : ~reference;
  if (!VIPER_HAS_BLOCK(m, at))
    return;
  viper_block *block = VIPER_BLOCK_AT(m, at);
#ifdef VIPER_ENTRY_FOUR
  const int from = reference >= 0 ? col_at : row_at, n = reference >= 0 ? n_cols : n_rows;
  VIPER_UNROLL for (int first = 0; first < VIPER_BLOCK; first += VIPER_ROWS_AT_ONCE) {
    viper_four four[VIPER_ROWS_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_ROWS_AT_ONCE; k++) if (first + k < n) four[k] =
        VIPER_FOUR(block, from + first + k);
    if (reference >= 0) {
      VIPER_UNROLL for (int c = first; c < first + VIPER_ROWS_AT_ONCE; c++) if (c < n_cols)
          VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++) four[c - first]
              .a[row_at + r] += h[viper_packed(row + r, col + c)];
    } else {
      VIPER_UNROLL for (int r = first; r < first + VIPER_ROWS_AT_ONCE; r++) if (r < n_rows)
          VIPER_UNROLL_LARGE for (int c = 0; c < n_cols; c++) four[r - first]
              .a[col_at + c] += h[viper_packed(row + r, col + c)];
    }
    VIPER_UNROLL for (int k = 0; k < VIPER_ROWS_AT_ONCE; k++) if (first + k < n)
        VIPER_FOUR(block, from + first + k) = four[k];
  }
#else
  if (reference >= 0) {
    VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++)
        VIPER_UNROLL_LARGE for (int c = 0; c < n_cols; c++)
            block->a[col_at + c][row_at + r] += h[viper_packed(row + r, col + c)];
  } else {
    VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++)
        VIPER_UNROLL_LARGE for (int c = 0; c < n_cols; c++)
            block->a[row_at + r][col_at + c] += h[viper_packed(row + r, col + c)];
  }
#endif
}

/// Adds a vertex's own part, and its gradient.
VIPER_ALWAYS void viper_couple_own(viper_matrix *m, int32_t column, const VIPER_ENTRY *g,
                                   const VIPER_ENTRY *h, int row, int n_rows, int row_at) {
  if (VIPER_HAS_GRADIENT(m)) {
#ifdef VIPER_ENTRY_FOUR
    viper_four sum = *(const viper_four *)m->gradient[column];
    VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++) sum.a[row_at + r] += g[row + r];
    *(viper_four *)m->gradient[column] = sum;
#else
    VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++) m->gradient[column][row_at + r] +=
        g[row + r];
#endif
  }
  if (!VIPER_HAS_COLUMN(m, column))
    return;
  viper_block *own = VIPER_DIAGONAL(m, column);
#ifdef VIPER_ENTRY_FOUR
  VIPER_UNROLL for (int first = 0; first < VIPER_BLOCK; first += VIPER_ROWS_AT_ONCE) {
    viper_four four[VIPER_ROWS_AT_ONCE];
    VIPER_UNROLL for (int k = 0; k < VIPER_ROWS_AT_ONCE; k++) if (first + k < n_rows) four[k] =
        VIPER_FOUR(own, row_at + first + k);
    VIPER_UNROLL for (int r = first; r < first + VIPER_ROWS_AT_ONCE; r++) if (r < n_rows)
        VIPER_UNROLL_LARGE for (int c = 0; c <= r; c++) four[r - first]
            .a[row_at + c] += h[viper_packed(row + r, row + c)];
    VIPER_UNROLL for (int k = 0; k < VIPER_ROWS_AT_ONCE; k++) if (first + k < n_rows)
        VIPER_FOUR(own, row_at + first + k) = four[k];
  }
#else
  VIPER_UNROLL_LARGE for (int r = 0; r < n_rows; r++)
      VIPER_UNROLL_LARGE for (int c = 0; c <= r; c++)
          own->a[row_at + r][row_at + c] += h[viper_packed(row + r, row + c)];
#endif
}

/// Adds the gradient and packed block of segment `j`. Where it goes is read before any of it is
/// written: compilers do not know that what is written is elsewhere.
VIPER_ON_BODY void viper_couple_segment(viper_matrix *m, int32_t j, const VIPER_ENTRY *g,
                                        const VIPER_ENTRY *h) {
  const int32_t *node = m->model->segment[j].node, *list = m->elimination->segment[j];
  const int32_t a = viper_node_column(m, VIPER_FIXED(node)),
                b = viper_node_column(m, VIPER_FIXED(node + 1)), c = viper_frame_column(m, j);
  int32_t reference[3];
  VIPER_UNROLL for (int k = 0; k < 3; k++) reference[k] = VIPER_FIXED(list + k);
  viper_couple_own(m, a, g, h, 0, 4, 0);
  viper_couple_own(m, b, g, h, 4, 4, 0);
  viper_couple_own(m, c, g, h, 8, 3, 0);
  viper_couple(m, reference[0], h, 4, 4, 0, 0, 4, 0);
  viper_couple(m, reference[1], h, 8, 3, 0, 0, 4, 0);
  viper_couple(m, reference[2], h, 8, 3, 0, 4, 4, 0);
}

/// Likewise of joint `t`.
VIPER_ON_BODY void viper_couple_joint(viper_matrix *m, int32_t t, const VIPER_ENTRY *g,
                                      const VIPER_ENTRY *h) {
  const int32_t *node = m->model->joint[t].node, *segment = m->model->joint[t].segment;
  const int32_t *list = m->elimination->joint[t];
  const bool outer = VIPER_FIXED(&m->model->joint[t].outer) != 0;
  int32_t column[3], frame[2], reference[6];
  VIPER_UNROLL for (int k = 0; k < 3; k++) column[k] = viper_node_column(m, VIPER_FIXED(node + k));
  VIPER_UNROLL for (int k = 0; k < 2; k++) frame[k] =
      viper_frame_column(m, VIPER_FIXED(segment + k));
  VIPER_UNROLL for (int k = 0; k < 6; k++) reference[k] = VIPER_FIXED(list + k);
  viper_couple_own(m, column[1], g, h, 1, 1, 3);
  viper_couple_own(m, frame[0], g, h, 3, 3, 0);
  viper_couple_own(m, frame[1], g, h, 6, 3, 0);
  viper_couple(m, reference[0], h, 3, 3, 0, 1, 1, 3);
  viper_couple(m, reference[1], h, 6, 3, 0, 1, 1, 3);
  viper_couple(m, reference[2], h, 6, 3, 0, 3, 3, 0);
  if (!outer)
    return;
  viper_couple_own(m, column[0], g, h, 0, 1, 3);
  viper_couple_own(m, column[2], g, h, 2, 1, 3);
  viper_couple(m, reference[3], h, 0, 1, 3, 1, 1, 3);
  viper_couple(m, reference[4], h, 2, 1, 3, 1, 1, 3);
  viper_couple(m, reference[5], h, 2, 1, 3, 0, 1, 3);
}

/// In a factored diagonal block: the sign of pivot k, 1 or -1.
#define VIPER_SIGN_OF(block, k) (block)->a[(k) / 3][(k) < 3 ? (k) + 1 : 2]

/// L D L^T of a diagonal block in its lower triangle: L below the diagonal, on it the inverses of
/// D. A negative pivot counts by its magnitude, and one that is nothing but rounding errors is
/// replaced by one of its diagonal: a shift of this unknown alone, after which the direction is one
/// of descent. A matrix that is positive definite is not shifted. Signs are noted in the idle upper
/// triangle (VIPER_SIGN_OF).
VIPER_ON_BODY void viper_factor_diagonal(viper_block *b) {
  VIPER_ENTRY one = VIPER_ENTRY_ONE, zero = (viper_scalar)0 * one, floor[VIPER_BLOCK],
              l[VIPER_BLOCK];
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
    VIPER_ENTRY own = VIPER_ENTRY_SELECT(b->a[k][k] > 0, b->a[k][k], -b->a[k][k]);
    floor[k] = VIPER_ENTRY_SELECT(own > 0, (viper_scalar)VIPER_EPSILON * own, one);
  }
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
    VIPER_ENTRY pivot = b->a[k][k];
    VIPER_SIGN_OF(b, k) = VIPER_ENTRY_SELECT(pivot + floor[k] < zero, -one, one);
    pivot = VIPER_ENTRY_SELECT(pivot > zero, pivot, -pivot);
    VIPER_ENTRY inverse = one / VIPER_ENTRY_SELECT(pivot > floor[k], pivot, floor[k]);
    b->a[k][k] = inverse;
    VIPER_UNROLL for (int i = k + 1; i < VIPER_BLOCK; i++) {
      l[i] = b->a[i][k] * inverse;
      VIPER_UNROLL for (int j = k + 1; j <= i; j++) b->a[i][j] -= l[i] * b->a[j][k];
    }
    VIPER_UNROLL for (int i = k + 1; i < VIPER_BLOCK; i++) b->a[i][k] = l[i];
  }
}

/// b <- b L^-T, which is the factor's block times D: that product is what is kept.
VIPER_ON_BODY void viper_divide_block(viper_block *b, const viper_block *l) {
  VIPER_UNROLL for (int k = 1; k < VIPER_BLOCK; k++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(b, k);
    VIPER_UNROLL for (int m = 0; m < k; m++) sum -= VIPER_FOUR(b, m) * l->a[k][m];
    VIPER_FOUR(b, k) = sum;
#else
    VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) {
      VIPER_ENTRY sum = b->a[k][r];
      VIPER_UNROLL for (int m = 0; m < k; m++) sum -= b->a[m][r] * l->a[k][m];
      b->a[k][r] = sum;
    }
#endif
  }
}

/// x <- b D^-1, the factor's own block.
VIPER_ON_BODY void viper_scale_block(viper_block *x, const viper_block *b, const viper_block *l) {
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    VIPER_FOUR(x, k) = VIPER_FOUR(b, k) * l->a[k][k];
#else
    VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) x->a[k][r] = b->a[k][r] * l->a[k][k];
#endif
  }
}

/// t <- t - x y^T
VIPER_ON_BODY void viper_update_block(viper_block *t, const viper_block *x, const viper_block *y) {
  VIPER_UNROLL for (int c = 0; c < VIPER_BLOCK; c++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(t, c);
    VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) sum -= VIPER_FOUR(x, k) * y->a[k][c];
    VIPER_FOUR(t, c) = sum;
#else
    VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) {
      VIPER_ENTRY sum = t->a[c][r];
      VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) sum -= x->a[k][r] * y->a[k][c];
      t->a[c][r] = sum;
    }
#endif
  }
}

/// t <- t - x y^T of a diagonal block, where that is symmetric; with scalars its idle upper
/// triangle, too.
VIPER_ON_BODY void viper_update_diagonal(viper_block *t, const viper_block *x,
                                         const viper_block *y) {
  VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(t, r);
    VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) sum -= VIPER_FOUR(y, k) * x->a[k][r];
    VIPER_FOUR(t, r) = sum;
#else
    VIPER_UNROLL for (int c = 0; c <= r; c++) {
      VIPER_ENTRY sum = t->a[r][c];
      VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) sum -= y->a[k][c] * x->a[k][r];
      t->a[r][c] = sum;
    }
#endif
  }
}

/// Applies what column `p` does to later ones whose place is in [from, to).
VIPER_ON_BODY void viper_apply_column(viper_matrix *m, int32_t p, int32_t from, int32_t to) {
  const viper_elimination *e = m->elimination;
  const int32_t *target = e->target + e->first_target[p], *row = e->row;
  const int32_t first = e->first_block[p], end = e->first_block[p + 1];
  const viper_block *own = &m->diagonal[p];
  viper_block x, *block = m->block, *diagonal = m->diagonal;
  for (int32_t i = first; i < end; i++) {
    viper_scale_block(&x, &block[i], own);
    for (int32_t j = first; j < i; j++, target++)
      if (row[j] >= from && row[j] < to)
        viper_update_block(&block[*target], &x, &block[j]);
    if (row[i] >= from && row[i] < to)
      viper_update_diagonal(&diagonal[row[i]], &x, &block[i]);
  }
}

/// The blocks of column `p`, whose diagonal block is factored.
VIPER_ON_BODY void viper_divide_column(viper_matrix *m, int32_t p) {
  const viper_elimination *e = m->elimination;
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
    viper_divide_block(&m->block[i], &m->diagonal[p]);
}

/// The product gradient . move: minus what a step promises; `shifted` is what unknowns with
/// negative pivots promise, each column's part of it rounded to a real, as a device keeps it.
typedef struct viper_slope {
  VIPER_WIDE slope, shifted;
} viper_slope;

VIPER_ON_BODY void viper_slope_add(viper_slope *sum, viper_slope part) {
  sum->slope += part.slope;
  sum->shifted += part.shifted;
}

/// x <- D^-1 y of column `p`. Returns what the column gives to gradient . move: minus y . D^-1 y.
VIPER_ON_BODY viper_slope viper_scale_own(viper_matrix *m, int32_t p,
                                          const VIPER_ENTRY y[VIPER_BLOCK]) {
  const viper_block *l = VIPER_DIAGONAL(m, p);
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_slope own = {zero, zero};
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
    VIPER_ENTRY x = y[k] * l->a[k][k];
    VIPER_WIDE part = VIPER_WIDEN(y[k]) * VIPER_WIDEN(x);
    own.slope -= part;
    own.shifted += VIPER_WIDE_NEGATIVE(VIPER_SIGN_OF(l, k), part);
    m->move[p][k] = x;
  }
  own.shifted = VIPER_NARROWED(own.shifted);
  return own;
}

/// x <- D^-1 L^-1 x of column `p`, which was begun with minus the gradient; as viper_scale_own.
VIPER_ON_BODY viper_slope viper_forward_own(viper_matrix *m, int32_t p) {
  const viper_block *l = VIPER_DIAGONAL(m, p);
  VIPER_ENTRY y[VIPER_BLOCK];
  memcpy(y, m->move[p], sizeof y);
  VIPER_UNROLL for (int k = 1; k < VIPER_BLOCK; k++) VIPER_UNROLL for (int c = 0; c < k; c++)
      y[k] -= l->a[k][c] * y[c];
  return viper_scale_own(m, p, y);
}

/// What column `p` does to the solution of later rows whose place is in [from, to).
VIPER_ON_BODY void viper_forward_rows(viper_matrix *m, int32_t p, int32_t from, int32_t to) {
  const viper_elimination *e = m->elimination;
  const int32_t *row = e->row, end = e->first_block[p + 1];
  const viper_block *block = m->block;
  VIPER_ENTRY x[VIPER_BLOCK], sum[VIPER_BLOCK], (*move)[VIPER_BLOCK] = m->move;
  memcpy(x, move[p], sizeof x);
  for (int32_t i = e->first_block[p]; i < end; i++) {
    if (row[i] < from || row[i] >= to)
      continue;
    memcpy(sum, move[row[i]], sizeof sum);
    VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++)
        VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) sum[r] -= block[i].a[k][r] * x[k];
    memcpy(move[row[i]], sum, sizeof sum);
  }
}

/// t <- t + the columns of b, each times `later` entry by entry.
VIPER_ON_BODY void viper_add_products(viper_block *t, const viper_block *b,
                                      const VIPER_ENTRY later[VIPER_BLOCK]) {
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    VIPER_FOUR(t, k) += VIPER_FOUR(b, k) * *(const viper_four *)later;
#else
    VIPER_UNROLL for (int r = 0; r < VIPER_BLOCK; r++) t->a[k][r] += b->a[k][r] * later[r];
#endif
  }
}

/// x <- L^-T x of column `p`, later rows being done. Each sum over a block's rows is made of four,
/// (0 + 1) + (2 + 3).
VIPER_ON_BODY void viper_backward(viper_matrix *m, int32_t p) {
  const viper_elimination *e = m->elimination;
  const viper_block *l = VIPER_DIAGONAL(m, p);
  VIPER_ENTRY x[VIPER_BLOCK];
  viper_block t;
  memset(&t, 0, sizeof t);
  memcpy(x, m->move[p], sizeof x);
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
    viper_add_products(&t, VIPER_BLOCK_AT(m, i), m->move[e->row[i]]);
  VIPER_UNROLL for (int k = VIPER_BLOCK - 1; k >= 0; k--) {
    x[k] -= l->a[k][k] * ((t.a[k][0] + t.a[k][1]) + (t.a[k][2] + t.a[k][3]));
    VIPER_UNROLL for (int r = k + 1; r < VIPER_BLOCK; r++) x[k] -= l->a[r][k] * x[r];
  }
  memcpy(m->move[p], x, sizeof x);
}

/// Begins the solution of column `p` with minus the gradient.
VIPER_ON_BODY void viper_begin_move(viper_matrix *m, int32_t p) {
  VIPER_UNROLL_LARGE for (int k = 0; k < VIPER_BLOCK; k++) m->move[p][k] = -m->gradient[p][k];
}

/// Whether column `p` does nothing to the next one.
VIPER_ON_BODY bool viper_is_apart(const viper_elimination *e, int32_t p) {
  return e->first_block[p] == e->first_block[p + 1] || e->row[e->first_block[p]] > p + 1;
}

/// Factors the columns [first, end) of a body that is not divided, and solves for the move. Two
/// neighbors that are apart, of the branches on both sides of the middle, are factored together:
/// neither has to wait for the other.
VIPER_ON_BODY viper_slope viper_factor_and_solve(viper_matrix *m, int32_t first, int32_t end) {
  viper_slope slope = {VIPER_WIDE_ZERO, VIPER_WIDE_ZERO};
  for (int32_t p = first; p < end; p++)
    viper_begin_move(m, p);
  for (int32_t p = first, n; p < end; p += n) {
    n = p + 1 < end && viper_is_apart(m->elimination, p) ? 2 : 1;
    for (int32_t k = 0; k < n; k++)
      viper_factor_diagonal(&m->diagonal[p + k]);
    for (int32_t k = 0; k < n; k++)
      viper_divide_column(m, p + k);
    for (int32_t k = 0; k < n; k++)
      viper_apply_column(m, p + k, first, end);
    for (int32_t k = 0; k < n; k++) {
      viper_slope_add(&slope, viper_forward_own(m, p + k));
      viper_forward_rows(m, p + k, first, end);
    }
  }
  for (int32_t p = end - 1; p >= first; p--)
    viper_backward(m, p);
  return slope;
}

#endif
