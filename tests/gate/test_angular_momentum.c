// SPDX-License-Identifier: GPL-3.0-or-later
/// The angular momentum of a run, of a small file made by HDF5 alone.
#include "figure/columns.h"
#include "gate/angular_momentum.h"
#include "gate/gate.h"
#include "hostile/hostile_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char folder[64], path[128];

/// One frame of two nodes of 2 kg and 3 kg, and of a segment whose u, v and w are along y, z and x.
static void make_run(bool with_mass) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // what is put in place of nothing
  snprintf(folder, sizeof folder, "/tmp/viperbench-angular-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  hid_t file = create_file(path, "viperbench-run");
  put(file, "topology/body", 1, (hsize_t[]){2}, (double[]){0, 0});
  put(file, "topology/segment", 2, (hsize_t[]){1, 2}, (double[]){0, 1});
  put(file, "topology/frame_inertia", 2, (hsize_t[]){1, 3}, (double[]){10, 20, 40});
  put(file, "run/frames/time", 1, (hsize_t[]){1}, (double[]){0.5});
  put(file, "run/frames/position", 3, (hsize_t[]){1, 2, 3}, (double[]){1, 0, 0, 0, 2, 0});
  put(file, "run/frames/velocity", 3, (hsize_t[]){1, 2, 3}, (double[]){0, 5, 0, 0, 0, 7});
  if (with_mass)
    put(file, "run/frames/mass", 2, (hsize_t[]){1, 2}, (double[]){2, 3});
  put(file, "run/frames/scale", 2, (hsize_t[]){1, 2}, (double[]){1, 3});
  put(file, "run/frames/frame", 3, (hsize_t[]){1, 1, 4}, (double[]){0.5, 0.5, 0.5, 0.5});
  put(file, "run/frames/angular_velocity", 3, (hsize_t[]){1, 1, 3}, (double[]){0.1, 0.2, 0.3});
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){1});
  H5Fclose(file);
}

static void remove_run(void) {
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

/// Nodes: 2 kg x cross v = (0, 0, 10), 3 kg (2 7, 0, 0). The segment's moments about x, y, z
/// are 40, 10, 20, times the square of the scale 2.
START_TEST(nodes_and_frames_have_their_parts) {
  const double expected[3] = {42 + 4 * 40 * 0.1, 4 * 10 * 0.2, 10 + 4 * 20 * 0.3};
  make_run(true);
  for (int k = 0; k < 3; k++) {
    vb_column column = {0};
    vb_error error = {0};
    ck_assert_msg(!vb_angular_momentum_column(path, "momentum/angular", k, &column, &error), "%s",
                  error.message);
    ck_assert_uint_eq(column.n, 1);
    ck_assert_double_eq(column.x[0], 0.5);
    ck_assert_double_eq_tol(column.y[0], expected[k], 1e-13); // rounding
    vb_column_free(&column);
  }
  remove_run();
}
END_TEST

START_TEST(a_gate_measures_it) {
  char quantity[] = "momentum/angular";
  const char *paths[] = {path};
  vb_gate gate = {.quantity = quantity,
                  .row = -1,
                  .component = 1,
                  .measure = VB_MEASURE_FINAL,
                  .from = -INFINITY,
                  .to = INFINITY,
                  .n_runs = 1,
                  .comparator = VB_CLOSE_TO,
                  .reference = 8,
                  .tolerance = 1e-12};
  vb_verdict verdict;
  make_run(true);
  vb_gate_evaluate(&gate, paths, &verdict);
  ck_assert_msg(verdict.passed, "%g: %s", verdict.value, verdict.note);
  remove_run();
}
END_TEST

START_TEST(a_column_has_its_unit) {
  char text[] = "momentum/angular[0,2]", *texts[] = {text};
  vb_columns columns = {0};
  make_run(true);
  ck_assert_int_eq(vb_columns_read(path, texts, 1, &columns, NULL), VB_OK);
  ck_assert_str_eq(columns.blocks[0].unit, "kg m2 s-1");
  ck_assert_double_eq_tol(columns.blocks[0].y[0], 34, 1e-13); // rounding
  vb_columns_free(&columns);
  remove_run();
}
END_TEST

START_TEST(a_missing_field_or_component_is_told) {
  vb_column column = {0};
  vb_error error = {0};
  make_run(false);
  ck_assert_int_eq(vb_angular_momentum_column(path, "momentum/angular", 0, &column, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "mass"));
  ck_assert_int_eq(vb_angular_momentum_column(path, "momentum/angular", -1, &column, &error),
                   VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "x, y and z"));
  ck_assert_ptr_null(column.y);
  remove_run();
}
END_TEST

START_TEST(it_has_one_name) {
  ck_assert(vb_is_angular_momentum("momentum/angular"));
  ck_assert(vb_is_angular_momentum("runs/a/momentum/angular"));
  ck_assert(!vb_is_angular_momentum("momentum"));
}
END_TEST

static TCase *angular_momenta(void) {
  TCase *c = tcase_create("angular momenta");
  tcase_add_test(c, nodes_and_frames_have_their_parts);
  tcase_add_test(c, a_gate_measures_it);
  tcase_add_test(c, a_column_has_its_unit);
  tcase_add_test(c, a_missing_field_or_component_is_told);
  tcase_add_test(c, it_has_one_name);
  return c;
}

VB_TEST_MAIN("angular momentum", angular_momenta())
