// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization on a device (viper/linear/schedule.h), of a body that the whole grid
/// computes: in stages. Others are factored in passes (updates.h, tiles.h). The blocks are those of
/// viper/linear/factor.h, and contributions to a number are added in the same order as there.
///
/// Of a body that is cut into submatrices (viper/linear/elimination.h) the matrix of one submatrix
/// is held at a time, and that of the top.
#ifndef VIPER_CUDA_CORE_STAGES_H
#define VIPER_CUDA_CORE_STAGES_H

#include "viper/cuda/core/access_coop.h"
#include "viper/cuda/core/pair.h"

#include "viper/method/elements.h"

/// Four entries of a matrix as one, for viper/linear/factor.h: of 16 bytes in single precision, so
/// that a device moves them at once.
struct __attribute__((may_alias, aligned(16))) viper_four {
  viper_scalar a[4];
};

VIPER_FN viper_four operator*(viper_four x, viper_scalar t) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] *= t;
  return x;
}

VIPER_FN viper_four operator*(viper_four x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] *= y.a[k];
  return x;
}

VIPER_FN viper_four &operator+=(viper_four &x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] += y.a[k];
  return x;
}

VIPER_FN viper_four &operator-=(viper_four &x, viper_four y) {
  VIPER_UNROLL for (int k = 0; k < 4; k++) x.a[k] -= y.a[k];
  return x;
}

#define VIPER_WIDE                 viper_pair
#define VIPER_WIDE_ZERO            viper_pair(0)
#define VIPER_WIDEN(x)             viper_pair(x)
#define VIPER_NARROWED(x)          viper_pair((viper_scalar)(x))
#define VIPER_WIDE_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY                viper_scalar
#define VIPER_ENTRY_IS_SCALAR
#if VIPER_PRECISION == 32
#define VIPER_ENTRY_FOUR // in double an element takes all registers
#endif
#define VIPER_ENTRY_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY_ONE             ((viper_scalar)1)
#define VIPER_TOPOLOGY              viper_device_body_group
#define VIPER_ALIGNED               alignas(viper_four)
#define VIPER_FIXED(p)              viper_get_fixed(p)

/// Columns [column, end) and their blocks; all of them where `whole`, which compilers know.
typedef struct viper_range {
  int32_t column, end;
  int32_t block, block_end;
  bool whole;
} viper_range;

VIPER_FN bool viper_is_within(int32_t k, int32_t begin, int32_t end) {
  return (uint32_t)(k - begin) < (uint32_t)(end - begin);
}

#define VIPER_RANGE          viper_range
#define VIPER_DIAGONAL(m, c) (&(m)->diagonal[(m)->range.whole ? (c) : (c) - (m)->range.column])
#define VIPER_BLOCK_AT(m, i) (&(m)->block[(m)->range.whole ? (i) : (i) - (m)->range.block])
#define VIPER_HAS_COLUMN(m, c)                                                                     \
  ((m)->range.whole || viper_is_within((c), (m)->range.column, (m)->range.end))
#define VIPER_HAS_BLOCK(m, i)                                                                      \
  ((m)->range.whole || viper_is_within((i), (m)->range.block, (m)->range.block_end))
#define VIPER_HAS_GRADIENT(m) ((m)->range.whole || (m)->gradient != nullptr)

#include "viper/linear/factor.h"

VIPER_ON_BODY viper_matrix viper_matrix_at(const viper_access *w, viper_range range) {
  const viper_workspace *workspace = &w->workspace;
  viper_matrix m = {&w->model->elimination,
                    w->model,
                    (viper_block *)workspace->diagonal,
                    (viper_block *)workspace->block,
                    (viper_scalar(*)[VIPER_BLOCK])workspace->gradient,
                    (viper_scalar(*)[VIPER_BLOCK])workspace->move,
                    range};
  return m;
}

/// The matrix of a body that is in one submatrix.
VIPER_ON_BODY viper_matrix viper_matrix_of(const viper_access *w) {
  const viper_elimination *e = &w->model->elimination;
  const viper_range all = {0, (int32_t)e->n_columns, 0, (int32_t)e->n_blocks, true};
  return viper_matrix_at(w, all);
}

/// That of a submatrix, or of the top, which is behind the last: with the gradient that of the top,
/// or of the only submatrix.
VIPER_ON_BODY viper_matrix viper_matrix_of_submatrix(const viper_access *w, int32_t submatrix) {
  const viper_elimination *e = &w->model->elimination;
  const viper_submatrices *p = &e->submatrices;
  const int32_t column = p->first[submatrix], end = p->first[submatrix + 1];
  const viper_range range = {column, end, e->first_block[column], e->first_block[end], false};
  viper_matrix m = viper_matrix_at(w, range);
  if (submatrix < p->n && p->n > 1)
    m.gradient = nullptr;
  if (submatrix == p->n) { // has the end of the room
    m.diagonal += p->room_columns - (size_t)(end - column);
    m.block += p->room_blocks - (size_t)(range.block_end - range.block);
  }
  return m;
}

/// That of a submatrix, or of the top, of a body that may be in submatrices; else the body's.
VIPER_ON_BODY viper_matrix viper_matrix_now(const viper_access *w, int32_t submatrix) {
  return w->submatrices ? viper_matrix_of_submatrix(w, submatrix) : viper_matrix_of(w);
}

/// What a number of the factorization is part of.
typedef enum viper_target { VIPER_OF_BLOCK, VIPER_OF_DIAGONAL, VIPER_OF_MOVE } viper_target;

/// Takes from a column (or row, of a diagonal block, or the solution) `at` of a block of column `c`
/// what all sources that `m` holds do to it. `row` is the block's number among those of its column.
VIPER_ON_BODY void viper_take_sources(const viper_matrix *m, const viper_schedule *s,
                                      viper_target target, int32_t c, int32_t row, int at,
                                      viper_four *out) {
  const int32_t first = s->first_source[c], n = s->first_source[c + 1] - first;
  const uint16_t *reach = s->reach + s->first_reach[c] + (int64_t)row * n;
  const viper_scalar one = 1;
  viper_four sum = *out;
  for (int32_t k = 0; k < n; k++) {
    int32_t source = s->source[first + k], p = s->column[source];
    int32_t beyond = target == VIPER_OF_BLOCK ? reach[k] : 0;
    if ((target == VIPER_OF_BLOCK && beyond == 0) || !VIPER_HAS_COLUMN(m, p))
      continue;
    const viper_block *x = VIPER_BLOCK_AT(m, source + beyond), *y = VIPER_BLOCK_AT(m, source);
    VIPER_UNROLL for (int i = 0; i < VIPER_BLOCK; i++) {
      viper_scalar d = VIPER_DIAGONAL(m, p)->a[i][i], t = y->a[i][at];
      t = target == VIPER_OF_MOVE ? m->move[p][i] : target == VIPER_OF_DIAGONAL ? t * d : t;
      sum -= VIPER_FOUR(x, i) * (target == VIPER_OF_BLOCK ? d : one) * t;
    }
  }
  *out = sum;
}

/// Phase function: number `task` of what there is to be done to some columns of `to`, from `column`
/// on, before they are factored, by the sources that `from` holds: four to a block, of which the
/// first is `block`, four to a diagonal block and one to the solution of a column.
VIPER_ON_BODY void viper_take_task(viper_access *w, const viper_matrix *from,
                                   const viper_matrix *to, int32_t task, int32_t block,
                                   int32_t n_blocks, int32_t column, int32_t n_columns) {
  const viper_schedule *s = &w->model->schedule;
  viper_target target = task < 4 * n_blocks                 ? VIPER_OF_BLOCK
                        : task < 4 * (n_blocks + n_columns) ? VIPER_OF_DIAGONAL
                                                            : VIPER_OF_MOVE;
  int32_t c, row = 0, at = task % 4;
  viper_four *out;
  if (target == VIPER_OF_BLOCK) {
    int32_t i = block + task / 4;
    c = s->column[i];
    row = i - to->elimination->first_block[c];
    out = &VIPER_FOUR(VIPER_BLOCK_AT(to, i), at);
  } else if (target == VIPER_OF_DIAGONAL) {
    c = column + task / 4 - n_blocks;
    out = &VIPER_FOUR(VIPER_DIAGONAL(to, c), at);
  } else {
    c = column + task - 4 * (n_blocks + n_columns);
    out = (viper_four *)to->move[c];
  }
  viper_take_sources(from, s, target, c, row, at, out);
}

/// What the columns that `from` holds do to the columns [c, c + n) of `to`.
VIPER_ON_BODY void viper_act_on(viper_access *w, const viper_matrix *from, const viper_matrix *to,
                                int32_t c, int32_t n) {
  const int32_t *first_block = to->elimination->first_block;
  const int32_t block = first_block[c], n_blocks = first_block[c + n] - block;
  VIPER_EACH(w, NULL, 0, 4 * n_blocks + 5 * n,
             viper_take_task(w, from, to, at, block, n_blocks, c, n));
  viper_barrier(w);
}

/// Phase function: factors a column's diagonal block, and solves for its own part of the move;
/// notes what that gives to gradient . move.
VIPER_ON_BODY void viper_factor_own(viper_access *w, viper_matrix *m, int32_t c) {
  viper_factor_diagonal(VIPER_DIAGONAL(m, c));
  const viper_slope own = viper_forward_own(m, c);
  ((viper_pair *)w->workspace.slope)[c] = own.slope;
  w->workspace.value[c] = (viper_real)own.shifted;
}

/// Factors the columns of a submatrix, or of the top, and solves forward.
VIPER_ON_BODY void viper_forward_stages(viper_access *w, viper_matrix *m, int32_t submatrix) {
  const viper_schedule *s = &w->model->schedule;
  const int32_t *first_block = m->elimination->first_block;
  for (int32_t stage = s->submatrix_stage[submatrix]; stage < s->submatrix_stage[submatrix + 1];
       stage++) {
    const int32_t c = s->stage[stage], n = s->stage[stage + 1] - c;
    const int32_t block = first_block[c], n_blocks = first_block[c + n] - block;
    if (s->first_source[c] < s->first_source[c + n])
      viper_act_on(w, m, m, c, n);
    VIPER_EACH(w, NULL, c, n, viper_factor_own(w, m, at));
    viper_barrier(w);
    if (n_blocks == 0)
      continue;
    VIPER_EACH(w, NULL, block, n_blocks,
               viper_divide_block(VIPER_BLOCK_AT(m, at), VIPER_DIAGONAL(m, s->column[at])));
    viper_barrier(w);
  }
}

VIPER_ON_BODY void viper_backward_stages(viper_access *w, viper_matrix *m, int32_t submatrix) {
  const viper_schedule *s = &w->model->schedule;
  for (int32_t stage = s->submatrix_stage[submatrix + 1] - 1;
       stage >= s->submatrix_stage[submatrix]; stage--) {
    const int32_t c = s->stage[stage], n = s->stage[stage + 1] - c;
    VIPER_EACH(w, NULL, c, n, viper_backward(m, at));
    viper_barrier(w);
  }
}

#endif
