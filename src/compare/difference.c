// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/difference.h"

#include <math.h>

vb_difference vb_difference_begin(double allowed, vb_nan_policy nan) {
  return (vb_difference){.allowed = allowed, .nan = nan};
}

/// How far two numbers are apart: 0 for equal infinities and for what the policy calls equal,
/// infinite where they cannot be compared.
static double apart(double a, double b, vb_nan_policy nan) {
  if (isnan(a) && isnan(b))
    return nan == VB_NAN_EQUAL ? 0 : INFINITY;
  if (a == b)
    return 0;
  return isfinite(a) && isfinite(b) ? fabs(b - a) : INFINITY;
}

static void add(vb_difference *d, double a, double b) {
  double distance = apart(a, b, d->nan), size = fmax(fabs(a), fabs(b));
  size_t place = d->n++;
  if (isfinite(distance)) {
    d->sum_of_squares += distance * distance;
    d->n_finite++;
  }
  if (distance > d->greatest) {
    d->greatest = distance;
    d->worst = place;
  }
  if (distance > 0)
    d->relative = fmax(d->relative, isfinite(distance) ? distance / size : INFINITY);
  if (!(distance > d->allowed))
    return;
  if (d->n_bad++ == 0) {
    d->first_bad = place;
    d->first_a = a;
    d->first_b = b;
  }
}

void vb_difference_add(vb_difference *difference, const double *a, const double *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    add(difference, a[i], b[i]);
}

double vb_difference_rms(const vb_difference *difference) {
  return difference->n_finite ? sqrt(difference->sum_of_squares / (double)difference->n_finite) : 0;
}

void vb_align_quaternions(const double *a, double *b, size_t n) {
  for (size_t i = 0; i < 4 * n; i += 4) {
    double dot = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
    for (size_t k = 0; dot < 0 && k < 4; k++)
      b[i + k] = -b[i + k];
  }
}
