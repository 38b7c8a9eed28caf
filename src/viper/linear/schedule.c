// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/linear/schedule.h"

#include "base/rows.h"

#include <stdlib.h>
#include <string.h>

/// Lists the sources of each column. Going through blocks column by column, they rise.
static void find_sources(const viper_elimination *e, viper_schedule *s) {
  for (int32_t p = 0; p < (int32_t)e->n_columns; p++)
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++) {
      s->column[i] = p;
      s->first_source[e->row[i] + 2]++;
    }
  vb_begin_rows(s->first_source, e->n_columns);
  for (int32_t i = 0; i < (int32_t)e->n_blocks; i++)
    s->source[s->first_source[e->row[i] + 1]++] = i;
}

/// Begins a stage wherever a column of the current one acts on the next column, and with each
/// submatrix.
static void find_stages(const viper_elimination *e, viper_schedule *s) {
  int32_t begin = 0, submatrix = 0;
  for (int32_t p = 0; p < (int32_t)e->n_columns; p++) {
    int32_t end = s->first_source[p + 1];
    bool waits = end > s->first_source[p] && s->column[s->source[end - 1]] >= begin;
    bool next = false;
    for (; submatrix <= e->submatrices.n && e->submatrices.first[submatrix] == p; next = true)
      s->submatrix_stage[submatrix++] = s->n_stages;
    if (!next && !waits)
      continue;
    begin = p;
    s->stage[s->n_stages++] = p;
  }
  while (submatrix <= e->submatrices.n + 1)
    s->submatrix_stage[submatrix++] = s->n_stages;
  s->stage[s->n_stages] = (int32_t)e->n_columns;
}

/// What the sources of column `p` reach. The rows of a source's column after p are among those of
/// p, in the same order.
static void reach_column(const viper_elimination *e, const viper_schedule *s, int32_t p) {
  int32_t first = s->first_source[p], n = s->first_source[p + 1] - first;
  uint16_t *reach = s->reach + s->first_reach[p];
  for (int32_t k = 0; k < n; k++) {
    int32_t source = s->source[first + k], end = e->first_block[s->column[source] + 1];
    int32_t block = source + 1;
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++) {
      bool there = block < end && e->row[block] == e->row[i];
      reach[(int64_t)(i - e->first_block[p]) * n + k] = (uint16_t)(there ? block - source : 0);
      block += there;
    }
  }
}

static bool fill(const viper_elimination *e, viper_schedule *s) {
  size_t n = e->n_columns;
  VB_TAKE(&s->memory, s->stage, n + 2);
  VB_TAKE(&s->memory, s->column, e->n_blocks);
  VB_TAKE(&s->memory, s->first_source, n + 2);
  VB_TAKE(&s->memory, s->source, e->n_blocks);
  VB_TAKE(&s->memory, s->first_reach, n + 1);
  VB_TAKE(&s->memory, s->submatrix_stage, (size_t)e->submatrices.n + 2);
  if (s->memory.failed)
    return false;
  find_sources(e, s);
  find_stages(e, s);
  s->is_chain = true;
  for (size_t p = 0; p < n; p++)
    s->is_chain &= e->first_block[p + 1] - e->first_block[p] <= VIPER_CHAIN_BLOCKS;
  for (size_t p = 0; p < n; p++)
    s->first_reach[p + 1] =
        s->first_reach[p] + (int64_t)(e->first_block[p + 1] - e->first_block[p]) *
                                (s->first_source[p + 1] - s->first_source[p]);
  if (!VB_TAKE(&s->memory, s->reach, (size_t)s->first_reach[n]))
    return false;
  for (size_t p = 0; p < n; p++)
    reach_column(e, s, (int32_t)p);
  return true;
}

vb_status viper_schedule_create(const viper_elimination *elimination, viper_schedule **out,
                                vb_error *error) {
  viper_schedule *s = calloc(1, sizeof *s);
  if (!s || !fill(elimination, s)) {
    viper_schedule_destroy(s);
    return vb_error_memory(error);
  }
  *out = s;
  return VB_OK;
}

/// The last pass that has an update of a block, of a diagonal block, and of any block of a column;
/// -1 where none has.
typedef struct last_passes {
  int32_t *block, *diagonal, *column;
} last_passes;

/// Lists the updates of column `p`, with their passes; returns how many there are.
static int32_t update_by(const viper_elimination *e, int32_t p, last_passes last,
                         viper_update *update, int32_t *pass) {
  const int32_t ready = last.column[p] + 1, *target = e->target + e->first_target[p];
  int32_t n = 0;
  for (int32_t x = e->first_block[p]; x < e->first_block[p + 1]; x++)
    for (int32_t y = e->first_block[p]; y <= x; y++, n++) {
      int32_t to = x == y ? e->row[x] : *target++;
      int32_t *of_block = x == y ? &last.diagonal[to] : &last.block[to];
      int32_t *of_column = &last.column[e->row[y]];
      pass[n] = *of_block + 1 > ready ? *of_block + 1 : ready;
      *of_block = pass[n];
      *of_column = pass[n] > *of_column ? pass[n] : *of_column;
      update[n] = (viper_update){p, x, y, to};
    }
  return n;
}

/// Sorts `n` items of the same size by their keys, of which there are `n_keys`; equal ones stay in
/// order. `first`, which is zeroed, becomes where each key's begin ([n_keys + 2]).
static void sort_items(const char *item, size_t bytes, const int32_t *key, size_t n, size_t n_keys,
                       int32_t *first, char *out) {
  for (size_t k = 0; k < n; k++)
    first[key[k] + 2]++;
  vb_begin_rows(first, n_keys);
  for (size_t k = 0; k < n; k++)
    memcpy(out + bytes * (size_t)first[key[k] + 1]++, item + bytes * k, bytes);
}

/// The first row of a diagonal block, and of a block.
static int32_t diagonal_row(const viper_elimination *e, int32_t column) {
  return (int32_t)e->n_columns + 4 * column;
}

static int32_t block_row(const viper_elimination *e, int32_t block) {
  return diagonal_row(e, (int32_t)e->n_columns) + 4 * block;
}

/// What block `i` of column `p`, or its solution, changes in the column of block j's row.
static int32_t target_of(const viper_elimination *e, int32_t p, int32_t i, int32_t j) {
  const int32_t *row = e->row + e->first_block[p];
  if (i == e->first_block[p + 1] - e->first_block[p])
    return row[j];
  if (i == j)
    return diagonal_row(e, row[i]);
  return ~block_row(e, e->target[e->first_target[p] + (int64_t)i * (i - 1) / 2 + j]);
}

/// Lists the panels of column `p`.
static void list_panels(const viper_elimination *e, int32_t p, viper_panel *out) {
  const int32_t block = e->first_block[p], n = e->first_block[p + 1] - block;
  for (int32_t i = 0; i <= n; i++) {
    const int32_t last = i < n ? i : n - 1;
    out[i].row = i < n ? block_row(e, block + i) : p;
    for (int32_t j = 0; j < VIPER_CHAIN_BLOCKS; j++)
      out[i].target[j] = n > 0 ? target_of(e, p, i, j < last ? j : last) : p;
  }
}

/// A column waits for those that act on it, and where it acts on a column for those that do so
/// before. `last` is zeroed: the number of passes after which nothing acts on a column so far.
static int32_t find_passes(const viper_elimination *e, int32_t *last, int32_t *pass) {
  int32_t n = 0;
  for (int32_t p = 0; p < (int32_t)e->n_columns; p++) {
    const int32_t *row = e->row + e->first_block[p];
    const int32_t n_rows = e->first_block[p + 1] - e->first_block[p];
    pass[p] = last[p];
    for (int32_t i = 0; i < n_rows; i++)
      pass[p] = last[row[i]] > pass[p] ? last[row[i]] : pass[p];
    for (int32_t i = 0; i < n_rows; i++)
      last[row[i]] = pass[p] + 1;
    n = pass[p] >= n ? pass[p] + 1 : n;
  }
  return n;
}

/// A column waits on the way back for those of its rows.
static int32_t find_levels(const viper_elimination *e, int32_t *level) {
  int32_t n = 0;
  for (int32_t p = (int32_t)e->n_columns - 1; p >= 0; p--) {
    level[p] = 0;
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      if (level[e->row[i]] >= level[p])
        level[p] = level[e->row[i]] + 1;
    n = level[p] >= n ? level[p] + 1 : n;
  }
  return n;
}

static bool take_scratch(const viper_elimination *e, vb_arena *scratch, last_passes *last) {
  VB_TAKE(scratch, last->block, e->n_blocks);
  VB_TAKE(scratch, last->diagonal, e->n_columns);
  VB_TAKE(scratch, last->column, e->n_columns);
  if (scratch->failed)
    return false;
  for (size_t i = 0; i < e->n_blocks; i++)
    last->block[i] = -1;
  for (size_t p = 0; p < e->n_columns; p++)
    last->diagonal[p] = last->column[p] = -1;
  return true;
}

/// Passes of updates.
static bool fill_updates(const viper_elimination *e, viper_schedule *s, vb_arena *scratch) {
  const size_t columns = e->n_columns, n = (size_t)e->first_target[columns] + e->n_blocks;
  last_passes last;
  viper_update *update;
  int32_t *key;
  if (n > INT32_MAX)
    return false;
  VB_TAKE(scratch, update, n);
  VB_TAKE(scratch, key, n);
  if (!take_scratch(e, scratch, &last))
    return false;
  size_t at = 0;
  for (size_t p = 0; p < columns; p++)
    at += (size_t)update_by(e, (int32_t)p, last, update + at, key + at);
  for (size_t k = 0; k < n; k++)
    s->n_passes = key[k] >= s->n_passes ? key[k] + 1 : s->n_passes;
  VB_TAKE(&s->memory, s->update, n);
  VB_TAKE(&s->memory, s->pass, (size_t)s->n_passes + 2);
  if (s->memory.failed)
    return false;
  sort_items((const char *)update, sizeof *update, key, n, (size_t)s->n_passes, s->pass,
             (char *)s->update);
  return true;
}

/// Passes of columns.
static bool fill_columns(const viper_elimination *e, viper_schedule *s, vb_arena *scratch) {
  const size_t n = e->n_columns;
  viper_forward_column *column;
  int32_t *last, *key;
  VB_TAKE(scratch, last, n);
  VB_TAKE(scratch, key, n);
  VB_TAKE(scratch, column, n);
  if (scratch->failed || 5 * n + 4 * e->n_blocks > INT32_MAX)
    return false;
  s->n_panels = (int32_t)(n + e->n_blocks);
  s->n_passes = find_passes(e, last, key);
  VB_TAKE(&s->memory, s->forward, n);
  VB_TAKE(&s->memory, s->panel, (size_t)s->n_panels);
  VB_TAKE(&s->memory, s->pass, (size_t)s->n_passes + 2);
  if (s->memory.failed)
    return false;
  for (int32_t p = 0; p < (int32_t)n; p++) {
    const int32_t block = e->first_block[p], panel = block + p;
    column[p] = (viper_forward_column){diagonal_row(e, p), block_row(e, block),
                                       e->first_block[p + 1] - block, panel};
    list_panels(e, p, s->panel + panel);
  }
  sort_items((const char *)column, sizeof *column, key, n, (size_t)s->n_passes, s->pass,
             (char *)s->forward);
  return true;
}

/// The way back.
static bool fill_levels(const viper_elimination *e, viper_schedule *s, vb_arena *scratch) {
  const size_t n = e->n_columns;
  viper_backward_column *column;
  int32_t *key;
  VB_TAKE(scratch, column, n);
  VB_TAKE(scratch, key, n);
  if (scratch->failed)
    return false;
  s->n_levels = find_levels(e, key);
  VB_TAKE(&s->memory, s->backward, n);
  VB_TAKE(&s->memory, s->level, (size_t)s->n_levels + 2);
  if (s->memory.failed)
    return false;
  for (int32_t p = 0; p < (int32_t)n; p++) {
    const int32_t block = e->first_block[p], end = e->first_block[p + 1];
    column[p] = (viper_backward_column){p, block, end, 0, {0}};
    for (int32_t i = 0; i < VIPER_ROWS_NOTED; i++)
      column[p].row[i] = block == end ? p : e->row[block + i < end ? block + i : block];
  }
  sort_items((const char *)column, sizeof *column, key, n, (size_t)s->n_levels, s->level,
             (char *)s->backward);
  return true;
}

vb_status viper_schedule_find_passes(const viper_elimination *elimination, viper_schedule *schedule,
                                     vb_error *error) {
  vb_arena scratch = {0};
  bool there = (schedule->is_chain ? fill_columns(elimination, schedule, &scratch)
                                   : fill_updates(elimination, schedule, &scratch)) &&
               fill_levels(elimination, schedule, &scratch);
  vb_arena_clear(&scratch);
  return there ? VB_OK : vb_error_memory(error);
}

void viper_schedule_destroy(viper_schedule *s) {
  if (!s)
    return;
  vb_arena_clear(&s->memory);
  free(s);
}
