// SPDX-License-Identifier: GPL-3.0-or-later
/// Curves through keys, and drivers that follow them.
#include "scenes/scene_fixture.h"

#include "scene/sets.h"

#include <math.h>

START_TEST(constant_outside_of_the_keys) {
  const vb_key keys[] = {{1, 5, VB_LINEAR, 0}, {2, 7, VB_LINEAR, 0}};
  ck_assert_double_eq(vb_curve_at(keys, 2, -10), 5);
  ck_assert_double_eq(vb_curve_at(keys, 2, 1), 5);
  ck_assert_double_eq(vb_curve_at(keys, 2, 2), 7);
  ck_assert_double_eq(vb_curve_at(keys, 2, INFINITY), 7);
  ck_assert_double_eq(vb_curve_at(keys, 1, 3), 5);
}
END_TEST

START_TEST(linear_and_held_values) {
  const vb_key keys[] = {
      {0, 1, VB_LINEAR, 0}, {2, 5, VB_HOLD, 0}, {3, -1, VB_LINEAR, 0}, {4, -1, VB_HOLD, 0}};
  ck_assert_double_eq(vb_curve_at(keys, 4, 0.5), 2); // exact: a quarter of 4 above 1
  ck_assert_double_eq(vb_curve_at(keys, 4, 2), 5);
  ck_assert_double_eq(vb_curve_at(keys, 4, 2.999), 5);
  ck_assert_double_eq(vb_curve_at(keys, 4, 3), -1);
  ck_assert_double_eq(vb_curve_at(keys, 4, 3.7), -1);
}
END_TEST

START_TEST(two_cubic_keys_make_a_smooth_step) {
  const vb_key keys[] = {{1, 0, VB_CUBIC, 0}, {3, 10, VB_CUBIC, 0}};
  for (double x = 0; x <= 1; x += 1.0 / 64) {
    double expected = 10 * x * x * (3 - 2 * x);
    // A dozen roundings of numbers up to 10.
    ck_assert_double_eq_tol(vb_curve_at(keys, 2, 1 + 2 * x), expected, 1e-13);
  }
}
END_TEST

/// Keys at uneven times, with a plateau, peaks and steep steps.
static const vb_key bumpy[] = {{0, 0, VB_CUBIC, 0},   {0.1, 1, VB_CUBIC, 0}, {2, 1.1, VB_CUBIC, 0},
                               {2.5, 9, VB_CUBIC, 0}, {3, 9, VB_CUBIC, 0},   {3.2, 2, VB_CUBIC, 0},
                               {5, 2.5, VB_CUBIC, 0}, {6, -4, VB_CUBIC, 0}};
enum { N_BUMPY = sizeof bumpy / sizeof *bumpy };

START_TEST(cubic_passes_its_keys_and_is_monotone_between) {
  for (int k = 0; k + 1 < N_BUMPY; k++) {
    double h = bumpy[k + 1].time - bumpy[k].time;
    double sign = bumpy[k + 1].value > bumpy[k].value ? 1 : -1;
    double before = bumpy[k].value;
    ck_assert_double_eq(vb_curve_at(bumpy, N_BUMPY, bumpy[k].time), before);
    for (int i = 1; i <= 200; i++) {
      double y = vb_curve_at(bumpy, N_BUMPY, bumpy[k].time + h * i / 200);
      // Up to rounding of numbers up to 9 it never turns back.
      ck_assert_double_ge(sign * (y - before), -1e-14);
      ck_assert_double_le(fabs(y - bumpy[k].value), fabs(bumpy[k + 1].value - bumpy[k].value));
      before = y;
    }
  }
}
END_TEST

START_TEST(cubic_has_no_kinks_and_rests_at_both_ends) {
  const double d = 1e-6;
  for (int k = 0; k < N_BUMPY; k++) {
    double t = bumpy[k].time;
    double y = vb_curve_at(bumpy, N_BUMPY, t);
    double left = (y - vb_curve_at(bumpy, N_BUMPY, t - d)) / d;
    double right = (vb_curve_at(bumpy, N_BUMPY, t + d) - y) / d;
    // One-sided differences: d / 2 times second derivatives up to 2e3 here.
    ck_assert_double_eq_tol(left, right, 3e-3);
    if (k == 0 || k == N_BUMPY - 1)
      ck_assert_double_eq_tol(left, 0, 3e-3);
  }
}
END_TEST

START_TEST(inner_slopes_are_weighted_harmonic_means) {
  const vb_key keys[] = {
      {0, 0, VB_CUBIC, 0}, {1, 1, VB_CUBIC, 0}, {3, 9, VB_CUBIC, 0}, {4, 10, VB_CUBIC, 0}};
  // Slopes 1 and 4 over lengths 1 and 2: alpha = (1 + 2 2)/(3 3), 1 4/(4 alpha + 1 - alpha) = 3/2.
  const double d = 1e-6;
  double slope = (vb_curve_at(keys, 4, 1 + d) - vb_curve_at(keys, 4, 1 - d)) / (2 * d);
  // The two sides' second derivatives differ by about ten, times d / 4.
  ck_assert_double_eq_tol(slope, 1.5, 1e-5);
}
END_TEST

START_TEST(drivers_follow_their_curves) {
  vb_scene *scene = fixture_freeze(fixture_full());
  size_t n;
  const vb_driver *drivers = vb_scene_drivers(scene, &n);
  double d[3], angle;
  vb_driver_at(scene, &drivers[0], 1, d, &angle);
  ck_assert_double_eq(d[0], 2); // a key of curve 0
  ck_assert_double_eq(d[1], 0);
  ck_assert_double_eq(d[2], 0);
  ck_assert_double_eq(angle, 5); // a quarter of 20 rad: no turn is taken off
  vb_driver_at(scene, &drivers[1], 1, d, &angle);
  ck_assert_double_eq(d[0], 0);
  ck_assert_double_eq(angle, 0);
  ck_assert_double_eq(vb_scene_curve(scene, 2, 99, 5), 1);
  ck_assert_double_eq(vb_scene_curve(scene, -1, 99, 5), 5);
  free(scene);
}
END_TEST

static TCase *curve_case(void) {
  TCase *c = tcase_create("curve");
  tcase_add_test(c, constant_outside_of_the_keys);
  tcase_add_test(c, linear_and_held_values);
  tcase_add_test(c, two_cubic_keys_make_a_smooth_step);
  tcase_add_test(c, cubic_passes_its_keys_and_is_monotone_between);
  tcase_add_test(c, cubic_has_no_kinks_and_rests_at_both_ends);
  tcase_add_test(c, inner_slopes_are_weighted_harmonic_means);
  tcase_add_test(c, drivers_follow_their_curves);
  return c;
}

VB_TEST_MAIN("curve", curve_case())
