// SPDX-License-Identifier: GPL-3.0-or-later
// Covers: src/results/h5*.[ch]
#include "results/results_array.h"
#include "results/results_list.h"
#include "results/results_meaning.h"
#include "results_fixture.h"

#include <sys/stat.h>

START_TEST(series_read_back) {
  write_run();
  ck_assert_int_ne(access(fix.part, F_OK), 0);
  vb_column c = column(fix.path, "energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, STEPS + 1);
  for (size_t i = 0; i < c.n; i++) {
    double t = 0.01 * (double)i;
    ck_assert_double_eq(c.x[i], t);
    ck_assert_double_eq(c.y[i], cos(t) * cos(t));
  }
  vb_column_free(&c);
  c = column(fix.path, "residual", -1, -1);
  ck_assert_double_eq(c.y[3], 0.125);
  vb_column_free(&c);
  c = column(fix.path, "energy/total", -1, -1);
  // cos^2 + sin^2: two roundings of numbers below 1.
  ck_assert_double_eq_tol(c.y[7], 1, 4e-16);
  vb_column_free(&c);
}
END_TEST

START_TEST(axes_are_chosen) {
  write_run();
  vb_column c = column(fix.path, "frames/position", 3, 1);
  ck_assert_uint_eq(c.n, STEPS / 5 + 1);
  ck_assert_double_eq(c.x[1], 0.05);
  ck_assert_double_eq(c.y[1], 0);
  vb_column_free(&c);
  c = column(fix.path, "frames/position", 3, 0);
  ck_assert_double_eq(c.y[2], 0.1 * 3 + FAKE_AMPLITUDE * sin(2 * 0.1 + 3));
  vb_column_free(&c);
  c = column(fix.path, "frames/radius", 2, -1);
  ck_assert_double_eq(c.y[0], 0.02 * (1 + FAKE_AMPLITUDE));
  vb_column_free(&c);
  c = column(fix.path, "reaction/force", 0, 1);
  ck_assert_double_eq(c.y[4], 0.04);
  vb_column_free(&c);
  c = column(fix.path, "momentum", -1, 2);
  ck_assert_double_eq(c.y[10], 0.1 * 0.1);
  vb_column_free(&c);
  c = column(fix.path, "momentum", 1, -1);
  ck_assert_double_eq(c.y[10], 0.1);
  vb_column_free(&c);
}
END_TEST

START_TEST(works_are_summed_by_name) {
  write_run();
  // The driver is work 1; the loads wind, wind, tide are works 2, 3, 4.
  const struct {
    const char *quantity;
    double factor;
  } works[] = {{"work/hand", 1}, {"work/wind", 5}, {"work/tide", 4}};
  for (size_t i = 0; i < 3; i++) {
    vb_column c = column(fix.path, works[i].quantity, -1, -1);
    // One rounding in the sum.
    ck_assert_double_eq_tol(c.y[20], works[i].factor * 0.2, 1e-15);
    vb_column_free(&c);
  }
}
END_TEST

START_TEST(measures_are_right) {
  write_run();
  // Step 0 by hand: lengths of the segments of either body, scales 1 + amplitude.
  double sum[2] = {0}, max[2] = {0}, volume_max = 0;
  for (int j = 0; j < NODES + 2; j++) {
    if (j == NODES - 1)
      continue;
    double extension = 1 + FAKE_AMPLITUDE * (sin((double)j + 1) - sin((double)j)) / 0.1;
    int body = j >= NODES;
    sum[body] += (extension - 1) * (extension - 1);
    max[body] = fmax(max[body], fabs(extension - 1));
    volume_max =
        fmax(volume_max, fabs((1 + FAKE_AMPLITUDE) * (1 + FAKE_AMPLITUDE) * extension - 1));
  }
  const struct {
    const char *quantity;
    int64_t row;
    double value;
  } expected[] = {{"stretch_error/rms", -1, sqrt((sum[0] + sum[1]) / (NODES + 1))},
                  {"stretch_error/max", -1, fmax(max[0], max[1])},
                  {"stretch_error/rms_by_body", 0, sqrt(sum[0] / (NODES - 1))},
                  {"stretch_error/rms_by_body", 1, sqrt(sum[1] / 2)},
                  {"stretch_error/max_by_body", 1, max[1]},
                  {"volume_error/max", -1, volume_max}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    vb_column c = column(fix.path, expected[i].quantity, expected[i].row, -1);
    // Differences of lengths near 0.1 keep about 14 digits.
    ck_assert_double_eq_tol(c.y[0], expected[i].value, 1e-14);
    vb_column_free(&c);
  }
}
END_TEST

/// Wall times of steps are stored as multiples of 2^-30 s.
#define STORED_TIME 0x1p-31

START_TEST(convergence_and_timing) {
  write_run();
  vb_column c = column(fix.path, "convergence/residual", -1, -1);
  ck_assert_uint_eq(c.n, 3);
  ck_assert_double_eq(c.x[2], 4);
  ck_assert_double_eq(c.y[2], pow(0.5, STEPS));
  vb_column_free(&c);
  c = column(fix.path, "convergence/wall_time", -1, -1);
  ck_assert_double_eq(c.y[1], 0.5);
  vb_column_free(&c);
  c = column(fix.path, "timing/step", -1, -1);
  ck_assert_uint_eq(c.n, STEPS);
  ck_assert_double_eq(c.x[0], 1);
  ck_assert_double_eq_tol(c.y[1], 2e-3, STORED_TIME);
  vb_column_free(&c);
  c = column(fix.path, "timing/phases/solve", -1, -1);
  ck_assert_double_eq_tol(c.y[1], 2e-3, STORED_TIME);
  vb_column_free(&c);
}
END_TEST

/// Fields live wherever the solver says: here on points that no scene knows.
START_TEST(fields_of_the_solvers_own_are_recorded) {
  vb_results *results = create();
  for (int64_t step = 0; step <= STEPS; step++)
    ck_assert(!record_step(results, step));
  ck_assert(!vb_results_close(results, "complete", NULL, &fix.error));
  vb_column x = column(fix.path, "frames/ghost", FAKE_GHOSTS - 1, 0);
  vb_column y = column(fix.path, "frames/ghost", FAKE_GHOSTS - 1, 1);
  for (size_t i = 0; i < x.n; i++) {
    ck_assert_double_eq(x.y[i], FAKE_GHOSTS - 1);
    ck_assert_double_eq(y.y[i], y.x[i]); // the time itself
  }
  ck_assert_uint_gt(x.n, 1);
  vb_column_free(&x);
  vb_column_free(&y);
}
END_TEST

START_TEST(more_rows_than_memory_holds) {
  free(fix.run.scene);
  fake_destroy(fix.instance);
  set_up_scene(NODES, 5000);
  fix.run.record.frames_every = 4;
  vb_results *results = create();
  for (int64_t step = 0; step <= 5000; step++)
    ck_assert(!record_step(results, step));
  ck_assert(!vb_results_close(results, "complete", NULL, &fix.error));
  vb_column c = column(fix.path, "frames/velocity", 1, 0);
  ck_assert_uint_eq(c.n, 1251);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq(c.y[i], 2 * FAKE_AMPLITUDE * cos(2 * (double)i * 0.04 + 1));
  vb_column_free(&c);
  // Each component of many vectors has chunks of its own.
  hsize_t chunk[3];
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "run/frames/velocity", H5P_DEFAULT);
  hid_t plist = H5Dget_create_plist(dataset);
  ck_assert_int_eq(H5Pget_chunk(plist, 3, chunk), 3);
  ck_assert(chunk[0] > 1 && chunk[1] > 1 && chunk[2] == 1);
  H5Pclose(plist);
  H5Dclose(dataset);
  H5Fclose(file);
}
END_TEST

/// How many frames of a run of 60 steps of a tier are to be seen in ParaView; the first and the
/// last must be.
static hsize_t count_views(char *tier) {
  H5G_info_t info;
  fake_destroy(fix.instance);
  free(fix.run.scene);
  set_up_scene(NODES, 60);
  fix.study.tier = tier;
  fix.run.record.frames_every = 1;
  vb_results *results = create();
  for (int64_t step = 0; step <= 60; step++)
    ck_assert(!record_step(results, step));
  ck_assert(!vb_results_close(results, "complete", NULL, &fix.error));
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert(H5Gget_info_by_name(file, "view", &info, H5P_DEFAULT) >= 0);
  ck_assert(H5Lexists(file, "view/frame_000000", H5P_DEFAULT) > 0);
  ck_assert(H5Lexists(file, "view/frame_000060", H5P_DEFAULT) > 0);
  H5Fclose(file);
  return info.nlinks;
}

START_TEST(fewer_frames_are_shown_in_the_tier_quick) {
  ck_assert_uint_eq(count_views("full"), 51);
  ck_assert_uint_eq(count_views("quick"), 3);
}
END_TEST

/// What a run's file holds of gates.
static size_t count_gate_texts(const char *dataset, char first[16384]) {
  vb_texts texts;
  ck_assert_msg(!vb_results_texts(fix.path, dataset, &texts, &fix.error), "%s", fix.error.message);
  snprintf(first, 16384, "%s", texts.n ? texts.texts[0] : "");
  size_t n = texts.n;
  vb_texts_free(&texts);
  return n;
}

/// Without gates all columns are there, and empty; they keep texts of any length.
START_TEST(gates_are_none_or_of_any_length) {
  static char reason[12001];
  static const size_t LENGTHS[] = {0, 8191, 8192, 12000};
  char stored[16384];
  vb_array values;
  write_run();
  ck_assert(!vb_gates_write(fix.path, NULL, NULL, 0, &fix.error));
  ck_assert_uint_eq(count_gate_texts("/gates/reason", stored), 0);
  ck_assert(!vb_results_array(fix.path, "/gates/band_low", VB_NO_FRAME, &values, &fix.error));
  ck_assert_uint_eq(values.n, 0);
  vb_array_free(&values);
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  H5G_info_t info;
  ck_assert(H5Gget_info_by_name(file, "gates", &info, H5P_DEFAULT) >= 0);
  ck_assert_uint_eq(info.nlinks, 23);
  H5Fclose(file);
  for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
    memset(reason, 'x', sizeof reason - 1);
    reason[LENGTHS[i]] = '\0';
    fix.gate.reason = reason;
    ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
    ck_assert_uint_eq(count_gate_texts("/gates/reason", stored), 1);
    ck_assert_str_eq(stored, reason);
  }
}
END_TEST

/// Scripts are compressed, and those of more than a megabyte are stored as they are.
START_TEST(scripts_have_any_length) {
  static const size_t LENGTHS[] = {0, 511, 512, 20000, ((size_t)1 << 20) - 1, (size_t)1 << 20};
  for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
    char *script = calloc(LENGTHS[i] + 1, 1), *stored = NULL;
    struct stat status;
    memset(script, '-', LENGTHS[i]);
    fix.run.script = script;
    unlink(fix.path);
    write_run();
    ck_assert_msg(
        !vb_run_text((vb_run_location){fix.path, NULL}, "scenario/script", &stored, &fix.error),
        "%s", fix.error.message);
    ck_assert_str_eq(stored, script);
    ck_assert(stat(fix.path, &status) == 0);
    ck_assert_int_eq(status.st_size > (off_t)1 << 20, LENGTHS[i] >= (size_t)1 << 20);
    free(stored);
    free(script);
  }
}
END_TEST

static void expect_label(const vb_dataset_info *d, void *context) {
  ++*(size_t *)context;
  ck_assert_msg(d->unit[0] && d->what[0], "%s: \"%s\" in \"%s\"", d->path, d->what, d->unit);
}

/// Those without attributes that say it, too.
START_TEST(all_datasets_have_a_unit_and_a_meaning) {
  size_t n = 0;
  write_run();
  ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  ck_assert(!vb_results_list(fix.path, NULL, expect_label, &n, &fix.error));
  ck_assert_uint_gt(n, 80);
  ck_assert_str_eq(vb_results_meaning("topology/segment"), "nodes of each segment");
  ck_assert_str_eq(vb_results_meaning("/timing/phases/solve"), "wall time of this phase in a step");
  ck_assert_str_eq(vb_results_meaning("gates/passed"), "1 where the gate is passed");
  ck_assert_str_eq(vb_results_meaning("provenance/cpu"), "model of the processor");
  ck_assert_str_eq(vb_results_meaning("topology/unheard_of"), "");
}
END_TEST

/// Headers of objects, and the pieces that they are in.
typedef struct headers {
  unsigned n, pieces;
} headers;

static herr_t count_pieces(hid_t root, const char *path, const H5O_info_t *info, void *data) {
  headers *h = data;
  (void)root;
  h->n++;
  h->pieces += info->hdr.nchunks;
  if (info->type == H5O_TYPE_GROUP && strchr(path, '/'))
    ck_assert_msg(info->hdr.nchunks <= 2, "%s has a header of %u pieces", path, info->hdr.nchunks);
  return 0;
}

// A piece more takes 28 bytes, and a run has some 150 objects.
START_TEST(headers_are_in_few_pieces) {
  headers h = {0};
  write_run();
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, count_pieces, &h,
                      H5O_INFO_HDR | H5O_INFO_BASIC) >= 0);
  H5Fclose(file);
  ck_assert_msg(h.n > 100 && 2 * h.pieces < 3 * h.n, "%u pieces of %u headers", h.pieces, h.n);
}
END_TEST

START_TEST(divergence_and_interruption_are_recorded) {
  vb_results *results = create();
  ck_assert(!record_step(results, 0));
  vb_divergence divergence = {true, 1, "scale of node 5"};
  ck_assert(!vb_results_close(results, "diverged", &divergence, &fix.error));
  expect_status(fix.path, "diverged");
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  unlink(fix.path);
  results = create();
  ck_assert(!record_step(results, 0));
  ck_assert(!vb_results_close(results, "interrupted", NULL, &fix.error));
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
}
END_TEST

START_TEST(only_the_same_run_is_current) {
  ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  write_run();
  expect_status(fix.path, "complete");
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  fix.run.record.every = 2;
  ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  fix.run.record.every = 1;
  fix.run.script = "return {1}";
  ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  fix.run.script = "return {} -- \xc3\xa9t\xc3\xa9";
  static vb_option option = {"method", "vague"};
  fix.run.options = &option;
  fix.run.n_options = 1;
  ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  fix.run.n_options = 0;
  fix.run.convergence.n = 2;
  ck_assert(!vb_run_is_recorded(fix.path, &fix.study, &fix.run));
  fix.run.convergence.n = 3;
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
}
END_TEST

START_TEST(gates_are_replaced) {
  write_run();
  ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  struct stat before, after;
  ck_assert(stat(fix.path, &before) == 0);
  ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  ck_assert(stat(fix.path, &after) == 0);
  // The same gates again leave the file alone.
  ck_assert_uint_eq(before.st_ino, after.st_ino);
  fix.verdict.value = NAN;
  fix.verdict.passed = false;
  ck_assert_msg(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error), "%s",
                fix.error.message);
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "gates/value", H5P_DEFAULT);
  double value = 0;
  ck_assert(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
  ck_assert(isnan(value));
  H5Dclose(dataset);
  H5Fclose(file);
  ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
}
END_TEST

START_TEST(index_leads_to_runs) {
  char index[128];
  write_run();
  snprintf(index, sizeof index, "%s/wobbles.h5", fix.folder);
  ck_assert_msg(!write_fixed_index(index), "%s", fix.error.message);
  vb_column c = column(index, "runs/a/energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, STEPS + 1);
  ck_assert_double_eq(c.y[0], 1);
  vb_column_free(&c);
  c = column(index, "runs/a/convergence/residual", -1, -1);
  ck_assert_uint_eq(c.n, 3);
  vb_column_free(&c);
  expect_refusal(index, "energy/stretch", -1, -1, "index of a study");
  expect_refusal(index, "runs/b/energy/stretch", -1, -1, "\"b\"");
  ck_assert_int_eq(vb_gates_write(index, &fix.gate, &fix.verdict, 1, &fix.error), VB_BAD_INPUT);
  unlink(fix.path);
  expect_refusal(index, "runs/a/energy/stretch", -1, -1, "\"a\" cannot be opened");
}
END_TEST

START_TEST(nothing_is_left_open) {
  char index[128];
  write_run();
  snprintf(index, sizeof index, "%s/wobbles.h5", fix.folder);
  ck_assert(!write_fixed_index(index));
  for (int i = 0; i < 20; i++) {
    vb_column c = column(index, "runs/a/frames/position", 0, 0);
    vb_column_free(&c);
    expect_refusal(index, "runs/a/frames/position", 99, 0, "no row 99");
    expect_refusal(index, "runs/a/energy/none", -1, -1, "no series");
    ck_assert(vb_run_is_recorded(fix.path, &fix.study, &fix.run));
    fix.verdict.value = i;
    ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  }
  ck_assert_int_eq(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}
END_TEST

START_TEST(run_without_rows_is_a_file) {
  vb_results *results = create();
  vb_divergence divergence = {true, 1, "at once"};
  ck_assert(!vb_results_close(results, "diverged", &divergence, &fix.error));
  vb_column c = column(fix.path, "energy/total", -1, -1);
  ck_assert_uint_eq(c.n, 0);
  vb_column_free(&c);
  c = column(fix.path, "frames/position", 0, 0);
  ck_assert_uint_eq(c.n, 0);
  vb_column_free(&c);
}
END_TEST

START_TEST(bare_scene_is_recorded) {
  // One node: no segment, driver or load, hence none of their datasets.
  vb_builder *b = NULL;
  vb_node node = {.rest_radius = 0.1};
  char *bare_fields[] = {"position", "scale", "frame"};
  free(fix.run.scene);
  fake_destroy(fix.instance);
  ck_assert(!vb_builder_create(&b, &fix.error));
  vb_builder_world(b)->step = 0.01;
  vb_builder_world(b)->n_steps = 1;
  ck_assert(!vb_builder_add(b, VB_SET_NODE, &node, NULL, &fix.error));
  vb_status status = vb_builder_freeze(b, &fix.run.scene, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  vb_builder_destroy(b);
  ck_assert(!fake_create(NULL, fix.run.scene, NULL, 0, &fix.instance, &fix.error));
  fix.run.record.fields = bare_fields;
  fix.run.record.n_fields = 3;
  vb_results *results = create();
  ck_assert(!record_step(results, 0));
  ck_assert_msg(!vb_results_close(results, "complete", NULL, &fix.error), "%s", fix.error.message);
  vb_column c = column(fix.path, "frames/scale", -1, -1);
  ck_assert_double_eq(c.y[0], 1 + FAKE_AMPLITUDE);
  vb_column_free(&c);
  expect_refusal(fix.path, "frames/frame", -1, -1, "no series");
  expect_refusal(fix.path, "reaction/force", 0, 0, "no series");
  expect_refusal(fix.path, "volume_error/rms", -1, -1, "no series");
}
END_TEST

static TCase *series_case(void) {
  TCase *c = tcase_create("series");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, series_read_back);
  tcase_add_test(c, axes_are_chosen);
  tcase_add_test(c, works_are_summed_by_name);
  tcase_add_test(c, measures_are_right);
  tcase_add_test(c, convergence_and_timing);
  tcase_add_test(c, fields_of_the_solvers_own_are_recorded);
  tcase_add_test(c, more_rows_than_memory_holds);
  tcase_add_test(c, fewer_frames_are_shown_in_the_tier_quick);
  tcase_add_test(c, gates_are_none_or_of_any_length);
  tcase_add_test(c, headers_are_in_few_pieces);
  tcase_add_test(c, scripts_have_any_length);
  tcase_add_test(c, all_datasets_have_a_unit_and_a_meaning);
  tcase_add_test(c, run_without_rows_is_a_file);
  tcase_add_test(c, bare_scene_is_recorded);
  return c;
}

static TCase *files_case(void) {
  TCase *c = tcase_create("files");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, divergence_and_interruption_are_recorded);
  tcase_add_test(c, only_the_same_run_is_current);
  tcase_add_test(c, gates_are_replaced);
  tcase_add_test(c, index_leads_to_runs);
  tcase_add_test(c, nothing_is_left_open);
  return c;
}

VB_TEST_MAIN("results", series_case(), files_case())
