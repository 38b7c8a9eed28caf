// SPDX-License-Identifier: GPL-3.0-or-later
/// Intervals, margins and verdicts against counts made by hand and against many simulated
/// measurements.
#include "base/statistics.h"

#include "test.h"

#include <gsl/gsl_randist.h>
#include <math.h>

/// Rounding of a few operations on numbers near 1.
#define ROUNDING 1e-12

START_TEST(quantiles_are_linear_between_values) {
  const double values[] = {5, 1, 4, 2, 3};
  ck_assert_double_eq_tol(vb_quantile(values, 5, 0.5), 3, ROUNDING);
  ck_assert_double_eq_tol(vb_quantile(values, 5, 0.95), 4.8, ROUNDING);
  ck_assert_double_eq_tol(vb_quantile(values, 5, 0), 1, ROUNDING);
  ck_assert_double_eq(values[0], 5);
  ck_assert(isnan(vb_quantile(values, 0, 0.5)));
}
END_TEST

START_TEST(autocorrelation_of_known_lists) {
  const double swinging[] = {1, -1, 1, -1, 1, -1, 1, -1};
  const double rising[] = {-3, -1, 1, 3};
  const double equal[] = {2, 2, 2, 2};
  ck_assert_double_eq_tol(vb_autocorrelation(swinging, 8), -7.0 / 8, ROUNDING);
  ck_assert_double_eq_tol(vb_autocorrelation(rising, 4), (3.0 - 1 + 3) / 20, ROUNDING);
  ck_assert_double_eq(vb_autocorrelation(equal, 4), 0);
  ck_assert_double_eq(vb_autocorrelation(rising, 2), 0);
}
END_TEST

START_TEST(ranks_of_the_sign_test) {
  // 5 values: even the range holds the median only 1 - 2/32 = 93.75 % of the time.
  ck_assert_uint_eq(vb_median_rank(5, 0.95), 0);
  // 6 values: the range holds it 1 - 2/64 = 96.9 %.
  ck_assert_uint_eq(vb_median_rank(6, 0.95), 1);
  // 11 values: ranks 2 and 10 hold it 1 - 2 (1 + 11)/2048 = 98.8 %, ranks 3 and 9 only 93.5 %.
  ck_assert_uint_eq(vb_median_rank(11, 0.95), 2);
  // Tables of the sign test: 100 values, ranks 40 and 61.
  ck_assert_uint_eq(vb_median_rank(100, 0.95), 40);
}
END_TEST

START_TEST(interval_of_eleven) {
  double values[11];
  for (int i = 0; i < 11; i++)
    values[i] = (i * 7) % 11; // 0 to 10 in some order
  vb_interval interval = vb_median_interval_independent(values, 11);
  ck_assert_double_eq(interval.median, 5);
  ck_assert_double_eq(interval.low, 1);
  ck_assert_double_eq(interval.high, 9);
  ck_assert_double_eq_tol(vb_relative_width(&interval), 0.8, ROUNDING);
  interval = vb_median_interval_independent(values, 5);
  ck_assert(isinf(interval.low) && isinf(vb_relative_width(&interval)));
}
END_TEST

START_TEST(drift_widens_the_interval) {
  double shuffled[60], drifting[60];
  for (int i = 0; i < 60; i++) {
    drifting[i] = 100 + i;
    shuffled[i] = 100 + (i * 37) % 60;
  }
  vb_interval even = vb_median_interval(shuffled, 60), drift = vb_median_interval(drifting, 60);
  ck_assert_double_eq(even.median, drift.median);
  ck_assert_double_gt(drift.autocorrelation, 0.9);
  ck_assert_double_gt(vb_relative_width(&drift), 2 * vb_relative_width(&even));
}
END_TEST

/// Values of unit variance, each correlated with the next by `r`.
static void correlated(gsl_rng *random, double r, double *out, size_t n) {
  double x = gsl_ran_gaussian(random, 1);
  for (size_t i = 0; i < n; i++) {
    out[i] = x;
    x = r * x + sqrt(1 - r * r) * gsl_ran_gaussian(random, 1);
  }
}

/// How many of 1000 intervals of 60 values hold the true median.
static int held(double r) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  ck_assert_ptr_nonnull(random);
  double values[60];
  int n = 0;
  for (int k = 0; k < 1000; k++) {
    correlated(random, r, values, 60);
    vb_interval interval = vb_median_interval(values, 60);
    n += interval.low <= 0 && 0 <= interval.high;
  }
  gsl_rng_free(random);
  return n;
}

START_TEST(intervals_hold_the_median_as_often_as_they_say) {
  // 95 % of 1000 is 950, give or take 7; ranks are whole, so coverage is at least that. Four
  // deviations below: 922.
  ck_assert_int_ge(held(0), 922);
  // The autocorrelation of 60 values is known to 0.1 only, and too low on average: a part of the
  // widening is lost. Without any, one of 60 such intervals in four would miss.
  ck_assert_int_ge(held(0.5), 900);
}
END_TEST

START_TEST(verdicts) {
  double slower[11], same[11], wide[11], faster[11];
  for (int i = 0; i < 11; i++) {
    double spread = 0.001 * (i - 5);
    slower[i] = 0.03 + spread;
    faster[i] = -0.03 + spread;
    same[i] = spread;
    wide[i] = 20 * spread;
  }
  vb_interval interval;
  ck_assert_int_eq(vb_compare(slower, 11, 0.01, &interval), VB_COMPARED_SLOWER);
  ck_assert_double_eq_tol(interval.median, 0.03, ROUNDING);
  ck_assert_double_eq_tol(interval.low, 0.026, ROUNDING);
  ck_assert_double_eq_tol(interval.high, 0.034, ROUNDING);
  ck_assert_int_eq(vb_compare(faster, 11, 0.01, NULL), VB_COMPARED_FASTER);
  ck_assert_int_eq(vb_compare(same, 11, 0.01, NULL), VB_COMPARED_SAME);
  ck_assert_int_eq(vb_compare(wide, 11, 0.01, NULL), VB_COMPARED_INCONCLUSIVE);
  // Beyond 0, but not beyond the margin nor within it: no verdict.
  ck_assert_int_eq(vb_compare(slower, 11, 0.032, NULL), VB_COMPARED_INCONCLUSIVE);
  ck_assert_str_eq(vb_comparison_word(VB_COMPARED_SLOWER), "SLOWER");
  ck_assert_int_eq(vb_compare(same, 3, 0.01, NULL), VB_COMPARED_INCONCLUSIVE);
}
END_TEST

START_TEST(margin_grows_with_noise) {
  double calm[11], noisy[11];
  for (int i = 0; i < 11; i++) {
    calm[i] = 0.001 * (i - 5);
    noisy[i] = (i % 2 ? -0.01 : 0.01) * i; // magnitudes 0 to 0.1
  }
  ck_assert_double_eq(vb_comparison_margin(calm, 11), VB_MIN_MARGIN);
  // The 95th percentile lies half way between the two greatest of eleven.
  ck_assert_double_eq_tol(vb_comparison_margin(noisy, 11), 1.25 * 0.095, ROUNDING);
  ck_assert(isinf(vb_comparison_margin(noisy, 0)));
}
END_TEST

/// The whole comparison on simulated launches whose pairs differ by 0.5 %, and a slowdown.
static vb_comparison simulate(gsl_rng *random, double slowdown, double *margin) {
  double null[11], ratio[11];
  for (int i = 0; i < 11; i++) {
    null[i] = gsl_ran_gaussian(random, 0.005);
    ratio[i] = log1p(slowdown) + gsl_ran_gaussian(random, 0.005);
  }
  *margin = vb_comparison_margin(null, 11);
  return vb_compare(ratio, 11, *margin, NULL);
}

START_TEST(finds_three_percent_and_not_none) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  int found = 0, imagined = 0;
  double margin;
  for (int k = 0; k < 200; k++) {
    vb_comparison slower = simulate(random, 0.03, &margin);
    found += slower == VB_COMPARED_SLOWER || margin > 0.02;
    vb_comparison equal = simulate(random, 0, &margin);
    imagined += equal == VB_COMPARED_SLOWER || equal == VB_COMPARED_FASTER;
  }
  // The median of 11 such pairs spreads by 0.19 %: 3 % is five of that above a margin of 2 %, the
  // widest at which it is asked for, and 0 is five of that below the least margin.
  ck_assert_int_eq(found, 200);
  ck_assert_int_eq(imagined, 0);
  gsl_rng_free(random);
}
END_TEST

START_TEST(fits_offset_and_rate) {
  const double sizes[] = {1, 10, 100, 1000}, times[] = {2.5, 7, 52, 502};
  const double flat[] = {3, 3, 3, 3};
  vb_linear_cost cost = {0};
  ck_assert(vb_fit_linear_cost(sizes, times, 4, &cost));
  ck_assert_double_eq_tol(cost.offset, 2, 1e-9); // sums of squares over six decades
  ck_assert_double_eq_tol(cost.rate, 2, 1e-9);
  ck_assert_double_lt(cost.deviation, 1e-9);
  ck_assert(!vb_fit_linear_cost(sizes, times, 2, &cost));
  ck_assert(!vb_fit_linear_cost(flat, times, 4, &cost));
  ck_assert(!vb_fit_linear_cost(times, (const double[]){9, 8, 7, 6}, 4, &cost));
  ck_assert(!vb_fit_linear_cost(sizes, (const double[]){1, 0, 7, 6}, 4, &cost));
}
END_TEST

static TCase *statistics(void) {
  TCase *tc = tcase_create("statistics");
  tcase_add_test(tc, quantiles_are_linear_between_values);
  tcase_add_test(tc, autocorrelation_of_known_lists);
  tcase_add_test(tc, ranks_of_the_sign_test);
  tcase_add_test(tc, interval_of_eleven);
  tcase_add_test(tc, drift_widens_the_interval);
  tcase_add_test(tc, intervals_hold_the_median_as_often_as_they_say);
  tcase_add_test(tc, verdicts);
  tcase_add_test(tc, margin_grows_with_noise);
  tcase_add_test(tc, finds_three_percent_and_not_none);
  tcase_add_test(tc, fits_offset_and_rate);
  return tc;
}

VB_TEST_MAIN("statistics", statistics())
