// SPDX-License-Identifier: GPL-3.0-or-later
/// What contacts leave to the next substep (contact/warm_start.h).
/// Covers: src/viper/contact/warm_start*.h
#define VIPER_PRECISION 64
#include "viper/contact/warm_start.h"

#include "test.h"

/// A contact with segment `other`, the `place`-th of its pair, that pushes by `push`, upward.
static viper_touch touch_with(int other, int place, double push) {
  return (viper_touch){.n = {0, 0, 1},
                       .slide = viper_vec4_make(0.3 * push, 0.1 * push, 0, 0),
                       .lambda = push,
                       .roller = {{0, 0.1}, {other, 0.1}},
                       .place = place};
}

/// Twelve contacts that come in one of several orders: the eight least are kept, in their order,
/// and found again; what does not push is not kept.
START_TEST(the_least_are_kept_in_any_order) {
  static const int step[3] = {1, 5, 7}; // each goes through all twelve
  viper_kept_row row = {0};
  viper_touch idle = touch_with(1, 0, 0);
  viper_touch_keep(&idle, &row);
  ck_assert_int_eq(row.n, 0);
  for (int k = 0, at = 0; k < 12; k++, at = (at + step[_i]) % 12) {
    viper_touch t = touch_with(10 + at / 2, at % 2, 1 + at);
    viper_touch_keep(&t, &row);
  }
  ck_assert_int_eq(row.n, VIPER_KEPT);
  for (int at = 0; at < 12; at++) {
    viper_touch t = touch_with(10 + at / 2, at % 2, 0);
    viper_touch_recall_between(&t, &row, 0.25);
    ck_assert_double_eq(t.lambda, at < VIPER_KEPT ? 0.25 * (1 + at) : 0);
    ck_assert_double_eq(t.slide[0], at < VIPER_KEPT ? 0.3 * (1 + at) : 0);
  }
  viper_touch other = touch_with(9, 0, 0);
  viper_touch_recall_between(&other, &row, 0.25);
  ck_assert_double_eq(other.lambda, 0);
}
END_TEST

/// Friction begins along the surfaces as they are now.
START_TEST(friction_begins_along_the_surfaces) {
  viper_touch t = touch_with(3, 0, 2);
  viper_kept kept = viper_kept_of(&t, viper_kept_pair(&t));
  viper_touch now = touch_with(3, 0, 0);
  now.n = viper_vec4_make(0.6, 0, 0.8, 0);
  viper_touch_recall(&now, &kept, 0.5);
  ck_assert_double_eq(now.lambda, 1);
  ck_assert_double_eq_tol(viper_vec4_sum(now.slide * now.n), 0, 1e-16);
  ck_assert_double_eq_tol(now.slide[0], 0.6 * 0.64, 1e-15); // 0.6 less 0.36 of it
  ck_assert_double_eq(now.slide[1], 0.2);
}
END_TEST

/// The two contacts of a pair have different places, also where both are at one end of the second
/// segment, or at the same points: else that kept last would depend on the order of calls.
START_TEST(two_contacts_of_a_pair_have_two_places) {
  static const double at[][2] = {{0.2, 0.9}, {0.7, 0.1}, {0.2, 1}, {0.7, 1}, {0.7, 1}};
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++) {
      const viper_touch first = {.weight = {at[a][0], at[a][1]}},
                        second = {.weight = {at[b][0], at[b][1]}};
      const viper_bits one = viper_touch_place(&first, &second, 0),
                       two = viper_touch_place(&second, &first, 1);
      ck_assert_int_eq(one + two, 1);
      if (at[a][1] != at[b][1])
        ck_assert_int_eq(one, at[a][1] > at[b][1]);
      else if (at[a][0] != at[b][0])
        ck_assert_int_eq(one, at[a][0] > at[b][0]);
    }
}
END_TEST

static TCase *make_case(void) {
  TCase *all = tcase_create("kept contacts");
  tcase_add_loop_test(all, the_least_are_kept_in_any_order, 0, 3);
  tcase_add_test(all, friction_begins_along_the_surfaces);
  tcase_add_test(all, two_contacts_of_a_pair_have_two_places);
  return all;
}

VB_TEST_MAIN("kept contacts", make_case())
