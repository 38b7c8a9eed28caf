// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_solver.h"
#include "harness/results.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NODES   5
#define STEPS   20
#define DRIVERS 1

/// A folder of its own, a study of one run, and the fake solver in it.
typedef struct fixture {
  char folder[64];
  char path[128]; ///< of the run's file
  char part[140];
  vb_study study;
  vb_run_plan run;
  vb_gate gate;
  vb_verdict verdict;
  void *instance;
  vb_error error;
} fixture;

static char *fields[] = {"position", "scale", "velocity", "frame"};
static int64_t iterations[] = {1, 2, 4};
static char *run_names[] = {"a"};
static fixture fix;

static void set_up_scene(int32_t nodes, int64_t steps) {
  fix.run = (vb_run_plan){
      .name = "a",
      .label = "run <a> & co",
      .scenario = "wobble",
      .script = "return {} -- \xc3\xa9t\xc3\xa9",
      .parameters = "{\"n\": 5}",
      .solver = "fake",
      .record = {.every = 1, .frames_every = 5, .residual = true, .fields = fields, .n_fields = 4},
      .convergence = {.after = 0, .iterations = iterations, .n = 3}};
  ck_assert_msg(!fake_scene(nodes, steps, &fix.run.scene, &fix.error), "%s", fix.error.message);
  fix.gate = (vb_gate){.name = "end of the stretch energy",
                       .quantity = "energy/stretch",
                       .row = -1,
                       .component = -1,
                       .measure = VB_MEASURE_FINAL,
                       .from = -INFINITY,
                       .to = INFINITY,
                       .runs = run_names,
                       .n_runs = 1,
                       .comparator = VB_NEAR,
                       .reference = 1,
                       .tolerance = 0.1,
                       .reason = "closed form"};
  fix.verdict = (vb_verdict){.value = 0.96, .passed = true};
  fix.study = (vb_study){.name = "wobbles",
                         .title = "Wobbles",
                         .tier = "quick",
                         .script = "return {}",
                         .figure = "wobble_figure",
                         .runs = &fix.run,
                         .n_runs = 1,
                         .gates = &fix.gate,
                         .n_gates = 1};
  ck_assert(!fake_create(fix.run.scene, NULL, 0, &fix.instance, &fix.error));
}

static void set_up(void) {
  memset(&fix, 0, sizeof fix);
  strcpy(fix.folder, "/tmp/vb_results_XXXXXX");
  ck_assert(mkdtemp(fix.folder) != NULL);
  snprintf(fix.path, sizeof fix.path, "%s/wobbles-a.h5", fix.folder);
  snprintf(fix.part, sizeof fix.part, "%s.part", fix.path);
  set_up_scene(NODES, STEPS);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", fix.folder);
  ck_assert_int_eq(system(command), 0);
  free(fix.run.scene);
  fake_destroy(fix.instance);
}

static vb_results *create(void) {
  vb_results *results = NULL;
  vb_status status =
      vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  return results;
}

static double now(void) {
  return fake_time(fix.instance);
}

/// One step and all that is recorded of it.
static vb_status record_step(vb_results *results, int64_t step) {
  if (step > 0)
    fake_step(fix.instance, 1, &fix.error);
  vb_status status = vb_results_row(results, fix.instance, now(), &fix.error);
  if (!status && step % fix.run.record.frames_every == 0)
    status = vb_results_frame(results, fix.instance, now(), &fix.error);
  if (!status && step > 0)
    status = vb_results_timing(results, 1e-3 * (double)step, (double[2]){1e-3, 2e-3}, &fix.error);
  return status;
}

static void write_run(void) {
  vb_results *results = create();
  int64_t start = 0;
  fake_restore(fix.instance, &start, &fix.error);
  for (int64_t step = 0; step <= STEPS; step++)
    ck_assert(!record_step(results, step));
  for (int i = 0; i < 3; i++)
    ck_assert(!vb_results_convergence(results, fix.instance, iterations[i], 0.5, &fix.error));
  ck_assert_msg(!vb_results_close(results, "complete", NULL, &fix.error), "%s", fix.error.message);
}

static vb_column column(const char *path, const char *quantity, int64_t row, int component) {
  vb_column c = {0};
  vb_status status = vb_results_column(path, quantity, row, component, &c, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  return c;
}

static void expect_refusal(const char *path, const char *quantity, int64_t row, int component,
                           const char *words) {
  vb_column c = {.n = 99};
  ck_assert_int_eq(vb_results_column(path, quantity, row, component, &c, &fix.error), VB_BAD_INPUT);
  ck_assert_msg(strstr(fix.error.message, words) != NULL, "\"%s\" lacks \"%s\"", fix.error.message,
                words);
  ck_assert_uint_eq(c.n, 99);
}

static void read_status(const char *path, char *out, size_t size) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_msg(file >= 0, "%s does not open", path);
  hid_t attribute = H5Aopen_by_name(file, "run", "status", H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Aget_type(attribute);
  char *text = NULL;
  ck_assert(H5Aread(attribute, type, &text) >= 0);
  snprintf(out, size, "%s", text);
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
}

static void expect_status(const char *path, const char *expected) {
  char status[64];
  read_status(path, status, sizeof status);
  ck_assert_str_eq(status, expected);
}

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
  ck_assert_double_eq(c.y[1], 2e-3);
  vb_column_free(&c);
  c = column(fix.path, "timing/phases/solve", -1, -1);
  ck_assert_double_eq(c.y[1], 2e-3);
  vb_column_free(&c);
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
}
END_TEST

START_TEST(bad_questions_are_refused) {
  write_run();
  expect_refusal(fix.path, "energy/strech", -1, -1, "it has kinetic, stretch, total");
  expect_refusal(fix.path, "nothing/there", -1, -1, "no series \"nothing/there\"");
  expect_refusal(fix.path, "energy", -1, -1, "no series");
  expect_refusal(fix.path, "", -1, -1, "no name of a recorded quantity");
  expect_refusal(fix.path, "runs/a/energy/total", -1, -1, "the file of one run");
  expect_refusal(fix.path, "energy/total", 0, -1, "leave out row or component");
  expect_refusal(fix.path, "frames/scale", -1, -1, "name one of them");
  expect_refusal(fix.path, "frames/scale", 8, -1, "there are 8");
  expect_refusal(fix.path, "frames/position", 1, 3, "there are 3");
  expect_refusal(fix.path, "frames/position", 1, -1, "3 components");
}
END_TEST

static void write_bytes(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

START_TEST(foreign_and_damaged_files_are_refused) {
  char other[160];
  snprintf(other, sizeof other, "%s/other.h5", fix.folder);
  expect_refusal(other, "energy/total", -1, -1, "No such file");
  expect_refusal(fix.folder, "energy/total", -1, -1, fix.folder);
  write_bytes(other, "hello", 5);
  expect_refusal(other, "energy/total", -1, -1, "no HDF5 file, or is truncated");
  write_bytes(other, "", 0);
  expect_refusal(other, "energy/total", -1, -1, "no HDF5 file, or is truncated");
  H5Fclose(H5Fcreate(other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_refusal(other, "energy/total", -1, -1, "no results file of this program");
  write_run();
  struct stat info;
  ck_assert(stat(fix.path, &info) == 0);
  for (int part = 1; part < 10; part++) {
    ck_assert(truncate(fix.path, info.st_size * (10 - part) / 10) == 0);
    expect_refusal(fix.path, "energy/total", -1, -1, "truncated");
    ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  }
}
END_TEST

START_TEST(unknown_fields_are_refused) {
  char *wrong[] = {"position", "colour"}, *twice[] = {"scale", "scale"};
  vb_results *results = NULL;
  fix.run.record.n_fields = 2;
  fix.run.record.fields = wrong;
  ck_assert_int_eq(
      vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error),
      VB_BAD_INPUT);
  ck_assert_str_eq(fix.error.message,
                   "solver \"fake\" has no field \"colour\" to record in frames; it has position, "
                   "scale, velocity, frame");
  fix.run.record.fields = twice;
  ck_assert_int_eq(
      vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error),
      VB_BAD_INPUT);
  ck_assert_ptr_null(results);
  ck_assert_int_ne(access(fix.part, F_OK), 0);
}
END_TEST

START_TEST(divergence_and_interruption_are_noted) {
  vb_results *results = create();
  ck_assert(!record_step(results, 0));
  vb_divergence divergence = {true, 1, "scale of node 5"};
  ck_assert(!vb_results_close(results, "diverged", &divergence, &fix.error));
  expect_status(fix.path, "diverged");
  ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
  unlink(fix.path);
  results = create();
  ck_assert(!record_step(results, 0));
  ck_assert(!vb_results_close(results, "interrupted", NULL, &fix.error));
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
}
END_TEST

START_TEST(only_the_same_run_is_current) {
  ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  write_run();
  expect_status(fix.path, "complete");
  ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
  fix.run.record.every = 2;
  ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  fix.run.record.every = 1;
  fix.run.script = "return {1}";
  ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  fix.run.script = "return {} -- \xc3\xa9t\xc3\xa9";
  vb_option option = {"method", "vague"};
  fix.run.options = &option;
  fix.run.n_options = 1;
  ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  fix.run.n_options = 0;
  fix.run.convergence.n = 2;
  ck_assert(!vb_results_is_current(fix.path, &fix.study, &fix.run));
  fix.run.convergence.n = 3;
  ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
}
END_TEST

START_TEST(gates_are_replaced) {
  write_run();
  ck_assert(!vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  struct stat before, after;
  ck_assert(stat(fix.path, &before) == 0);
  ck_assert(!vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  ck_assert(stat(fix.path, &after) == 0);
  // The same gates again leave the file alone.
  ck_assert_uint_eq(before.st_ino, after.st_ino);
  fix.verdict.value = NAN;
  fix.verdict.passed = false;
  ck_assert_msg(!vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error), "%s",
                fix.error.message);
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "gates/value", H5P_DEFAULT);
  double value = 0;
  ck_assert(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
  ck_assert(isnan(value));
  H5Dclose(dataset);
  H5Fclose(file);
  ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
}
END_TEST

START_TEST(index_leads_to_runs) {
  char index[128];
  write_run();
  snprintf(index, sizeof index, "%s/wobbles.h5", fix.folder);
  ck_assert_msg(!vb_index_write(index, &fix.study, &fix.verdict, &fix.error), "%s",
                fix.error.message);
  vb_column c = column(index, "runs/a/energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, STEPS + 1);
  ck_assert_double_eq(c.y[0], 1);
  vb_column_free(&c);
  c = column(index, "runs/a/convergence/residual", -1, -1);
  ck_assert_uint_eq(c.n, 3);
  vb_column_free(&c);
  expect_refusal(index, "energy/stretch", -1, -1, "index of a study");
  expect_refusal(index, "runs/b/energy/stretch", -1, -1, "\"b\"");
  ck_assert_int_eq(vb_results_write_gates(index, &fix.gate, &fix.verdict, 1, &fix.error),
                   VB_BAD_INPUT);
  unlink(fix.path);
  expect_refusal(index, "runs/a/energy/stretch", -1, -1, "\"a\" cannot be opened");
}
END_TEST

START_TEST(nothing_is_left_open) {
  char index[128];
  write_run();
  snprintf(index, sizeof index, "%s/wobbles.h5", fix.folder);
  ck_assert(!vb_index_write(index, &fix.study, &fix.verdict, &fix.error));
  for (int i = 0; i < 20; i++) {
    vb_column c = column(index, "runs/a/frames/position", 0, 0);
    vb_column_free(&c);
    expect_refusal(index, "runs/a/frames/position", 99, 0, "no row 99");
    expect_refusal(index, "runs/a/energy/none", -1, -1, "no series");
    ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
    fix.verdict.value = i;
    ck_assert(!vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  }
  ck_assert_int_eq(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}
END_TEST

START_TEST(unwritable_folders_are_refused) {
  vb_results *results = NULL;
  char file[128], path[160];
  snprintf(file, sizeof file, "%s/file", fix.folder);
  write_bytes(file, "x", 1);
  const char *const bad[] = {"file/run.h5", "no/such/folder/run.h5"};
  for (size_t i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", fix.folder, bad[i]);
    ck_assert_int_eq(
        vb_results_create(path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error),
        VB_CANNOT_WRITE);
    ck_assert(strstr(fix.error.message, path) &&
              strstr(fix.error.message, i ? "No such" : "Not a"));
    ck_assert_int_eq(vb_index_write(path, &fix.study, &fix.verdict, &fix.error), VB_CANNOT_WRITE);
  }
  ck_assert_ptr_null(results);
}
END_TEST

/// The place of the first chunk of a dataset in the file.
static haddr_t chunk_address(const char *path, const char *name, hsize_t *size) {
  unsigned mask;
  hsize_t offset[3];
  haddr_t address = HADDR_UNDEF;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  ck_assert(H5Dget_chunk_info(dataset, space, 0, offset, &mask, &address, size) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return address;
}

START_TEST(flipped_bits_are_found) {
  write_run();
  hsize_t size = 0;
  haddr_t address = chunk_address(fix.path, "run/energy/stretch", &size);
  FILE *file = fopen(fix.path, "r+b");
  ck_assert(file && fseek(file, (long)(address + size / 2), SEEK_SET) == 0);
  int byte = fgetc(file);
  ck_assert(fseek(file, -1, SEEK_CUR) == 0 && fputc(byte ^ 4, file) != EOF && fclose(file) == 0);
  expect_refusal(fix.path, "energy/stretch", -1, -1, "cannot read");
  vb_column c = column(fix.path, "energy/kinetic", -1, -1);
  vb_column_free(&c);
}
END_TEST

/// Whether this program's disks say in advance that there is room.
static bool boastful_disk;

/// Stands in for the C library's, which the results files call before they write.
int posix_fallocate(int fd, off_t offset, off_t length) {
  if (boastful_disk)
    return 0;
  return fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
}

/// What becomes of a child that runs `body`; its standard error is caught into `text`.
static int in_child(void (*body)(void), char *text, size_t size) {
  int pipes[2];
  ck_assert(pipe(pipes) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[0]);
    close(pipes[1]);
    body();
    exit(0);
  }
  close(pipes[1]);
  size_t used = 0;
  ssize_t n;
  while (used + 1 < size && (n = read(pipes[0], text + used, size - used - 1)) > 0)
    used += (size_t)n;
  text[used] = '\0';
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

static void write_beside_another(void) {
  vb_results *second = NULL;
  vb_column c = {0};
  if (vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &second, &fix.error) !=
      VB_CANNOT_WRITE)
    _exit(10);
  if (!strstr(fix.error.message, "in use by another process"))
    _exit(11);
  if (vb_results_column(fix.part, "energy/total", -1, -1, &c, &fix.error) != VB_BAD_INPUT)
    _exit(12);
  if (!strstr(fix.error.message, "in use by another process"))
    _exit(13);
}

START_TEST(two_writers_are_kept_apart) {
  char text[4096];
  // A fork would share the descriptors of an open file, and its locks with them: it comes first.
  int ready[2], done[2];
  char token = 'x';
  ck_assert(pipe(ready) == 0 && pipe(done) == 0);
  pid_t writer = fork();
  if (writer == 0) {
    vb_results *first = create();
    if (record_step(first, 0) || vb_results_flush(first, &fix.error))
      _exit(20);
    if (write(ready[1], &token, 1) != 1 || read(done[0], &token, 1) != 1)
      _exit(21);
    _exit(vb_results_close(first, "complete", NULL, &fix.error));
  }
  ck_assert_int_eq(read(ready[0], &token, 1), 1);
  int status = in_child(write_beside_another, text, sizeof text);
  ck_assert_int_eq(write(done[1], &token, 1), 1);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_int_eq(waitpid(writer, &status, 0), writer);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  vb_column c = column(fix.path, "energy/total", -1, -1);
  ck_assert_uint_eq(c.n, 1);
  vb_column_free(&c);
}
END_TEST

static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// Writes frames until the disk is full; exits with 0 where that is told as it should be.
static void fill_disk(void) {
  vb_results *results = NULL;
  limit_files(3 << 20);
  if (vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error))
    _exit(10);
  for (int64_t step = 0; step <= 3; step++)
    if (record_step(results, step))
      _exit(11);
  if (vb_results_flush(results, &fix.error))
    _exit(12);
  vb_status status = VB_OK;
  for (int64_t step = 4; step < 3000000 && !status; step++)
    status = record_step(results, step);
  if (status != VB_CANNOT_WRITE || !strstr(fix.error.message, "File too large") ||
      !strstr(fix.error.message, fix.part))
    _exit(13);
  if (vb_results_row(results, fix.instance, 0, &fix.error) != VB_CANNOT_WRITE)
    _exit(14);
  // The limit stands for a full disk, which would not touch files in memory.
  if (boastful_disk)
    limit_files(RLIM_INFINITY);
  if (vb_results_close(results, "complete", NULL, &fix.error) != VB_CANNOT_WRITE)
    _exit(15);
}

START_TEST(full_disk_keeps_what_was_flushed) {
  char text[4096];
  int status = in_child(fill_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
  vb_column c = column(fix.part, "energy/stretch", -1, -1);
  ck_assert_uint_ge(c.n, 4);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq(c.y[i], cos(c.x[i]) * cos(c.x[i]));
  vb_column_free(&c);
  c = column(fix.part, "frames/scale", 0, -1);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq(c.y[i], 1 + FAKE_AMPLITUDE * cos(2 * c.x[i]));
  vb_column_free(&c);
}
END_TEST

/// As above, where the disk only tells when it is too late.
static void fill_boastful_disk(void) {
  boastful_disk = true;
  fill_disk();
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
    _exit(16);
}

START_TEST(disk_full_without_warning) {
  char text[4096];
  int status = in_child(fill_boastful_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert_int_ne(access(fix.path, F_OK), 0);
}
END_TEST

static void create_on_full_disk(void) {
  vb_results *results = NULL;
  limit_files(1 << 19);
  if (vb_results_create(fix.path, &fix.study, &fix.run, &fake_solver_table, &results, &fix.error) !=
      VB_CANNOT_WRITE)
    _exit(10);
  if (vb_index_write(fix.path, &fix.study, &fix.verdict, &fix.error) != VB_CANNOT_WRITE)
    _exit(11);
  if (access(fix.part, F_OK) == 0)
    _exit(12);
}

START_TEST(full_disk_refuses_new_files) {
  char text[4096];
  int status = in_child(create_on_full_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
}
END_TEST

static void gates_on_full_disk(void) {
  limit_files(4096);
  if (vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error) != VB_CANNOT_WRITE)
    _exit(10);
}

START_TEST(full_disk_keeps_a_finished_file) {
  char text[4096], command[200];
  write_run();
  int status = in_child(gates_on_full_disk, text, sizeof text);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with %d: %s", status,
                text);
  ck_assert_str_eq(text, "");
  ck_assert(vb_results_is_current(fix.path, &fix.study, &fix.run));
  snprintf(command, sizeof command, "test -z \"$(ls %s | grep part)\"", fix.folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static void be_killed(void) {
  vb_results *results = create();
  for (int64_t step = 0; step <= 10; step++)
    record_step(results, step);
  vb_results_flush(results, &fix.error);
  record_step(results, 11);
  raise(SIGKILL);
}

START_TEST(kill_keeps_what_was_flushed) {
  char text[4096];
  int status = in_child(be_killed, text, sizeof text);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ck_assert_int_ne(access(fix.path, F_OK), 0);
  expect_status(fix.part, "interrupted");
  vb_column c = column(fix.part, "energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, 11);
  ck_assert_double_eq(c.y[10], cos(0.1) * cos(0.1));
  vb_column_free(&c);
  c = column(fix.part, "frames/scale", 1, -1);
  ck_assert_uint_eq(c.n, 3);
  vb_column_free(&c);
}
END_TEST

static bool has_tool(const char *what, const char *command) {
  char test[200];
  snprintf(test, sizeof test, "%s >/dev/null 2>&1", command);
  if (system(test) == 0)
    return true;
  vb_skip(what, "the tool is not installed");
  return false;
}

/// A finished run with its gates, a second equal one, and the index of the study.
static void write_all(char *second, char *index) {
  char kept[160];
  write_run();
  snprintf(second, 160, "%s/second.h5", fix.folder);
  snprintf(kept, sizeof kept, "%s/kept.h5", fix.folder);
  ck_assert(rename(fix.path, second) == 0);
  write_run();
  ck_assert(!vb_results_write_gates(second, &fix.gate, &fix.verdict, 1, &fix.error));
  ck_assert(!vb_results_write_gates(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  snprintf(index, 160, "%s/wobbles.h5", fix.folder);
  ck_assert(!vb_index_write(index, &fix.study, &fix.verdict, &fix.error));
}

START_TEST(h5py_reads_it) {
  char second[160], index[160], command[1024];
  if (!has_tool("h5py", "/usr/bin/python3 -c 'import h5py'"))
    return;
  write_all(second, index);
  snprintf(command, sizeof command, "/usr/bin/python3 tests/check_results.py %s %s %s", fix.path,
           second, index);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(h5dump_reads_it) {
  char second[160], index[160], command[512];
  if (!has_tool("hdf5-tools", "h5dump --version"))
    return;
  write_all(second, index);
  snprintf(command, sizeof command, "h5dump -H %s >/dev/null && h5dump -H %s >/dev/null", fix.path,
           index);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(paraview_reads_it) {
  char command[512];
  if (!has_tool("paraview", "command -v pvpython"))
    return;
  write_run();
  snprintf(command, sizeof command,
           "pvpython --force-offscreen-rendering tests/check_paraview.py %s/wobbles-a.xdmf",
           fix.folder);
  ck_assert_int_eq(system(command), 0);
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
  ck_assert(!fake_create(fix.run.scene, NULL, 0, &fix.instance, &fix.error));
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
  tcase_add_test(c, more_rows_than_memory_holds);
  tcase_add_test(c, run_without_rows_is_a_file);
  tcase_add_test(c, bare_scene_is_recorded);
  return c;
}

static TCase *files_case(void) {
  TCase *c = tcase_create("files");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, divergence_and_interruption_are_noted);
  tcase_add_test(c, only_the_same_run_is_current);
  tcase_add_test(c, gates_are_replaced);
  tcase_add_test(c, index_leads_to_runs);
  tcase_add_test(c, nothing_is_left_open);
  return c;
}

static TCase *failures_case(void) {
  TCase *c = tcase_create("failures");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, bad_questions_are_refused);
  tcase_add_test(c, foreign_and_damaged_files_are_refused);
  tcase_add_test(c, flipped_bits_are_found);
  tcase_add_test(c, two_writers_are_kept_apart);
  tcase_add_test(c, unknown_fields_are_refused);
  tcase_add_test(c, unwritable_folders_are_refused);
  tcase_add_test(c, full_disk_keeps_what_was_flushed);
  tcase_add_test(c, disk_full_without_warning);
  tcase_add_test(c, full_disk_refuses_new_files);
  tcase_add_test(c, full_disk_keeps_a_finished_file);
  tcase_add_test(c, kill_keeps_what_was_flushed);
  return c;
}

static TCase *readers_case(void) {
  TCase *c = tcase_create("other readers");
  tcase_add_checked_fixture(c, set_up, tear_down);
  // ParaView takes seconds to start.
  tcase_set_timeout(c, 60);
  tcase_add_test(c, h5py_reads_it);
  tcase_add_test(c, h5dump_reads_it);
  tcase_add_test(c, paraview_reads_it);
  return c;
}

VB_TEST_MAIN("results", series_case(), files_case(), failures_case(), readers_case())
