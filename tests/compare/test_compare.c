// SPDX-License-Identifier: GPL-3.0-or-later
/// Recorded runs, one of them spoiled: what a comparison finds, where, and what it refuses.
/// Covers: src/compare/location.c src/compare/pack_study.* src/compare/record.*
/// Covers: src/compare/sources.c src/compare/tolerances.*
#include "compare/compare.h"
#include "compare/pack_study.h"
#include "results/h5.h"
#include "results_fixture.h"

#include <sys/stat.h>

static char other[160]; ///< a copy of the run's file, to be spoiled

static void copy(void) {
  char command[400];
  write_run();
  snprintf(other, sizeof other, "%s/other.h5", fix.folder);
  snprintf(command, sizeof command, "cp '%s' '%s'", fix.path, other);
  ck_assert_int_eq(system(command), 0);
}

/// Replaces one number of a dataset of the copy.
static void spoil(const char *dataset, const hsize_t *index, double value) {
  hsize_t one[] = {1, 1, 1};
  hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t id = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(id);
  hid_t memory = H5Screate(H5S_SCALAR);
  ck_assert(H5Sselect_hyperslab(space, H5S_SELECT_SET, index, NULL, one, NULL) >= 0);
  ck_assert(H5Dwrite(id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) >= 0);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(id);
  H5Fclose(file);
}

/// Replaces a text of the copy.
static void retell(const char *dataset, const char *text) {
  hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  ck_assert(H5Ldelete(file, dataset, H5P_DEFAULT) >= 0); // whose type has another length
  hid_t id = H5Dcreate2(file, dataset, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(id);
  H5Fclose(file);
}

static void drop(const char *path) {
  hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
  H5Fclose(file);
}

static vb_compare_result compare_with(const char *b, vb_compare_request request) {
  vb_compare_result result = {0};
  vb_status status = vb_compare_paths(fix.path, b, &request, &result, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  return result;
}

static vb_compare_result compare(void) {
  return compare_with(other, (vb_compare_request){0});
}

/// The one quantity that does not agree.
static const vb_quantity_result *only_bad(const vb_compare_result *result) {
  const vb_run_comparison *run = &result->runs[0];
  ck_assert_int_eq(vb_compare_verdict(result), VB_FAILED);
  ck_assert_uint_eq(run->n_bad, 1);
  for (size_t i = 0; i < run->n_quantities; i++)
    if (run->quantities[i].outcome != VB_AGREES)
      return &run->quantities[i];
  return NULL;
}

START_TEST(run_equals_itself) {
  copy();
  vb_compare_result r = compare();
  ck_assert_int_eq(vb_compare_verdict(&r), VB_OK);
  ck_assert_uint_eq(r.n_runs, 1);
  ck_assert_uint_gt(r.runs[0].n_quantities, 10);
  bool frames = false, convergence = false, wall = false;
  for (size_t i = 0; i < r.runs[0].n_quantities; i++) {
    const char *name = r.runs[0].quantities[i].name;
    frames |= strcmp(name, "frames/position") == 0;
    convergence |= strcmp(name, "convergence/residual") == 0;
    wall |= strstr(name, "wall_time") != NULL || strstr(name, "timing") != NULL;
  }
  ck_assert(frames && convergence && !wall);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(names_the_first_step_element_and_component) {
  copy();
  spoil("run/frames/position", (hsize_t[]){2, 3, 1}, 77);
  spoil("run/frames/position", (hsize_t[]){3, 0, 0}, 99);
  vb_compare_result r = compare();
  const vb_quantity_result *q = only_bad(&r);
  ck_assert_str_eq(q->name, "frames/position");
  // Frames are taken each 5th step.
  ck_assert_msg(strstr(q->first, "step 10 ") && strstr(q->first, "node 3, y"), "%s", q->first);
  ck_assert_double_eq(q->difference.first_b, 77);
  ck_assert_uint_eq(q->difference.n_bad, 2);
  ck_assert(q->worst_place[0] == 3 && q->worst_place[1] == 0 && q->worst_place[2] == 0);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(names_iterations_and_rows) {
  copy();
  spoil("convergence/residual", (hsize_t[]){2}, 5);
  vb_compare_result r = compare();
  ck_assert_str_eq(only_bad(&r)->first, "iteration 4");
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(a_difference_within_the_declared_tolerance_agrees) {
  fix.study.compare = "{\"energy\": {\"absolute\": 0.5, \"relative\": 0}}";
  copy();
  vb_column c = column(fix.path, "energy/stretch", -1, -1);
  spoil("run/energy/stretch", (hsize_t[]){7}, c.y[7] + 0.4);
  vb_compare_result r = compare();
  ck_assert_int_eq(vb_compare_verdict(&r), VB_OK);
  vb_compare_result_free(&r);
  spoil("run/energy/stretch", (hsize_t[]){7}, c.y[7] + 0.6);
  r = compare();
  ck_assert(strstr(only_bad(&r)->first, "step 7 ") != NULL);
  vb_compare_result_free(&r);
  vb_column_free(&c);
}
END_TEST

START_TEST(missing_data_fails_on_either_side) {
  copy();
  drop("run/energy/kinetic");
  vb_compare_result r = compare();
  ck_assert_int_eq(only_bad(&r)->outcome, VB_MISSING_B);
  ck_assert_str_eq(only_bad(&r)->name, "energy/kinetic");
  vb_compare_result_free(&r);
  vb_compare_request request = {0};
  ck_assert(!vb_compare_paths(other, fix.path, &request, &r, &fix.error));
  ck_assert_int_eq(only_bad(&r)->outcome, VB_MISSING_A);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(another_shape_or_unit_fails) {
  copy();
  double values[STEPS] = {0};
  drop("run/energy/kinetic");
  vb_h5 h5 = {other, VB_CANNOT_WRITE, &fix.error, VB_OK};
  hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t group = H5Gopen2(file, "run/energy", H5P_DEFAULT);
  vb_h5_numbers(&h5, group, "kinetic", STEPS, values, "J", "kinetic energy");
  ck_assert(!h5.status);
  H5Gclose(group);
  H5Fclose(file);
  vb_compare_result r = compare();
  ck_assert_int_eq(only_bad(&r)->outcome, VB_OTHER_SHAPE);
  ck_assert_str_eq(only_bad(&r)->note, "21 x 1 x 1, not 20 x 1 x 1");
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(nan_follows_the_policy) {
  copy();
  spoil("run/energy/kinetic", (hsize_t[]){4}, NAN);
  vb_compare_result r = compare();
  ck_assert(isinf(only_bad(&r)->difference.greatest));
  vb_compare_result_free(&r);
  vb_compare_request request = {0};
  ck_assert(!vb_compare_paths(other, other, &request, &r, &fix.error));
  ck_assert_int_eq(vb_compare_verdict(&r), VB_OK);
  vb_compare_result_free(&r);
  request = (vb_compare_request){.has_nan = true, .nan = VB_NAN_NEVER};
  ck_assert(!vb_compare_paths(other, other, &request, &r, &fix.error));
  ck_assert_str_eq(only_bad(&r)->name, "energy/kinetic");
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(refuses_different_runs_unless_allowed) {
  static const struct {
    const char *dataset, *text;
    vb_run_property likeness;
  } cases[] = {
      {"scenario/scene_sha256", "0123", VB_PROPERTY_SCENE},
      {"solver/name", "another", VB_PROPERTY_SOLVER},
      {"solver/options", "{\"method\": \"other\"}", VB_PROPERTY_OPTIONS},
      {"provenance/floating_point", "fast", VB_PROPERTY_ARITHMETIC},
  };
  copy();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char command[400];
    snprintf(command, sizeof command, "cp '%s' '%s'", fix.path, other);
    ck_assert_int_eq(system(command), 0);
    retell(cases[i].dataset, cases[i].text);
    vb_compare_result r = compare();
    ck_assert_int_eq(vb_compare_verdict(&r), VB_BAD_INPUT);
    ck_assert(r.runs[0].refused && r.runs[0].differs[cases[i].likeness]);
    ck_assert_uint_eq(r.runs[0].n_quantities, 0);
    vb_compare_result_free(&r);
    vb_compare_request request = {0};
    request.allow[cases[i].likeness] = true;
    r = compare_with(other, request);
    ck_assert_int_eq(vb_compare_verdict(&r), VB_OK);
    ck_assert_uint_gt(r.runs[0].n_quantities, 10);
    vb_compare_result_free(&r);
  }
}
END_TEST

/// An option that one file does not name has its default there, and no other value.
START_TEST(options_of_a_later_program_have_their_defaults) {
  static const struct {
    const char *earlier, *later;
    bool refused;
  } cases[] = {
      {"{\"method\": \"xpbd\"}", "{\"integrator\": \"euler\", \"method\": \"xpbd\"}", false},
      {"{\"method\": \"xpbd\"}", "{\"integrator\": \"bdf2\", \"method\": \"xpbd\"}", true},
      {"{\"method\": \"xpbd\"}", "{\"method\": \"xpbd\", \"no_option\": \"1\"}", true},
  };
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    const char *options[] = {cases[i / 2].earlier, cases[i / 2].later};
    char command[400];
    copy();
    retell("solver/name", "viper");
    retell("solver/options", options[i % 2]);
    snprintf(command, sizeof command, "cp '%s' '%s'", other, fix.path);
    ck_assert_int_eq(system(command), 0);
    retell("solver/options", options[1 - i % 2]);
    vb_compare_result r = compare();
    ck_assert_int_eq(r.runs[0].refused, cases[i / 2].refused);
    vb_compare_result_free(&r);
  }
}
END_TEST

START_TEST(threads_and_hardware_do_not_refuse) {
  copy();
  retell("provenance/cpu", "another");
  vb_compare_result r = compare();
  ck_assert_int_eq(vb_compare_verdict(&r), VB_OK);
  ck_assert(r.runs[0].differs[VB_PROPERTY_HARDWARE]);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(other_scenes_are_compared_by_topology) {
  copy();
  retell("scenario/scene_sha256", "0123");
  spoil("topology/surface_stiffness", (hsize_t[]){2, 0}, 12345);
  vb_compare_request request = {.allow = {[VB_PROPERTY_SCENE] = true}};
  vb_compare_result r = compare_with(other, request);
  ck_assert_str_eq(only_bad(&r)->name, "topology/surface_stiffness");
  ck_assert_str_eq(only_bad(&r)->first, "segment 2, kbx");
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(other_end_status_differs) {
  copy();
  hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
  vb_h5 h5 = {other, VB_CANNOT_WRITE, &fix.error, VB_OK};
  vb_h5_attribute_text(&h5, group, "status", "diverged");
  ck_assert_msg(!h5.status, "%s", fix.error.message);
  H5Gclose(group);
  H5Fclose(file);
  vb_compare_result r = compare();
  ck_assert_int_eq(vb_compare_verdict(&r), VB_FAILED);
  ck_assert_str_eq(r.runs[0].status[1], "diverged");
  vb_compare_result_free(&r);
}
END_TEST

/// Writes the index of the run as folder/wobbles.h5.
static void write_index(char *path, size_t size, bool passed) {
  fix.verdict.passed = passed;
  fix.verdict.value = passed ? 1 : 3;
  snprintf(path, size, "%s/wobbles.h5", fix.folder);
  ck_assert(!write_fixed_index(path));
}

START_TEST(reports_changed_verdicts) {
  char index[128], kept[160], command[400];
  write_run();
  write_index(index, sizeof index, true);
  snprintf(kept, sizeof kept, "%s/kept.h5", fix.folder);
  snprintf(command, sizeof command, "cp '%s' '%s'", index, kept);
  ck_assert_int_eq(system(command), 0);
  write_index(index, sizeof index, false);
  vb_compare_request request = {0};
  vb_compare_result r = {0};
  ck_assert(!vb_compare_paths(kept, index, &request, &r, &fix.error));
  ck_assert_int_eq(vb_compare_verdict(&r), VB_FAILED);
  ck_assert(r.n_gates == 1 && r.n_compared_gates == 1 && r.runs[0].n_bad == 0);
  ck_assert(r.gates[0].passed[0] && !r.gates[0].passed[1] && r.gates[0].value[1] == 3);
  ck_assert_str_eq(r.gates[0].name, "end of the stretch energy");
  vb_compare_result_free(&r);
  fix.study.n_gates = 0;
  write_index(index, sizeof index, true);
  ck_assert(!vb_compare_paths(index, kept, &request, &r, &fix.error));
  ck_assert(r.n_gates == 1 && !r.gates[0].has[0] && r.gates[0].has[1]);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(a_packed_study_is_the_same_and_much_smaller) {
  char index[128], pack[200];
  struct stat full, small;
  write_run();
  write_index(index, sizeof index, true);
  snprintf(pack, sizeof pack, "%s/gold", fix.folder);
  ck_assert_int_eq(mkdir(pack, 0777), 0);
  snprintf(pack, sizeof pack, "%s/gold/wobbles.h5", fix.folder);
  ck_assert_msg(!vb_pack_study(index, pack, &fix.error), "%s", fix.error.message);
  ck_assert(!stat(fix.path, &full) && !stat(pack, &small));
  // It lacks times, the topology's indexes and what is shown. What is left are headers of datasets,
  // which are as small in the full file.
  ck_assert_int_lt(small.st_size, full.st_size * 4 / 5);
  vb_compare_request request = {0};
  vb_compare_result r = {0};
  ck_assert_msg(!vb_compare_paths(pack, index, &request, &r, &fix.error), "%s", fix.error.message);
  // Its gates are not kept: those of the index are missing in it.
  ck_assert(r.n_runs == 1 && r.runs[0].n_bad == 0 && !r.runs[0].refused);
  ck_assert_uint_gt(r.runs[0].n_quantities, 10);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(runs_that_one_side_lacks_are_missing) {
  char index[128], folder_a[100], command[500];
  write_run();
  write_index(index, sizeof index, true);
  snprintf(folder_a, sizeof folder_a, "%s/a", fix.folder);
  snprintf(command, sizeof command, "mkdir '%s' && cp '%s' '%s/wobbles-a.h5'", folder_a, fix.path,
           folder_a);
  ck_assert_int_eq(system(command), 0);
  vb_compare_request request = {0};
  vb_compare_result r = {0};
  // A folder of files of runs against the same folder with an index.
  ck_assert_msg(!vb_compare_paths(folder_a, fix.folder, &request, &r, &fix.error), "%s",
                fix.error.message);
  ck_assert(r.n_runs == 1 && r.n_missing == 0);
  vb_compare_result_free(&r);
  snprintf(command, sizeof command, "cp '%s' '%s/x.h5'", fix.path, folder_a);
  ck_assert_int_eq(system(command), 0);
  snprintf(other, sizeof other, "%s/x.h5", folder_a);
  retell("scenario/run", "b");
  ck_assert(!vb_compare_paths(folder_a, fix.folder, &request, &r, &fix.error));
  ck_assert(r.n_runs == 1 && r.n_missing == 1 && r.missing[0].inside);
  ck_assert_str_eq(r.missing[0].run, "b");
  ck_assert_int_eq(vb_compare_verdict(&r), VB_FAILED);
  vb_compare_result_free(&r);
}
END_TEST

START_TEST(bad_paths_are_reported_in_one_sentence) {
  char index[128], empty[128];
  vb_compare_request request = {0};
  vb_compare_result r = {.n_runs = 99};
  write_run();
  write_index(index, sizeof index, true);
  snprintf(empty, sizeof empty, "%s/empty", fix.folder);
  ck_assert_int_eq(mkdir(empty, 0777), 0);
  const struct {
    const char *a, *b, *complaint;
  } cases[] = {{fix.path, "/nowhere.h5", "/nowhere.h5"},
               {fix.path, index, "is the file of one run"},
               {empty, index, "holds no results files"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(vb_compare_paths(cases[i].a, cases[i].b, &request, &r, &fix.error),
                     VB_BAD_INPUT);
    ck_assert_msg(strstr(fix.error.message, cases[i].complaint) != NULL, "%s", fix.error.message);
    ck_assert_uint_eq(r.n_runs, 99);
  }
}
END_TEST

static TCase *runs(void) {
  TCase *tc = tcase_create("runs");
  tcase_add_checked_fixture(tc, set_up, tear_down);
  tcase_add_test(tc, run_equals_itself);
  tcase_add_test(tc, names_the_first_step_element_and_component);
  tcase_add_test(tc, names_iterations_and_rows);
  tcase_add_test(tc, a_difference_within_the_declared_tolerance_agrees);
  tcase_add_test(tc, missing_data_fails_on_either_side);
  tcase_add_test(tc, another_shape_or_unit_fails);
  tcase_add_test(tc, nan_follows_the_policy);
  tcase_add_test(tc, refuses_different_runs_unless_allowed);
  tcase_add_test(tc, options_of_a_later_program_have_their_defaults);
  tcase_add_test(tc, threads_and_hardware_do_not_refuse);
  tcase_add_test(tc, other_scenes_are_compared_by_topology);
  tcase_add_test(tc, other_end_status_differs);
  return tc;
}

static TCase *files(void) {
  TCase *tc = tcase_create("files");
  tcase_add_checked_fixture(tc, set_up, tear_down);
  tcase_add_test(tc, reports_changed_verdicts);
  tcase_add_test(tc, a_packed_study_is_the_same_and_much_smaller);
  tcase_add_test(tc, runs_that_one_side_lacks_are_missing);
  tcase_add_test(tc, bad_paths_are_reported_in_one_sentence);
  return tc;
}

VB_TEST_MAIN("compare", runs(), files())
