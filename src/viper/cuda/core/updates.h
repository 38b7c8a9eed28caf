// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization on a device, by updates (viper/linear/schedule.h).
///
/// Bodies of groups in a block that are no chains are factored by updates: a pass has one barrier.
/// Whoever makes an update factors the diagonal block of its column and divides its blocks once
/// more, in registers. That takes less time than a barrier and the way through shared memory. Each
/// thread reads which updates it makes in the next pass before it makes those of this one.
#ifndef VIPER_CUDA_CORE_UPDATES_H
#define VIPER_CUDA_CORE_UPDATES_H

#include "viper/cuda/core/stages.h"

/// Four numbers of a schedule, which begin at `p`.
VIPER_FN void viper_get_indexes(const void *p, int32_t out[4]) {
#ifdef __CUDA_ARCH__
  const int4 v = __ldg((const int4 *)p);
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
  out[3] = v.w;
#else
  memcpy(out, p, 4 * sizeof *out);
#endif
}

/// Update `k` of a schedule; nothing from `end` on.
VIPER_FN viper_update viper_get_update(const viper_update *list, int32_t k, int32_t end) {
  int32_t v[4] = {0, 0, 0, 0};
  if (k < end)
    viper_get_indexes(list + k, v);
  const viper_update update = {v[0], v[1], v[2], v[3]};
  return update;
}

/// Phase function: column (row, of a diagonal block) `at` of the block of an update, and by one of
/// a diagonal block component `at` of the solution. The operations are those of viper_take_sources.
VIPER_ON_BODY void viper_do_update(const viper_matrix *m, viper_update u, int at) {
  const bool own = u.x == u.y;
  const viper_scalar one = 1;
  viper_block l = *VIPER_DIAGONAL(m, u.column), x = *VIPER_BLOCK_AT(m, u.x);
  viper_four *out =
      &VIPER_FOUR(own ? VIPER_DIAGONAL(m, u.target) : VIPER_BLOCK_AT(m, u.target), at);
  viper_four sum = *out, move = *(const viper_four *)m->move[u.column];
  viper_scalar y[VIPER_BLOCK];
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) y[k] = VIPER_BLOCK_AT(m, u.y)->a[k][at];
  viper_factor_diagonal(&l);
  viper_divide_block(&x, &l);
  VIPER_UNROLL for (int k = 1; k < VIPER_BLOCK; k++) VIPER_UNROLL for (int c = 0; c < k; c++) {
    y[k] -= y[c] * l.a[k][c];
    move.a[k] -= l.a[k][c] * move.a[c];
  }
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) {
    const viper_scalar d = l.a[k][k];
    sum -= VIPER_FOUR(&x, k) * (own ? one : d) * (own ? y[k] * d : y[k]);
  }
  *out = sum;
  if (own) {
    viper_scalar *of_row = &m->move[u.target][at], component = *of_row;
    VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) component -= y[k] * (move.a[k] * l.a[k][k]);
    *of_row = component;
  }
}

/// Factors all columns, and solves forward.
VIPER_ON_BODY void viper_forward_by_update(viper_access *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  const viper_update *update = s->update;
  const int32_t *pass = s->pass, *column = s->column;
  const int32_t n = s->n_passes, rank = w->thread.rank, size = w->thread.size;
  int32_t begin = 0, end = n > 0 ? viper_get_fixed(pass + 1) : 0;
  viper_update next = viper_get_update(update, rank / 4, end);
  VIPER_ROLLED for (int32_t i = 0; i < n; i++) {
    const int32_t after = viper_get_fixed(pass + (i + 2 < n ? i + 2 : n));
    viper_update now = next;
    next = viper_get_update(update, end + rank / 4, after);
    VIPER_ROLLED for (int32_t task = rank; task < 4 * (end - begin); task += size) {
      viper_do_update(m, now, task % 4);
      now = viper_get_update(update, begin + (task + size) / 4, end);
    }
    viper_barrier(w);
    begin = end;
    end = after;
  }
  VIPER_EACH(w, NULL, 0, (int32_t)m->elimination->n_columns, viper_factor_own(w, m, at));
  viper_barrier(w);
  VIPER_EACH(
      w, NULL, 0, (int32_t)m->elimination->n_blocks,
      viper_divide_block(VIPER_BLOCK_AT(m, at), VIPER_DIAGONAL(m, viper_get_fixed(column + at))));
  viper_barrier(w);
}

#endif
