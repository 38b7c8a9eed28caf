// SPDX-License-Identifier: GPL-3.0-or-later
// The command compare as its users meet it: words, exit codes, tables, JSON.
// Covers: src/compare/compare_*.c src/compare/tolerances.*
#include "cli_fixture.h"

#include <jansson.h>

/// A bar that is pulled, by a stiffness that is no part of the frozen scene's name.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'A pulled bar',\n"
    "  parameters = { E = 1e6, least = 0 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 8, gravity = {0, 0, -9.81} }\n"
    "    local r = s:rod{ nodes = 4, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "                     material = { E = p.E, nu = 0.3 }, density = 1000 }\n"
    "    s:pin{ node = r.first, components = 'xyz' }\n"
    "    s:record{ every = 1, frames = 4 }\n"
    "    s:gate{ name = 'it falls', quantity = 'energy/gravity', at_least = p.least,\n"
    "            finding = true, reason = 'a test' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function() return { { name = 'one' }, { name = 'two', method = 'xpbd' } } end,\n"
    "  gold = { steps = 3 },\n"
    "}\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/pull.lua", SCRIPT);
}

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  static const struct {
    const char *words, *complaint;
  } cases[] = {
      {"compare a.h5", "compare needs two results files"},
      {"compare a.h5 b.h5 c.h5", "there are 3"},
      {"compare nowhere.h5 b.h5", "cannot read nowhere.h5"},
      {"compare a.h5 b.h5 --allow scenes", "did you mean \"scene\"?"},
      {"compare a.h5 b.h5 --nan maybe", "--nan needs equal or never"},
      {"compare a.h5 b.h5 --fresh", "compare does not take --fresh"},
      {"run pull --allow scene", "run does not take --allow"},
      {"run pull --tier golden", "use quick, full, gold or show"},
      {"pack", "pack needs the index file of a study"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].words, 2, cases[i].complaint);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  }
}
END_TEST

START_TEST(equal_runs_are_the_same) {
  expect("run pull --out @/a --quiet", 0, "");
  expect("run pull --out @/b --quiet", 0, "");
  expect("compare @/a @/b", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "bitwise the same"));
  ck_assert_ptr_nonnull(strstr(output, "2 of 2 runs agree"));
  ck_assert_ptr_nonnull(strstr(output, "\nSAME\n"));
  check_lines(output, 110);
  expect("compare @/a/pull.h5 @/b/pull.h5", 0, "");
  expect("compare @/a/pull-one.h5 @/b/pull-one.h5", 0, "");
}
END_TEST

START_TEST(different_runs_are_refused_unless_allowed) {
  expect("run pull --out @/a --quiet", 0, "");
  expect("run pull --out @/b --quiet --set E=1.01e6", 0, "");
  expect("compare @/a @/b", 2, "");
  ck_assert_ptr_nonnull(strstr(output, "REFUSED: different scene"));
  ck_assert_ptr_nonnull(strstr(output, "--allow scene"));
  expect("compare @/a @/b --allow scene", 1, "");
  ck_assert_ptr_nonnull(strstr(output, "topology/stiffness"));
  ck_assert_ptr_nonnull(strstr(output, "segment 0, kx"));
  ck_assert_ptr_nonnull(strstr(output, "frames/position"));
  ck_assert_ptr_nonnull(strstr(output, "\nDIFFERENT\n"));
  check_lines(output, 110);
  expect("compare @/a/pull-one.h5 @/a/pull-two.h5", 2, "");
  ck_assert_ptr_nonnull(strstr(output, "different options: method direct, not xpbd"));
  expect("compare @/a/pull-one.h5 @/a/pull-two.h5 --allow options,hardware", 1, "");
}
END_TEST

START_TEST(draws_what_changed) {
  char text[8192];
  FILE *file = fopen("plots/compare.gp", "r");
  ck_assert_msg(file != NULL, "tests run in the root of the repository");
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  write_file("plots/compare.gp", text);
  expect("run pull --out @/a --quiet", 0, "");
  expect("run pull --out @/b --quiet --set E=1.01e6", 0, "");
  expect("compare @/a @/a --quiet --figure @/same", 0, "");
  ck_assert(!exists("same.svg")); // nothing to draw
  int code = finish(start("compare @/a @/b --allow scene --quiet --figure @/changed"));
  if (code == 3) {
    vb_skip("gnuplot", error_output);
    return;
  }
  ck_assert_int_eq(code, 1);
  ck_assert(exists("changed.svg") && exists("changed.png"));
  read_file("changed.svg", output, sizeof output);
  ck_assert_ptr_nonnull(strstr(output, ": reaction/force, driver 0, z [N]"));
  expect("compare @/a @/b --allow scene --quiet --figure @/nowhere/x", 5, "nowhere");
}
END_TEST

START_TEST(changed_verdicts_fail) {
  expect("run pull --out @/a --quiet", 0, "");
  expect("run pull --out @/b --quiet --set least=-1e9", 0, "");
  expect("compare @/a @/b", 1, "");
  ck_assert_ptr_nonnull(strstr(output, "gate that changed side"));
  ck_assert_ptr_nonnull(strstr(output, "2 of 2 runs agree"));
  ck_assert_ptr_nonnull(strstr(output, "2 of 2 gates changed"));
  check_lines(output, 110);
}
END_TEST

START_TEST(prints_json) {
  expect("run pull --out @/a --quiet", 0, "");
  expect("run pull --out @/b --quiet --set E=1.01e6", 0, "");
  expect("compare @/a @/b --allow scene --json", 1, "");
  json_t *document = json_loads(output, 0, NULL);
  ck_assert_ptr_nonnull(document);
  ck_assert_str_eq(json_string_value(json_object_get(document, "verdict")), "DIFFERENT");
  ck_assert_int_eq(json_integer_value(json_object_get(document, "exit_code")), 1);
  json_t *run = json_array_get(json_object_get(document, "runs"), 0), *q;
  size_t i, bad = 0;
  json_array_foreach(json_object_get(run, "quantities"), i, q) {
    if (strcmp(json_string_value(json_object_get(q, "outcome")), "differs") != 0)
      continue;
    bad++;
    ck_assert(json_is_string(json_object_get(q, "first")));
    ck_assert_double_gt(json_real_value(json_object_get(q, "max_abs")),
                        json_real_value(json_object_get(q, "allowed")));
  }
  ck_assert_uint_ge(bad, 3);
  json_decref(document);
}
END_TEST

START_TEST(gold_results_are_packed_and_compared_with) {
  expect("run pull --tier gold --out @/now --quiet", 0, "");
  char path[128];
  snprintf(path, sizeof path, "%s/gold", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  expect("pack @/now/pull.h5 --out @/gold", 0, "");
  expect("compare @/gold @/now", 0, "");
  expect("run pull --tier gold --out @/then --quiet --set E=1.01e6", 0, "");
  expect("compare @/gold @/then --allow scene --quiet", 1, "");
  ck_assert_ptr_nonnull(strstr(output, "pull one"));
  expect("pack @/gold/pull.h5 --out @/gold", 2, "packed into itself");
  expect("pack @/now/pull-one.h5 --out @/gold", 2, "has no dataset");
  expect("pack @/now/pull.h5 --out @/nowhere", 5, "cannot write");
}
END_TEST

/// Commands that report constant times; a shell makes a blank of ${IFS}.
#define TELL(seconds) "echo${IFS}" seconds

START_TEST(launches_are_timed_and_evaluated) {
  expect("compare --time reported --launch " TELL("1") " " TELL("1.1"), 1, "");
  ck_assert_ptr_nonnull(strstr(output, "the seconds that each launch prints"));
  ck_assert_ptr_nonnull(strstr(output, "+10.00 % [+10.00, +10.00]"));
  ck_assert_ptr_nonnull(strstr(output, "\nSLOWER\n"));
  check_lines(output, 110);
  expect("compare --time reported --launch " TELL("1") " " TELL("0.9"), 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\nFASTER\n"));
  expect("compare --time reported --launch " TELL("1") " " TELL("1.001"), 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\nSAME\n"));
  // Whole processes: how long these take is the machine's affair, but one takes 20 ms at least.
  int code = finish(start("compare --json --launch true sleep${IFS}0.02"));
  ck_assert_msg(code == 1 || code == 4, "exit code %d: %s", code, error_output);
  json_t *document = json_loads(output, 0, NULL);
  json_t *seconds = json_object_get(document, "seconds_b");
  ck_assert_uint_eq(json_array_size(seconds), 11);
  for (size_t i = 0; i < 11; i++)
    ck_assert_double_ge(json_real_value(json_array_get(seconds, i)), 0.02);
  ck_assert_str_eq(json_string_value(json_object_get(document, "timed")), "process");
  json_decref(document);
}
END_TEST

START_TEST(launches_without_a_time_are_bad_input) {
  expect("compare --launch true", 2, "or commands");
  expect("compare --launch true true true", 2, "needs two commands");
  expect("compare --launch true false", 2, "\"false\" ended with code 1");
  expect("compare --launch true true --time cpu", 2, "--time needs process or reported");
  expect("compare --launch true true --allow scene", 2, "do not apply to --launch");
  expect("compare a b --time process", 2, "--time needs --launch");
  expect("compare --time reported --launch " TELL("1") " true", 2,
         "must print its time in seconds");
}
END_TEST

START_TEST(launches_print_json) {
  expect("compare --json --time reported --launch " TELL("1") " " TELL("1.1"), 1, "");
  json_t *document = json_loads(output, 0, NULL);
  ck_assert_ptr_nonnull(document);
  ck_assert_str_eq(json_string_value(json_object_get(document, "verdict")), "SLOWER");
  ck_assert_double_eq_tol(json_real_value(json_object_get(document, "change")), 0.1, 1e-12);
  ck_assert_double_eq_tol(json_real_value(json_object_get(document, "margin")), 0.01005, 1e-5);
  ck_assert_uint_eq(json_array_size(json_object_get(document, "log_ratio_equal")), 11);
  json_decref(document);
}
END_TEST

static TCase *launches(void) {
  TCase *tc = tcase_create("launches");
  tcase_add_checked_fixture(tc, set_up, remove_home);
  tcase_add_test(tc, launches_are_timed_and_evaluated);
  tcase_add_test(tc, launches_without_a_time_are_bad_input);
  tcase_add_test(tc, launches_print_json);
  return tc;
}

static TCase *words(void) {
  TCase *tc = tcase_create("words");
  tcase_add_checked_fixture(tc, set_up, remove_home);
  tcase_add_test(tc, wrong_usage_is_reported_in_one_sentence);
  tcase_add_test(tc, equal_runs_are_the_same);
  tcase_add_test(tc, different_runs_are_refused_unless_allowed);
  tcase_add_test(tc, draws_what_changed);
  tcase_add_test(tc, changed_verdicts_fail);
  tcase_add_test(tc, prints_json);
  tcase_add_test(tc, gold_results_are_packed_and_compared_with);
  return tc;
}

VB_TEST_MAIN("cli_compare", words(), launches())
