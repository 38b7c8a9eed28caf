// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/matching.h"

#include "base/time_limit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Potentials of rows and columns, and the matching so far; index 0 of each stands for none.
typedef struct state {
  const double *cost;
  int32_t n;
  double *row, *column, *slack;
  int32_t *row_of, *before;
  bool *seen;
} state;

/// Finds the shortest way from unmatched row `i` to an unmatched column, which it returns.
static int32_t search(state *s, int32_t i) {
  int32_t at = 0;
  s->row_of[0] = i;
  for (int32_t j = 0; j <= s->n; j++) {
    s->slack[j] = INFINITY;
    s->seen[j] = false;
  }
  do {
    int32_t row = s->row_of[at], next = 0;
    double least = INFINITY;
    s->seen[at] = true;
    for (int32_t j = 1; j <= s->n; j++) {
      if (s->seen[j])
        continue;
      double reduced =
          s->cost[(size_t)(row - 1) * (size_t)s->n + (size_t)(j - 1)] - s->row[row] - s->column[j];
      if (reduced < s->slack[j]) {
        s->slack[j] = reduced;
        s->before[j] = at;
      }
      if (s->slack[j] < least) {
        least = s->slack[j];
        next = j;
      }
    }
    for (int32_t j = 0; j <= s->n; j++)
      if (s->seen[j]) {
        s->row[s->row_of[j]] += least;
        s->column[j] -= least;
      } else
        s->slack[j] -= least;
    at = next;
  } while (s->row_of[at]);
  return at;
}

vb_status vb_matching_find(const double *cost, int32_t n, int32_t *column, vb_error *error) {
  size_t room = (size_t)n + 1;
  state s = {.cost = cost, .n = n};
  s.row = calloc(3 * room, sizeof *s.row);
  s.row_of = calloc(2 * room, sizeof *s.row_of);
  s.seen = calloc(room, sizeof *s.seen);
  vb_status status = s.row && s.row_of && s.seen ? VB_OK : vb_error_memory(error);
  if (!status) {
    s.column = s.row + room;
    s.slack = s.column + room;
    s.before = s.row_of + room;
    for (int32_t i = 1; !status && i <= n; i++) {
      status = vb_time_limit_check(error);
      for (int32_t j = search(&s, i); j;) {
        int32_t from = s.before[j];
        s.row_of[j] = s.row_of[from];
        j = from;
      }
    }
    for (int32_t j = 1; !status && j <= n; j++)
      column[s.row_of[j] - 1] = j - 1;
  }
  free(s.row);
  free(s.row_of);
  free(s.seen);
  return status;
}
