// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether drivers that ride on others, and what follows drivers, all else being sound, are sound.
#include "scene/checks.h"

#include <math.h>
#include <stdlib.h>

/// How far the sum of two weights may be from 1: rounding many times over, no more.
static const double sum_tolerance = 1e-9;

/// Checks that no driver rides on itself, however far.
static vb_status check_cycles(const vb_sets *sets, vb_error *error) {
  size_t n = sets->n_drivers;
  int32_t *parent = reallocarray(NULL, 2 * n + 1, sizeof *parent);
  if (!parent)
    return vb_error_memory(error);
  int32_t *from = parent + n; // the walk that passed a driver, or -1
  for (size_t d = 0; d < n; d++)
    parent[d] = from[d] = -1;
  for (size_t i = 0; i < sets->n_parents; i++)
    parent[sets->parents[i].driver] = sets->parents[i].parent;
  vb_status status = VB_OK;
  // Each walk marks what it passes, and ends where it comes to what was passed before.
  for (size_t d = 0; status == VB_OK && d < n; d++) {
    int32_t at = (int32_t)d;
    for (; at >= 0 && from[at] < 0; at = parent[at])
      from[at] = (int32_t)d;
    if (at >= 0 && from[at] == (int32_t)d)
      status = vb_bad_input(
          error, "driver %d (%s): it is its own ancestor; parents should not form a cycle", at,
          sets->drivers[at].name);
  }
  free(parent);
  return status;
}

static vb_status check_follow(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_follow *f = &sets->follows[i];
  double sum = f->weight[0] + f->weight[1];
  if (f->driver[1] < 0 && f->weight[1] != 0)
    return vb_bad_input(error, "follow %zu: it has no second driver, but the weight %g for it", i,
                        f->weight[1]);
  if (!(fabs(sum - 1) <= sum_tolerance))
    return vb_bad_input(error,
                        "follow %zu: its weights %g and %g have the sum %.12g; it should be 1", i,
                        f->weight[0], f->weight[1], sum);
  return VB_OK;
}

/// A pinned node goes where its pin says.
static vb_status check_free(const vb_sets *sets, vb_error *error) {
  char *pinned = vb_pinned_places(sets);
  if (!pinned)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_follows; i++)
    if (pinned[sets->follows[i].node])
      status = vb_bad_input(
          error, "follow %zu: its node %d is pinned; a pinned node cannot follow drivers", i,
          sets->follows[i].node);
  free(pinned);
  return status;
}

vb_status vb_check_drivers(const vb_sets *sets, vb_error *error) {
  const vb_check_pass pass = {check_follow, sets->n_follows};
  vb_status status = check_cycles(sets, error);
  if (status == VB_OK)
    status = vb_check_passes(sets, &pass, 1, error);
  return status == VB_OK ? check_free(sets, error) : status;
}
