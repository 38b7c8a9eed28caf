// SPDX-License-Identifier: GPL-3.0-or-later
/// Colors of bodies that bundles join, of a small file made by HDF5 alone.
/// Covers: src/render/recording.*
#include "hostile/hostile_results.h"
#include "render/recording.h"

#include <stdlib.h>

static char folder[64], path[128];

/// Two segments in a row between nodes of bodies 0, 1 and 2, and a triangle with a vertex over each
/// node; the segments are in one bundle, or (`bundle` null) in none.
static void make_run(const double *bundle) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // what is put in place of nothing
  snprintf(folder, sizeof folder, "/tmp/viperbench-colors-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  hid_t file = begin_run(path);
  if (bundle)
    put(file, "topology/bundle", 2, (hsize_t[]){2, 2}, bundle);
  H5Fclose(file);
}

static void remove_run(void) {
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static void check_values(const double *bundle, const double expected[3]) {
  vb_recording recording = {0};
  vb_shapes shapes = {0}, clear = {0};
  vb_error error = {0};
  make_run(bundle);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, NULL}, false, &recording, &error), "%s",
                error.message);
  ck_assert_int_eq(vb_recording_shapes(&recording, 0, VB_COLOR_BODY, &shapes, &clear, &error),
                   VB_OK);
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq(shapes.value[i], expected[i]);
  vb_shapes_clear(&shapes);
  vb_shapes_clear(&clear);
  vb_recording_close(&recording);
  remove_run();
}

START_TEST(bodies_have_numbers_of_their_own) {
  check_values(NULL, (double[]){0, 1, 2});
}
END_TEST

/// The first two become one; the third comes next.
START_TEST(bodies_that_bundles_join_have_one_number) {
  check_values((double[]){0, 0, 0, 1}, (double[]){0, 0, 1});
}
END_TEST

START_TEST(a_bundle_of_no_segment_is_refused) {
  vb_recording recording = {0};
  vb_error error = {0};
  make_run((double[]){0, 0, 0, 2});
  ck_assert_int_eq(vb_recording_open((vb_run_location){path, NULL}, false, &recording, &error),
                   VB_BAD_INPUT);
  remove_run();
}
END_TEST

static TCase *colors(void) {
  TCase *c = tcase_create("bundled colors");
  tcase_add_test(c, bodies_have_numbers_of_their_own);
  tcase_add_test(c, bodies_that_bundles_join_have_one_number);
  tcase_add_test(c, a_bundle_of_no_segment_is_refused);
  return c;
}

VB_TEST_MAIN("bundled colors", colors())
