// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization along the graph (viper/elimination.h): block Cholesky over nodes and
/// frames, four unknowns each. Included with
///   VIPER_ENTRY             what a matrix entry is: a scalar, or one in each lane
///   VIPER_WIDE              the same in double, VIPER_WIDEN(x) and VIPER_WIDE_ZERO
///   VIPER_ENTRY_SELECT, VIPER_ENTRY_ROOT, VIPER_ENTRY_ONE   choices, roots and 1 as entries
/// defined.
#ifndef VIPER_CPU_FACTOR_H
#define VIPER_CPU_FACTOR_H

#include "viper/elimination.h"
#include "viper/energy/element.h"

#define VIPER_BLOCK 4

/// A diagonal block is stored row by row, of which the lower triangle counts; one that couples two
/// columns is stored column by column.
typedef struct viper_block {
  VIPER_ENTRY a[VIPER_BLOCK][VIPER_BLOCK];
} viper_block;

// Four entries as one, where they are scalars: a row or column of a block at a time.
#ifdef VIPER_ENTRY_IS_SCALAR
typedef VIPER_ENTRY viper_four
    __attribute__((vector_size(VIPER_BLOCK * VIPER_PRECISION / 8), aligned(8), may_alias));
#define VIPER_FOUR(block, i) (*(viper_four *)(block)->a[i])
#endif

/// A matrix over the columns of an elimination, its right side and its solution.
typedef struct viper_matrix {
  const viper_elimination *elimination;
  const viper_model *model;
  viper_block *diagonal;                ///< [n_columns], lower triangles
  viper_block *block;                   ///< [n_blocks]
  VIPER_ENTRY (*gradient)[VIPER_BLOCK]; ///< [n_columns]
  VIPER_ENTRY (*move)[VIPER_BLOCK];     ///< [n_columns]
} viper_matrix;

static inline int32_t viper_node_column(const viper_matrix *m, int32_t i) {
  return m->elimination->column_of[i];
}

static inline int32_t viper_frame_column(const viper_matrix *m, int32_t j) {
  return m->elimination->column_of[(int32_t)m->model->n_nodes + j];
}

/// Entry (i, j) of a symmetric matrix whose lower triangle is stored row by row.
static inline int viper_packed(int i, int j) {
  return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/// Adds the part of a local matrix that couples two vertices to its block: rows from `row` on
/// belong to the first vertex from its component `row_at` on, columns likewise to the second.
static inline __attribute__((always_inline)) void viper_couple(viper_matrix *m, int32_t reference,
                                                               const VIPER_ENTRY *h, int row,
                                                               int n_rows, int row_at, int col,
                                                               int n_cols, int col_at) {
  viper_block *block = &m->block[reference >= 0 ? reference : ~reference];
  if (reference >= 0) {
    for (int r = 0; r < n_rows; r++)
      for (int c = 0; c < n_cols; c++)
        block->a[col_at + c][row_at + r] += h[viper_packed(row + r, col + c)];
  } else {
    for (int r = 0; r < n_rows; r++)
      for (int c = 0; c < n_cols; c++)
        block->a[row_at + r][col_at + c] += h[viper_packed(row + r, col + c)];
  }
}

/// Adds a vertex's own part, and its gradient.
static inline __attribute__((always_inline)) void viper_couple_own(viper_matrix *m, int32_t column,
                                                                   const VIPER_ENTRY *g,
                                                                   const VIPER_ENTRY *h, int row,
                                                                   int n_rows, int row_at) {
  for (int r = 0; r < n_rows; r++) {
    m->gradient[column][row_at + r] += g[row + r];
    for (int c = 0; c <= r; c++)
      m->diagonal[column].a[row_at + r][row_at + c] += h[viper_packed(row + r, row + c)];
  }
}

/// Adds the gradient and packed block of segment `j`.
static inline void viper_couple_segment(viper_matrix *m, int32_t j, const VIPER_ENTRY *g,
                                        const VIPER_ENTRY *h) {
  const int32_t *node = m->model->segment[j].node, *reference = m->elimination->segment[j];
  viper_couple_own(m, viper_node_column(m, node[0]), g, h, 0, 4, 0);
  viper_couple_own(m, viper_node_column(m, node[1]), g, h, 4, 4, 0);
  viper_couple_own(m, viper_frame_column(m, j), g, h, 8, 3, 0);
  viper_couple(m, reference[0], h, 4, 4, 0, 0, 4, 0);
  viper_couple(m, reference[1], h, 8, 3, 0, 0, 4, 0);
  viper_couple(m, reference[2], h, 8, 3, 0, 4, 4, 0);
}

/// Likewise of joint `t`.
static inline void viper_couple_joint(viper_matrix *m, int32_t t, const VIPER_ENTRY *g,
                                      const VIPER_ENTRY *h) {
  const viper_model_joint *joint = &m->model->joint[t];
  const int32_t *reference = m->elimination->joint[t];
  viper_couple_own(m, viper_node_column(m, joint->node[1]), g, h, 1, 1, 3);
  viper_couple_own(m, viper_frame_column(m, joint->segment[0]), g, h, 3, 3, 0);
  viper_couple_own(m, viper_frame_column(m, joint->segment[1]), g, h, 6, 3, 0);
  viper_couple(m, reference[0], h, 3, 3, 0, 1, 1, 3);
  viper_couple(m, reference[1], h, 6, 3, 0, 1, 1, 3);
  viper_couple(m, reference[2], h, 6, 3, 0, 3, 3, 0);
  if (joint->k[2] <= 0)
    return;
  viper_couple_own(m, viper_node_column(m, joint->node[0]), g, h, 0, 1, 3);
  viper_couple_own(m, viper_node_column(m, joint->node[2]), g, h, 2, 1, 3);
  viper_couple(m, reference[3], h, 0, 1, 3, 1, 1, 3);
  viper_couple(m, reference[4], h, 2, 1, 3, 1, 1, 3);
  viper_couple(m, reference[5], h, 2, 1, 3, 0, 1, 3);
}

/// Cholesky factor of a diagonal block in its lower triangle, with the inverses of its diagonal. A
/// pivot that rounding made negative is replaced by a rounding error of its diagonal, so the
/// direction stays one of descent.
static inline void viper_factor_diagonal(viper_block *b) {
  for (int k = 0; k < VIPER_BLOCK; k++) {
    VIPER_ENTRY pivot = b->a[k][k], floor = (viper_scalar)VIPER_EPSILON * b->a[k][k];
    VIPER_ENTRY one = VIPER_ENTRY_ONE;
    for (int m = 0; m < k; m++)
      pivot -= b->a[k][m] * b->a[k][m];
    floor = VIPER_ENTRY_SELECT(floor > 0, floor, one);
    pivot = VIPER_ENTRY_SELECT(pivot > floor, pivot, floor);
    VIPER_ENTRY inverse = one / VIPER_ENTRY_ROOT(pivot);
    b->a[k][k] = inverse;
    for (int i = k + 1; i < VIPER_BLOCK; i++) {
      VIPER_ENTRY sum = b->a[i][k];
      for (int m = 0; m < k; m++)
        sum -= b->a[i][m] * b->a[k][m];
      b->a[i][k] = sum * inverse;
    }
  }
}

/// b <- b L^-T
static inline void viper_divide_block(viper_block *b, const viper_block *l) {
  for (int k = 0; k < VIPER_BLOCK; k++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(b, k);
    for (int m = 0; m < k; m++)
      sum -= VIPER_FOUR(b, m) * l->a[k][m];
    VIPER_FOUR(b, k) = sum * l->a[k][k];
#else
    for (int r = 0; r < VIPER_BLOCK; r++) {
      VIPER_ENTRY sum = b->a[k][r];
      for (int m = 0; m < k; m++)
        sum -= b->a[m][r] * l->a[k][m];
      b->a[k][r] = sum * l->a[k][k];
    }
#endif
  }
}

/// t <- t - x y^T
static inline void viper_update_block(viper_block *t, const viper_block *x, const viper_block *y) {
  for (int c = 0; c < VIPER_BLOCK; c++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(t, c);
    for (int k = 0; k < VIPER_BLOCK; k++)
      sum -= VIPER_FOUR(x, k) * y->a[k][c];
    VIPER_FOUR(t, c) = sum;
#else
    for (int r = 0; r < VIPER_BLOCK; r++) {
      VIPER_ENTRY sum = t->a[c][r];
      for (int k = 0; k < VIPER_BLOCK; k++)
        sum -= x->a[k][r] * y->a[k][c];
      t->a[c][r] = sum;
    }
#endif
  }
}

/// t <- t - x x^T of a diagonal block; with scalars its idle upper triangle, too.
static inline void viper_update_diagonal(viper_block *t, const viper_block *x) {
  for (int r = 0; r < VIPER_BLOCK; r++) {
#ifdef VIPER_ENTRY_IS_SCALAR
    viper_four sum = VIPER_FOUR(t, r);
    for (int k = 0; k < VIPER_BLOCK; k++)
      sum -= VIPER_FOUR(x, k) * x->a[k][r];
    VIPER_FOUR(t, r) = sum;
#else
    for (int c = 0; c <= r; c++) {
      VIPER_ENTRY sum = t->a[r][c];
      for (int k = 0; k < VIPER_BLOCK; k++)
        sum -= x->a[k][c] * x->a[k][r];
      t->a[r][c] = sum;
    }
#endif
  }
}

/// Applies what column `p` does to later ones whose place is in [from, to).
static inline void viper_apply_column(viper_matrix *m, int32_t p, int32_t from, int32_t to) {
  const viper_elimination *e = m->elimination;
  const int32_t *target = e->target + e->first_target[p];
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++) {
    if (e->row[i] >= from && e->row[i] < to)
      viper_update_diagonal(&m->diagonal[e->row[i]], &m->block[i]);
    for (int32_t j = e->first_block[p]; j < i; j++, target++)
      if (e->row[j] >= from && e->row[j] < to)
        viper_update_block(&m->block[*target], &m->block[i], &m->block[j]);
  }
}

/// Factors column `p`: what comes before it has been applied.
static inline void viper_factor_column(viper_matrix *m, int32_t p) {
  const viper_elimination *e = m->elimination;
  viper_factor_diagonal(&m->diagonal[p]);
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
    viper_divide_block(&m->block[i], &m->diagonal[p]);
}

/// x <- L^-1 x of column `p`, and what it does to later rows whose place is in [from, to).
static inline void viper_forward_own(viper_matrix *m, int32_t p) {
  VIPER_ENTRY *x = m->move[p];
  for (int k = 0; k < VIPER_BLOCK; k++) {
    for (int c = 0; c < k; c++)
      x[k] -= m->diagonal[p].a[k][c] * x[c];
    x[k] *= m->diagonal[p].a[k][k];
  }
}

static inline void viper_forward_rows(viper_matrix *m, int32_t p, int32_t from, int32_t to) {
  const viper_elimination *e = m->elimination;
  const VIPER_ENTRY *x = m->move[p];
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
    if (e->row[i] >= from && e->row[i] < to)
      for (int k = 0; k < VIPER_BLOCK; k++)
        for (int r = 0; r < VIPER_BLOCK; r++)
          m->move[e->row[i]][r] -= m->block[i].a[k][r] * x[k];
}

/// x <- L^-T x of column `p`, later rows being done; returns gradient . x of the column.
static inline VIPER_WIDE viper_backward(viper_matrix *m, int32_t p) {
  const viper_elimination *e = m->elimination;
  VIPER_ENTRY *x = m->move[p];
  VIPER_WIDE slope = VIPER_WIDE_ZERO;
  for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
    for (int r = 0; r < VIPER_BLOCK; r++)
      for (int k = 0; k < VIPER_BLOCK; k++)
        x[k] -= m->block[i].a[k][r] * m->move[e->row[i]][r];
  for (int k = VIPER_BLOCK - 1; k >= 0; k--) {
    for (int r = k + 1; r < VIPER_BLOCK; r++)
      x[k] -= m->diagonal[p].a[r][k] * x[r];
    x[k] *= m->diagonal[p].a[k][k];
    slope += VIPER_WIDEN(x[k]) * VIPER_WIDEN(m->gradient[p][k]);
  }
  return slope;
}

/// Begins the solution of column `p` with minus the gradient.
static inline void viper_begin_move(viper_matrix *m, int32_t p) {
  for (int k = 0; k < VIPER_BLOCK; k++)
    m->move[p][k] = -m->gradient[p][k];
}

/// Factors the columns [first, end) of a body that is not divided, and solves for the move; returns
/// gradient . move.
static inline VIPER_WIDE viper_factor_and_solve(viper_matrix *m, int32_t first, int32_t end) {
  VIPER_WIDE slope = VIPER_WIDE_ZERO;
  for (int32_t p = first; p < end; p++)
    viper_begin_move(m, p);
  for (int32_t p = first; p < end; p++) {
    viper_factor_column(m, p);
    viper_apply_column(m, p, first, end);
    viper_forward_own(m, p);
    viper_forward_rows(m, p, first, end);
  }
  for (int32_t p = end - 1; p >= first; p--)
    slope += viper_backward(m, p);
  return slope;
}

#endif
