// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Coverage of all intervals.
static const double COVERAGE = 0.95;

/// A sorted copy, to be freed; null for want of memory.
static double *sorted(const double *values, size_t n) {
  double *copy = reallocarray(NULL, n + 1, sizeof *copy);
  if (!copy)
    return NULL;
  memcpy(copy, values, n * sizeof *copy);
  gsl_sort(copy, 1, n);
  return copy;
}

double vb_quantile(const double *values, size_t n, double q) {
  double *copy = n ? sorted(values, n) : NULL;
  double result = copy ? gsl_stats_quantile_from_sorted_data(copy, 1, n, q) : NAN;
  free(copy);
  return result;
}

double vb_autocorrelation(const double *values, size_t n) {
  if (n < 3)
    return 0;
  double mean = gsl_stats_mean(values, 1, n), square = 0, product = 0;
  for (size_t i = 0; i < n; i++) {
    square += (values[i] - mean) * (values[i] - mean);
    if (i + 1 < n)
      product += (values[i] - mean) * (values[i + 1] - mean);
  }
  return square > 0 ? product / square : 0;
}

size_t vb_median_rank(size_t n, double coverage) {
  size_t rank = 0;
  // The interval from rank k to n + 1 - k misses the median when fewer than k values lie on one
  // side.
  while (2 * (rank + 1) <= n &&
         1 - 2 * gsl_cdf_binomial_P((unsigned)rank, 0.5, (unsigned)n) >= coverage)
    rank++;
  return rank;
}

/// The interval whose ranks are moved outward by a factor.
static vb_interval widened_interval(const double *values, size_t n, double factor) {
  vb_interval out = {.median = NAN, .low = NAN, .high = NAN};
  double *copy = n ? sorted(values, n) : NULL;
  if (!copy)
    return out;
  out.median = gsl_stats_median_from_sorted_data(copy, 1, n);
  out.low = -INFINITY;
  out.high = INFINITY;
  size_t rank = vb_median_rank(n, COVERAGE);
  double center = 0.5 * (double)(n + 1);
  double moved = floor(center - factor * (center - (double)rank));
  if (rank > 0 && moved >= 1) {
    out.low_rank = (size_t)moved;
    out.high_rank = n + 1 - out.low_rank;
    out.low = copy[out.low_rank - 1];
    out.high = copy[out.high_rank - 1];
  }
  free(copy);
  return out;
}

vb_interval vb_median_interval(const double *values, size_t n) {
  // A correlation near 1 would make the factor infinite; 0.99 is already 14 times as wide.
  double r = vb_autocorrelation(values, n), used = fmin(fmax(r, 0), 0.99);
  vb_interval out = widened_interval(values, n, sqrt((1 + used) / (1 - used)));
  out.autocorrelation = r;
  return out;
}

vb_interval vb_median_interval_independent(const double *values, size_t n) {
  vb_interval out = widened_interval(values, n, 1);
  out.autocorrelation = vb_autocorrelation(values, n);
  return out;
}

double vb_relative_width(const vb_interval *interval) {
  double width = 0.5 * (interval->high - interval->low) / fabs(interval->median);
  return isnan(width) ? INFINITY : width;
}

const char *vb_comparison_word(vb_comparison comparison) {
  static const char *const WORDS[] = {"SAME", "FASTER", "SLOWER", "INCONCLUSIVE"};
  return WORDS[comparison];
}

double vb_comparison_margin(const double *log_ratios, size_t n) {
  double *size = reallocarray(NULL, n + 1, sizeof *size);
  for (size_t i = 0; size && i < n; i++)
    size[i] = fabs(log_ratios[i]);
  double margin = size && n > 0 ? fmax(VB_MIN_MARGIN, 1.25 * vb_quantile(size, n, 0.95)) : INFINITY;
  free(size);
  return margin;
}

vb_comparison vb_compare(const double *log_ratios, size_t n, double margin, vb_interval *interval) {
  vb_interval found = vb_median_interval_independent(log_ratios, n);
  if (interval)
    *interval = found;
  if (found.median > margin && found.low > 0)
    return VB_COMPARED_SLOWER;
  if (found.median < -margin && found.high < 0)
    return VB_COMPARED_FASTER;
  if (found.low >= -margin && found.high <= margin)
    return VB_COMPARED_SAME;
  return VB_COMPARED_INCONCLUSIVE;
}

bool vb_fit_linear_cost(const double *sizes, const double *times, size_t n, vb_linear_cost *out) {
  double offset, slope, c00, c01, c11, sum;
  bool grows = false, positive = true;
  double *weight = reallocarray(NULL, n + 1, sizeof *weight);
  for (size_t i = 0; weight && i < n; i++) {
    weight[i] = 1 / (times[i] * times[i]);
    positive = positive && times[i] > 0;
    grows = grows || sizes[i] != sizes[0];
  }
  bool good =
      weight && n >= 3 && grows && positive &&
      !gsl_fit_wlinear(sizes, 1, weight, 1, times, 1, n, &offset, &slope, &c00, &c01, &c11, &sum);
  free(weight);
  if (!good || !isfinite(offset) || !(slope > 0))
    return false;
  *out = (vb_linear_cost){.offset = offset, .rate = 1 / slope};
  for (size_t i = 0; i < n; i++)
    out->deviation = fmax(out->deviation, fabs(times[i] / (offset + slope * sizes[i]) - 1));
  return true;
}
