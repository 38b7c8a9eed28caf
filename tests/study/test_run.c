// SPDX-License-Identifier: GPL-3.0-or-later
// The run loop, with a solver whose answers are known.
// Covers: src/study/run_*.[ch] src/study/study.[ch] src/results/run_summary.*
#include "base/signals.h"
#include "fake_solver.h"
#include "figure/outline_frame.h"
#include "gate/gate.h"
#include "results/results_array.h"
#include "results/run_summary.h"
#include "study/run.h"
#include "test.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], path[128];
static char *fields[] = {"position", "scale"};
static char *run_names[] = {"a"};
static vb_run_plan run;
static vb_study study;
static int calls;            ///< of step
static int64_t nan_from;     ///< step from which the energies are not finite, or 0
static const char *broken;   ///< what else is not finite from then on: "work", "force" or null
static int64_t signal_after; ///< step after which a signal comes, or 0

static vb_status counted_step(void *self, int64_t n, vb_error *error) {
  calls++;
  vb_status status = fake_step(self, n, error);
  if (signal_after && ((fake_solver *)self)->step >= signal_after)
    raise(SIGINT);
  return status;
}

static vb_status broken_energies(void *self, double *out, vb_error *error) {
  fake_energies(self, out, error);
  if (nan_from && !broken && ((fake_solver *)self)->step >= nan_from)
    out[0] = NAN;
  return VB_OK;
}

static vb_status broken_work(void *self, double *out, vb_error *error) {
  fake_work(self, out, error);
  if (nan_from && broken && strcmp(broken, "work") == 0 && ((fake_solver *)self)->step >= nan_from)
    out[0] = NAN;
  return VB_OK;
}

static vb_status broken_reactions(void *self, double *force, double *torque, vb_error *error) {
  fake_reactions(self, force, torque, error);
  if (nan_from && broken && strcmp(broken, "force") == 0 && ((fake_solver *)self)->step >= nan_from)
    force[2] = INFINITY;
  return VB_OK;
}

static vb_solver solver(void) {
  vb_solver s = fake_solver_table;
  s.step = counted_step;
  s.energies = broken_energies;
  s.work = broken_work;
  s.reactions = broken_reactions;
  return s;
}

static void plan(int64_t n_steps, int64_t every, int64_t frames_every) {
  vb_error error = {0};
  free(run.scene);
  run = (vb_run_plan){.name = "a",
                      .label = "a",
                      .scenario = "wobble",
                      .script = "return {}",
                      .parameters = "{}",
                      .solver = "fake",
                      .record = {.every = every,
                                 .frames_every = frames_every,
                                 .residual = true,
                                 .fields = fields,
                                 .n_fields = 2}};
  ck_assert_msg(!fake_scene(4, n_steps, &run.scene, &error), "%s", error.message);
}

static void set_up(void) {
  strcpy(folder, "/tmp/vb_run_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/wobbles-a.h5", folder);
  study = (vb_study){.name = "wobbles",
                     .title = "Wobbles",
                     .tier = "quick",
                     .script = "return {}",
                     .runs = &run,
                     .n_runs = 1};
  calls = 0;
  nan_from = signal_after = 0;
  broken = NULL;
  plan(20, 5, 10);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
  free(run.scene);
  run.scene = NULL;
}

static vb_run_result execute(void) {
  vb_error error = {0};
  vb_run_result result;
  vb_solver s = solver();
  vb_status status = vb_run_execute(&study, &run, &s, path, NULL, &result, &error);
  ck_assert_msg(!status, "%s", error.message);
  return result;
}

static vb_column column(const char *quantity, int64_t row, int component) {
  vb_column out = {0};
  vb_error error = {0};
  ck_assert_msg(!vb_results_column(path, quantity, row, component, &out, &error), "%s",
                error.message);
  return out;
}

static void expect_rows(const char *quantity, int64_t row, int component, size_t n,
                        const double *x) {
  vb_column c = column(quantity, row, component);
  ck_assert_uint_eq(c.n, n);
  for (size_t i = 0; i < n; i++)
    ck_assert_double_eq_tol(c.x[i], x[i], 1e-15); // a product of two small numbers
  vb_column_free(&c);
}

START_TEST(rows_and_frames_are_recorded_when_due) {
  plan(23, 5, 10);
  ck_assert_int_eq(execute().status, VB_RUN_COMPLETE);
  expect_rows("energy/stretch", -1, -1, 6, (double[]){0, 0.05, 0.1, 0.15, 0.2, 0.23});
  expect_rows("frames/position", 2, 0, 4, (double[]){0, 0.1, 0.2, 0.23});
  vb_column c = column("timing/step", -1, -1);
  ck_assert_uint_eq(c.n, 23);
  vb_column_free(&c);
  c = column("energy/stretch", -1, -1);
  for (size_t i = 0; i < c.n; i++)
    ck_assert_double_eq_tol(c.y[i], pow(cos(c.x[i]), 2), 1e-15); // rounding of two formulas
  vb_column_free(&c);
}
END_TEST

START_TEST(steps_between_records_are_one_call) {
  plan(2000, 1000, 1000);
  execute();
  // One step to learn the pace, the rest of the first thousand, and the second thousand.
  ck_assert_int_eq(calls, 3);
}
END_TEST

START_TEST(the_phases_of_all_steps_add_up) {
  execute();
  double sum = 0;
  vb_column c = column("timing/phases/solve", -1, -1);
  ck_assert_uint_eq(c.n, 20);
  for (size_t i = 0; i < c.n; i++)
    sum += c.y[i];
  vb_column_free(&c);
  // The fake solver spends 0.75 s per second of its time; each is stored in multiples of 2^-30 s.
  ck_assert_double_eq_tol(sum, 0.75 * 0.2, 20 * 0x1p-31);
}
END_TEST

START_TEST(a_run_without_steps_records_its_start) {
  plan(0, 1, 1);
  ck_assert_int_eq(execute().status, VB_RUN_COMPLETE);
  expect_rows("energy/stretch", -1, -1, 1, (double[]){0});
}
END_TEST

START_TEST(a_divergence_is_a_result) {
  vb_option options[] = {{"diverges_at", "12"}};
  run.options = options;
  run.n_options = 1;
  vb_run_result result = execute();
  ck_assert_int_eq(result.status, VB_RUN_DIVERGED);
  ck_assert_int_eq(result.divergence.step, 12);
  vb_run_summary summary;
  vb_error error = {0};
  ck_assert_msg(!vb_run_summary_read(path, &summary, &error), "%s", error.message);
  ck_assert(summary.diverged);
  ck_assert_str_eq(summary.what, "the fake solver was told to diverge");
  expect_rows("energy/stretch", -1, -1, 3, (double[]){0, 0.05, 0.1});
}
END_TEST

/// A file that another program changed may hold anything: what is no series has no last number.
START_TEST(a_summary_is_safe_from_other_shapes) {
  run.record.residual = true;
  ck_assert_int_eq(execute().status, VB_RUN_COMPLETE);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hsize_t size[4] = {2, 3, 4, 5};
  hid_t space = H5Screate_simple(4, size, NULL);
  ck_assert(H5Ldelete(file, "run/residual", H5P_DEFAULT) >= 0);
  ck_assert(H5Adelete_by_name(file, "run", "convergence_last", H5P_DEFAULT) >= 0);
  hid_t made = H5Dcreate2(file, "run/residual", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT);
  ck_assert(made >= 0);
  H5Dclose(made);
  H5Sclose(space);
  H5Fclose(file);
  vb_run_summary summary;
  vb_error error = {0};
  ck_assert_msg(!vb_run_summary_read(path, &summary, &error), "%s", error.message);
  ck_assert(isnan(summary.residual));
}
END_TEST

START_TEST(an_energy_that_is_not_finite_is_a_divergence) {
  nan_from = 8;
  vb_run_result result = execute();
  ck_assert_int_eq(result.status, VB_RUN_DIVERGED);
  ck_assert_str_eq(result.divergence.what, "energy stretch is not finite after step 10");
  expect_rows("energy/stretch", -1, -1, 2, (double[]){0, 0.05});
}
END_TEST

START_TEST(work_and_force_that_are_not_finite_are_a_divergence) {
  static const char *const cases[][2] = {{"work", "work/"}, {"force", "reaction/force is"}};
  for (int i = 0; i < 2; i++) {
    nan_from = 8;
    broken = cases[i][0];
    vb_run_result result = execute();
    ck_assert_int_eq(result.status, VB_RUN_DIVERGED);
    ck_assert_int_eq(result.divergence.step, 10);
    ck_assert_ptr_eq(strstr(result.divergence.what, cases[i][1]), result.divergence.what);
    ck_assert_ptr_nonnull(strstr(result.divergence.what, " is not finite after step 10"));
    expect_rows("energy/stretch", -1, -1, 2, (double[]){0, 0.05});
  }
}
END_TEST

START_TEST(a_convergence_plan_starts_each_count_from_one_state) {
  int64_t counts[] = {1, 3, 10};
  run.convergence = (vb_convergence_plan){.after = 4, .iterations = counts, .n = 3};
  ck_assert_int_eq(execute().status, VB_RUN_COMPLETE);
  vb_column c = column("convergence/energy/stretch", -1, -1);
  ck_assert_uint_eq(c.n, 3);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq(c.x[i], (double)counts[i]);
    ck_assert_double_eq_tol(c.y[i], pow(cos(0.05), 2), 1e-15); // one step after the fourth
  }
  vb_column_free(&c);
  expect_rows("energy/stretch", -1, -1, 5, (double[]){0, 0.05, 0.1, 0.15, 0.2});
  c = column("convergence/wall_time", -1, -1);
  for (int i = 0; i < 3; i++)
    ck_assert(c.y[i] > 0 && c.y[i] < 1);
  vb_column_free(&c);
}
END_TEST

/// A fake solver with the option `tolerance`, by which its residuals 0.5^step are judged.
static const char *tolerance = "0.1";
static vb_solver_description tolerant;
static int64_t evaluated_by_itself; ///< steps, or 0: it has the call, and leaves it to residuals
static int64_t missed_by_itself;    ///< of these

static const vb_solver_description *describe_tolerant(const vb_solver *s) {
  static const vb_option_info option = {"tolerance", "0.1", NULL,  0,
                                        1,           false, false, "ends a step"};
  tolerant = *fake_describe(s);
  tolerant.options = &option;
  tolerant.n_options = 1;
  return &tolerant;
}

static vb_status get_tolerance(void *self, const char *name, char *out, size_t size,
                               vb_error *error) {
  (void)self, (void)name, (void)error;
  snprintf(out, size, "%s", tolerance);
  return VB_OK;
}

/// Energies that rise by 1 J in step 3 and fall in the next.
static vb_status rising_energies(void *self, double *out, vb_error *error) {
  (void)error;
  out[0] = ((fake_solver *)self)->step == 3;
  out[1] = 1;
  return VB_OK;
}

static vb_status no_work(void *self, double *out, vb_error *error) {
  (void)self, (void)error;
  memset(out, 0, 4 * sizeof *out); // of a driver and three loads
  return VB_OK;
}

/// Runs 8 steps of bodies that may touch each other, or not, while the energy rises.
static vb_run_summary run_rising(bool contact) {
  vb_solver s = solver();
  vb_error error = {0};
  vb_run_result result;
  vb_run_summary summary;
  plan(8, 1, 8);
  free(run.scene);
  ck_assert(!fake_contact_scene(4, 8, contact, &run.scene, NULL));
  s.energies = rising_energies;
  s.work = no_work;
  ck_assert_msg(!vb_run_execute(&study, &run, &s, path, NULL, &result, &error), "%s",
                error.message);
  ck_assert_msg(!vb_run_summary_read(path, &summary, &error), "%s", error.message);
  return summary;
}

/// Energy from nothing tells that contacts did not converge, where there is no tolerance, too.
START_TEST(energy_from_nothing_is_no_convergence) {
  vb_run_summary s = run_rising(true);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 1);
  ck_assert_double_eq(s.energy_gain, 1);
  ck_assert_ptr_nonnull(strstr(s.warning, "contacts added 1 of the energy"));
  s = run_rising(false);
  ck_assert_str_eq(s.convergence, "not judged");
  ck_assert_double_eq(s.energy_gain, 1);
}
END_TEST

/// What the study states.
static double stated;

static vb_status own_convergence(void *self, vb_convergence *out, vb_error *error) {
  (void)self, (void)error;
  *out = (vb_convergence){evaluated_by_itself, missed_by_itself, 0.75, strtod(tolerance, NULL), ""};
  return VB_OK;
}

/// Runs 8 steps; whether they converged, as the summary of the file has it.
static vb_run_summary run_tolerant(int64_t every, bool residual, const char *given, bool own) {
  vb_solver s = solver();
  vb_error error = {0};
  vb_run_result result;
  vb_run_summary summary;
  plan(8, every, 8);
  run.record.residual = residual;
  run.record.converged = stated;
  tolerance = given;
  s.describe = describe_tolerant;
  s.get_option = get_tolerance;
  s.convergence = own ? own_convergence : NULL;
  ck_assert_msg(!vb_run_execute(&study, &run, &s, path, NULL, &result, &error), "%s",
                error.message);
  ck_assert_msg(!vb_run_summary_read(path, &summary, &error), "%s", error.message);
  return summary;
}

START_TEST(steps_are_judged_by_the_tolerance) {
  execute();
  vb_run_summary s;
  ck_assert_int_eq(vb_run_summary_read(path, &s, NULL), VB_OK);
  ck_assert_str_eq(s.convergence, "not judged"); // there is no tolerance
  s = run_tolerant(1, true, "0.1", false);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 3); // 0.5, 0.25, 0.125
  ck_assert_double_eq(s.worst, 0.5);
  s = run_tolerant(3, true, "0.1", false);
  ck_assert_int_eq(s.missed, 1); // after 3 steps, not after 6 and 8
  ck_assert_double_eq(s.worst, 0.125);
  s = run_tolerant(3, true, "0.2", false);
  ck_assert_str_eq(s.convergence, "yes");
  ck_assert_int_eq(s.missed, 0);
  s = run_tolerant(3, false, "0.1", false); // residuals that no row holds are found, too
  ck_assert_int_eq(s.missed, 1);
  ck_assert_double_eq(s.worst, 0.125);
  ck_assert_double_eq(s.residual, pow(0.5, 8));
  s = run_tolerant(1, true, "0", false);
  ck_assert_str_eq(s.convergence, "not judged");
  s = run_tolerant(3, false, "0", false); // the residual is told all the same
  ck_assert_str_eq(s.convergence, "not judged");
  ck_assert_double_eq(s.residual, pow(0.5, 8));
}
END_TEST

START_TEST(a_solver_that_judges_itself_is_believed) {
  evaluated_by_itself = 8, missed_by_itself = 4;
  vb_run_summary s = run_tolerant(1, true, "1e-9", true);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 4);
  ck_assert_double_eq(s.worst, 0.75);
  evaluated_by_itself = 1, missed_by_itself = 0;
  ck_assert_str_eq(run_tolerant(1, true, "1e-9", true).convergence, "yes");
  stated = 0.2; // by the study: then the residuals are looked at
  s = run_tolerant(1, false, "1e-9", true);
  ck_assert_int_eq(s.missed, 2);
  ck_assert_double_eq(s.worst, 0.5);
  stated = 0;
  evaluated_by_itself = 2, missed_by_itself = 1; // of two, where residuals tell of 8 that did not
  s = run_tolerant(1, true, "1", true);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 1);
  ck_assert_double_eq(s.worst, 0.75);
  evaluated_by_itself = missed_by_itself = 0; // it gives a tolerance, or none
  ck_assert_int_eq(run_tolerant(1, true, "0.1", true).missed, 3);
  ck_assert_str_eq(run_tolerant(1, true, "0", true).convergence, "not judged");
}
END_TEST

/// What a solver finds that residuals do not tell is never lost: not where all residuals are small,
/// nor where the study states which are, nor where nothing else is judged.
START_TEST(steps_that_a_solver_knows_to_have_missed_count) {
  evaluated_by_itself = missed_by_itself = 5;
  vb_run_summary s = run_tolerant(1, true, "1", true);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 5);
  s = run_tolerant(1, true, "0", true);
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 5);
  stated = 1;
  s = run_tolerant(1, true, "1", true);
  stated = 0;
  ck_assert_str_eq(s.convergence, "no");
  ck_assert_int_eq(s.missed, 5);
  ck_assert_double_eq(s.worst, 0.75);
  evaluated_by_itself = missed_by_itself = 2; // residuals tell of 3
  ck_assert_int_eq(run_tolerant(1, true, "0.1", true).missed, 3);
  evaluated_by_itself = missed_by_itself = 0;
}
END_TEST

START_TEST(a_signal_stops_the_run_and_keeps_its_record) {
  signal_after = 12;
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    vb_error error = {0};
    vb_run_result result;
    vb_solver s = solver();
    vb_signals_install();
    vb_status status = vb_run_execute(&study, &run, &s, path, NULL, &result, &error);
    _exit(!status && result.status == VB_RUN_INTERRUPTED ? vb_signal_caught() : 100);
  }
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert(WIFEXITED(ended));
  ck_assert_int_eq(WEXITSTATUS(ended), SIGINT);
  ck_assert_int_ne(access(path, F_OK), 0);
  strcat(path, ".part");
  vb_run_summary summary;
  vb_error error = {0};
  ck_assert_msg(!vb_run_summary_read(path, &summary, &error), "%s", error.message);
  ck_assert_str_eq(summary.status, "interrupted");
  expect_rows("energy/stretch", -1, -1, 4, (double[]){0, 0.05, 0.1, 0.15});
}
END_TEST

START_TEST(unsupported_features_are_reported_first) {
  vb_option options[] = {{"method", "magic"}};
  run.options = options;
  run.n_options = 1;
  vb_error error = {0};
  vb_run_result result;
  vb_solver s = solver();
  ck_assert_int_eq(vb_run_execute(&study, &run, &s, path, NULL, &result, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "magic"));
  ck_assert_int_eq(calls, 0);
  ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(missing_folder_is_cannot_write) {
  vb_error error = {0};
  vb_run_result result;
  vb_solver s = solver();
  snprintf(path, sizeof path, "%s/missing/wobbles-a.h5", folder);
  ck_assert_int_eq(vb_run_execute(&study, &run, &s, path, NULL, &result, &error), VB_CANNOT_WRITE);
  ck_assert_ptr_nonnull(strstr(error.message, "missing"));
}
END_TEST

START_TEST(gate_is_evaluated_on_the_record) {
  plan(200, 1, 200);
  execute();
  const char *paths[] = {path};
  // cos(t)^2 - 1/2 = cos(2 t) / 2: an oscillation of 2 rad/s.
  vb_gate gate = {.quantity = "energy/stretch",
                  .row = -1,
                  .component = -1,
                  .origin = 0.5,
                  .measure = VB_MEASURE_FREQUENCY,
                  .from = -INFINITY,
                  .to = INFINITY,
                  .runs = run_names,
                  .n_runs = 1,
                  .comparator = VB_CLOSE_TO,
                  .reference = 2,
                  .tolerance = 1e-10,
                  .relative = true};
  vb_verdict verdict;
  vb_gate_evaluate(&gate, paths, &verdict);
  ck_assert_msg(verdict.passed, "%.17g %s", verdict.value, verdict.note);
  gate.reference = 2.001;
  vb_gate_evaluate(&gate, paths, &verdict);
  ck_assert(!verdict.passed);
}
END_TEST

START_TEST(frames_are_read_by_number_from_either_end) {
  execute();
  vb_array first, last, segment;
  vb_error error = {0};
  ck_assert(!vb_results_array(path, "/run/frames/position", 0, &first, &error));
  ck_assert_msg(!vb_results_array(path, "/run/frames/position", -1, &last, &error), "%s",
                error.message);
  ck_assert(!vb_results_array(path, "/topology/segment", VB_NO_FRAME, &segment, &error));
  ck_assert_uint_eq(first.n, 7);
  ck_assert_uint_eq(first.width, 3);
  ck_assert_str_eq(first.unit, "m");
  ck_assert_uint_eq(segment.width, 2);
  for (size_t i = 0; i < 4; i++) {
    // Numbers of order one in multiples of 2^-32.
    double x = 0.1 * (double)i, wave = FAKE_AMPLITUDE * sin(2 * 0.2 + (double)i);
    ck_assert_double_eq_tol(first.values[3 * i], x + FAKE_AMPLITUDE * sin((double)i), 0x1p-33);
    ck_assert_double_eq_tol(last.values[3 * i], x + wave, 0x1p-33);
  }
  vb_array_free(&first);
  ck_assert_int_eq(vb_results_array(path, "/run/frames/position", 3, &first, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "no frame 3"));
  vb_array_free(&last);
  vb_array_free(&segment);
}
END_TEST

/// How far a point is from the segment between a and b, in disc radii that go from ra to rb.
static double least_gap(const double p[2], const double a[2], double ra, const double b[2],
                        double rb) {
  double least = INFINITY;
  for (int i = 0; i <= 10000; i++) {
    double t = i / 10000.0;
    double x = a[0] + t * (b[0] - a[0]), y = a[1] + t * (b[1] - a[1]);
    least = fmin(least, hypot(p[0] - x, p[1] - y) - (ra + t * (rb - ra)));
  }
  return least;
}

START_TEST(outlines_lie_on_the_hull_of_two_discs) {
  const double a[2] = {1, 2}, b[2] = {3, 1}, inside[2] = {1.2, 2};
  double corner[VB_OUTLINE_CORNERS][2];
  vb_outline_hull(a, 0.5, b, 0.2, corner);
  for (int i = 0; i < VB_OUTLINE_CORNERS; i++)
    // 1e-7: the hull is searched at 10000 points, to second order in their spacing.
    ck_assert_double_eq_tol(least_gap(corner[i], a, 0.5, b, 0.2), 0, 1e-7);
  ck_assert_double_eq(corner[0][0], corner[VB_OUTLINE_CORNERS - 1][0]);
  vb_outline_hull(inside, 0.1, a, 0.5, corner);
  for (int i = 0; i < VB_OUTLINE_CORNERS; i++)
    ck_assert_double_eq_tol(hypot(corner[i][0] - 1, corner[i][1] - 2), 0.5, 1e-15); // rounding
}
END_TEST

static TCase *loop(void) {
  TCase *tests = tcase_create("loop");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, rows_and_frames_are_recorded_when_due);
  tcase_add_test(tests, steps_between_records_are_one_call);
  tcase_add_test(tests, the_phases_of_all_steps_add_up);
  tcase_add_test(tests, a_run_without_steps_records_its_start);
  tcase_add_test(tests, a_divergence_is_a_result);
  tcase_add_test(tests, a_summary_is_safe_from_other_shapes);
  tcase_add_test(tests, an_energy_that_is_not_finite_is_a_divergence);
  tcase_add_test(tests, work_and_force_that_are_not_finite_are_a_divergence);
  tcase_add_test(tests, a_convergence_plan_starts_each_count_from_one_state);
  tcase_add_test(tests, steps_are_judged_by_the_tolerance);
  tcase_add_test(tests, a_solver_that_judges_itself_is_believed);
  tcase_add_test(tests, energy_from_nothing_is_no_convergence);
  tcase_add_test(tests, steps_that_a_solver_knows_to_have_missed_count);
  tcase_add_test(tests, a_signal_stops_the_run_and_keeps_its_record);
  tcase_add_test(tests, unsupported_features_are_reported_first);
  tcase_add_test(tests, missing_folder_is_cannot_write);
  return tests;
}

static TCase *reading(void) {
  TCase *tests = tcase_create("reading");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, gate_is_evaluated_on_the_record);
  tcase_add_test(tests, frames_are_read_by_number_from_either_end);
  tcase_add_test(tests, outlines_lie_on_the_hull_of_two_discs);
  return tests;
}

VB_TEST_MAIN("run", loop(), reading())
