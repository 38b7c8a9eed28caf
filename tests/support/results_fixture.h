// SPDX-License-Identifier: GPL-3.0-or-later
/// A folder of its own for each test, with a study of one run of the fake solver.
#ifndef VB_TESTS_SUPPORT_RESULTS_FIXTURE_H
#define VB_TESTS_SUPPORT_RESULTS_FIXTURE_H

#include "fake_solver.h"
#include "gate/gate_record.h"
#include "study/run.h"
#include "study/study_execute.h"
#include "test.h"

#include <hdf5.h>
#include <math.h>
#include <unistd.h>

#define NODES 5
#define STEPS 20

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

static char *fields[] = {"position", "scale", "velocity", "frame", "ghost"};
static int64_t iterations[] = {1, 2, 4};
static char *run_names[] = {"a"};
static fixture fix;

static inline void set_up_scene(int32_t nodes, int64_t steps) {
  fix.run = (vb_run_plan){.name = "a",
                          .label = "run <a> & co",
                          .scenario = "wobble",
                          .script = "return {} -- \xc3\xa9t\xc3\xa9",
                          .parameters = "{\"n\": 5}",
                          .solver = "fake",
                          .record = {.every = 1,
                                     .frames_every = 5,
                                     .residual = true,
                                     .fields = fields,
                                     .n_fields = 5,
                                     .exact = true},
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
                       .comparator = VB_CLOSE_TO,
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
  ck_assert(!fake_create(NULL, fix.run.scene, NULL, 0, &fix.instance, &fix.error));
}

static inline void set_up(void) {
  memset(&fix, 0, sizeof fix);
  strcpy(fix.folder, "/tmp/vb_results_XXXXXX");
  ck_assert(mkdtemp(fix.folder) != NULL);
  snprintf(fix.path, sizeof fix.path, "%s/wobbles-a.h5", fix.folder);
  snprintf(fix.part, sizeof fix.part, "%s.part", fix.path);
  set_up_scene(NODES, STEPS);
}

static inline void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", fix.folder);
  ck_assert_int_eq(system(command), 0);
  free(fix.run.scene);
  fake_destroy(fix.instance);
}

static inline vb_results *create(void) {
  vb_results *results = NULL;
  vb_status status = vb_run_record(fix.path, &fix.study, &fix.run, &fake_solver_table, fix.instance,
                                   NULL, &results, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  return results;
}

/// The index of the study, whose one run is recorded and whose gate is evaluated.
static inline vb_status write_fixed_index(const char *path) {
  bool evaluated = true;
  vb_run_outcome run = {.recorded = true};
  vb_study_outcome outcome = {.study = &fix.study,
                              .index = (char *)path,
                              .runs = &run,
                              .verdicts = &fix.verdict,
                              .evaluated = &evaluated};
  return vb_study_write_index(&outcome, (vb_shard){0}, &fix.error);
}

static inline double now(void) {
  return fake_time(fix.instance);
}

/// One step and all that is recorded of it.
static inline vb_status record_step(vb_results *results, int64_t step) {
  if (step > 0)
    fake_step(fix.instance, 1, &fix.error);
  vb_status status = vb_results_row(results, fix.instance, now(), &fix.error);
  if (!status && step % fix.run.record.frames_every == 0)
    status = vb_results_frame(results, fix.instance, now(), &fix.error);
  if (!status && step > 0)
    status = vb_results_timing(results, 1e-3 * (double)step, (double[2]){1e-3, 2e-3}, &fix.error);
  return status;
}

static inline void write_run(void) {
  vb_results *results = create();
  int64_t start = 0;
  fake_restore(fix.instance, &start, &fix.error);
  for (int64_t step = 0; step <= STEPS; step++)
    ck_assert(!record_step(results, step));
  for (int i = 0; i < 3; i++)
    ck_assert(!vb_results_convergence(results, fix.instance, iterations[i], 0.5, &fix.error));
  ck_assert_msg(!vb_results_close(results, "complete", NULL, &fix.error), "%s", fix.error.message);
}

static inline vb_column column(const char *path, const char *quantity, int64_t row, int component) {
  vb_column c = {0};
  vb_status status = vb_results_column(path, quantity, row, component, &c, &fix.error);
  ck_assert_msg(!status, "%s", fix.error.message);
  return c;
}

static inline void expect_refusal(const char *path, const char *quantity, int64_t row,
                                  int component, const char *words) {
  vb_column c = {.n = 99};
  ck_assert_int_eq(vb_results_column(path, quantity, row, component, &c, &fix.error), VB_BAD_INPUT);
  ck_assert_msg(strstr(fix.error.message, words) != NULL, "\"%s\" lacks \"%s\"", fix.error.message,
                words);
  ck_assert_uint_eq(c.n, 99);
}

static inline void read_status(const char *path, char *out, size_t size) {
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

static inline void expect_status(const char *path, const char *expected) {
  char status[64];
  read_status(path, status, sizeof status);
  ck_assert_str_eq(status, expected);
}

#endif
