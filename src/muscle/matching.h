// SPDX-License-Identifier: GPL-3.0-or-later
/// Minimum-cost perfect matching of two equally large sets (the Hungarian algorithm, Kuhn 1955).
#ifndef VB_MUSCLE_MATCHING_H
#define VB_MUSCLE_MATCHING_H

#include "base/status.h"

#include <stdint.h>

/// Finds for each row of `cost` (n x n, finite) the column `column[i]`, each once, such that the
/// sum of costs is least. Of equal matchings the same is always found. Takes O(n^3). Fails for want
/// of memory alone.
vb_status vb_matching_find(const double *cost, int32_t n, int32_t *column, vb_error *error);

#endif
