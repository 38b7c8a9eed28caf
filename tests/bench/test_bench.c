// SPDX-License-Identifier: GPL-3.0-or-later
/// Cases are measured as they say: what is timed, what has no speed, what is written.
/// Covers: src/bench/accuracy.c src/bench/case_values.* src/bench/machine* src/bench/measure_case.*
/// Covers: src/bench/rates.* src/bench/sample.c src/bench/scaling.c src/bench/timed_solver.*
/// Covers: src/base/clock.*
#include "bench/bench_report.h"
#include "bench/measure_case.h"
#include "bench/rates.h"
#include "results/results_array.h"

#include "lua_fixture.h"
#include "narrow_terminal.h"

#include <jansson.h>
#include <math.h>

/// Three cases over one scene; `statements` go into the scene.
#define STUDY(statements)                                                                          \
  "return {title = 'a bar swings', parameters = {n = 5}, build = function(p)\n"                    \
  "local s = vb.scene{step = 0.01, steps = 10, gravity = {0, 0, -10}}\n"                           \
  "local r = s:rod{nodes = p.n, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"                 \
  "  density = 1000, material = {E = 1e6, nu = 0.3}}\n"                                            \
  "s:pin{node = r.first, components = 'xyz'}\n"                                                    \
  "s:record{every = 20, frames = 10}\n" statements "\n"                                            \
  "return s end,\n"                                                                                \
  "runs = function(p, tier) return {\n"                                                            \
  "  {name = 'direct.a', method = 'direct', tolerance = 0, iterations = 5},\n"                     \
  "  {name = 'xpbd.a', method = 'xpbd', iterations = 3},\n"                                        \
  "  {name = 'direct.b', method = 'direct', tolerance = 0, iterations = 5, parameters = {n = "     \
  "9}},\n"                                                                                         \
  "} end}"

/// A small measurement: windows and times short enough for a test.
typedef struct fixture {
  vb_study *study;
  vb_bench bench;
  vb_machine machine;
  char folder[32];
} fixture;

/// Gives the windows of a case the same time; or, shaken, a third of them twice that. A busy
/// machine disturbs wall times, which are not what is tested here.
static void even_out(vb_bench_case *c, bool shaken) {
  for (size_t i = 0; i < c->n_windows && c->step_s.median > 0; i++)
    c->windows[i].wall_s = c->step_s.median * (double)c->steps * (shaken && i % 3 == 0 ? 2 : 1);
}

static fixture measure(const char *text) {
  fixture f = {.study = load_good(text)};
  strcpy(f.folder, "/tmp/vb_bench_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(f.folder));
  f.machine.last_cache = 1 << 20;
  vb_provenance_collect(&f.machine.origin);
  f.bench = (vb_bench){.study = f.study, .limits = vb_bench_limits_of("quick")};
  vb_bench_limits *limits = &f.bench.limits;
  limits->window_s = 1e-3;
  limits->warm_s = 0.01;
  limits->sample_s = 0.05;
  limits->accuracy_s = 0.05;
  vb_bench_shared shared = {
      .study = f.study, .limits = limits, .folder = f.folder, .machine = &f.machine};
  f.bench.cases = calloc(f.study->n_runs, sizeof *f.bench.cases);
  ck_assert_ptr_nonnull(f.bench.cases);
  for (size_t i = 0; i < f.study->n_runs; i++) {
    vb_error error = {0};
    vb_status status = vb_bench_measure(&shared, i, &f.bench.cases[i], &error);
    ck_assert_msg(status == VB_OK, "%s", error.message);
    even_out(&f.bench.cases[i], false);
    f.bench.n_cases++;
  }
  vb_bench_shared_free(&shared);
  return f;
}

static void end(fixture *f) {
  vb_bench_free(&f->bench);
  vb_study_destroy(f->study);
  ck_assert_int_eq(rmdir(f->folder), 0); // and so nothing was left behind
}

/// Each timed step moves the surface, which costs time and changes nothing else.
START_TEST(steps_may_move_skins) {
  fixture f = measure(STUDY(
      "s:surface{vertices = {{0, 0, 0.2}, {1, 0, 0.2}, {0, 0.3, 0}}, triangles = {{0, 1, 2}}}\n"
      "s:bench{after = 7, skins = true}"));
  ck_assert(f.study->runs[0].bench.moves_skin);
  for (size_t i = 0; i < f.bench.n_cases; i++)
    ck_assert(f.bench.cases[i].repeated && f.bench.cases[i].gates_passed &&
              vb_bench_has_speed(&f.bench.cases[i]));
  end(&f);
}
END_TEST

START_TEST(measures_all_quantities) {
  fixture f = measure(STUDY("s:bench{after = 7, accuracy = true}"));
  const vb_bench_case *c = &f.bench.cases[0];
  ck_assert_int_ge(c->steps, 50);
  ck_assert_uint_ge(c->n_windows, 1);
  for (size_t i = 0; i < c->n_windows; i++)
    ck_assert(c->windows[i].valid && c->windows[i].wall_s > 0);
  ck_assert(c->repeated && c->gates_passed && vb_bench_has_speed(c));
  ck_assert_int_eq(c->dofs, 4 * 5 + 3 * 4 - 3);
  ck_assert_double_eq_tol(vb_bench_dof_hz(c), (double)c->dofs / c->step_s.median, 1e-6);
  ck_assert_str_eq(c->settings.method, "direct");
  ck_assert_str_eq(c->settings.backend, "cpu"); // direct runs nowhere else
  ck_assert_int_eq(c->settings.iterations, 5);
  ck_assert_int_eq(c->settings.substeps, 1);
  ck_assert_int_gt((int64_t)c->n_single, 49);
  // Five Gauss-Newton iterations leave little, three sweeps much.
  ck_assert_double_lt(c->residual, 1e-3);
  ck_assert_double_gt(f.bench.cases[1].residual, 10 * c->residual);
  ck_assert_double_ge(c->greatest_residual, c->residual);
  // The rod falls, and the last step leaves a part of its motion unsolved.
  ck_assert_double_gt(c->motion, 0);
  ck_assert_double_lt(vb_bench_unsolved(c), 1e-3);
  ck_assert_double_gt(vb_bench_unsolved(&f.bench.cases[1]), 10 * vb_bench_unsolved(c));
  end(&f);
}
END_TEST

/// No DOF Hz where nothing tells what accuracy it buys.
START_TEST(no_speed_without_accuracy) {
  fixture f = measure(STUDY("s:bench{after = 7}"));
  vb_bench_case *c = &f.bench.cases[0];
  ck_assert(vb_bench_dof_hz(c) > 0);
  c->residual = NAN;
  ck_assert(vb_bench_dof_hz(c) > 0);
  c->distance = NAN;
  ck_assert(isnan(vb_bench_dof_hz(c)) && vb_bench_has_speed(c));
  end(&f);
}
END_TEST

START_TEST(times_residuals_from_one_state) {
  fixture f = measure(STUDY("s:bench{after = 7, accuracy = true}"));
  const vb_bench_accuracy *direct = &f.bench.cases[0].accuracy, *xpbd = &f.bench.cases[1].accuracy;
  ck_assert_str_eq(direct->start, "direct.a");
  ck_assert_str_eq(xpbd->start, "direct.a");
  ck_assert_str_eq(f.bench.cases[2].accuracy.start, "direct.b");
  ck_assert_uint_ge(direct->n, 2);
  ck_assert_double_eq(direct->iterations[0], 1);
  ck_assert_double_le(direct->residual[direct->n - 1], 1e-6);
  for (int k = 0; k < VB_BENCH_TARGETS; k++) {
    double best = INFINITY;
    for (size_t i = 0; i < direct->n; i++)
      if (direct->residual[i] <= vb_bench_target[k])
        best = fmin(best, direct->wall_s[i]);
    ck_assert_double_eq(direct->time_s[k], best);
  }
  // No iteration removes the residual of xpbd (see src/viper/method/README.md).
  ck_assert(isnan(xpbd->time_s[2]));
  end(&f);
}
END_TEST

START_TEST(missed_findings_keep_the_speed) {
  fixture f = measure(
      STUDY("s:bench{after = 7}\n"
            "s:gate{name = 'tight', quantity = 'stretch_error/max', measure = 'maximum_abs', "
            "at_most = 1e-9, finding = true, reason = 'to miss'}"));
  for (size_t i = 0; i < f.bench.n_cases; i++) {
    const vb_bench_case *c = &f.bench.cases[i];
    ck_assert(c->evaluated[i] && !c->verdicts[i].passed);
    ck_assert(c->gates_passed && vb_bench_has_speed(c));
  }
  end(&f);
}
END_TEST

START_TEST(failed_gates_remove_the_speed) {
  fixture f = measure(
      STUDY("s:bench{after = 7}\n"
            "s:gate{name = 'tight', quantity = 'stretch_error/max', measure = 'maximum_abs', "
            "at_most = 1e-9, reason = 'to fail'}\n"
            "s:gate{name = 'still', quantity = 'frames/position', node = 0, component = 'x', "
            "measure = 'final', near = 0, tolerance = 0, absolute = true, reason = 'pinned'}"));
  for (size_t i = 0; i < f.bench.n_cases; i++) {
    const vb_bench_case *c = &f.bench.cases[i];
    ck_assert(!c->gates_passed && !vb_bench_has_speed(c));
    ck_assert(isnan(vb_bench_dof_hz(c)));
    ck_assert_str_eq(vb_bench_remark(c), "GATE FAILED");
    ck_assert(c->evaluated[2 * i] && c->evaluated[2 * i + 1] && !c->evaluated[(2 * i + 2) % 6]);
    ck_assert(!c->verdicts[2 * i].passed && c->verdicts[2 * i + 1].passed);
  }
  end(&f);
}
END_TEST

START_TEST(reports_a_divergence) {
  // A section pressed to less than its lower bound of 0.05 in scale.
  fixture f = measure(STUDY("s:bench{after = 1}\n"
                            "s:load{node = 2, scale_force = -1e9}"));
  const vb_bench_case *c = &f.bench.cases[0];
  ck_assert(c->divergence.diverged);
  ck_assert(!vb_bench_has_speed(c));
  ck_assert_str_eq(vb_bench_remark(c), "DIVERGED");
  end(&f);
}
END_TEST

/// A dataset of one number in a benchmark's file.
static double stored(const char *path, const char *name) {
  vb_array array;
  ck_assert_int_eq(vb_results_array(path, name, VB_NO_FRAME, &array, NULL), VB_OK);
  double value = array.values[0];
  vb_array_free(&array);
  return value;
}

START_TEST(an_unstable_case_is_timed_and_has_no_speed) {
  fixture f = measure(STUDY("s:bench{after = 7}"));
  vb_bench_case *c = &f.bench.cases[1];
  char path[64], *text = NULL;
  size_t size = 0;
  even_out(c, true);
  ck_assert_str_eq(vb_bench_remark(c), "UNSTABLE");
  ck_assert(vb_bench_has_time(c) && !vb_bench_has_speed(c));
  snprintf(path, sizeof path, "%s/bench.h5", f.folder);
  ck_assert_int_eq(vb_bench_write(path, &f.bench, &f.machine, "complete", NULL), VB_OK);
  ck_assert_double_eq(stored(path, "/bench/xpbd.a/speed/step_time"), c->step_s.median);
  ck_assert(isnan(stored(path, "/bench/xpbd.a/speed/dof_hz")));
  ck_assert(isnan(stored(path, "/bench/xpbd.a/speed/dof_iterations_hz")));
  ck_assert(isnan(stored(path, "/bench/xpbd.a/speed/real_time_factor")));
  ck_assert(isnan(stored(path, "/bench/xpbd.a/floor/multiple")));
  ck_assert(stored(path, "/bench/direct.a/speed/dof_hz") > 0);
  unlink(path);
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(vb_bench_report_cases(stream, &f.bench, NULL), VB_OK);
  ck_assert_int_eq(vb_bench_report_ratios(stream, &f.bench, 1, "direct", NULL), VB_OK);
  fclose(stream);
  double ms;
  char width[16];   // "-" where too few windows were undisturbed for an interval
  char part[3][16]; // "-" where the machine left no time for single steps
  char rate[3][16], residual[16], unsolved[16], remark[16];
  const char *row = strstr(text, "  xpbd.a ");
  ck_assert_ptr_nonnull(row);
  ck_assert_int_eq(sscanf(row, " xpbd.a %lf %15s %15s %15s %15s %15s %15s %15s %15s %15s %15s", &ms,
                          width, part[0], part[1], part[2], rate[0], rate[1], rate[2], residual,
                          unsolved, remark),
                   11);
  for (int i = 0; i < 3; i++) {
    ck_assert_str_eq(rate[i], "-");
    ck_assert(strcmp(part[i], "-") == 0 || strtod(part[i], NULL) > 0);
  }
  ck_assert_str_eq(remark, "UNSTABLE");
  ck_assert_ptr_null(strstr(strstr(text, "speed over that of direct"), "xpbd"));
  free(text);
  end(&f);
}
END_TEST

/// The number of fields of the line; none has commas in it.
static size_t count_fields(const char *line) {
  size_t n = 1;
  for (bool quoted = false; *line && *line != '\n'; line++) {
    quoted ^= *line == '"';
    n += *line == ',' && !quoted;
  }
  return n;
}

START_TEST(prints_a_row_for_each_case) {
  fixture f = measure(STUDY("s:bench{after = 7, accuracy = true}"));
  f.study->runs[0].bench.accuracy = false; // so that rows lack what others have
  char *text = NULL;
  size_t size = 0, n = 0;
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(vb_bench_csv(stream, &f.bench, 1, NULL), VB_OK);
  fclose(stream);
  ck_assert_ptr_eq(strstr(text, "study,case,label,"), text);
  ck_assert_ptr_nonnull(strstr(text, ",dofs[1],"));
  ck_assert_ptr_nonnull(strstr(text, ",accuracy/start"));
  ck_assert_ptr_nonnull(strstr(text, ",speed/step_time[s],"));
  ck_assert_ptr_nonnull(strstr(text, ",xpbd.a,xpbd.a,"));
  for (const char *line = text; *line; line = strchr(line, '\n') + 1, n++)
    ck_assert_uint_eq(count_fields(line), count_fields(text));
  ck_assert_uint_eq(n, 4);
  free(text);
  end(&f);
}
END_TEST

START_TEST(tables_fit_a_terminal) {
  static char text[1 << 14];
  fixture f = measure(STUDY("s:bench{after = 7, accuracy = true}"));
  narrow_terminal terminal = open_narrow();
  vb_bench_report_machine(terminal.stream, &f.machine);
  ck_assert_int_eq(vb_bench_report_cases(terminal.stream, &f.bench, NULL), VB_OK);
  vb_bench_report_rates(terminal.stream, &f.machine);
  ck_assert_int_eq(vb_bench_report_ratios(terminal.stream, &f.bench, 1, "direct", NULL), VB_OK);
  vb_bench_warn_of_others(terminal.stream, 0.5);
  close_narrow(&terminal, text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "ms to residual"));
  ck_assert_ptr_nonnull(strstr(text, "\n  xpbd.a "));
  ck_assert_ptr_nonnull(strstr(text, "WARNING: other processes use 50 % of"));
  end(&f);
}
END_TEST

START_TEST(writes_hdf5_and_json) {
  fixture f = measure(STUDY("s:bench{after = 7, accuracy = true}"));
  char path[64];
  vb_error error = {0};
  vb_array array;
  vb_texts texts;
  snprintf(path, sizeof path, "%s/bench.h5", f.folder);
  vb_status status = vb_bench_write(path, &f.bench, &f.machine, "complete", &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  ck_assert_int_eq(
      vb_results_array(path, "/bench/xpbd.a/windows/wall_time", VB_NO_FRAME, &array, NULL), VB_OK);
  ck_assert_uint_eq(array.n, f.bench.cases[1].n_windows);
  ck_assert_double_eq(array.values[0], f.bench.cases[1].windows[0].wall_s);
  ck_assert_str_eq(array.unit, "s");
  vb_array_free(&array);
  ck_assert_int_eq(vb_results_texts(path, "/bench/direct.a/stop_reason", &texts, NULL), VB_OK);
  ck_assert_str_eq(texts.texts[0], vb_stop_word(f.bench.cases[0].stop));
  vb_texts_free(&texts);
  unlink(path);

  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(vb_bench_json(stream, &f.bench, 1, &f.machine, 0, &error), VB_OK);
  fclose(stream);
  json_t *document = json_loads(text, 0, NULL);
  json_t *first = json_array_get(
      json_object_get(json_array_get(json_object_get(document, "studies"), 0), "cases"), 0);
  json_t *windows = json_object_get(json_object_get(first, "windows"), "wall_time");
  ck_assert_uint_eq(json_array_size(windows), f.bench.cases[0].n_windows);
  ck_assert_double_eq(json_real_value(json_object_get(json_object_get(first, "speed"), "dof_hz")),
                      vb_bench_dof_hz(&f.bench.cases[0]));
  json_decref(document);
  free(text);
  end(&f);
}
END_TEST

/// Cases by hand: times t0 + dofs / r.  The plan owns its name.
// NOLINTNEXTLINE(readability-non-const-parameter)
static vb_bench_case made_case(vb_run_plan *run, char *name, int64_t bodies, int64_t nodes,
                               double step_s) {
  *run = (vb_run_plan){.name = name};
  vb_bench_case c = {.run = run, .bodies = bodies, .nodes = bodies * nodes, .steps = 50};
  c.dofs = 7 * c.nodes;
  c.repeated = c.gates_passed = true;
  c.step_s = (vb_interval){.median = step_s, .low = step_s, .high = step_s};
  snprintf(c.scene_sha256, sizeof c.scene_sha256, "%lld of %lld", (long long)bodies,
           (long long)nodes);
  return c;
}

START_TEST(finds_series_and_ratios) {
  char names[10][16] = {"a.1", "a.2", "a.3", "a.4", "a.5", "b.1", "b.2", "a.6", "a.7", "b.3"};
  vb_run_plan run[10];
  vb_timing_window shaken[] = {{.wall_s = 1e9}};
  vb_bench_case cases[10] = {
      made_case(&run[0], names[0], 100, 10, 1 + 7000 / 1e3),
      made_case(&run[1], names[1], 1, 10, 1 + 70 / 1e3),
      made_case(&run[2], names[2], 10, 10, 1 + 700 / 1e3),
      made_case(&run[3], names[3], 1, 20, 3),
      made_case(&run[4], names[4], 1, 30, 4),
      made_case(&run[5], names[5], 10, 10, 0.85),
      made_case(&run[6], names[6], 1, 20, 12),
      made_case(&run[7], names[7], 1000, 10, 1e6),
      made_case(&run[8], names[8], 3000, 10, 1e6),
      made_case(&run[9], names[9], 100, 10, 1e6),
  };
  cases[7].gates_passed = false;                // no speed, no part
  cases[8].windows = cases[9].windows = shaken; // unstable: likewise
  cases[8].n_windows = cases[9].n_windows = 1;
  vb_bench bench = {.cases = cases, .n_cases = 10};
  size_t scenes;
  ck_assert_int_eq(vb_bench_scaling_find(&bench, NULL), VB_OK);
  ck_assert_uint_eq(bench.n_scaling, 2);
  const vb_bench_scaling *list = bench.scaling;
  ck_assert_str_eq(list[0].name, "a.bodies");
  ck_assert_uint_eq(list[0].n, 3);
  ck_assert(list[0].fixed == 10 && list[0].size[2] == 100 && list[0].dofs[0] == 70);
  ck_assert(list[0].fitted);
  ck_assert_double_eq_tol(list[0].cost.offset, 1, 1e-9); // rounding of a least-squares fit
  ck_assert_double_eq_tol(list[0].cost.rate, 1e3, 1e-6);
  ck_assert_str_eq(list[1].name, "a.nodes");
  ck_assert_uint_eq(list[1].n, 3);
  // With two left there is no series, and so no fit.
  cases[0].windows = shaken;
  cases[0].n_windows = 1;
  ck_assert_int_eq(vb_bench_scaling_find(&bench, NULL), VB_OK);
  ck_assert(bench.n_scaling == 1 && strcmp(bench.scaling[0].name, "a.nodes") == 0);
  vb_bench_scaling_free(&bench);
  // 1.7 / 0.85 and 3 / 12: twice and a quarter.
  ck_assert_double_eq_tol(vb_bench_ratio(&bench, 1, "b", "a", &scenes), sqrt(0.5), 1e-12);
  ck_assert_uint_eq(scenes, 2);
  ck_assert(isnan(vb_bench_ratio(&bench, 1, "b", "c", &scenes)) && scenes == 0);
}
END_TEST

START_TEST(marks_disturbed_windows) {
  vb_run_plan run;
  char name[] = "a";
  vb_timing_window windows[10];
  vb_bench_case c = made_case(&run, name, 1, 10, 1);
  c.windows = windows;
  c.n_windows = 10;
  for (int i = 0; i < 10; i++)
    windows[i] = (vb_timing_window){.wall_s = i < 2 ? 60 : 50, .valid = true};
  ck_assert_double_eq(vb_bench_marked(&c), 0.2);
  ck_assert_str_eq(vb_bench_remark(&c), "");
  windows[2].wall_s = 52;
  ck_assert_double_eq(vb_bench_marked(&c), 0.3);
  ck_assert_str_eq(vb_bench_remark(&c), "UNSTABLE");
}
END_TEST

START_TEST(machine_rates_are_plausible) {
  double copies;
  ck_assert_int_eq(vb_rate_of_copies(1 << 16, 1, &copies, NULL), VB_OK);
  // A processor copies more than 10 MB/s, sanitized or not, and fewer than ten TB/s.
  ck_assert_double_gt(copies, 1e7);
  ck_assert_double_lt(copies, 1e13);
  double rate = vb_rate_of_arithmetic("float", vb_rate_instructions("x86-64-v4"), "fast", 1);
  ck_assert_double_gt(rate, 1e6);
  ck_assert_double_lt(rate, 1e12); // 2 units x 16 lanes x 2 operations x 10 GHz is 6.4e11
}
END_TEST

static TCase *benchmarks(void) {
  TCase *tc = tcase_create("cases");
  tcase_add_test(tc, measures_all_quantities);
  tcase_add_test(tc, steps_may_move_skins);
  tcase_add_test(tc, no_speed_without_accuracy);
  tcase_add_test(tc, times_residuals_from_one_state);
  tcase_add_test(tc, missed_findings_keep_the_speed);
  tcase_add_test(tc, failed_gates_remove_the_speed);
  tcase_add_test(tc, reports_a_divergence);
  tcase_add_test(tc, an_unstable_case_is_timed_and_has_no_speed);
  tcase_add_test(tc, writes_hdf5_and_json);
  tcase_add_test(tc, prints_a_row_for_each_case);
  tcase_add_test(tc, tables_fit_a_terminal);
  tcase_add_test(tc, finds_series_and_ratios);
  tcase_add_test(tc, marks_disturbed_windows);
  tcase_add_test(tc, machine_rates_are_plausible);
  return tc;
}

VB_TEST_MAIN("bench", benchmarks())
