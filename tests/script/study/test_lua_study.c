// SPDX-License-Identifier: GPL-3.0-or-later
/// What scripts say of runs and gates arrives in the frozen study as they said it.
/// Covers: src/script/study/*.[ch] src/base/home.*
#include "base/home.h"
#include "lua_fixture.h"

#include <math.h>

static const char *option_of(const vb_run_plan *run, const char *name) {
  for (size_t i = 0; i < run->n_options; i++)
    if (strcmp(run->options[i].name, name) == 0)
      return run->options[i].value;
  return "";
}

START_TEST(takes_plans_and_gates) {
  vb_study *study = load_good(SCENE(
      ROD
      "s:record{every = 2, frames = 3, fields = {'scale'}, residual = true, converged = 1e-6}\n"
      "s:convergence{after = 1, iterations = {1, 10}}\n"
      "s:gate{name = 'a', quantity = 'frames/position', node = 4, component = 'z', measure = "
      "'value', at = 0.1, origin = 1, near = -2, tolerance = 0.5, reason = 'why'}\n"
      "s:gate{name = 'b', quantity = 'energy/stretch', body = 0, component = 2, from = 1, to "
      "= 2, measure = 'maximum_abs', at_most = 3, finding = true, timed = true, reason = 'why'}\n"
      "s:gate{name = 'c', number = 2.5, at_most = 2, reason = 'why'}"));
  const vb_run_plan *run = &study->runs[0];
  ck_assert_int_eq(run->record.every, 2);
  ck_assert_int_eq(run->record.frames_every, 3);
  ck_assert(run->record.residual);
  ck_assert_double_eq(run->record.converged, 1e-6);
  ck_assert_uint_eq(run->record.n_fields, 1);
  ck_assert_str_eq(run->record.fields[0], "scale");
  ck_assert_int_eq(run->convergence.after, 1);
  ck_assert_uint_eq(run->convergence.n, 2);
  ck_assert_int_eq(run->convergence.iterations[1], 10);
  ck_assert_uint_eq(study->n_gates, 3);
  const vb_gate *a = &study->gates[0], *b = &study->gates[1], *c = &study->gates[2];
  ck_assert(a->row == 4 && a->component == 2 && a->measure == VB_MEASURE_VALUE);
  ck_assert(a->from == 0.1 && a->origin == 1 && a->comparator == VB_CLOSE_TO && a->reference == -2);
  ck_assert(a->tolerance == 0.5 && a->relative && a->combination == VB_SINGLE && a->n_runs == 1);
  ck_assert_str_eq(a->runs[0], "test");
  ck_assert_str_eq(a->reason, "why");
  ck_assert(b->row == 0 && b->component == 1 && b->measure == VB_MEASURE_MAXIMUM_ABS);
  ck_assert(b->finding && b->timed && b->band.kind == VB_BAND_NONE && !a->finding);
  ck_assert(b->from == 1 && b->to == 2 && b->comparator == VB_AT_MOST && b->reference == 3);
  vb_verdict verdict;
  vb_gate_evaluate(c, NULL, &verdict);
  ck_assert(c->found && !a->found && verdict.value == 2.5 && !verdict.passed);
  vb_study_destroy(study);
}
END_TEST

/// Names of measures stand in a list of their own: each must be the one of that number.
START_TEST(knows_every_measure) {
  static const char *const names[] = {"first",       "final", "value", "minimum",   "maximum",
                                      "maximum_abs", "mean",  "drift", "frequency", "decay",
                                      "arrival",     "slope", "pole"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             SCENE(ROD "s:gate{name = 'a', quantity = 'q', measure = '%s', at = %s, at_least = 1, "
                       "reason = 'r'}"),
             names[i], i == VB_MEASURE_VALUE ? "1" : "nil");
    vb_study *study = load_good(text);
    ck_assert_int_eq(study->gates[0].measure, (int)i);
    vb_study_destroy(study);
  }
}
END_TEST

/// A study of three runs over n, two of which fix the method, with gates over them.
static const char STUDY[] =
    "return {title = 'study', figure = 'cantilever',\n"
    "parameters = {n = 4, length = 1.5, loud = false, word = 'a\\\"b'},\n"
    "build = function(p) local s, both = vb.scene{step = 0.1, steps = 1}, {p.loud, p.word}\n"
    "s:rod{nodes = p.n, from = {0, 0, 0}, to = {0, 0, p.length}, radius = 0.1, " STUFF "}\n"
    "s:solver{method = 'xpbd', iterations = 7, tolerance = 1e-5}\n"
    "s:gate{name = 'own', quantity = 'q', at_most = p.n, reason = 'r'} return s end,\n"
    "runs = function(p, tier) return {\n"
    "{name = 'a', label = 'An A', parameters = {n = 8}, method = 'direct', iterations = 20},\n"
    "{name = 'b', parameters = {n = 16}, iterations = 20.0}, {name = 'c', method = 'xpbd', "
    "parameters = {n "
    "= tier == 'full' and 64 or 32}}} end,\n"
    "gates = function(p, tier) return {\n"
    "{name = 'order', runs = {'a', 'b', 'c'}, sizes = {8, 16, 32}, combine = 'order', limit = "
    "p.length, "
    "quantity = 'q', near = 2, tolerance = 0.1, absolute = true, reason = 'r'},\n"
    "{name = 'one', run = 'b', quantity = 'q', at_least = 0, reason = 'r', node = 15},\n"
    "{name = 'two', runs = {'c', 'a'}, combine = 'ratio', quantity = 'q', at_least = 0, reason = "
    "'r'}} "
    "end}";

START_TEST(lists_runs_and_gates_of_a_study) {
  vb_study *study = load_good(STUDY);
  ck_assert_str_eq(study->figure, "cantilever");
  ck_assert_uint_eq(study->n_runs, 3);
  ck_assert_str_eq(study->runs[0].label, "An A");
  ck_assert_str_eq(study->runs[1].label, "b");
  for (size_t i = 0; i < 3; i++)
    ck_assert_uint_eq(vb_scene_count(study->runs[i].scene, VB_SET_NODE), (size_t)8 << i);
  ck_assert_str_eq(study->runs[0].parameters,
                   "{\"length\": 1.5, \"loud\": false, \"n\": 8, \"word\": \"a\\\"b\"}");
  ck_assert_uint_eq(study->n_gates, 6);
  ck_assert_str_eq(study->gates[2].runs[0], "c");
  ck_assert_double_eq(study->gates[2].reference, 32);
  const vb_gate *order = &study->gates[3];
  ck_assert_int_eq(order->combination, VB_ORDER);
  ck_assert_uint_eq(order->n_runs, 3);
  ck_assert_double_eq(order->sizes[2], 32);
  ck_assert_double_eq(order->limit, 1.5);
  ck_assert(!order->relative);
  ck_assert(isnan(study->gates[4].limit) && study->gates[4].row == 15);
  ck_assert_int_eq(study->gates[5].combination, VB_RATIO);
  ck_assert_str_eq(study->gates[5].runs[1], "a");
  vb_study_destroy(study);
}
END_TEST

/// Scenes are shared by runs that differ in the solver only, and by them alone.
START_TEST(shares_equal_scenes) {
  static const char text[] =
      "return {title = 'study', parameters = {n = 4},\n"
      "build = function(p) local s = vb.scene{step = 0.1, steps = 1}\n"
      "s:rod{nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, " STUFF "}\n"
      "return s end,\n"
      "runs = function() return {{name = 'a', method = 'direct'}, {name = 'b', method = 'xpbd', "
      "parameters = {n = 5}},\n"
      "{name = 'c', method = 'xpbd'}, {name = 'd', method = 'block-descent'}} end}";
  vb_study *study = load_good(text);
  ck_assert_ptr_eq(study->runs[0].scene, study->runs[2].scene);
  ck_assert_ptr_eq(study->runs[0].scene, study->runs[3].scene);
  ck_assert_ptr_ne(study->runs[0].scene, study->runs[1].scene);
  vb_study_destroy(study);
}
END_TEST

START_TEST(passes_the_tier) {
  vb_study *study = load_good_with(STUDY, (vb_study_request){.tier = "full"});
  ck_assert_str_eq(study->tier, "full");
  ck_assert_uint_eq(vb_scene_count(study->runs[2].scene, VB_SET_NODE), 64);
  vb_study_destroy(study);
}
END_TEST

START_TEST(resolves_parameters) {
  vb_setting settings[] = {{"length", "2.5"}, {"loud", "true"}, {"word", "x"}, {"n", "5"}};
  vb_study_request request = {.parameters = settings, .n_parameters = 3};
  vb_error error = {0};
  vb_study *study = load_good_with(STUDY, request);
  ck_assert_str_eq(study->runs[0].parameters, // the run's own n wins
                   "{\"length\": 2.5, \"loud\": true, \"n\": 8, \"word\": \"x\"}");
  ck_assert_double_eq(study->gates[3].limit, 2.5);
  vb_study_destroy(study);
  request.n_parameters = 4; // no run has this n
  ck_assert_int_eq(load_with(STUDY, request, VB_LUA_LIMITS, &study, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "--set n=5: no run of test uses it"));
}
END_TEST

START_TEST(writes_parameters_exactly_and_briefly) {
  vb_setting settings[] = {{"length", "0.1"}};
  vb_study_request request = {.parameters = settings, .n_parameters = 1};
  vb_study *study = load_good_with(STUDY, request);
  ck_assert_ptr_nonnull(strstr(study->runs[0].parameters, "\"length\": 0.1,"));
  vb_study_destroy(study);
  settings[0].value = "0.30000000000000004"; // 0.1 + 0.2 needs all digits
  study = load_good_with(STUDY, request);
  ck_assert_ptr_nonnull(strstr(study->runs[0].parameters, "0.30000000000000004"));
  vb_study_destroy(study);
}
END_TEST

START_TEST(resolves_options) {
  vb_study *study = load_good(STUDY);
  const vb_run_plan *runs = study->runs;
  ck_assert_str_eq(option_of(&runs[0], "method"), "direct"); // fixed by the run
  ck_assert_str_eq(option_of(&runs[0], "iterations"), "20");
  ck_assert_str_eq(option_of(&runs[0], "tolerance"), "1e-05");
  ck_assert_str_eq(option_of(&runs[1], "method"), "xpbd"); // the scene's
  ck_assert_str_eq(option_of(&runs[2], "iterations"), "7");
  vb_study_destroy(study);
}
END_TEST

START_TEST(lets_the_command_line_choose) {
  vb_option options[] = {{"method", "direct"}, {"tolerance", "0.25"}};
  vb_study_request request = {.solver = "viper", .options = options, .n_options = 2};
  vb_study *study = load_good_with(STUDY, request);
  ck_assert_uint_eq(study->n_runs, 2); // c fixes another method
  ck_assert_str_eq(study->runs[0].name, "a");
  ck_assert_str_eq(study->runs[1].name, "b");
  ck_assert_str_eq(option_of(&study->runs[1], "method"), "direct");
  ck_assert_str_eq(option_of(&study->runs[1], "tolerance"), "0.25");
  ck_assert_uint_eq(study->n_gates, 3); // those over c go with it
  ck_assert_str_eq(study->gates[2].name, "one");
  vb_study_destroy(study);
  vb_option iterations = {"iterations", "20"}; // a number agrees however it is written
  study = load_good_with(STUDY, (vb_study_request){.options = &iterations, .n_options = 1});
  ck_assert_uint_eq(study->n_runs, 3);
  ck_assert_str_eq(option_of(&study->runs[2], "iterations"), "20");
  vb_study_destroy(study);
}
END_TEST

/// What only the default solver has is for its runs; what no solver here has is a mistake.
START_TEST(leaves_other_solvers_alone) {
  static const char text[] = "return {title = 't', build = function()\n"
                             "local s = vb.scene{step = 0.1, steps = 2} " ROD " return s end,\n"
                             "runs = function() return {{name = 'a'}, "
                             "{name = 'b', solver = 'bergou'}} end}";
  vb_option option = {"method", "xpbd"};
  vb_study_request request = {.options = &option, .n_options = 1};
  vb_study *study = load_good_with(text, request);
  ck_assert_uint_eq(study->n_runs, 2);
  ck_assert_str_eq(option_of(&study->runs[0], "method"), "xpbd");
  ck_assert_str_eq(option_of(&study->runs[1], "method"), "");
  vb_study_destroy(study);
  vb_error error;
  request.solver = "bergou"; // asked for with its option
  ck_assert_int_eq(load_with(text, request, VB_LUA_LIMITS, &study, &error), VB_BAD_INPUT);
  request.solver = NULL;
  option.name = "metod";
  ck_assert_int_eq(load_with(text, request, VB_LUA_LIMITS, &study, &error), VB_BAD_INPUT);
}
END_TEST

START_TEST(runs_other_scenarios) {
  vb_study *study =
      load_good("return {title = 't', runs = function() return {\n"
                "{name = 'x', scenario = 'free_flight', parameters = {duration = 0.5}},\n"
                "{name = 'y', scenario = 'free_flight'}} end}");
  ck_assert_uint_eq(study->n_runs, 2);
  ck_assert_str_eq(study->runs[0].scenario, "free_flight");
  ck_assert_str_eq(study->runs[0].parameters, "{\"duration\": 0.5}");
  ck_assert_ptr_nonnull(strstr(study->runs[0].script, "octopus"));
  ck_assert_ptr_null(strstr(study->script, "octopus"));
  vb_study_destroy(study);
}
END_TEST

START_TEST(lists_all_studies) {
  vb_study_info *list;
  size_t n;
  vb_error error = {0};
  ck_assert_int_eq(setenv("VIPERBENCH_HOME", ".", 1), 0);
  ck_assert_msg(vb_study_list(true, &list, &n, &error) == VB_OK, "%s", error.message);
  bool found = false;
  for (size_t i = 0; i < n; i++) {
    ck_assert_msg(!list[i].error, "%s", list[i].error);
    ck_assert(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0);
    found = found || (strcmp(list[i].name, "free_flight") == 0 &&
                      strcmp(list[i].path, "./scenarios/rods/free_flight.lua") == 0 &&
                      strcmp(list[i].parameters, "{\"duration\": 1.0}") == 0);
  }
  ck_assert(found);
  vb_study_list_destroy(list, n);
}
END_TEST

/// Loads a study of the project: with a method that few of them are without where it is about
/// physics, unless it compares other methods and says so. Runs of other solvers do not mind.
static vb_study *load_installed(const vb_study_info *info, const char *tier) {
  vb_option method = {"method", "xpbd"};
  vb_study_request request = {.name = info->name, .tier = tier, .options = &method};
  vb_study *study;
  vb_error error = {0};
  request.n_options = strstr(info->path, "/scenarios/") ? 1 : 0;
  vb_status status = vb_study_load(&request, &study, &error);
  if (status && request.n_options && strstr(error.message, "no run is left")) {
    request.n_options = 0;
    status = vb_study_load(&request, &study, &error);
  }
  ck_assert_msg(status == VB_OK, "%s", error.message);
  return study;
}

/// Whether a study of the project is left to "make run STUDIES=all", which freezes it, too: one
/// that takes seconds to build.
static bool is_left_to_runs(const char *name) {
  static const char *const slow[] = {"viperized", "sculpted_arm"};
  for (size_t i = 0; !getenv("ALL") && i < sizeof slow / sizeof *slow; i++)
    if (strcmp(name, slow[i]) == 0) {
      vb_skip(name, "takes seconds to build: ALL=1, as \"make nightly\" does");
      return true;
    }
  return false;
}

/// Each study of the project freezes, in both tiers (in full size with ALL=1). Scenes do not depend
/// on options, so that one load of a study is enough.
START_TEST(freezes_every_study_of_the_project) {
  if (_i == 1 && !getenv("ALL")) {
    vb_skip("studies in full size", "they take half a minute: ALL=1, as \"make nightly\" does; the "
                                    "quick size is built by the same code");
    return;
  }
  vb_study_info *list;
  size_t n;
  vb_error error = {0};
  ck_assert_int_eq(setenv("VIPERBENCH_HOME", ".", 1), 0);
  ck_assert_msg(vb_study_list(true, &list, &n, &error) == VB_OK, "%s", error.message);
  for (size_t i = 0; i < n; i++) {
    if (is_left_to_runs(list[i].name))
      continue;
    vb_study *study = load_installed(&list[i], _i == 1 ? "full" : "quick");
    for (size_t k = 0; k < study->n_runs; k++)
      ck_assert_int_eq(
          vb_scene_check(study->runs[k].scene, vb_scene_bytes(study->runs[k].scene), &error),
          VB_OK);
    vb_study_destroy(study);
  }
  vb_study_list_destroy(list, n);
}
END_TEST

/// A study whose runs fix the method, written for viper, with a list of fields.
#define WITH_METHOD(entry)                                                                         \
  "return {title = 'study', build = function(p) local s = vb.scene{step = 0.1, steps = 1}\n"       \
  "s:rod{" GOOD STUFF "} s:record{fields = {'position', 'scale'}}\n"                               \
  "s:convergence{iterations = {1, 2}}\n"                                                           \
  "s:solver{method = 'xpbd', iterations = 7} return s end,\n"                                      \
  "runs = function() return {{name = 'a', method = 'direct', " entry "}, {name = 'b'}} end}"

/// What the solver of the command line lacks is left out, and listed.
START_TEST(another_solver_leaves_out_what_it_lacks) {
  vb_study_request request = {.solver = "bergou"};
  vb_study *study = load_good_with(WITH_METHOD("iterations = 9, precision = 'double'"), request);
  ck_assert_uint_eq(study->n_runs, 2);
  ck_assert_str_eq(option_of(&study->runs[0], "iterations"), "9"); // what both have stays
  ck_assert_str_eq(option_of(&study->runs[1], "iterations"), "7");
  ck_assert_uint_eq(study->runs[0].n_options, 1);
  ck_assert_uint_eq(study->n_missing, 2);
  ck_assert_str_eq(study->missing[0], "method");    // of the scene and of a run, told once
  ck_assert_str_eq(study->missing[1], "precision"); // of a run alone
  ck_assert_uint_eq(study->runs[0].convergence.n, 2);
  vb_study_destroy(study);
  study = load_good_with(WITH_METHOD("iterations = 9"), (vb_study_request){0});
  ck_assert_uint_eq(study->n_missing, 0); // its own solver has all
  vb_study_destroy(study);
}
END_TEST

/// So are fields, and a plan over iterations of a solver without any.
START_TEST(another_solver_records_what_it_has) {
  vb_study *study = load_good_with(WITH_METHOD(""), (vb_study_request){.solver = "multibody"});
  ck_assert_uint_eq(study->runs[1].convergence.n, 0);
  ck_assert_uint_eq(study->runs[1].n_options, 0);
  ck_assert_uint_eq(study->runs[1].record.n_fields, 1);
  ck_assert_uint_eq(study->n_missing, 4);
  const char *missing[] = {"method", "iterations", "field scale", "convergence over iterations"};
  for (size_t i = 0; i < 4; i++) {
    size_t k = 0;
    while (k < study->n_missing && strcmp(study->missing[k], missing[i]) != 0)
      k++;
    ck_assert_msg(k < study->n_missing, "%s is not listed", missing[i]);
  }
  vb_study_destroy(study);
}
END_TEST

/// A setting that no solver in question has is still an error.
START_TEST(another_solver_hides_no_mistake) {
  vb_study *study = NULL;
  vb_error error = {0};
  ck_assert_int_eq(load_with(WITH_METHOD("methd = 'xpbd'"), (vb_study_request){.solver = "bergou"},
                             VB_LUA_LIMITS, &study, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, "unknown key \"methd\"; did you mean \"method\"?"), "%s",
                error.message);
}
END_TEST

/// The example of the authors' page is as it says.
START_TEST(freezes_the_example_of_the_manual) {
  char text[1 << 15] = "";
  FILE *file = fopen("scenarios/writing.md", "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  char *begin = strstr(text, "```lua\n");
  ck_assert_ptr_nonnull(begin);
  begin += strlen("```lua\n");
  char *end = strstr(begin, "```");
  ck_assert_ptr_nonnull(end);
  *end = '\0';
  vb_study *study = load_good(begin);
  ck_assert_uint_eq(study->n_runs, 2);
  ck_assert_uint_eq(study->n_gates, 3);
  vb_study_destroy(study);
}
END_TEST

START_TEST(finds_its_home) {
  char home[4096];
  vb_error error = {0};
  ck_assert_int_eq(setenv("VIPERBENCH_HOME", "/some/where", 1), 0);
  ck_assert_int_eq(vb_home(home, sizeof home, &error), VB_OK);
  ck_assert_str_eq(home, "/some/where");
  ck_assert_int_eq(vb_home(home, 5, &error), VB_BAD_INPUT);
  ck_assert_int_eq(unsetenv("VIPERBENCH_HOME"), 0);
  ck_assert_int_eq(vb_home(home, sizeof home, &error), VB_OK);
  ck_assert_int_eq(home[0], '/');
  ck_assert_int_eq(access(home, X_OK), 0);
}
END_TEST

static TCase *studies(void) {
  TCase *tcase = tcase_create("studies");
  tcase_set_timeout(tcase, 180); // all studies in full size, sanitized, on a busy machine
  tcase_add_test(tcase, takes_plans_and_gates);
  tcase_add_test(tcase, knows_every_measure);
  tcase_add_test(tcase, lists_runs_and_gates_of_a_study);
  tcase_add_test(tcase, shares_equal_scenes);
  tcase_add_test(tcase, passes_the_tier);
  tcase_add_test(tcase, resolves_parameters);
  tcase_add_test(tcase, writes_parameters_exactly_and_briefly);
  tcase_add_test(tcase, resolves_options);
  tcase_add_test(tcase, lets_the_command_line_choose);
  tcase_add_test(tcase, leaves_other_solvers_alone);
  tcase_add_test(tcase, runs_other_scenarios);
  tcase_add_test(tcase, lists_all_studies);
  tcase_add_loop_test(tcase, freezes_every_study_of_the_project, 0, 2);
  tcase_add_test(tcase, freezes_the_example_of_the_manual);
  tcase_add_test(tcase, finds_its_home);
  return tcase;
}

static TCase *other_solvers(void) {
  TCase *tcase = tcase_create("other solvers");
  tcase_add_test(tcase, another_solver_leaves_out_what_it_lacks);
  tcase_add_test(tcase, another_solver_records_what_it_has);
  tcase_add_test(tcase, another_solver_hides_no_mistake);
  return tcase;
}

VB_TEST_MAIN("lua studies", studies(), other_solvers())
