// SPDX-License-Identifier: GPL-3.0-or-later
/// Which part of what a gate allows is used, for each way to compare and each sign.
#include "gate/gate_used.h"
#include "test.h"

#include <math.h>

/// The part that is used, of a gate that compares so.
static double used(const char *comparator, double value, double reference, double tolerance,
                   bool relative) {
  vb_gate_record gate = {.comparator = comparator,
                         .value = value,
                         .reference = reference,
                         .tolerance = tolerance,
                         .relative = relative};
  return vb_gate_used(&gate);
}

START_TEST(a_tolerance_is_used_by_the_distance) {
  ck_assert_double_eq(used("near", 3.5, 3, 2, false), 0.25);
  ck_assert_double_eq(used("near", -3.5, -3, 2, false), 0.25);
  ck_assert_double_eq(used("near", 5, 4, 0.5, true), 0.5);
  ck_assert_double_eq(used("near", -5, -4, 0.5, true), 0.5);
  ck_assert_double_eq(used("near", 7, 3, 2, false), 2);
  ck_assert_double_eq(used("near", 3, 3, 0, false), 1);
  ck_assert(isinf(used("near", 3.5, 3, 0, false)));
}
END_TEST

START_TEST(a_limit_is_used_by_what_reaches_it) {
  ck_assert_double_eq(used("at_most", 1, 4, 0, false), 0.25);
  ck_assert_double_eq(used("at_most", 8, 4, 0, false), 2);
  ck_assert_double_eq(used("at_most", -1, 4, 0, false), 0);
  ck_assert_double_eq(used("at_most", -8, -4, 0, false), 0.5);
  ck_assert_double_eq(used("at_least", 8, 4, 0, false), 0.5);
  ck_assert_double_eq(used("at_least", -1, -4, 0, false), 0.25);
  ck_assert_double_eq(used("at_least", 1, -4, 0, false), 0);
  ck_assert(used("at_most", 1, -4, 0, false) > 1);
  ck_assert(used("at_least", -1, 4, 0, false) > 1);
}
END_TEST

START_TEST(a_limit_of_zero_has_no_parts) {
  ck_assert_double_eq(used("at_most", 0, 0, 0, false), 1);
  ck_assert_double_eq(used("at_least", 0, 0, 0, false), 1);
  ck_assert(isnan(used("at_most", -1, 0, 0, false)));
  ck_assert(isnan(used("at_least", 1, 0, 0, false)));
  ck_assert(used("at_most", 1, 0, 0, false) > 1);
  ck_assert(isnan(used("near", NAN, 3, 2, false)));
  ck_assert(isnan(used("at_most", NAN, 3, 0, false)));
}
END_TEST

static TCase *parts(void) {
  TCase *c = tcase_create("parts");
  tcase_add_test(c, a_tolerance_is_used_by_the_distance);
  tcase_add_test(c, a_limit_is_used_by_what_reaches_it);
  tcase_add_test(c, a_limit_of_zero_has_no_parts);
  return c;
}

VB_TEST_MAIN("gate_used", parts())
