// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy from nothing, of rows made up here. Numbers are exact but for rounding in a last digit.
#include "results/energy_gain.h"
#include "test.h"

START_TEST(what_goes_down_gains_nothing) {
  vb_energy_gain g = {0};
  for (int k = 0; k < 5; k++)
    vb_energy_gain_add(&g, 5 - k, 0, 0);
  ck_assert_double_eq(g.greatest, 0);
  ck_assert_int_eq(g.n_missed, 0);
  ck_assert_int_eq(g.n_rows, 5);
}
END_TEST

/// A rise counts from the least before it, not from the start.
START_TEST(a_rise_counts_from_the_least) {
  const double total[] = {4, 1, 1.02, 3, 0.5};
  vb_energy_gain g = {0};
  for (int k = 0; k < 5; k++)
    vb_energy_gain_add(&g, total[k], 0, 0);
  ck_assert_double_eq_tol(g.greatest, 2.0 / 4, 1e-15);
  ck_assert_double_eq(g.now, 0);
  ck_assert_int_eq(g.n_missed, 1); // 0.02 J are half a percent of 4 J
}
END_TEST

/// Work done on bodies is no gain, work that they do is no loss, and scales by itself.
START_TEST(work_gives) {
  vb_energy_gain g = {0};
  vb_energy_gain_add(&g, 0, 0, 0);
  vb_energy_gain_add(&g, 10, 0, 10);
  vb_energy_gain_add(&g, 1, 0, 1);
  ck_assert_double_eq(g.greatest, 0);
  vb_energy_gain_add(&g, 2, 0, 1);
  ck_assert_double_eq_tol(g.now, 1.0 / 10, 1e-15);
}
END_TEST

/// A body that is thrown up has no more to gain by than before; one that fell has.
START_TEST(gravity_gives_by_falling_alone) {
  vb_energy_gain g = {0};
  vb_energy_gain_add(&g, 3, 1, 0);
  vb_energy_gain_add(&g, 5, 4, 0);
  ck_assert_double_eq_tol(g.now, 2 / (2 + 1e-4), 1e-15);
  g = (vb_energy_gain){0};
  vb_energy_gain_add(&g, 3, 1, 0);
  vb_energy_gain_add(&g, 5, -5, 0);
  ck_assert_double_eq_tol(g.now, 2 / (2 + 6 + 1e-4), 1e-15);
}
END_TEST

/// What begins deep in something, at rest, and is thrown out of it gained all that it has. Where
/// nothing ever is, nothing is gained.
START_TEST(all_may_come_from_nothing) {
  vb_energy_gain g = {0};
  vb_energy_gain_add(&g, 0, 0, 0);
  ck_assert_double_eq(g.greatest, 0);
  vb_energy_gain_add(&g, 0, 0, 0);
  ck_assert_double_eq(g.greatest, 0);
  vb_energy_gain_add(&g, 7, 0, 0);
  ck_assert_double_eq(g.greatest, 1);
}
END_TEST

/// Rounding of positions in single precision is no gain of rods that lie at rest.
START_TEST(rounding_is_no_gain) {
  vb_energy_gain g = {0};
  vb_energy_gain_add(&g, 1000, 1000, 0);
  vb_energy_gain_add(&g, 1000 * (1 + 6e-8), 1000 * (1 + 6e-8), 0);
  ck_assert_int_eq(g.n_missed, 0);
}
END_TEST

static TCase *gains(void) {
  TCase *c = tcase_create("gains");
  tcase_add_test(c, what_goes_down_gains_nothing);
  tcase_add_test(c, a_rise_counts_from_the_least);
  tcase_add_test(c, work_gives);
  tcase_add_test(c, gravity_gives_by_falling_alone);
  tcase_add_test(c, all_may_come_from_nothing);
  tcase_add_test(c, rounding_is_no_gain);
  return c;
}

VB_TEST_MAIN("energy gain", gains())
