// SPDX-License-Identifier: GPL-3.0-or-later
/// Small dense systems by LAPACK.
#ifndef AR_SOLVE_H
#define AR_SOLVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Numbers of scratch that systems of `n` unknowns and rows need.
int ar_solve_length(int n);

/// Solves [Q C^T; C 0] (s, multipliers) = right for `n` unknowns and `rows` rows; `matrix` (all of
/// it, overwritten) and `right` (overwritten by the solution). Rows that depend on each other get
/// the multipliers of least norm. Writes whether the matrix is that of a least point: as many
/// negative eigenvalues as rows; where it is not, `right` is not the solution. `copy` is as large
/// as the matrix, `unit` as right, `whole` twice. VB_UNAVAILABLE where LAPACK fails.
vb_status ar_solve_saddle(size_t n, size_t rows, double *matrix, double *right, double *copy,
                          double *unit, double *work, int length, int *whole, bool *saddle,
                          vb_error *error);

/// The singular values (r + n numbers of room) of the n x r matrix `a`, column by column
/// (overwritten): its left vectors as columns of `left` (n x n), the right ones as rows of the
/// column-wise `right` (r x r), and how many values are not rounding. VB_UNAVAILABLE where LAPACK
/// fails, or for numbers that are not finite.
vb_status ar_solve_values(size_t n, size_t r, double *a, double *value, double *left, double *right,
                          size_t *rank, vb_error *error);

/// Eigenvalues of a symmetric n x n matrix, which its vectors overwrite as columns; fails likewise.
vb_status ar_solve_eigenvalue(size_t n, double *matrix, double *value, vb_error *error);

#endif
