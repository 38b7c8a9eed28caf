// SPDX-License-Identifier: GPL-3.0-or-later
/// Tolerances by kind, and what two lists of numbers come to.
#include "compare/difference.h"

#include "test.h"

#include <math.h>

static vb_difference compare(double allowed, vb_nan_policy nan, const double *a, const double *b,
                             size_t n) {
  vb_difference d = vb_difference_begin(allowed, nan);
  vb_difference_add(&d, a, b, n);
  return d;
}

START_TEST(reports_norms_and_the_first_excess) {
  const double a[] = {1, 2, -4, 0}, b[] = {1, 2.5, -3, 0};
  vb_difference d = compare(0.4, VB_NAN_EQUAL, a, b, 4);
  ck_assert(d.n == 4 && d.n_bad == 2 && d.first_bad == 1 && d.worst == 2);
  ck_assert_double_eq(d.first_a, 2);
  ck_assert_double_eq(d.first_b, 2.5);
  ck_assert_double_eq(d.greatest, 1);
  ck_assert_double_eq(d.relative, 0.25);
  ck_assert_double_eq(vb_difference_rms(&d), sqrt(1.25 / 4));
  ck_assert_uint_eq(compare(1, VB_NAN_EQUAL, a, b, 4).n_bad, 0); // as much as is allowed
}
END_TEST

START_TEST(result_does_not_depend_on_chunks) {
  const double a[] = {1, 2, 3, 4, 5}, b[] = {1, 2, 3, 4.5, 7};
  vb_difference whole = compare(0.1, VB_NAN_EQUAL, a, b, 5);
  vb_difference chunks = vb_difference_begin(0.1, VB_NAN_EQUAL);
  vb_difference_add(&chunks, a, b, 2);
  vb_difference_add(&chunks, a + 2, b + 2, 3);
  ck_assert(whole.first_bad == chunks.first_bad && whole.worst == chunks.worst);
  ck_assert(whole.n == chunks.n && whole.n_bad == chunks.n_bad);
  ck_assert_double_eq(vb_difference_rms(&whole), vb_difference_rms(&chunks));
}
END_TEST

START_TEST(nan_against_a_number_always_differs) {
  const double number[] = {0, 1}, nan[] = {0, NAN};
  for (vb_nan_policy policy = VB_NAN_EQUAL; policy <= VB_NAN_NEVER; policy++) {
    vb_difference d = compare(1e300, policy, number, nan, 2);
    ck_assert(d.n_bad == 1 && d.first_bad == 1 && d.worst == 1 && isinf(d.greatest));
    ck_assert_uint_eq(compare(1e300, policy, nan, number, 2).n_bad, 1);
  }
  ck_assert_uint_eq(compare(0, VB_NAN_EQUAL, nan, nan, 2).n_bad, 0);
  ck_assert_uint_eq(compare(0, VB_NAN_NEVER, nan, nan, 2).n_bad, 1);
}
END_TEST

START_TEST(infinities_are_equal_to_themselves_alone) {
  const double a[] = {INFINITY, -INFINITY, INFINITY}, b[] = {INFINITY, INFINITY, 5};
  vb_difference d = compare(1e300, VB_NAN_EQUAL, a, b, 3);
  ck_assert(d.n_bad == 2 && d.first_bad == 1);
  ck_assert_double_eq(vb_difference_rms(&d), 0); // of the finite ones
}
END_TEST

START_TEST(a_quaternion_and_its_negative_are_one_turn) {
  const double a[] = {1, 0, 0, 0, 0.5, 0.5, 0.5, 0.5};
  double b[] = {-1, 0, 0, 0, 0.5, 0.5, 0.5, 0.5};
  vb_align_quaternions(a, b, 2);
  ck_assert_uint_eq(compare(0, VB_NAN_EQUAL, a, b, 8).n_bad, 0);
  double turned[] = {0, -1, 0, 0, -0.5, -0.5, -0.5, 0.5};
  vb_align_quaternions(a, turned, 2);
  ck_assert_uint_ge(compare(0.1, VB_NAN_EQUAL, a, turned, 8).n_bad, 2);
}
END_TEST

static vb_tolerances read(const char *text, bool single) {
  vb_tolerances t = {0};
  vb_error error = {0};
  ck_assert_msg(!vb_tolerances_read(text, single, &t, &error), "%s", error.message);
  return t;
}

START_TEST(finds_a_tolerance_by_path_then_kind_then_default) {
  vb_tolerances t = read("{\"energy\": {\"absolute\": 1, \"relative\": 2},"
                         " \"frames/scale\": {\"absolute\": 3, \"relative\": 0},"
                         " \"nan\": \"never\"}",
                         false);
  ck_assert_int_eq(t.nan, VB_NAN_NEVER);
  ck_assert_double_eq(vb_tolerance_of(&t, "energy/bend").absolute, 1);
  ck_assert_double_eq(vb_tolerance_of(&t, "convergence/energy/bend").relative, 2);
  ck_assert_double_eq(vb_tolerance_of(&t, "frames/scale").absolute, 3);
  vb_tolerance other = vb_tolerance_of(&t, "frames/position");
  ck_assert(other.absolute == 0 && other.relative > 0);
  ck_assert_double_eq(vb_tolerance_of(&t, "no/such/thing").relative, other.relative);
  vb_tolerances_free(&t);
}
END_TEST

START_TEST(single_precision_has_wider_tolerances) {
  vb_tolerances fine = read(NULL, false), coarse = read("", true);
  static const char *const quantities[] = {"energy/bend", "residual", "volume_error/rms"};
  for (size_t i = 0; i < 3; i++) {
    vb_tolerance a = vb_tolerance_of(&fine, quantities[i]);
    vb_tolerance b = vb_tolerance_of(&coarse, quantities[i]);
    ck_assert(b.absolute >= a.absolute && b.relative > a.relative);
  }
  vb_tolerances_free(&fine);
  vb_tolerances_free(&coarse);
}
END_TEST

START_TEST(refuses_invalid_tolerances) {
  static const char *const bad[] = {
      "[1]",
      "{",
      "{\"energy\": 1}",
      "{\"energy\": {\"absolute\": 1}}",
      "{\"energy\": {\"absolute\": -1, \"relative\": 0}}",
      "{\"nan\": \"sometimes\"}",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    vb_tolerances t = {.n = 99};
    vb_error error = {0};
    ck_assert_int_eq(vb_tolerances_read(bad[i], false, &t, &error), VB_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.message, "declared tolerances"));
    ck_assert_uint_eq(t.n, 99);
  }
}
END_TEST

static TCase *differences(void) {
  TCase *tc = tcase_create("differences");
  tcase_add_test(tc, reports_norms_and_the_first_excess);
  tcase_add_test(tc, result_does_not_depend_on_chunks);
  tcase_add_test(tc, nan_against_a_number_always_differs);
  tcase_add_test(tc, infinities_are_equal_to_themselves_alone);
  tcase_add_test(tc, a_quaternion_and_its_negative_are_one_turn);
  return tc;
}

static TCase *tolerances(void) {
  TCase *tc = tcase_create("tolerances");
  tcase_add_test(tc, finds_a_tolerance_by_path_then_kind_then_default);
  tcase_add_test(tc, single_precision_has_wider_tolerances);
  tcase_add_test(tc, refuses_invalid_tolerances);
  return tc;
}

VB_TEST_MAIN("difference", differences(), tolerances())
