// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fit.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

/// Rows that a pole is found from, at most: more would make rounding of the first ones count.
enum { MOST_POLE_ROWS = 8 };

/// Most of a radian: far from both ends of (0, pi), where acos loses digits.
static const double GOOD_ANGLE = 1.3;

/// The numbers p and q of y[i+2m] = p y[i+m] - q y[i] in the least-squares sense.
static bool fit_recurrence(const double *y, size_t n, size_t m, double *p, double *q) {
  if (n < 2 * m + 2)
    return false;
  size_t rows = n - 2 * m;
  bool good = false;
  double chi_squared;
  gsl_matrix *left = gsl_matrix_alloc(rows, 2);
  gsl_vector *right = gsl_vector_alloc(rows);
  gsl_vector *solution = gsl_vector_alloc(2);
  gsl_matrix *covariance = gsl_matrix_alloc(2, 2);
  gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(rows, 2);
  if (!left || !right || !solution || !covariance || !workspace)
    goto cleanup;
  for (size_t i = 0; i < rows; i++) {
    gsl_matrix_set(left, i, 0, y[i + m]);
    gsl_matrix_set(left, i, 1, -y[i]);
    gsl_vector_set(right, i, y[i + 2 * m]);
  }
  if (gsl_multifit_linear(left, right, solution, covariance, &chi_squared, workspace))
    goto cleanup;
  *p = gsl_vector_get(solution, 0);
  *q = gsl_vector_get(solution, 1);
  good = true;
cleanup:
  gsl_multifit_linear_free(workspace);
  gsl_matrix_free(covariance);
  gsl_vector_free(solution);
  gsl_vector_free(right);
  gsl_matrix_free(left);
  return good;
}

/// The mode of a fit with lag m; its angle is taken to be in (0, pi / m).
static bool fit_lag(const double *y, size_t n, size_t m, vb_oscillation *out) {
  double p, q;
  if (!fit_recurrence(y, n, m, &p, &q) || !(q > 0))
    return false;
  double cosine = p / (2 * sqrt(q));
  if (!(fabs(cosine) < 1))
    return false;
  out->angle = acos(cosine) / (double)m;
  out->decay = pow(q, 0.5 / (double)m);
  return true;
}

bool vb_fit_mode(const double *y, size_t n, vb_oscillation *out) {
  vb_oscillation rough, fine;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(y[i]))
      return false;
  if (!fit_lag(y, n, 1, &rough))
    return false;
  // Rounding alone can turn a straight line into a very slow oscillation.
  if (rough.angle * (double)(n - 1) < M_PI / 2)
    return false;
  double lag = floor(GOOD_ANGLE / rough.angle);
  // A quarter of the samples, at most, are given up to the lag.
  lag = fmin(lag, floor((double)n / 8));
  fine = rough;
  if (lag > 1 && !fit_lag(y, n, (size_t)lag, &fine))
    return false;
  *out = fine;
  return true;
}

bool vb_fit_log_slope(const double *x, const double *y, size_t n, double *slope) {
  bool good = false;
  double offset, c00, c01, c11, sum;
  double *log_x = reallocarray(NULL, n + 1, sizeof *log_x);
  double *log_y = reallocarray(NULL, n + 1, sizeof *log_y);
  if (n < 2 || !log_x || !log_y)
    goto cleanup;
  for (size_t i = 0; i < n; i++) {
    if (!(x[i] > 0) || !(fabs(y[i]) > 0) || !isfinite(x[i]) || !isfinite(y[i]))
      goto cleanup;
    log_x[i] = log(x[i]);
    log_y[i] = log(fabs(y[i]));
  }
  double fitted;
  gsl_fit_linear(log_x, 1, log_y, 1, n, &offset, &fitted, &c00, &c01, &c11, &sum);
  good = isfinite(fitted);
  if (good)
    *slope = fitted;
cleanup:
  free(log_y);
  free(log_x);
  return good;
}

/// The polynomial through all points at x, by Neville's scheme.
static double interpolate(const double *at, const double *y, size_t n, double x) {
  double p[MOST_POLE_ROWS] = {0};
  for (size_t i = 0; i < n; i++)
    p[i] = y[i];
  for (size_t order = 1; order < n; order++)
    for (size_t i = 0; i + order < n; i++)
      p[i] = ((x - at[i + order]) * p[i] + (at[i] - x) * p[i + 1]) / (at[i] - at[i + order]);
  return p[0];
}

bool vb_fit_pole(const double *x, const double *y, size_t n, double *pole) {
  static const double LEAST = 0.01;
  double z[MOST_POLE_ROWS]; // 1/y over that of the first row, which falls
  size_t rows = 0;
  while (rows < n && rows < MOST_POLE_ROWS && y[0] != 0) {
    double part = y[0] / y[rows]; // infinite or NaN where y is 0 or not finite
    if (!(part > LEAST && part < (rows > 0 ? z[rows - 1] : 2)))
      break;
    z[rows++] = part;
  }
  if (rows < 2)
    return false;
  double before = x[rows - 1], left = z[rows - 1];
  double at = before + left * (before - x[rows - 2]) / (z[rows - 2] - left); // by the last two rows
  for (int i = 0; i < 50 && at != before; i++) {                             // secants
    double now = interpolate(x, z, rows, at), slope = (now - left) / (at - before);
    before = at;
    left = now;
    at -= now / slope;
    if (fabs(at - before) <= 1e-14 * fabs(at))
      break;
  }
  if (!isfinite(at))
    return false;
  *pole = at;
  return true;
}
