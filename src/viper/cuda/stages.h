// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization by a team, stage by stage (viper/schedule.h): the blocks are those of
/// viper/cpu/factor.h, and what acts on a number acts in the same order as there.
#ifndef VIPER_CUDA_STAGES_H
#define VIPER_CUDA_STAGES_H

#include "viper/cuda/access_team.h"
#include "viper/cuda/four.h"
#include "viper/cuda/pair.h"

#define VIPER_WIDE      viper_pair
#define VIPER_WIDE_ZERO viper_pair(0)
#define VIPER_WIDEN(x)  viper_pair(x)
#define VIPER_ENTRY     viper_scalar
#define VIPER_ENTRY_IS_SCALAR
#define VIPER_ENTRY_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY_ONE             ((viper_scalar)1)
#define VIPER_TOPOLOGY              viper_device_kind
#define VIPER_ALIGNED               alignas(viper_four)

#include "viper/cpu/factor.h"

VIPER_ON_BODY viper_matrix viper_matrix_of(const viper_work *w) {
  const viper_near *near = &w->near;
  viper_matrix m = {&w->model->elimination,
                    w->model,
                    (viper_block *)near->diagonal,
                    (viper_block *)near->block,
                    (viper_scalar(*)[VIPER_BLOCK])near->gradient,
                    (viper_scalar(*)[VIPER_BLOCK])near->move};
  return m;
}

/// What a number of the factorization is part of.
typedef enum viper_target { VIPER_OF_BLOCK, VIPER_OF_DIAGONAL, VIPER_OF_MOVE } viper_target;

/// Takes from a column (or row, of a diagonal block, or the solution) `at` of a block of column `c`
/// what all sources do to it. `row` is the block's number among those of its column.
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
    if (target == VIPER_OF_BLOCK && beyond == 0)
      continue;
    const viper_block *x = &m->block[source + beyond], *y = &m->block[source];
    VIPER_UNROLL for (int i = 0; i < VIPER_BLOCK; i++) {
      viper_scalar d = m->diagonal[p].a[i][i], t = y->a[i][at];
      t = target == VIPER_OF_MOVE ? m->move[p][i] : target == VIPER_OF_DIAGONAL ? t * d : t;
      sum -= VIPER_FOUR(x, i) * (target == VIPER_OF_BLOCK ? d : one) * t;
    }
  }
  *out = sum;
}

/// Phase function: number `task` of what there is to be done in a stage before its columns are
/// factored: four to a block that begins at `block`, four to a diagonal block and one to the
/// solution of a column from `column` on.
VIPER_ON_BODY void viper_take_task(viper_work *w, const viper_matrix *m, int32_t task,
                                   int32_t block, int32_t n_blocks, int32_t column,
                                   int32_t n_columns) {
  const viper_schedule *s = &w->model->schedule;
  viper_target target = task < 4 * n_blocks                 ? VIPER_OF_BLOCK
                        : task < 4 * (n_blocks + n_columns) ? VIPER_OF_DIAGONAL
                                                            : VIPER_OF_MOVE;
  int32_t c, row = 0, at = task % 4;
  viper_four *out;
  if (target == VIPER_OF_BLOCK) {
    int32_t i = block + task / 4;
    c = s->column[i];
    row = i - m->elimination->first_block[c];
    out = &VIPER_FOUR(&m->block[i], at);
  } else if (target == VIPER_OF_DIAGONAL) {
    c = column + task / 4 - n_blocks;
    out = &VIPER_FOUR(&m->diagonal[c], at);
  } else {
    c = column + task - 4 * (n_blocks + n_columns);
    out = (viper_four *)m->move[c];
  }
  viper_take_sources(m, s, target, c, row, at, out);
}

/// Phase function: factors a column's diagonal block, and solves for its own part of the move;
/// notes what that gives to gradient . move.
VIPER_ON_BODY void viper_factor_own(viper_work *w, viper_matrix *m, int32_t c) {
  viper_factor_diagonal(&m->diagonal[c]);
  ((viper_pair *)w->near.slope)[c] = viper_forward_own(m, c);
}

/// Factors and solves forward.
VIPER_ON_BODY void viper_forward_stages(viper_work *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  const int32_t *first_block = m->elimination->first_block;
  for (int32_t stage = 0; stage < s->n_stages; stage++) {
    const int32_t c = s->stage[stage], n = s->stage[stage + 1] - c;
    const int32_t block = first_block[c], n_blocks = first_block[c + n] - block;
    if (s->first_source[c] < s->first_source[c + n]) {
      VIPER_EACH(w, NULL, 0, 4 * n_blocks + 5 * n,
                 viper_take_task(w, m, at, block, n_blocks, c, n));
      viper_barrier(w);
    }
    VIPER_EACH(w, NULL, c, n, viper_factor_own(w, m, at));
    viper_barrier(w);
    if (n_blocks == 0)
      continue;
    VIPER_EACH(w, NULL, block, n_blocks,
               viper_divide_block(&m->block[at], &m->diagonal[s->column[at]]));
    viper_barrier(w);
  }
}

VIPER_ON_BODY void viper_backward_stages(viper_work *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  for (int32_t stage = s->n_stages - 1; stage >= 0; stage--) {
    const int32_t c = s->stage[stage], n = s->stage[stage + 1] - c;
    VIPER_EACH(w, NULL, c, n, viper_backward(m, at));
    viper_barrier(w);
  }
}

#endif
