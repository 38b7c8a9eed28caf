// SPDX-License-Identifier: GPL-3.0-or-later
/// Speeds over several results: what is a change, and what is noise, another machine or another
/// method.
#include "report/history.h"
#include "results_fixture.h"

/// Multiplies the recorded times of steps.
static void slow_down(double factor) {
  double steps[STEPS], median;
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t list = H5Dopen2(file, "timing/step", H5P_DEFAULT);
  hid_t middle = H5Dopen2(file, "timing/summary/median", H5P_DEFAULT);
  H5Dread(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps);
  H5Dread(middle, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &median);
  median *= factor;
  for (int i = 0; i < STEPS; i++)
    steps[i] *= factor;
  H5Dwrite(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps);
  H5Dwrite(middle, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &median);
  H5Dclose(list);
  H5Dclose(middle);
  H5Fclose(file);
}

/// Puts a text in place of another, as much of it as there is room for.
static void rename_fact(const char *path, const char *text) {
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), type = H5Dget_type(dataset);
  char room[256] = "";
  ck_assert_uint_le(H5Tget_size(type), sizeof room);
  snprintf(room, sizeof room, "%s", text);
  ck_assert(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     H5Tis_variable_str(type) > 0 ? (const void *)&text : room) >= 0);
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(file);
}

/// Moves the run's file away and makes a new one; the name of the old one.
static char *put_aside(int number) {
  static char names[4][160];
  snprintf(names[number], sizeof names[number], "%s/old%d.h5", fix.folder, number);
  ck_assert_int_eq(rename(fix.path, names[number]), 0);
  write_run();
  return names[number];
}

/// The change of the step time in the last of `n` results.
static vb_history_change change_of(char **path, size_t n) {
  vb_history h;
  vb_history_change change = VB_HISTORY_SAME;
  size_t found = 0;
  vb_status status = vb_history_read(path, n, &h, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  for (size_t i = 0; i < h.n_lines; i++)
    if (h.lines[i].speed) {
      change = h.lines[i].points[n - 1].change;
      found++;
    }
  ck_assert_uint_eq(found, 1);
  vb_history_free(&h);
  return change;
}

/// Steps take 1 to 20 ms, in stretches of two: their medians range from 1.5 to 19.5 ms.
START_TEST(speeds_change_where_intervals_are_apart) {
  write_run();
  char *first = put_aside(0);
  char *two[] = {first, fix.path};
  ck_assert_int_eq(change_of(two, 2), VB_HISTORY_SAME);
  slow_down(12.9); // from 19.35 ms
  ck_assert_int_eq(change_of(two, 2), VB_HISTORY_SAME);
  slow_down(13.1 / 12.9); // from 19.65 ms
  ck_assert_int_eq(change_of(two, 2), VB_HISTORY_WORSE);
  ck_assert_int_eq(change_of((char *[]){fix.path, first}, 2), VB_HISTORY_BETTER);
}
END_TEST

START_TEST(other_machines_are_passed_over) {
  write_run();
  char *first = put_aside(0);
  slow_down(100);
  rename_fact("provenance/cpu", "another processor");
  char *second = put_aside(1);
  char *three[] = {first, second, fix.path};
  ck_assert_int_eq(change_of(three, 2), VB_HISTORY_SAME);
  ck_assert_int_eq(change_of(three, 3), VB_HISTORY_SAME);
  slow_down(100); // compared with the first
  ck_assert_int_eq(change_of(three, 3), VB_HISTORY_WORSE);
}
END_TEST

static TCase *speeds(void) {
  TCase *c = tcase_create("speeds");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, speeds_change_where_intervals_are_apart);
  tcase_add_test(c, other_machines_are_passed_over);
  return c;
}

VB_TEST_MAIN("history", speeds())
