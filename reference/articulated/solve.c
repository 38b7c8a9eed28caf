// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv,
                    double *work, const int *lwork, int *info);
extern void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);
extern void dsycon_(const char *uplo, const int *n, const double *a, const int *lda,
                    const int *ipiv, const double *anorm, double *rcond, double *work, int *iwork,
                    int *info);
extern void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, double *s, const double *rcond, int *rank,
                    double *work, const int *lwork, int *iwork, int *info);

extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
                    const int *lda, double *s, double *u, const int *ldu, double *vt,
                    const int *ldvt, double *work, const int *lwork, int *info);
extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                   double *w, double *work, const int *lwork, int *info);

/// Below this reciprocal condition rows count as dependent: rounding, a hundred times over.
static const double dependent = 1e-13;

int ar_solve_length(int n) {
  return 64 * n + 1;
}

/// By singular values, those below `dependent` of the greatest left out.
static vb_status solve_dependent(int n, double *matrix, double *right, vb_error *error) {
  int one = 1, info = 0, rank, query = -1, least[1];
  double size;
  dgelsd_(&n, &n, &one, matrix, &n, right, &n, matrix, &dependent, &rank, &size, &query, least,
          &info);
  int length = (int)size;
  double *work = reallocarray(NULL, (size_t)length + (size_t)n, sizeof *work);
  int *whole = reallocarray(NULL, (size_t)least[0] + 1, sizeof *whole);
  vb_status status = work && whole ? VB_OK : vb_error_memory(error);
  if (!status)
    dgelsd_(&n, &n, &one, matrix, &n, right, &n, work + length, &dependent, &rank, work, &length,
            whole, &info);
  free(work);
  free(whole);
  if (!status && info != 0)
    return vb_error_set(error, VB_UNAVAILABLE, "the multipliers of %d unknowns cannot be computed",
                        n);
  return status;
}

/// Scales unknowns and rows so that diagonals of Q are 1 and rows of C have the norm 1; returns the
/// norm of the matrix.
static double scale(size_t n, size_t rows, double *matrix, double *right, double *unit) {
  size_t all = n + rows;
  double norm = 0;
  for (size_t i = 0; i < n; i++)
    unit[i] = 1 / sqrt(fmax(fabs(matrix[i * all + i]), 1e-300));
  for (size_t i = n; i < all; i++) {
    double square = 0;
    for (size_t j = 0; j < n; j++) {
      double value = matrix[i * all + j] * unit[j];
      square += value * value;
    }
    unit[i] = square > 0 ? 1 / sqrt(square) : 1;
  }
  for (size_t i = 0; i < all; i++) {
    double sum = 0;
    right[i] *= unit[i];
    for (size_t j = 0; j < all; j++) {
      matrix[i * all + j] *= unit[i] * unit[j];
      sum += fabs(matrix[i * all + j]);
    }
    norm = fmax(norm, sum);
  }
  return norm;
}

/// Negative eigenvalues, by those of the blocks of the factor (Sylvester's law).
static int count_negative(int n, const double *matrix, const int *pivot) {
  int count = 0;
  for (int k = 0; k < n; k++) {
    size_t at = (size_t)k * (size_t)n + (size_t)k;
    if (pivot[k] > 0) {
      count += matrix[at] < 0;
    } else { // a block of two has one of each sign: its determinant is negative
      count++;
      k++;
    }
  }
  return count;
}

vb_status ar_solve_saddle(size_t n_unknowns, size_t rows, double *matrix, double *right,
                          double *copy, double *unit, double *work, int length, int *whole,
                          bool *saddle, vb_error *error) {
  int n = (int)(n_unknowns + rows), one = 1, info = 0;
  double condition = 0, norm = scale(n_unknowns, rows, matrix, right, unit);
  vb_status status = VB_OK;
  memcpy(copy, matrix, (size_t)n * (size_t)n * sizeof *copy);
  dsytrf_("L", &n, matrix, &n, whole, work, &length, &info);
  if (info < 0)
    return vb_error_set(error, VB_UNAVAILABLE, "the matrix of %d unknowns cannot be factorized", n);
  if (info == 0)
    dsycon_("L", &n, matrix, &n, whole, &norm, &condition, work, whole + n, &info);
  if (info == 0 && condition > dependent) {
    *saddle = count_negative(n, matrix, whole) == (int)rows;
    dsytrs_("L", &n, &one, matrix, &n, whole, right, &n, &info);
  } else {
    *saddle = true; // dependent rows leave signs to rounding
    status = solve_dependent(n, copy, right, error);
  }
  for (int i = 0; i < n; i++)
    right[i] *= unit[i];
  return status;
}

static bool all_finite(const double *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(a[i]))
      return false;
  return true;
}

vb_status ar_solve_values(size_t n, size_t r, double *a, double *value, double *left, double *right,
                          size_t *rank, vb_error *error) {
  int m = (int)n, k = (int)r, info = 0, length = (int)(8 * (n + r) + 64);
  if (!all_finite(a, n * r))
    return vb_error_set(error, VB_UNAVAILABLE, "rows of links are not finite");
  double *work = reallocarray(NULL, (size_t)length, sizeof *work);
  if (!work)
    return vb_error_memory(error);
  dgesvd_("A", "A", &m, &k, a, &m, value, left, &m, right, &k, work, &length, &info);
  free(work);
  if (info != 0)
    return vb_error_set(error, VB_UNAVAILABLE, "the singular values of %d rows cannot be computed",
                        k);
  *rank = 0;
  while (*rank < r && *rank < n && value[*rank] > dependent * value[0])
    ++*rank;
  return VB_OK;
}

vb_status ar_solve_eigenvalue(size_t n, double *matrix, double *value, vb_error *error) {
  int m = (int)n, info = 0, length = (int)(40 * n + 64);
  if (!all_finite(matrix, n * n))
    return vb_error_set(error, VB_UNAVAILABLE, "the matrix of the bones is not finite");
  double *work = reallocarray(NULL, (size_t)length, sizeof *work);
  if (!work)
    return vb_error_memory(error);
  if (n > 0)
    dsyev_("V", "U", &m, matrix, &m, value, work, &length, &info);
  free(work);
  return info == 0 ? VB_OK
                   : vb_error_set(error, VB_UNAVAILABLE,
                                  "the eigenvalues of %d unknowns cannot be computed", m);
}
