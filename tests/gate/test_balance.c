// SPDX-License-Identifier: GPL-3.0-or-later
/// The balance of a run's energies, of a small file made by HDF5 alone.
/// Covers: src/gate/quantity_run.*
#include "gate/balance.h"
#include "gate/quantity_run.h"
#include "hostile/hostile_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3 };

static char folder[64], path[128];

/// A run damped at 3/s: its rows are 0.5 s apart.
static void make_run(bool worked) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // what is put in place of nothing
  snprintf(folder, sizeof folder, "/tmp/viperbench-balance-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  hid_t file = create_file(path, "viperbench-run");
  hsize_t n = ROWS;
  put(file, "run/time", 1, &n, (double[]){0, 0.5, 1});
  put(file, "run/energy/total", 1, &n, (double[]){2, 7, 3});
  put(file, "run/energy/kinetic", 1, &n, (double[]){0, 1, 0.5});
  put(file, "scenario/damping", 0, &n, (double[]){3});
  if (worked) {
    put(file, "run/work/push", 1, &n, (double[]){0, 8, 10});
    put(file, "run/work/pull", 1, &n, (double[]){0, -1, -6});
  }
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){ROWS});
  H5Fclose(file);
}

static void remove_run(void) {
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(what_is_lost_is_a_share_of_the_most_that_was_worked) {
  vb_column column = {0};
  vb_error error = {0};
  make_run(true);
  ck_assert_msg(!vb_balance_column(path, "balance/unaccounted", &column, &error), "%s",
                error.message);
  ck_assert_uint_eq(column.n, ROWS);
  // 16 J were worked at most; damping took 3/s (0 + 1) J 0.5 s, then 3/s (1 + 0.5) J 0.5 s more.
  double expected[ROWS] = {0, (7 - 5 - 1.5) / 16, (4 - 1 - 3.75) / 16};
  for (size_t i = 0; i < ROWS; i++)
    ck_assert_double_eq_tol(column.y[i], expected[i], 1e-15); // rounding
  ck_assert_double_eq(column.x[1], 0.5);
  vb_column_free(&column);
  remove_run();
}
END_TEST

START_TEST(a_run_without_work_has_no_balance) {
  vb_column column = {0};
  vb_error error = {0};
  make_run(false);
  ck_assert_int_eq(vb_balance_column(path, "balance/unaccounted", &column, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "records no work"));
  ck_assert_ptr_null(column.y);
  remove_run();
}
END_TEST

/// Rows of 2, 7 and 3 J, of which 7 and 4 J were worked: 2, 0 and -1 J less the work, so that none
/// is gained. Without the work, 5 J and then 1 J rise above the 2 J at the start.
START_TEST(a_gain_is_a_rise_above_what_was_worked) {
  const double expected[2][ROWS] = {{0, 0, 0}, {0, 2.5, 0.5}};
  for (int k = 0; k < 2; k++) {
    vb_column column = {0};
    make_run(k == 0);
    ck_assert(!vb_balance_column(path, "balance/energy_gain", &column, NULL));
    ck_assert_uint_eq(column.n, ROWS);
    for (size_t i = 0; i < ROWS; i++)
      ck_assert_double_eq_tol(column.y[i], expected[k][i], 1e-15); // rounding
    vb_column_free(&column);
    remove_run();
  }
}
END_TEST

START_TEST(gravity_gives_by_falling_alone) {
  vb_column column = {0};
  hsize_t n = ROWS;
  make_run(false);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put(file, "run/energy/gravity", 1, &n, (double[]){1, -7, 2});
  H5Fclose(file);
  ck_assert(!vb_balance_column(path, "balance/energy_gain", &column, NULL));
  ck_assert_double_eq_tol(column.y[1], 5 / (1 + 8 + 1e-4), 1e-15); // 1 J at the start, 8 J fallen
  ck_assert_double_eq_tol(column.y[2], 1 / (1 + 8 + 1e-4), 1e-15);
  vb_column_free(&column);
  remove_run();
}
END_TEST

START_TEST(they_have_two_names) {
  ck_assert(vb_is_balance("balance/energy_gain"));
  ck_assert(vb_is_balance("runs/a/balance/energy_gain"));
  ck_assert(vb_is_balance("balance/unaccounted"));
  ck_assert(vb_is_balance("runs/a/balance/unaccounted"));
  ck_assert(!vb_is_balance("balance/total"));
  ck_assert(!vb_is_balance("energy/total"));
}
END_TEST

START_TEST(a_quantity_names_its_run) {
  char run[256], name[400];
  vb_run_location place;
  vb_error error = {0};
  ck_assert_int_eq(vb_quantity_run("x.h5", "balance/energy_gain", run, &place, &error), VB_OK);
  ck_assert(place.run == NULL && strcmp(place.path, "x.h5") == 0);
  ck_assert_int_eq(vb_quantity_run("x.h5", "runs/a/balance/energy_gain", run, &place, &error),
                   VB_OK);
  ck_assert_str_eq(place.run, "a");
  snprintf(name, sizeof name, "runs/%0300d/balance/energy_gain", 1);
  ck_assert_int_eq(vb_quantity_run("x.h5", name, run, &place, &error), VB_BAD_INPUT);
}
END_TEST

static TCase *balances(void) {
  TCase *c = tcase_create("balances");
  tcase_add_test(c, what_is_lost_is_a_share_of_the_most_that_was_worked);
  tcase_add_test(c, a_run_without_work_has_no_balance);
  tcase_add_test(c, a_gain_is_a_rise_above_what_was_worked);
  tcase_add_test(c, gravity_gives_by_falling_alone);
  tcase_add_test(c, they_have_two_names);
  tcase_add_test(c, a_quantity_names_its_run);
  return c;
}

VB_TEST_MAIN("balances", balances())
