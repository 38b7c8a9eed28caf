// SPDX-License-Identifier: GPL-3.0-or-later
/// The exact factorization on a device by tiles (viper/linear/schedule.h): that of chains, and the
/// way back of all bodies of groups in a block.
///
/// Chains of groups in a block are factored in passes of columns, with one barrier each. A tile of
/// threads of a warp factors a column, and then does what that does to later columns; so nothing
/// between these waits for more than a warp. Each thread has a row of the column's blocks, or the
/// solution of the column, which is like one more row. It factors the diagonal block itself: that
/// takes less time than to wait for another thread. Each thread reads which column it has in the
/// next pass before it works on that of the current one.
#ifndef VIPER_CUDA_CORE_TILES_H
#define VIPER_CUDA_CORE_TILES_H

#include "viper/cuda/core/updates.h"

/// A thread in its tile.
typedef struct viper_tile {
  uint32_t rank, size, mask;
} viper_tile;

VIPER_FN viper_tile viper_tile_of(const viper_access *w) {
  viper_tile tile = {(uint32_t)w->thread.rank, (uint32_t)w->thread.size, w->thread.mask};
  if (tile.size <= VIPER_TILE)
    return tile;
  tile.size = VIPER_TILE;
  tile.rank %= VIPER_TILE;
#ifdef __CUDA_ARCH__
  tile.mask = ((1u << VIPER_TILE) - 1) << (threadIdx.x % VIPER_WARP / VIPER_TILE * VIPER_TILE);
#endif
  return tile;
}

VIPER_FN void viper_tile_sync(const viper_tile *tile) {
#ifdef __CUDA_ARCH__
  __syncwarp(tile->mask);
#else
  (void)tile;
#endif
}

VIPER_FN viper_forward_column viper_get_forward(const viper_forward_column *list, int32_t k,
                                                int32_t end) {
  int32_t v[4] = {0, 0, 0, 0};
  if (k < end)
    viper_get_indexes(list + k, v);
  const viper_forward_column column = {v[0], v[1], v[2], v[3]};
  return column;
}

VIPER_FN viper_panel viper_get_panel(const viper_panel *list, uint32_t k) {
  int32_t v[4];
  viper_get_indexes(list + k, v);
  const viper_panel panel = {v[0], {v[1], v[2], v[3]}};
  return panel;
}

/// Numbers of a row, `step` apart: those of a block are column by column.
typedef struct viper_panel_row {
  viper_scalar *at;
  uint32_t step;
} viper_panel_row;

/// Row `c` of a block that begins with row `first` of four, or that row itself, of the solution.
VIPER_ON_BODY viper_panel_row viper_panel_row_of(const viper_matrix *m, uint32_t first, uint32_t c,
                                                 bool of_block) {
  const viper_panel_row row = {m->move[0] + VIPER_BLOCK * first + (of_block ? c : VIPER_BLOCK * c),
                               of_block ? (uint32_t)VIPER_BLOCK : 1u};
  return row;
}

VIPER_ON_BODY viper_four viper_get_panel_row(viper_panel_row row) {
  viper_four y;
  VIPER_UNROLL for (uint32_t k = 0; k < VIPER_BLOCK; k++) y.a[k] = row.at[k * row.step];
  return y;
}

VIPER_ON_BODY void viper_set_panel_row(viper_panel_row row, viper_four y) {
  VIPER_UNROLL for (uint32_t k = 0; k < VIPER_BLOCK; k++) row.at[k * row.step] = y.a[k];
}

/// A row of a column whose diagonal block `l` is factored. The operations are those of
/// viper_divide_block and viper_forward_own.
VIPER_ON_BODY viper_four viper_divide_row(viper_four y, const viper_block *l) {
  VIPER_UNROLL for (int k = 1; k < VIPER_BLOCK; k++) VIPER_UNROLL for (int c = 0; c < k; c++)
      y.a[k] -= y.a[c] * l->a[k][c];
  return y;
}

/// Adds what a row of a column does to later columns, by `n` of its blocks from `y` on. `x` is
/// minus the row times D^-1, `c` the row's number in its block. The operations are those of
/// viper_take_sources.
VIPER_ON_BODY void viper_update_row(const viper_matrix *m, const viper_panel *panel, uint32_t c,
                                    viper_four x, const viper_block *y, uint32_t n) {
  viper_panel_row to[VIPER_CHAIN_BLOCKS];
  viper_four sum[VIPER_CHAIN_BLOCKS];
  VIPER_UNROLL for (uint32_t u = 0; u < VIPER_CHAIN_BLOCKS; u++) {
    const int32_t target = panel->target[u];
    to[u] = viper_panel_row_of(m, (uint32_t)(target < 0 ? ~target : target), c, target < 0);
    sum[u] = viper_get_panel_row(to[u]);
  }
  VIPER_UNROLL for (uint32_t u = 0; u < VIPER_CHAIN_BLOCKS; u++) {
    const viper_block *block = y + (u < n ? u : 0);
    VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) sum[u] += VIPER_FOUR(block, k) * x.a[k];
  }
  VIPER_UNROLL for (uint32_t u = 0; u < VIPER_CHAIN_BLOCKS; u++) if (u < n)
      viper_set_panel_row(to[u], sum[u]);
}

/// The panel that is about row `r` of a column, or about its solution.
VIPER_FN viper_panel viper_panel_of(const viper_panel *panels, viper_forward_column at,
                                    uint32_t r) {
  const uint32_t n = (uint32_t)at.n_blocks, i = r / VIPER_BLOCK;
  return viper_get_panel(panels, (uint32_t)at.panel + (i < n ? i : n));
}

/// What the rows of a column, which are divided, do to later columns: a thread takes a row. It has
/// its first in `y`, with its `panel`; `inverse` is minus the pivots' inverses.
VIPER_ON_BODY void viper_update_by_tile(const viper_matrix *m, const viper_panel *panels,
                                        viper_forward_column at, viper_panel panel, viper_four y,
                                        viper_four inverse, const viper_tile *tile) {
  const uint32_t blocks = (uint32_t)at.n_blocks, n = VIPER_BLOCK * blocks;
  const viper_block *first = (const viper_block *)m->move[at.block];
  VIPER_ROLLED for (uint32_t r = tile->rank; r <= n; r += tile->size) {
    const uint32_t i = r / VIPER_BLOCK, end = i < blocks ? i + 1 : blocks;
    if (r != tile->rank) {
      panel = viper_panel_of(panels, at, r);
      y = viper_get_panel_row(viper_panel_row_of(m, (uint32_t)panel.row, r % VIPER_BLOCK, r < n));
    }
    if (end > 0)
      viper_update_row(m, &panel, r % VIPER_BLOCK, y * inverse, first, end);
  }
}

/// Phase function: factors a column, by a tile, and does what it does to later columns. Its
/// solution is not yet divided by the pivots. Each thread has a row in registers, and its `panel`;
/// of a column with more rows than threads, others are divided before, and read again.
VIPER_ON_BODY void viper_forward_by_tile(viper_matrix *m, const viper_panel *panels,
                                         viper_forward_column at, viper_panel panel,
                                         const viper_tile *tile) {
  const uint32_t n = VIPER_BLOCK * (uint32_t)at.n_blocks, mine = tile->rank < n ? tile->rank : n;
  viper_block *diagonal = (viper_block *)m->move[at.diagonal], l = *diagonal;
  viper_panel_row row = viper_panel_row_of(m, (uint32_t)panel.row, mine % VIPER_BLOCK, mine < n);
  if (tile->rank > n) { // it has none; what it reads is written by nobody yet
    row.at = diagonal->a[0];
    row.step = 1;
  }
  viper_four y = viper_get_panel_row(row), inverse;
  viper_factor_diagonal(&l);
  VIPER_UNROLL for (int k = 0; k < VIPER_BLOCK; k++) inverse.a[k] = -l.a[k][k];
  y = viper_divide_row(y, &l);
  if (tile->rank <= n)
    viper_set_panel_row(row, y);
  VIPER_ROLLED for (uint32_t r = tile->rank + tile->size; r <= n; r += tile->size) {
    row =
        viper_panel_row_of(m, (uint32_t)viper_panel_of(panels, at, r).row, r % VIPER_BLOCK, r < n);
    viper_set_panel_row(row, viper_divide_row(viper_get_panel_row(row), &l));
  }
  viper_tile_sync(tile);
  if (tile->rank == 0)
    *diagonal = l;
  viper_update_by_tile(m, panels, at, panel, y, inverse, tile);
}

/// Phase function: divides the solution of a column by its pivots; notes what that gives to
/// gradient . move.
VIPER_ON_BODY void viper_scale_move(viper_access *w, viper_matrix *m, int32_t c) {
  const viper_four y = *(const viper_four *)m->move[c];
  const viper_slope own = viper_scale_own(m, c, y.a);
  ((viper_pair *)w->workspace.slope)[c] = own.slope;
  w->workspace.value[c] = (viper_real)own.shifted;
}

/// Factors all columns of a chain, and solves forward. A column is read two passes before it is
/// factored, and its panel one pass before.
VIPER_ON_BODY void viper_forward_chain(viper_access *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  const viper_forward_column *list = s->forward;
  const viper_panel *panels = s->panel;
  const int32_t *pass = s->pass;
  const viper_tile tile = viper_tile_of(w);
  const int32_t n = s->n_passes, mine = w->thread.rank / VIPER_TILE,
                tiles = w->thread.size / (int32_t)tile.size;
  int32_t bound[4]; // where this pass and the next two begin and end
  VIPER_UNROLL for (int k = 0; k < 4; k++) bound[k] = viper_get_fixed(pass + (k < n ? k : n));
  viper_forward_column now = viper_get_forward(list, mine, bound[1]);
  viper_forward_column next = viper_get_forward(list, bound[1] + mine, bound[2]);
  viper_panel panel = viper_panel_of(panels, now, tile.rank);
  VIPER_ROLLED for (int32_t i = 0; i < n; i++) {
    const int32_t later = viper_get_fixed(pass + (i + 4 < n ? i + 4 : n));
    const viper_forward_column after = viper_get_forward(list, bound[2] + mine, bound[3]);
    const viper_panel next_panel = viper_panel_of(panels, next, tile.rank);
    VIPER_ROLLED for (int32_t k = bound[0] + mine; k < bound[1]; k += tiles) {
      viper_forward_by_tile(m, panels, now, panel, &tile);
      if (k + tiles < bound[1]) {
        now = viper_get_forward(list, k + tiles, bound[1]);
        panel = viper_panel_of(panels, now, tile.rank);
      }
    }
    viper_barrier(w);
    now = next;
    next = after;
    panel = next_panel;
    VIPER_UNROLL for (int j = 0; j < 3; j++) bound[j] = bound[j + 1];
    bound[3] = later;
  }
  VIPER_EACH(w, NULL, 0, (int32_t)m->elimination->n_columns, viper_scale_move(w, m, at));
  viper_barrier(w);
}

VIPER_ON_BODY void viper_forward_passes(viper_access *w, viper_matrix *m) {
  if (w->model->schedule.is_chain)
    viper_forward_chain(w, m);
  else
    viper_forward_by_update(w, m);
}

/// Column `k` on the way back; one without blocks from `end` on.
VIPER_FN viper_backward_column viper_get_backward(const viper_backward_column *list, int32_t k,
                                                  int32_t end) {
  viper_backward_column out = {0, 0, 0, 0, {0, 0, 0, 0}};
  if (k < end) {
    int32_t v[4];
    viper_get_indexes(list + k, v);
    viper_get_indexes(list[k].row, out.row);
    out.column = v[0];
    out.block = v[1];
    out.block_end = v[2];
  }
  return out;
}

/// The sum of four neighboring threads' numbers, (0 + 1) + (2 + 3), times `factor`, of each quad of
/// a tile. What threads read before is not changed by what they write after.
VIPER_FN viper_four viper_of_quads(viper_scalar mine, viper_scalar factor, uint32_t mask) {
  viper_four all;
#ifdef __CUDA_ARCH__
  __syncwarp(mask);
  mine += __shfl_xor_sync(mask, mine, 1, VIPER_TILE);
  mine += __shfl_xor_sync(mask, mine, 2, VIPER_TILE);
  mine *= factor;
  VIPER_UNROLL for (int k = 0; k < 4; k++) all.a[k] = __shfl_sync(mask, mine, 4 * k, VIPER_TILE);
#else
  (void)mask;
  VIPER_UNROLL for (int k = 0; k < 4; k++) all.a[k] = factor * mine;
#endif
  return all;
}

/// Phase function: viper_backward by a tile, of which this thread sums products of component `c` of
/// column `k` of a block. Blocks that are not there are 0 times the move of one that is: sums,
/// which begin at 0, stay.
VIPER_ON_BODY void viper_backward_by_tile(const viper_matrix *m, const viper_backward_column *at,
                                          const viper_tile *tile) {
  const uint32_t k = tile->rank / VIPER_BLOCK, c = tile->rank % VIPER_BLOCK;
  const int32_t *row = m->elimination->row;
  const viper_block *diagonal = &m->diagonal[at->column];
  const viper_block l = *diagonal;
  const viper_scalar inverse = diagonal->a[k][k], *block = m->block[at->block].a[0] + tile->rank;
  viper_four x = *(const viper_four *)m->move[at->column];
  viper_scalar t = 0;
  int32_t noted[VIPER_ROWS_NOTED];
  VIPER_UNROLL for (int j = 0; j < VIPER_ROWS_NOTED; j++) noted[j] = at->row[j];
  VIPER_ROLLED for (int32_t i = at->block; i < at->block_end;) {
    VIPER_UNROLL for (int j = 0; j < VIPER_ROWS_NOTED; j++) {
      const bool there = i + j < at->block_end;
      const viper_scalar later = m->move[noted[j]][c],
                         entry = block[VIPER_BLOCK * VIPER_BLOCK * (there ? j : 0)];
      t += (there ? entry : 0) * later;
    }
    i += VIPER_ROWS_NOTED;
    block += VIPER_BLOCK * VIPER_BLOCK * VIPER_ROWS_NOTED;
    if (i >= at->block_end)
      break;
    VIPER_UNROLL for (int j = 0; j < VIPER_ROWS_NOTED; j++) noted[j] =
        viper_get_fixed(row + (i + j < at->block_end ? i + j : i));
  }
  const viper_four own = viper_of_quads(t, inverse, tile->mask);
  VIPER_UNROLL for (int j = VIPER_BLOCK - 1; j >= 0; j--) {
    x.a[j] -= own.a[j];
    VIPER_UNROLL for (int r = j + 1; r < VIPER_BLOCK; r++) x.a[j] -= l.a[r][j] * x.a[r];
  }
  if (c == 0)
    m->move[at->column][k] = k < 2 ? (k == 0 ? x.a[0] : x.a[1]) : k == 2 ? x.a[2] : x.a[3];
}

/// The way back by so few threads that they are no tile.
VIPER_ON_BODY void viper_backward_columns(viper_access *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  VIPER_ROLLED for (int32_t i = 0; i < s->n_levels; i++) {
    VIPER_EACH(w, NULL, s->level[i], s->level[i + 1] - s->level[i],
               viper_backward(m, s->backward[at].column));
    viper_barrier(w);
  }
}

VIPER_ON_BODY void viper_backward_levels(viper_access *w, viper_matrix *m) {
  const viper_schedule *s = &w->model->schedule;
  const viper_backward_column *list = s->backward;
  const int32_t *level = s->level;
  const viper_tile tile = viper_tile_of(w);
  const int32_t n = s->n_levels, mine = w->thread.rank / VIPER_TILE,
                tiles = w->thread.size / VIPER_TILE;
  if (tile.size < VIPER_TILE) {
    viper_backward_columns(w, m);
    return;
  }
  int32_t begin = 0, end = viper_get_fixed(level + 1),
          after = viper_get_fixed(level + (n > 1 ? 2 : 1));
  viper_backward_column next = viper_get_backward(list, mine, end);
  VIPER_ROLLED for (int32_t i = 0; i < n; i++) {
    const int32_t later = viper_get_fixed(level + (i + 3 < n ? i + 3 : n));
    viper_backward_column now = next;
    next = viper_get_backward(list, end + mine, after);
    VIPER_ROLLED for (int32_t k = begin + mine; k < end; k += tiles) {
      viper_backward_by_tile(m, &now, &tile);
      if (k + tiles < end)
        now = viper_get_backward(list, k + tiles, end);
    }
    viper_barrier(w);
    begin = end;
    end = after;
    after = later;
  }
}

#endif
