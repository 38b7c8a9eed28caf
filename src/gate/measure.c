// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/gate.h"

#include "base/fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/// Share of a series' length by which times that are sums of steps may miss a round number.
static const double SLACK = 1e-9;

/// How far rows of a series that counts as uniform may be off, in spacings.
static const double UNEVEN = 1e-6;

__attribute__((format(printf, 2, 3))) static bool refuse(char *note, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, VB_NOTE_SIZE, format, arguments);
  va_end(arguments);
  return false;
}

static double slack(const double *x, size_t n) {
  return SLACK * fabs(x[n - 1] - x[0]);
}

/// The value at x = at, on the straight line between its neighbors.
static bool value_at(const double *x, const double *y, size_t n, double at, double *out,
                     char *note) {
  double tolerance = slack(x, n);
  if (!(at >= x[0] - tolerance && at <= x[n - 1] + tolerance))
    return refuse(note, "nothing was recorded at %g: the record goes from %g to %g", at, x[0],
                  x[n - 1]);
  size_t i = 0;
  while (i < n && x[i] < at - tolerance)
    i++;
  if (i == n || i == 0 || x[i] <= at + tolerance) {
    *out = y[i == n ? n - 1 : i];
    return true;
  }
  double fraction = (at - x[i - 1]) / (x[i] - x[i - 1]);
  *out = y[i - 1] + fraction * (y[i] - y[i - 1]);
  return true;
}

static double extreme(const double *y, size_t n, vb_measure measure) {
  double best = measure == VB_MEASURE_MAXIMUM_ABS ? fabs(y[0]) : y[0];
  if (measure == VB_MEASURE_DRIFT)
    best = 0;
  for (size_t i = 1; i < n; i++) {
    if (measure == VB_MEASURE_MINIMUM)
      best = fmin(best, y[i]);
    else if (measure == VB_MEASURE_MAXIMUM)
      best = fmax(best, y[i]);
    else if (measure == VB_MEASURE_MAXIMUM_ABS)
      best = fmax(best, fabs(y[i]));
    else
      best = fmax(best, fabs(y[i] - y[0]));
  }
  return best;
}

static double mean(const double *y, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += y[i];
  return sum / (double)n;
}

/// Centroid of y^2 over x by the trapezoid rule.
static bool centroid(const double *x, const double *y, size_t n, double *out, char *note) {
  double sum = 0, moment = 0;
  for (size_t i = 0; i < n; i++) {
    double before = i > 0 ? x[i] - x[i - 1] : 0;
    double after = i + 1 < n ? x[i + 1] - x[i] : 0;
    double weight = n == 1 ? 1 : (before + after) / 2;
    sum += weight * y[i] * y[i];
    moment += weight * y[i] * y[i] * x[i];
  }
  if (!(sum > 0))
    return refuse(note, "nothing arrives: the series is zero throughout the window");
  *out = moment / sum;
  return true;
}

static bool oscillation(const double *x, const double *y, size_t n, vb_measure measure, double *out,
                        char *note) {
  vb_oscillation mode;
  if (n < 4)
    return refuse(note, "an oscillation needs at least 4 rows; the window holds %zu", n);
  double spacing = (x[n - 1] - x[0]) / (double)(n - 1);
  for (size_t i = 1; i < n; i++)
    if (!(fabs(x[i] - x[i - 1] - spacing) <= UNEVEN * spacing))
      return refuse(note, "an oscillation needs rows at equal spacing; row %zu breaks it", i);
  if (!vb_fit_mode(y, n, &mode))
    return refuse(note, "the series does not oscillate about zero in the window");
  *out = measure == VB_MEASURE_FREQUENCY ? mode.angle / spacing : mode.decay;
  return true;
}

static bool measure_window(const double *x, const double *y, size_t n, vb_measure measure,
                           double *out, char *note) {
  switch (measure) {
  case VB_MEASURE_MEAN:
    *out = mean(y, n);
    return true;
  case VB_MEASURE_FREQUENCY:
  case VB_MEASURE_DECAY:
    return oscillation(x, y, n, measure, out, note);
  case VB_MEASURE_ARRIVAL:
    return centroid(x, y, n, out, note);
  case VB_MEASURE_SLOPE:
    return vb_fit_log_slope(x, y, n, out) ||
           refuse(note, "a slope needs 2 rows or more with x above 0 and y other than 0");
  case VB_MEASURE_POLE:
    return vb_fit_pole(x, y, n, out) ||
           refuse(note, "a pole needs 2 rows or more in which the value grows");
  default:
    *out = extreme(y, n, measure);
    return true;
  }
}

bool vb_measure_series(const double *x, const double *y, size_t n, vb_measure measure, double from,
                       double to, double *out, char *note) {
  if (n == 0)
    return refuse(note, "the series has no rows");
  if (measure == VB_MEASURE_FIRST || measure == VB_MEASURE_FINAL) {
    *out = y[measure == VB_MEASURE_FIRST ? 0 : n - 1];
    return true;
  }
  if (measure == VB_MEASURE_VALUE)
    return value_at(x, y, n, from, out, note);
  double tolerance = slack(x, n);
  size_t first = 0, end = n;
  while (first < n && !(x[first] >= from - tolerance))
    first++;
  while (end > first && !(x[end - 1] <= to + tolerance))
    end--;
  if (first == end)
    return refuse(note, "no row lies in the window from %g to %g: the record goes from %g to %g",
                  from, to, x[0], x[n - 1]);
  for (size_t i = first; i < end; i++)
    if (!isfinite(y[i]))
      return refuse(note, "the value at %g is not finite", x[i]);
  return measure_window(x + first, y + first, end - first, measure, out, note);
}
