// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds rows of three numbers that are equal: places of vertices, corners of triangles.
#ifndef VB_MESH_EQUAL_ROWS_H
#define VB_MESH_EQUAL_ROWS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// Writes of each of `n` rows the first one that equals it, which may be itself. VB_FAILED where
/// the time is over (base/time_limit.h), VB_BAD_INPUT where there are more rows than indexes.
vb_status vb_equal_rows(const int64_t (*row)[3], size_t n, int32_t *first, vb_error *error);

/// The same of places `x` (n x 3); -0 and 0 are one place.
vb_status vb_equal_places(const double *x, size_t n, int32_t *first, vb_error *error);

#endif
