// SPDX-License-Identifier: GPL-3.0-or-later
// Measures and gates on series whose answers are known in closed form.
// Covers: src/gate/measure.c src/base/fit.*
#include "base/fit.h"
#include "gate/gate.h"
#include "test.h"

#include <math.h>

#define N 400

/// Rounding of a few operations on numbers of order one.
static const double ROUNDING = 1e-14;

/// A fit of some hundred rounded samples: the roundings grow by the conditioning of the fit (about
/// ten).
static const double FIT = 1e-12;

static double x[N], y[N];

static void fill(double step, double (*f)(double)) {
  for (int i = 0; i < N; i++) {
    x[i] = step * i;
    y[i] = f(x[i]);
  }
}

static double measured(vb_measure measure, double from, double to) {
  double value = NAN;
  char note[VB_NOTE_SIZE] = "";
  ck_assert_msg(vb_measure_series(x, y, N, measure, from, to, &value, note), "%s", note);
  return value;
}

static const char *refused(size_t n, vb_measure measure, double from, double to) {
  static char note[VB_NOTE_SIZE];
  double value = 42;
  note[0] = '\0';
  ck_assert(!vb_measure_series(x, y, n, measure, from, to, &value, note));
  ck_assert_double_eq(value, 42);
  return note;
}

static double line(double t) {
  return 3 - 2 * t;
}

START_TEST(plain_measures_take_the_right_rows) {
  fill(0.25, line);
  ck_assert_double_eq(measured(VB_MEASURE_FIRST, 10, 20), 3);
  ck_assert_double_eq(measured(VB_MEASURE_FINAL, 10, 20), line(0.25 * (N - 1)));
  ck_assert_double_eq(measured(VB_MEASURE_VALUE, 10, INFINITY), -17);
  ck_assert_double_eq(measured(VB_MEASURE_VALUE, 10.1, INFINITY), line(10.1));
  ck_assert_double_eq(measured(VB_MEASURE_MINIMUM, 10, 20), -37);
  ck_assert_double_eq(measured(VB_MEASURE_MAXIMUM, 10, 20), -17);
  ck_assert_double_eq(measured(VB_MEASURE_MAXIMUM, -INFINITY, INFINITY), 3);
  ck_assert_double_eq(measured(VB_MEASURE_MAXIMUM_ABS, 10, 20), 37);
  ck_assert_double_eq(measured(VB_MEASURE_DRIFT, 10, 20), 20);
  ck_assert_double_eq_tol(measured(VB_MEASURE_MEAN, 10, 20), -27, 27 * ROUNDING);
}
END_TEST

START_TEST(time_windows_allow_rounding) {
  for (int i = 0; i < N; i++) {
    x[i] = i == 0 ? 0 : x[i - 1] + 0.1;
    y[i] = i;
  }
  ck_assert_double_ne(x[30], 3.0);
  ck_assert_double_eq(measured(VB_MEASURE_MINIMUM, 3.0, 5.0), 30);
  ck_assert_double_eq(measured(VB_MEASURE_MAXIMUM, 3.0, 5.0), 50);
  ck_assert_double_eq(measured(VB_MEASURE_VALUE, 3.0, INFINITY), 30);
}
END_TEST

static const double ANGULAR = 7.5, LOSS = 0.2, PHASE = 0.4;

static double damped(double t) {
  return 1e-3 * exp(-LOSS * t) * cos(ANGULAR * t + PHASE);
}

static void check_oscillation(double step) {
  fill(step, damped);
  ck_assert_double_eq_tol(measured(VB_MEASURE_FREQUENCY, -INFINITY, INFINITY) / ANGULAR, 1, FIT);
  ck_assert_double_eq_tol(measured(VB_MEASURE_DECAY, -INFINITY, INFINITY), exp(-LOSS * step), FIT);
}

START_TEST(a_damped_oscillation_is_fitted_exactly) {
  check_oscillation(0.15); // about a radian per row
  check_oscillation(0.01); // 84 rows per period
  check_oscillation(0.4);  // nearly the highest angle, 3 rad per row
}
END_TEST

START_TEST(a_slow_oscillation_survives_noise) {
  // 1e-9 of noise on 840 rows per period: a lag of one row would lose all digits but two.
  fill(0.001, damped);
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    state = 1664525u * state + 1013904223u;
    y[i] *= 1 + 1e-9 * ((double)state / 4294967296.0 - 0.5);
  }
  ck_assert_double_eq_tol(measured(VB_MEASURE_FREQUENCY, -INFINITY, INFINITY) / ANGULAR, 1, 1e-7);
}
END_TEST

static double gaussian(double t) {
  return exp(-(t - 4) * (t - 4)) * cos(30 * t);
}

START_TEST(a_packet_arrives_at_its_center) {
  // The trapezoid rule is exact to rounding for a smooth packet that is over at both ends.
  fill(0.02, gaussian);
  ck_assert_double_eq_tol(measured(VB_MEASURE_ARRIVAL, -INFINITY, INFINITY), 4, FIT);
}
END_TEST

static double power(double t) {
  return -5 * pow(t, -2.5);
}

START_TEST(a_power_law_has_its_exponent) {
  fill(0.5, power);
  ck_assert_double_eq_tol(measured(VB_MEASURE_SLOPE, 0.5, INFINITY), -2.5, FIT);
}
END_TEST

/// The deflection under a load t, of which the first critical one is 10 and the second 40, and what
/// is left of it as it buckles.
static double deflection(double t) {
  return 1e-3 / (1 - t / 10) + 4e-5 / (1 - t / 40);
}

static double buckled(double t) {
  return t < 10 ? deflection(t) : 0.3 + 0.01 * t;
}

START_TEST(a_deflection_grows_beyond_bounds_at_the_critical_load) {
  fill(0.9, deflection); // rows up to 9.9
  ck_assert_double_eq_tol(measured(VB_MEASURE_POLE, 5, 9.5), 10, 2e-5);
  ck_assert_double_eq_tol(measured(VB_MEASURE_POLE, 8, 9.5), 10, 0.01); // a line through two rows
  fill(0.7, buckled); // rows up to 9.8, and those beyond 10
  ck_assert_double_eq_tol(measured(VB_MEASURE_POLE, 5, INFINITY), 10, 2e-5);
  for (int i = 0; i < N; i++)
    y[i] = -y[i];
  ck_assert_double_eq_tol(measured(VB_MEASURE_POLE, 5, INFINITY), 10, 2e-5);
}
END_TEST

static double growing(double t) {
  return 1 + t;
}

START_TEST(reports_why_a_measure_fails) {
  fill(0.5, growing);
  ck_assert_ptr_nonnull(strstr(refused(0, VB_MEASURE_FINAL, 0, 1), "no rows"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_MEAN, 1e4, 2e4), "no row lies"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_VALUE, 1e4, 0), "nothing was recorded at"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_FREQUENCY, 0, 100), "does not oscillate"));
  ck_assert_ptr_nonnull(strstr(refused(3, VB_MEASURE_DECAY, 0, 100), "at least 4 rows"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_SLOPE, 0, 100), "x above 0"));
  x[7] += 0.1;
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_FREQUENCY, 0, 100), "equal spacing"));
  y[9] = NAN;
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_MEAN, 0, 100), "not finite"));
  fill(0.5, growing);
  memset(y, 0, sizeof y);
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_ARRIVAL, 0, 100), "zero throughout"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_FREQUENCY, 0, 100), "does not oscillate"));
  ck_assert_ptr_nonnull(strstr(refused(N, VB_MEASURE_POLE, 0, 100), "2 rows or more"));
}
END_TEST

START_TEST(comparators_hold_their_bounds) {
  vb_gate gate = {.comparator = VB_CLOSE_TO, .reference = -2, .tolerance = 0.25};
  ck_assert(vb_gate_compare(&gate, -2.25) && vb_gate_compare(&gate, -1.75));
  ck_assert(!vb_gate_compare(&gate, -2.26) && !vb_gate_compare(&gate, 2));
  gate.relative = true;
  ck_assert(vb_gate_compare(&gate, -2.5) && !vb_gate_compare(&gate, -2.51));
  gate.comparator = VB_AT_MOST;
  ck_assert(vb_gate_compare(&gate, -2) && !vb_gate_compare(&gate, -1.9));
  gate.comparator = VB_AT_LEAST;
  ck_assert(vb_gate_compare(&gate, -2) && !vb_gate_compare(&gate, -2.1));
  for (gate.comparator = VB_CLOSE_TO; gate.comparator <= VB_AT_LEAST; gate.comparator++)
    ck_assert(!vb_gate_compare(&gate, NAN));
}
END_TEST

static double combined(const vb_gate *gate, const double *values) {
  double value = NAN;
  char note[VB_NOTE_SIZE] = "";
  ck_assert_msg(vb_gate_combine(gate, values, &value, note), "%s", note);
  return value;
}

START_TEST(runs_are_combined) {
  double pair[] = {3, 4};
  vb_gate gate = {.n_runs = 2, .combination = VB_DIFFERENCE};
  ck_assert_double_eq(combined(&gate, pair), -1);
  gate.combination = VB_RATIO;
  ck_assert_double_eq(combined(&gate, pair), 0.75);
  gate.combination = VB_SINGLE;
  ck_assert_double_eq(combined(&gate, pair), 3);
  char note[VB_NOTE_SIZE] = "";
  double zero[] = {3, 0}, value = 42;
  gate.combination = VB_RATIO;
  ck_assert(!vb_gate_combine(&gate, zero, &value, note));
  ck_assert_ptr_nonnull(strstr(note, "zero"));
  gate.n_runs = 1;
  ck_assert(!vb_gate_combine(&gate, pair, &value, note));
  ck_assert_double_eq(value, 42);
}
END_TEST

START_TEST(orders_are_found_with_and_without_a_limit) {
  double sizes[] = {8, 16, 32, 64}, values[4];
  for (int i = 0; i < 4; i++)
    values[i] = 5 - 3 / (sizes[i] * sizes[i]);
  vb_gate gate = {.n_runs = 4, .combination = VB_ORDER, .sizes = sizes, .limit = 5};
  // The errors lose up to 1e-12 of themselves when 5 is taken off again.
  ck_assert_double_eq_tol(combined(&gate, values), 2, 1e-11);
  gate.limit = NAN;
  ck_assert_double_eq_tol(combined(&gate, values), 2, 1e-11);
  char note[VB_NOTE_SIZE] = "";
  double value;
  gate.n_runs = 2;
  ck_assert(!vb_gate_combine(&gate, values, &value, note));
  ck_assert_ptr_nonnull(strstr(note, "3 runs"));
  double same[] = {1, 1, 1, 1};
  gate.n_runs = 4;
  ck_assert(!vb_gate_combine(&gate, same, &value, note));
  ck_assert_ptr_nonnull(strstr(note, "zero"));
}
END_TEST

START_TEST(gate_without_record_fails_with_a_reason) {
  char *runs[] = {"only"};
  const char *paths[] = {"/nonexistent/run.h5"};
  vb_gate gate = {.quantity = "energy/stretch",
                  .row = -1,
                  .component = -1,
                  .runs = runs,
                  .n_runs = 1,
                  .comparator = VB_AT_MOST,
                  .reference = 1};
  vb_verdict verdict = {.passed = true};
  vb_gate_evaluate(&gate, paths, &verdict);
  ck_assert(!verdict.passed && isnan(verdict.value));
  ck_assert_ptr_nonnull(strstr(verdict.note, "run.h5"));
}
END_TEST

static TCase *measures(void) {
  TCase *tests = tcase_create("measures");
  tcase_add_test(tests, plain_measures_take_the_right_rows);
  tcase_add_test(tests, time_windows_allow_rounding);
  tcase_add_test(tests, a_damped_oscillation_is_fitted_exactly);
  tcase_add_test(tests, a_slow_oscillation_survives_noise);
  tcase_add_test(tests, a_packet_arrives_at_its_center);
  tcase_add_test(tests, a_power_law_has_its_exponent);
  tcase_add_test(tests, a_deflection_grows_beyond_bounds_at_the_critical_load);
  tcase_add_test(tests, reports_why_a_measure_fails);
  return tests;
}

static TCase *gates(void) {
  TCase *tests = tcase_create("gates");
  tcase_add_test(tests, comparators_hold_their_bounds);
  tcase_add_test(tests, runs_are_combined);
  tcase_add_test(tests, orders_are_found_with_and_without_a_limit);
  tcase_add_test(tests, gate_without_record_fails_with_a_reason);
  return tests;
}

VB_TEST_MAIN("gate", measures(), gates())
