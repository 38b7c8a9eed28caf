// SPDX-License-Identifier: GPL-3.0-or-later
/// Grids of runs, and gates over their slices.
/// Covers: src/script/study/lua_slice.c src/script/study/lua_runs.c
#include "lua_fixture.h"

/// A study with a sweep; GRID and the gates are the test's.
#define BUILD                                                                                      \
  "parameters = {n = 4, length = 1.0, stiff = false}, build = function(p)\n"                       \
  "local s = vb.scene{step = 0.1, steps = 1}\n"                                                    \
  "s:rod{nodes = p.n, from = {0, 0, 0}, to = {0, 0, p.length}, radius = 0.1, " STUFF "}\n"         \
  "return s end,\n"
#define STUDY(sweep, rest) "return {title = 'study', " BUILD "grid = " sweep ", " rest "}"
#define SWEEP              "{n = {5, 9, 17}, method = {'direct', 'xpbd'}}"
#define GATE(keys)                                                                                 \
  "gates = function(p) return {{name = 'g', quantity = 'q', at_most = 1, reason = 'r', " keys      \
  "}} end"

static const char *option_of(const vb_run_plan *run, const char *name) {
  for (size_t i = 0; i < run->n_options; i++)
    if (strcmp(run->options[i].name, name) == 0)
      return run->options[i].value;
  return "";
}

static const vb_run_plan *run_of(const vb_study *study, const char *name) {
  for (size_t i = 0; i < study->n_runs; i++)
    if (strcmp(study->runs[i].name, name) == 0)
      return &study->runs[i];
  ck_abort_msg("there is no run %s", name);
  return NULL;
}

static void expect_runs(const vb_study *study, const char *names) {
  char text[1024] = "";
  for (size_t i = 0; i < study->n_runs; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
             study->runs[i].name);
  ck_assert_str_eq(text, names);
}

/// The names of the gates and the runs of each, one line per gate.
static void expect_gates(const vb_study *study, const char *lines) {
  char text[4096] = "";
  for (size_t g = 0; g < study->n_gates; g++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s|", study->gates[g].name);
    for (size_t i = 0; i < study->gates[g].n_runs; i++)
      snprintf(text + strlen(text), sizeof text - strlen(text), " %s", study->gates[g].runs[i]);
    strcat(text, "\n");
  }
  ck_assert_str_eq(text, lines);
}

static void expect_failure(const char *text, const char *complaint) {
  vb_study *study = NULL;
  vb_error error = {0};
  ck_assert_int_eq(load_with(text, (vb_study_request){0}, VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, complaint) != NULL, "\"%s\" lacks \"%s\"", error.message,
                complaint);
}

START_TEST(all_combinations_become_runs) {
  vb_study *study = load_good(STUDY(SWEEP, ""));
  expect_runs(study, "direct-n5 direct-n9 direct-n17 xpbd-n5 xpbd-n9 xpbd-n17");
  const vb_run_plan *run = &study->runs[4];
  ck_assert_str_eq(run->label, "xpbd, n = 9");
  ck_assert_str_eq(option_of(run, "method"), "xpbd");
  ck_assert_str_eq(run->parameters, "{\"length\": 1.0, \"n\": 9, \"stiff\": false}");
  ck_assert_uint_eq(vb_scene_count(run->scene, VB_SET_NODE), 9);
  ck_assert_uint_eq(run->n_sweep, 2);
  ck_assert(!run->sweep[0].is_number && run->sweep[1].is_number && run->sweep[1].number == 9);
  ck_assert_str_eq(run->sweep[0].axis, "method");
  ck_assert_str_eq(run->sweep[0].text, "xpbd");
  vb_study_destroy(study);
}
END_TEST

START_TEST(axes_stand_in_a_fixed_order) {
  vb_study *study = load_good(
      STUDY("{stiff = {true, false}, length = {0.5, 2}, iterations = {3}, method = {'xpbd'}, "
            "solver = {'viper'}, precision = {'float'}}",
            ""));
  expect_runs(study, "viper-xpbd-iterations3-float-length0.5-stiff "
                     "viper-xpbd-iterations3-float-length0.5-no-stiff "
                     "viper-xpbd-iterations3-float-length2-stiff "
                     "viper-xpbd-iterations3-float-length2-no-stiff");
  vb_study_destroy(study);
}
END_TEST

START_TEST(scenarios_and_solvers_are_axes) {
  vb_study *study = load_good("return {title = 'study', grid = {scenario = {'cantilever', "
                              "'torsion'}, solver = {'viper', 'bergou'}, n = {8, 16}}}");
  ck_assert_uint_eq(study->n_runs, 8);
  const vb_run_plan *run = run_of(study, "torsion-bergou-n16");
  ck_assert_str_eq(run->scenario, "torsion");
  ck_assert_str_eq(run->solver, "bergou");
  ck_assert_ptr_nonnull(strstr(run->parameters, "\"n\": 16"));
  ck_assert_uint_gt(study->n_gates, 0); // the scenarios' own
  vb_study_destroy(study);
}
END_TEST

START_TEST(tier_and_parameters_choose_the_sweep) {
  static const char text[] =
      STUDY("function(p, tier) return {n = tier == 'full' and {8, 16} or {p.n}} end", "");
  vb_study *study = load_good(text);
  expect_runs(study, "n4");
  vb_study_destroy(study);
  study = load_good_with(text, (vb_study_request){.tier = "full"});
  expect_runs(study, "n8 n16");
  vb_study_destroy(study);
}
END_TEST

START_TEST(each_adds_to_runs_and_leaves_some_out) {
  vb_study *study = load_good(
      STUDY(SWEEP, "each = function(at, p, tier) if at.n == 17 and at.method == 'xpbd' then return "
                   "false end\n"
                   "if at.method == 'direct' then return {iterations = at.n + 1, label = 'L',\n"
                   "parameters = {length = p.length * 2}} end end"));
  expect_runs(study, "direct-n5 direct-n9 direct-n17 xpbd-n5 xpbd-n9");
  ck_assert_str_eq(option_of(&study->runs[1], "iterations"), "10");
  ck_assert_str_eq(study->runs[1].label, "L");
  ck_assert_str_eq(study->runs[1].parameters, "{\"length\": 2.0, \"n\": 9, \"stiff\": false}");
  ck_assert_str_eq(study->runs[3].label, "xpbd, n = 5");
  vb_study_destroy(study);
}
END_TEST

START_TEST(listed_runs_join_the_sweep) {
  vb_study *study =
      load_good(STUDY("{n = {5}}", "runs = function() return {{name = 'reference'}} end,"
                                   "gates = function() return {{name = 'g', quantity = 'q', "
                                   "at_most = 1, reason = 'r', combine = 'difference', "
                                   "runs = {'n5', 'reference'}}} end"));
  expect_runs(study, "reference n5");
  expect_gates(study, "g| n5 reference\n");
  ck_assert_uint_eq(study->runs[0].n_sweep, 0);
  vb_study_destroy(study);
}
END_TEST

/// What the command line fixes otherwise is left out, with its gates.
START_TEST(the_command_line_chooses_a_slice) {
  vb_option method = {"method", "xpbd"};
  vb_study *study = load_good_with(STUDY(SWEEP, GATE("over = 'n', combine = 'order'")),
                                   (vb_study_request){.options = &method, .n_options = 1});
  expect_runs(study, "xpbd-n5 xpbd-n9 xpbd-n17");
  expect_gates(study, "g: xpbd| xpbd-n5 xpbd-n9 xpbd-n17\n");
  vb_study_destroy(study);
}
END_TEST

START_TEST(a_gate_of_a_slice_is_one_for_each_run) {
  vb_study *study = load_good(STUDY(SWEEP, GATE("where = {n = {9, 17}}")));
  expect_gates(study, "g: direct, n = 9| direct-n9\ng: direct, n = 17| direct-n17\n"
                      "g: xpbd, n = 9| xpbd-n9\ng: xpbd, n = 17| xpbd-n17\n");
  vb_study_destroy(study);
  study = load_good(STUDY(SWEEP, GATE("where = {n = 9.0}")));
  expect_gates(study, "g: direct| direct-n9\ng: xpbd| xpbd-n9\n");
  vb_study_destroy(study);
  study = load_good(STUDY("{n = {5}}", GATE("where = {}")));
  expect_gates(study, "g: n = 5| n5\n");
  vb_study_destroy(study);
}
END_TEST

START_TEST(a_gate_over_an_axis_is_one_for_each_line) {
  vb_study *study =
      load_good(STUDY("{n = {5, 9, 17}, method = {'direct', 'xpbd'}, stiff = {false, true}}",
                      GATE("over = 'n', where = {stiff = true}, combine = 'order'")));
  expect_gates(study, "g: direct| direct-n5-stiff direct-n9-stiff direct-n17-stiff\n"
                      "g: xpbd| xpbd-n5-stiff xpbd-n9-stiff xpbd-n17-stiff\n");
  ck_assert_int_eq(study->gates[1].combination, VB_ORDER);
  ck_assert(study->gates[1].sizes[0] == 5 && study->gates[1].sizes[2] == 17);
  vb_study_destroy(study);
}
END_TEST

START_TEST(a_gate_holds_runs_against_others) {
  vb_study *study = load_good(
      STUDY(SWEEP, GATE("against = {method = 'direct'}, where = {n = {5, 9}}, combine = 'ratio'")));
  expect_gates(study, "g: xpbd, n = 5| xpbd-n5 direct-n5\ng: xpbd, n = 9| xpbd-n9 direct-n9\n");
  vb_study_destroy(study);
  study = load_good(
      STUDY(SWEEP, GATE("against = {method = 'direct', n = 17}, where = {method = 'xpbd', n = 5}, "
                        "combine = 'difference'")));
  expect_gates(study, "g| xpbd-n5 direct-n17\n");
  vb_study_destroy(study);
}
END_TEST

START_TEST(values_of_gates_may_depend_on_the_point) {
  vb_study *study = load_good(STUDY(
      SWEEP, "gates = function(p) return {{name = 'g', quantity = 'q', where = {method = 'xpbd'},\n"
             "near = function(at) return p.length / at.n end, tolerance = 0.1,\n"
             "node = function(at) return at.n - 1 end, reason = 'r'}} end"));
  ck_assert_uint_eq(study->n_gates, 3);
  ck_assert_double_eq(study->gates[2].reference, 1.0 / 17);
  ck_assert_int_eq(study->gates[2].row, 16);
  vb_study_destroy(study);
}
END_TEST

START_TEST(reports_script_errors) {
  const struct {
    const char *text, *complaint;
  } cases[] = {
      {STUDY("3", ""), "\"grid\" must be a table of axes, or a function that returns one"},
      {STUDY("{}", ""), "grid: needs an axis"},
      {STUDY("{{1}}", ""), "grid: takes named axes only"},
      {STUDY("{n = 3}", ""), "grid: \"n\" must be a list of values"},
      {STUDY("{n = {}}", ""), "grid: \"n\" must be a list of values"},
      {STUDY("{n = {{}}}", ""), "grid: \"n\" must hold numbers, texts or booleans, not a table"},
      {STUDY("{n = {5, 5}}", ""), "run \"n5\": there are two runs of that name"},
      {STUDY("{m = {5}}", ""), "run \"m5\": unknown parameter \"m\""},
      {STUDY("{n = {'a b'}}", ""), "it must be of letters, digits and"},
      {STUDY("{method = {'direkt'}}", ""), "did you mean \"direct\"?"},
      {STUDY("{scenario = {'nowhere'}}", ""), "there is no study \"nowhere\""},
      {STUDY(SWEEP, "each = 3"), "\"each\" must be a function of a point of the grid"},
      {STUDY(SWEEP, "each = function() return 3 end"),
       "\"each\" must return further keys of a run"},
      {STUDY(SWEEP, "each = function() return {name = 'a'} end"), "another \"name\""},
      {STUDY(SWEEP, "each = function() return false end"), "leaves out every run of the grid"},
      {STUDY(SWEEP, GATE("over = 'm', combine = 'order'")), "unknown axis in \"over\" \"m\""},
      {STUDY(SWEEP, GATE("where = {metod = 'direct'}")), "did you mean \"method\"?"},
      {STUDY(SWEEP, GATE("where = {n = 6}")), "\"where\" leaves none of the grid's runs"},
      {STUDY(SWEEP, GATE("where = 'direct'")), "\"where\" must be a table"},
      {STUDY(SWEEP, GATE("where = {'direct'}")), "\"where\" takes axes by name"},
      {STUDY(SWEEP, GATE("where = {}, run = 'direct-n5'")), "takes either \"run\" and \"runs\""},
      {STUDY(SWEEP, GATE("over = 'n', against = {n = 5}")), "either \"over\" or \"against\""},
      {STUDY(SWEEP, GATE("against = {n = 6}, combine = 'ratio'")),
       "the grid has no run \"direct-n6\" to compare \"direct-n5\" with"},
      {STUDY(SWEEP, GATE("over = 'n'")), "needs \"combine\""},
      {"return {title = 't', " BUILD GATE("where = {}") "}",
       "a grid, which the study does not have"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_failure(cases[i].text, cases[i].complaint);
}
END_TEST

START_TEST(sweep_size_is_limited) {
  expect_failure(STUDY("function() local l = {} for i = 1, 400 do l[i] = i end\n"
                       "return {n = l, length = l} end",
                       ""),
                 "grid: has more than 100000 runs");
}
END_TEST

static TCase *grids(void) {
  TCase *c = tcase_create("grids");
  tcase_add_test(c, all_combinations_become_runs);
  tcase_add_test(c, axes_stand_in_a_fixed_order);
  tcase_add_test(c, scenarios_and_solvers_are_axes);
  tcase_add_test(c, tier_and_parameters_choose_the_sweep);
  tcase_add_test(c, each_adds_to_runs_and_leaves_some_out);
  tcase_add_test(c, listed_runs_join_the_sweep);
  tcase_add_test(c, the_command_line_chooses_a_slice);
  return c;
}

static TCase *slices(void) {
  TCase *c = tcase_create("slices");
  tcase_add_test(c, a_gate_of_a_slice_is_one_for_each_run);
  tcase_add_test(c, a_gate_over_an_axis_is_one_for_each_line);
  tcase_add_test(c, a_gate_holds_runs_against_others);
  tcase_add_test(c, values_of_gates_may_depend_on_the_point);
  tcase_add_test(c, reports_script_errors);
  tcase_add_test(c, sweep_size_is_limited);
  return c;
}

VB_TEST_MAIN("lua grids", grids(), slices())
