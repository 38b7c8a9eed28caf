// SPDX-License-Identifier: GPL-3.0-or-later
/// The verbs "problem" and "score" on the problems and entries of the project.
#include "cli_fixture.h"
#include "results/run_summary.h"

#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_up(void) {
  make_home();
  setenv("VIPERBENCH_HOME", ".", 1);
}

static void has(const char *text) {
  ck_assert_msg(strstr(output, text) != NULL, "no \"%s\" in\n%s", text, output);
}

START_TEST(a_statement_tells_all_that_is_needed) {
  expect("problem", 0, "");
  has("problems 1.0\n");
  has("  greenhill             Greenhill's height");
  expect("problem bend_45", 0, "");
  has("stiffness twist 7028");
  has("held in xyzuvw at (0, 0, 0), frame (0.5, -0.5, 0.5, 0.5)");
  has("curvature at rest (0.01, 0, 0)");
  has("force at the finish (0, 0, 600)");
  has("Bathe and Bolourchi 1979: (15.9, 47.2, 53.4)");
  has("collocation  15.5576762");
}
END_TEST

START_TEST(json_has_rods_and_references) {
  expect("problem elastica euler_columns --json", 0, "");
  json_t *all = json_loads(output, 0, NULL), *list = json_object_get(all, "problems");
  ck_assert_uint_eq(json_array_size(list), 2);
  json_t *first = json_array_get(json_object_get(json_array_get(list, 0), "cases"), 0);
  json_t *stiffness = json_object_get(json_object_get(first, "rod"), "stiffness");
  ck_assert(json_is_null(json_object_get(stiffness, "stretch"))); // rigid
  ck_assert_double_eq(json_number_value(json_object_get(stiffness, "bend_u")), 1);
  json_t *asked = json_array_get(json_object_get(first, "asked"), 1);
  ck_assert_str_eq(json_string_value(json_object_get(asked, "component")), "z");
  // Bisshopp and Drucker 1945 have 0.302 for F L^2/B = 1.
  ck_assert_double_eq_tol(
      json_number_value(json_object_get(json_object_get(asked, "reference"), "value")), -0.302,
      5e-4);
  json_decref(all);
}
END_TEST

START_TEST(wrong_use_is_told) {
  expect("problem elastika", 2, "there is no problem \"elastika\"; did you mean \"elastica\"?");
  expect("problem elastica --certify @/x.lua", 2, "--certify computes all problems");
  expect("score nobody --out @/s", 2, "there is no entry \"nobody\"; entries are");
  expect("score coserat --out @/s", 2, "there is no entry \"coserat\"; did you mean \"cosserat\"?");
  expect("score cosserat --problem nothing --out @/s", 2,
         "no problem of these entries has \"nothing\"");
  write_file("file", "");
  expect("score cosserat --problem elastica-1 --out @/file", 5, "file is not a folder");
}
END_TEST

/// Computations of scripts that end in no number, or in two that differ, certify nothing.
START_TEST(what_is_not_computed_is_not_certified) {
  const char *values[] = {"0 / 0", "1.1", "1"},
             *told[] = {"twice has no value", "two computations do not agree", ""};
  char text[1024], path[128];
  setenv("VIPERBENCH_HOME", folder, 1);
  snprintf(path, sizeof path, "%s/scenarios/problems", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("scenarios/problems/references.lua", "return {}\n");
  for (int i = 0; i < 3; i++) {
    snprintf(
        text, sizeof text,
        "return { title = 't', text = 't', formulas = { 'f' }, units = 'u', groups = { 'g' },\n"
        "  models = { 'm' }, made = 'm', sees = { 'units' }, cases = { { name = 'c', given = {\n"
        "  }, ask = { { name = 'a', what = 'w', methods = {\n"
        "  { 'once', function() return 1, 1e-9 end },\n"
        "  { 'twice', function() return %s, 1e-9 end } } } } } } }\n",
        values[i]);
    write_file("scenarios/problems/x.lua", text);
    expect("problem --certify @/new.lua", i < 2 ? 1 : 0, told[i]);
    ck_assert(exists("new.lua") == (i == 2));
  }
}
END_TEST

/// Finished runs are kept: the second call only tells.
START_TEST(an_entry_is_scored) {
  expect("score cosserat --problem elastica-1 --out @/s", 0, "");
  has("cosserat elastica-1 ");
  has("cosserat elastica-10 ");
  ck_assert(strstr(output, "bend_45") == NULL);
  ck_assert(exists("s/cosserat-elastica-1-n8.h5") && exists("s/cosserat.h5"));
  expect("score cosserat --problem elastica-10 --out @/s --json", 0, "");
  json_t *all = json_loads(output, 0, NULL), *list = json_object_get(all, "scores");
  ck_assert_uint_eq(json_array_size(list), 1);
  const json_t *score = json_array_get(list, 0);
  ck_assert_int_eq(json_integer_value(json_object_get(score, "runs")), 3);
  // Its clamp makes it of order 3; from 16 to 32 segments other parts still count.
  ck_assert_double_eq_tol(json_number_value(json_object_get(score, "order")), 2.8, 0.3);
  ck_assert_double_lt(json_number_value(json_object_get(score, "best")), 1e-4);
  json_decref(all);
}
END_TEST

/// Whether a recorded run of the entry `own` had others beside it.
static bool is_shared(const char *run) {
  char path[4200];
  vb_run_summary s;
  snprintf(path, sizeof path, "%.4000s/s/own-%.150s.h5", folder, run);
  ck_assert_int_eq(vb_run_summary_read(path, &s, NULL), VB_OK);
  return s.shared;
}

/// Runs side by side have errors and no times; those on all processors are left out. A score that
/// is killed goes on. Without --jobs these runs are executed again, alone, and others beside them
/// stay.
START_TEST(runs_side_by_side_have_no_times) {
  write_file("own.lua", "return include('entry'){ title = 'own', solver = 'viper', ramp = 10,\n"
                        "  options = { method = 'direct', dynamics = 'static', iterations = 50 },\n"
                        "  threads = true, segments = { 8, 16 }, hold_spin = true }\n");
  char path[4096], script[4096];
  pid_t child = fork();
  if (child == 0) {
    snprintf(path, sizeof path, "%s/s", folder);
    snprintf(script, sizeof script, "%s/own.lua", folder);
    execl(program(), "viperbench", "score", script, "--jobs", "2", "--out", path, (char *)NULL);
    _exit(1);
  }
  for (int i = 0; i < 6000 && !exists("s/own-bend_45-600-n16.h5"); i++)
    usleep(10000);
  ck_assert(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
  expect("score @/own.lua --jobs 2 --out @/s", 0, "");
  has("runs have no time, since others were executed beside them");
  ck_assert(is_shared("elastica-1-n8") && is_shared("bend_45-600-n16"));
  ck_assert(!exists("s/own-elastica-1-n16-all.h5"));
  expect("score @/own.lua --problem elastica-1 --jobs 2 --out @/s --json", 0, "");
  json_t *all = json_loads(output, 0, NULL);
  const json_t *score = json_array_get(json_object_get(all, "scores"), 0);
  ck_assert_int_eq(json_integer_value(json_object_get(score, "runs")), 2);
  ck_assert_int_eq(json_integer_value(json_object_get(score, "shared")), 2);
  ck_assert_int_eq(json_integer_value(json_object_get(score, "failed")), 0);
  ck_assert(json_is_null(json_object_get(score, "best_time")));
  json_decref(all);
  expect("score @/own.lua --problem elastica-1 --out @/s --json", 0, "");
  all = json_loads(output, 0, NULL), score = json_array_get(json_object_get(all, "scores"), 0);
  ck_assert_int_eq(json_integer_value(json_object_get(score, "shared")), 0);
  ck_assert(json_number_value(json_object_get(score, "best_time")) > 0);
  ck_assert(json_number_value(json_object_get(score, "all_time")) > 0);
  json_decref(all);
  ck_assert(!is_shared("elastica-1-n8") && is_shared("bend_45-600-n16"));
  ck_assert(exists("s/own-elastica-1-n16-all.h5"));
  expect("table @/s/own.h5 runs/bend_45-600-n16/energy/total", 0, ""); // stays in the index
  expect("score @/own.lua --problem elastica-1 --jobs 0 --out @/s", 2, "--jobs needs a whole");
}
END_TEST

/// A score that is killed goes on where it was: what is recorded stays as it is, and a table of all
/// and its page follow.
START_TEST(a_killed_score_goes_on) {
  write_file(
      "own.lua",
      "return include('entry'){ title = 'own', solver = 'viper', ramp = 10,\n"
      "  options = { method = 'direct', dynamics = 'static', iterations = 50 },\n"
      "  segments = { 8, 16 }, hold_spin = true,\n"
      "  without = { helical_spring = 'a reason of 127 letters, which a reader once wrote behind th"
      "e room that it had for the texts before it, as their sizes had i...' "
      "} }\n");
  char before[4096];
  char path[4096];
  pid_t child = fork();
  if (child == 0) {
    char script[4096];
    snprintf(path, sizeof path, "%s/s", folder);
    snprintf(script, sizeof script, "%s/own.lua", folder);
    execl(program(), "viperbench", "score", script, "--out", path, (char *)NULL);
    _exit(1);
  }
  for (int i = 0; i < 6000 && !exists("s/own-bend_45-600-n16.h5"); i++)
    usleep(10000);
  ck_assert(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
  ck_assert(!exists("s/scores.h5"));
  expect("table @/s/own-bend_45-600-n16.h5 timing/step", 0, "");
  snprintf(before, sizeof before, "%.4000s", output);
  expect("score @/own.lua --out @/s", 0, "");
  has("own      roll_up-twice ");
  // A run that is executed anew takes other times.
  expect("table @/s/own-bend_45-600-n16.h5 timing/step", 0, "");
  ck_assert_str_eq(output, before);
  ck_assert(exists("s/scores.h5") && exists("s/scores.md"));
  expect("table @/s/scores.h5 scores/reason", 0, "");
  has("a reason of 127 letters");
  expect("table @/s/scores.h5 scores/best scores/problem", 0, "");
  has("\"roll_up-twice\"");
  expect("score @/own.lua --out @/s --problem elastica", 0, ""); // leaves the table of all
  expect("table @/s/scores.h5 scores/problem", 0, "");
  has("\"roll_up-twice\"");
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("problem, score");
  tcase_set_timeout(c, 120);
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_add_test(c, a_statement_tells_all_that_is_needed);
  tcase_add_test(c, json_has_rods_and_references);
  tcase_add_test(c, wrong_use_is_told);
  tcase_add_test(c, what_is_not_computed_is_not_certified);
  tcase_add_test(c, an_entry_is_scored);
  tcase_add_test(c, a_killed_score_goes_on);
  tcase_add_test(c, runs_side_by_side_have_no_times);
  return c;
}

VB_TEST_MAIN("problem", all())
