// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees: the end of a run, progress, choosing runs; width and colors of a terminal.
// Covers: src/cli/conclusion.* src/cli/summary* src/base/terminal.* src/base/progress.*
// Covers: src/base/report_text.*
#include "cli_terminal.h"

/// A study of four bars that fall, with a gate each; its names are longer than a narrow table.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'Four falling bars',\n"
    "  keywords = { 'falling' },\n"
    "  parameters = { reference = -0.0540, finding = false, radius = 0.1 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 10, gravity = {0, 0, -9.81} }\n"
    "    s:rod{ nodes = 5, from = {0, 0, 0}, to = {1, 0, 0}, radius = p.radius,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000, name = 'bar' }\n"
    "    s:gate{ name = 'fall of the node at the end of the bar, told at length', quantity = "
    "'frames/position', node = 0, component = 'z',\n"
    "            measure = 'final', near = p.reference, tolerance = 1e-2, finding = p.finding,\n"
    "            reason = 'g t^2 / 2, and half a step more by implicit Euler' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function()\n"
    "    local list = {}\n"
    "    for i = 1, 4 do list[i] = { name = 'a-bar-with-a-rather-long-name-' .. i } end\n"
    "    return list\n"
    "  end,\n"
    "}\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/bars.lua", SCRIPT);
  unsetenv("NO_COLOR");
}

START_TEST(the_last_line_is_the_verdict) {
  expect("run bars --out @/o", 0, "");
  ck_assert_str_eq(last_line(output), "4 of 4 gates passed\n");
  ck_assert_ptr_nonnull(strstr(output, "\n4 runs of 1 study, in "));
  expect("run bars --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n4 runs of 1 study, 4 kept from before, in "));
  expect("run bars --out @/o --set reference=1", 1, "");
  ck_assert_str_eq(last_line(output), "0 of 4 gates passed\n");
  ck_assert_ptr_nonnull(strstr(output, "\n  FAILED bars, run a-bar-with-a-rather-long-name-4: "
                                       "gate \"fall of the node at the end of the bar, told at "
                                       "length\" missed: -0.05"));
}
END_TEST

/// A study whose tables are long: 50 runs.
static const char MANY[] =
    "return { title = 'Many', build = function()\n"
    "    local s = vb.scene{ step = 0.01, steps = 1 }\n"
    "    s:rod{ nodes = 2, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000 }\n"
    "    return s end,\n"
    "  runs = function() local list = {}\n"
    "    for i = 1, 50 do list[i] = { name = 'r' .. i } end return list end }\n";

START_TEST(long_tables_are_asked_for) {
  write_file("scenarios/many.lua", MANY);
  expect("run many --jobs 1 --out @/o", 0, ""); // side by side, another run may be the last
  ck_assert_ptr_nonnull(strstr(output, "50/50 many r50: "));
  ck_assert_ptr_null(strstr(output, "ms/step"));
  ck_assert_ptr_nonnull(strstr(output, "run --verbose"));
  expect("run many --out @/o --verbose", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "ms/step"));
}
END_TEST

START_TEST(runs_are_chosen_by_name_and_keyword) {
  expect("run --list -k long-name-2", 0, "");
  ck_assert_str_eq(output, "bars a-bar-with-a-rather-long-name-2\n");
  expect("run -k ars*name-3 --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "1/1 bars a-bar-with-a-rather-long-name-3: "));
  ck_assert_ptr_nonnull(strstr(output, "bars: 1 of 4 runs are recorded"));
  ck_assert_str_eq(last_line(output), "1 of 1 gates passed\n");
  expect("run --only falling --out @/o", 0, "");
  ck_assert_str_eq(last_line(output), "4 of 4 gates passed\n");
  // What is recorded already takes part, though it was not chosen.
  expect("run -k name-4 --out @/o", 0, "");
  ck_assert_str_eq(last_line(output), "4 of 4 gates passed\n");
  expect("run -k nothing --out @/o", 2, "no run has \"nothing\"");
  ck_assert(!exists("o/bars.h5.part"));
}
END_TEST

START_TEST(tables_fit_the_terminal) {
  const unsigned short columns[] = {60, 80, 100, 200};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    run_on_terminal("run bars --fresh --out @/o", columns[i]);
    keep_what_is_seen();
    ck_assert_ptr_nonnull(strstr(output, "4 of 4 gates passed"));
    ck_assert_ptr_null(strstr(output, "1/4"));
    check_lines(output, columns[i]);
  }
}
END_TEST

START_TEST(comparisons_fit_the_terminal) {
  const unsigned short columns[] = {60, 80, 110};
  expect("run bars --out @/a", 0, "");
  expect("run bars --out @/b --set radius=0.11 --set reference=1", 1, "");
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    run_on_terminal("compare @/a @/b --allow scene", columns[i]);
    keep_what_is_seen();
    ck_assert_ptr_nonnull(strstr(output, "quantity that DIFFERS"));
    ck_assert_ptr_nonnull(
        strstr(output, columns[i] < 100 ? "\n  changed gate  " : "gate that changed side"));
    ck_assert_ptr_nonnull(strstr(output, "\nDIFFERENT\n"));
    check_lines(strstr(output, "  bars"), columns[i]); // the commands are the user's
    run_on_terminal("compare @/a @/a", columns[i]);
    keep_what_is_seen();
    ck_assert_ptr_nonnull(strstr(output, "\nSAME\n"));
    check_lines(strstr(output, "  bars"), columns[i]);
  }
  run_on_terminal("compare @/a @/b", 100);
  ck_assert_ptr_nonnull(strstr(output, "\x1b[31mREFUSED\x1b[0m"));
  expect("compare @/a @/b --allow scene", 1, "");
  ck_assert_ptr_null(strstr(output, "..."));
  ck_assert_ptr_nonnull(strstr(output, "fall of the node at the end of the bar, told at length "));
}
END_TEST

START_TEST(launches_are_counted) {
  run_on_terminal("compare --launch true true", 60);
  ck_assert_ptr_nonnull(strstr(output, "\r1/12 launches"));
  ck_assert_ptr_nonnull(strstr(output, "s left"));
  keep_what_is_seen();
  ck_assert_ptr_null(strstr(output, "1/12"));
  check_lines(output, 60);
  int code = finish(start("compare --launch true true"));
  ck_assert(code == 0 || code == 1 || code == 4);
  ck_assert_ptr_eq(strstr(output, "46 alternating launches; judging by the first two, of "),
                   output);
  for (int i = 1; i <= 12; i++) {
    char line[32];
    snprintf(line, sizeof line, "\n%d/12 launches: A ", i);
    ck_assert_ptr_nonnull(strstr(output, line));
  }
}
END_TEST

START_TEST(lists_fit_the_terminal) {
  run_on_terminal("list", 60);
  keep_what_is_seen();
  ck_assert_ptr_nonnull(strstr(output, "Four falling bars"));
  check_lines(output, 60);
}
END_TEST

START_TEST(piped_names_are_whole) {
  expect("run bars --out @/o", 0, "");
  ck_assert_ptr_null(strstr(output, "..."));
  ck_assert_ptr_nonnull(strstr(output, " a-bar-with-a-rather-long-name-1 "));
  ck_assert_ptr_null(strchr(output, '\x1b'));
}
END_TEST

START_TEST(colors_are_for_terminals_that_want_them) {
  run_on_terminal("run bars --out @/o", 100);
  ck_assert_ptr_nonnull(strstr(output, "\x1b[32mpassed\x1b[0m"));
  run_on_terminal("run bars --set reference=1 --out @/o", 100);
  ck_assert_ptr_nonnull(strstr(output, "\x1b[31mFAILED\x1b[0m"));
  setenv("NO_COLOR", "1", 1);
  run_on_terminal("run bars --out @/o", 100);
  ck_assert_ptr_null(strstr(output, "\x1b[32m"));
}
END_TEST

START_TEST(every_command_has_a_page) {
  expect("help", 0, "");
  char *overview = strdup(output), *rest = overview;
  size_t n = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char name[32], words[64];
    if (strncmp(line, "  ", 2) != 0 || line[2] == ' ' || sscanf(line, " %31s", name) != 1 ||
        name[0] == '-')
      continue;
    snprintf(words, sizeof words, "help %s", name);
    expect(words, 0, "");
    ck_assert_ptr_nonnull(strstr(output, "viperbench "));
    if (strcmp(name, "pack") != 0)
      ck_assert_msg(strstr(output, "\nExamples:\n") != NULL, "%s has no examples", name);
    char *page = strdup(output);
    snprintf(words, sizeof words, "%s --help", name);
    expect(words, 0, "");
    ck_assert_str_eq(output, page);
    check_lines(page, 100);
    free(page);
    n++;
  }
  ck_assert_uint_ge(n, 14);
  free(overview);
  expect("help rnu", 2, "did you mean \"run\"?");
  expect("help --man", 0, "");
  ck_assert_ptr_nonnull(strstr(output, ".SS run"));
  ck_assert_ptr_nonnull(strstr(output, ".B \\-\\-verbose"));
}
END_TEST

START_TEST(shells_complete_words) {
  char command[1200];
  if (system("command -v bash >/dev/null 2>&1") != 0) {
    vb_skip("bash", "its completion needs it");
    return;
  }
  expect("help --completion bash", 0, "");
  write_file("complete.bash", output);
  snprintf(command, sizeof command,
           "bash -c '. %s/complete.bash; COMP_WORDS=(%s run --verb); COMP_CWORD=2; _viperbench; "
           "[ \"${COMPREPLY[*]}\" = --verbose ] && COMP_WORDS=(%s info ba); _viperbench; "
           "[ \"${COMPREPLY[*]}\" = bars ] && COMP_WORDS=(%s run --tier q) && COMP_CWORD=3; "
           "_viperbench; [ \"${COMPREPLY[*]}\" = quick ] && COMP_WORDS=(%s run --method dir); "
           "_viperbench; [ \"${COMPREPLY[*]}\" = direct ] && COMP_WORDS=(%s run --option skin_s); "
           "_viperbench; [ \"${COMPREPLY[*]}\" = skin_shape ]'",
           folder, program(), program(), program(), program(), program());
  ck_assert_int_eq(system(command), 0);
  const char *shells[] = {"zsh", "fish"};
  for (int i = 0; i < 2; i++) {
    snprintf(command, sizeof command, "help --completion %s", shells[i]);
    expect(command, 0, "");
    ck_assert_ptr_nonnull(strstr(output, "verbose"));
  }
}
END_TEST

static TCase *person(void) {
  TCase *tests = tcase_create("what a person sees");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, the_last_line_is_the_verdict);
  tcase_add_test(tests, long_tables_are_asked_for);
  tcase_add_test(tests, runs_are_chosen_by_name_and_keyword);
  tcase_add_test(tests, tables_fit_the_terminal);
  tcase_add_test(tests, comparisons_fit_the_terminal);
  tcase_add_test(tests, launches_are_counted);
  tcase_add_test(tests, lists_fit_the_terminal);
  tcase_add_test(tests, piped_names_are_whole);
  tcase_add_test(tests, every_command_has_a_page);
  tcase_add_test(tests, shells_complete_words);
  tcase_add_test(tests, colors_are_for_terminals_that_want_them);
  return tests;
}

VB_TEST_MAIN("terminal", person())
