// SPDX-License-Identifier: GPL-3.0-or-later
/// Crossings and volume of a recorded surface, of a small file made by HDF5 alone.
#include "gate/surface_column.h"
#include "hostile/hostile_results.h"

#include <stdlib.h>
#include <string.h>

static char folder[64], path[128];

/// Two tetrahedra of volume 1/6 side by side; then the second is moved into the first; then it is
/// far off, and twice as high.
static void make_run(void) {
  static const double one[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double shift[3] = {2, 0.25, 5}, height[3] = {1, 1, 2};
  double x[3][8][3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8; i++) {
      memcpy(x[k][i], one[i % 4], sizeof one[0]);
      x[k][i][2] *= i < 4 ? 1 : height[k];
      x[k][i][0] += i < 4 ? 0 : shift[k];
      x[k][i][1] += i < 4 ? 0 : 0.1;
    }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  snprintf(folder, sizeof folder, "/tmp/viperbench-surface-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  hid_t file = create_file(path, "viperbench-run");
  put(file, "topology/triangle", 2, (hsize_t[]){8, 3},
      (double[]){0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7});
  put(file, "run/frames/time", 1, (hsize_t[]){3}, (double[]){0, 1, 2});
  put(file, "run/frames/vertices", 3, (hsize_t[]){3, 8, 3}, x[0][0]);
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){3});
  H5Fclose(file);
}

static void remove_run(void) {
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static void read_column(const char *quantity, double out[3]) {
  vb_column column = {0};
  vb_error error = {0};
  ck_assert(vb_is_surface_column(quantity));
  ck_assert_msg(!vb_surface_column(path, quantity, &column, &error), "%s", error.message);
  ck_assert_uint_eq(column.n, 3);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq(column.x[k], k);
    out[k] = column.y[k];
  }
  vb_column_free(&column);
}

START_TEST(crossings_and_volume_are_read) {
  double y[3];
  make_run();
  read_column("surface/crossings_between", y);
  ck_assert_double_eq(y[0], 0);
  ck_assert_double_ge(y[1], 2);
  ck_assert_double_eq(y[2], 0);
  read_column("surface/crossings_within", y);
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq(y[k], 0);
  read_column("surface/volume_change", y);
  ck_assert_double_eq_tol(y[0], 0, 1e-14); // rounding
  ck_assert_double_eq_tol(y[1], 0, 1e-14);
  ck_assert_double_eq_tol(y[2], 0.5, 1e-14);
  remove_run();
}
END_TEST

START_TEST(others_are_refused) {
  vb_column column = {0};
  vb_error error = {0};
  make_run();
  ck_assert(!vb_is_surface_column("surface/area"));
  ck_assert(!vb_is_surface_column("enclosed_volume"));
  ck_assert(vb_is_surface_column("runs/a/surface/volume_change"));
  ck_assert_int_eq(vb_surface_column("/nothing.h5", "surface/volume_change", &column, &error),
                   VB_BAD_INPUT);
  remove_run();
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("surface_column");
  tcase_add_test(test, crossings_and_volume_are_read);
  tcase_add_test(test, others_are_refused);
  return test;
}

VB_TEST_MAIN("surface_column", make_case())
