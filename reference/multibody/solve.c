// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
extern void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a,
                    const int *lda, double *b, const int *ldb, int *info);
extern void dpocon_(const char *uplo, const int *n, const double *a, const int *lda,
                    const double *anorm, double *rcond, double *work, int *iwork, int *info);
extern void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, double *s, const double *rcond, int *rank,
                    double *work, const int *lwork, int *iwork, int *info);

/// Below this reciprocal condition rows count as dependent: rounding, a hundred times over.
static const double dependent = 1e-13;

/// By singular values, those below `dependent` of the greatest left out. Of numbers that are not
/// finite there are none: the solution is no number then, and the run diverges.
static vb_status solve_dependent(int n, double *matrix, double *b, double *values,
                                 vb_error *error) {
  int one = 1, info = 0, rank, query = -1, least[1];
  double size, sum = 0;
  for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
    sum += fabs(matrix[i]);
  for (int i = 0; i < n; i++)
    sum += fabs(b[i]);
  if (!isfinite(sum)) {
    for (int i = 0; i < n; i++)
      b[i] = NAN;
    return VB_OK;
  }
  dgelsd_(&n, &n, &one, matrix, &n, b, &n, values, &dependent, &rank, &size, &query, least, &info);
  int length = (int)size;
  double *work = reallocarray(NULL, (size_t)length, sizeof *work);
  int *whole = reallocarray(NULL, (size_t)least[0] + 1, sizeof *whole);
  vb_status status = work && whole ? VB_OK : vb_error_memory(error);
  if (!status)
    dgelsd_(&n, &n, &one, matrix, &n, b, &n, values, &dependent, &rank, work, &length, whole,
            &info);
  free(work);
  free(whole);
  if (!status && info != 0)
    return vb_error_set(error, VB_UNAVAILABLE, "the multipliers of %d rows cannot be computed", n);
  return status;
}

/// Whether the Cholesky factor in `matrix`, of a matrix of norm `norm`, can be relied on.
static bool is_sound(int n, const double *matrix, double norm, double *scratch, int *whole) {
  int info = 0;
  double condition = 0;
  dpocon_("L", &n, matrix, &n, &norm, &condition, scratch, whole, &info);
  return info == 0 && condition > dependent;
}

vb_status mb_solve(size_t rows, double *matrix, double *b, double *copy, double *scratch,
                   vb_error *error) {
  int n = (int)rows, one = 1, info = 0;
  if (n == 0)
    return VB_OK;
  double norm = 0, *unit = reallocarray(NULL, rows, sizeof *unit);
  int *whole = reallocarray(NULL, rows, sizeof *whole);
  if (!unit || !whole) {
    free(unit);
    free(whole);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < rows; i++)
    unit[i] = matrix[i * rows + i] > 0 ? 1 / sqrt(matrix[i * rows + i]) : 1;
  for (size_t i = 0; i < rows; i++) {
    double sum = 0;
    b[i] *= unit[i];
    for (size_t j = 0; j < rows; j++) {
      matrix[i * rows + j] *= unit[i] * unit[j];
      sum += fabs(matrix[i * rows + j]);
    }
    norm = fmax(norm, sum);
  }
  memcpy(copy, matrix, rows * rows * sizeof *copy);
  vb_status status = VB_OK;
  dpotrf_("L", &n, matrix, &n, &info);
  if (info == 0 && is_sound(n, matrix, norm, scratch, whole))
    dpotrs_("L", &n, &one, matrix, &n, b, &n, &info);
  else
    status = solve_dependent(n, copy, b, scratch, error);
  for (size_t i = 0; i < rows; i++)
    b[i] *= unit[i];
  free(unit);
  free(whole);
  return status;
}
