// SPDX-License-Identifier: GPL-3.0-or-later
/// Anderson acceleration of an iteration x -> g(x): of the latest steps the combination that
/// leaves least of g(x) - x (Peng et al. 2018, Anderson acceleration for geometry optimization and
/// physics simulation).
#ifndef AR_ANDERSON_H
#define AR_ANDERSON_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Steps that are combined, at most: more help little, and their systems near singularity.
enum { AR_ANDERSON_WINDOW = 5 };

typedef struct ar_anderson {
  size_t n;                      ///< numbers of x
  int count;                     ///< steps whose changes are kept
  int next;                      ///< where those of the next one go
  bool begun;                    ///< whether there was a step before
  double *g, *f;                 ///< (n) of the latest step: g, and f = g - x
  double *g_changes, *f_changes; ///< (window x n) their changes
  double *now;                   ///< (n) scratch
  double products[AR_ANDERSON_WINDOW][AR_ANDERSON_WINDOW]; ///< products of the changes of f
} ar_anderson;

/// Allocates for x of `n` numbers; freed by ar_anderson_clear.
vb_status ar_anderson_create(size_t n, ar_anderson *out, vb_error *error);
void ar_anderson_clear(ar_anderson *anderson);

/// Forgets all steps.
void ar_anderson_begin(ar_anderson *anderson);

/// Takes the step from x to g, both of n numbers, and overwrites g with the place that the steps
/// since the restart lead to. Returns false, with g as it was, after the first of them.
bool ar_anderson_combine(ar_anderson *anderson, const double *x, double *g);

#endif
