// SPDX-License-Identifier: GPL-3.0-or-later
/// Small symmetric systems by LAPACK.
#ifndef MB_SOLVE_H
#define MB_SOLVE_H

#include "base/status.h"

#include <stddef.h>

/// Solves A x = b for the symmetric, positive semi-definite `matrix` (rows x rows, overwritten)
/// and `b` (rows, overwritten by x). Where rows depend on each other, as in closed loops of links,
/// x is the one of least norm in units of A's diagonal. `copy` (rows x rows) and `scratch` (3 rows)
/// are scratch. VB_UNAVAILABLE where LAPACK fails.
vb_status mb_solve(size_t rows, double *matrix, double *b, double *copy, double *scratch,
                   vb_error *error);

#endif
