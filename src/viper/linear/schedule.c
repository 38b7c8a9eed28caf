// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/linear/schedule.h"

#include "base/rows.h"

#include <stdbool.h>
#include <stdlib.h>

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

void viper_schedule_destroy(viper_schedule *s) {
  if (!s)
    return;
  vb_arena_clear(&s->memory);
  free(s);
}
