// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees: the end of a run, progress, choosing runs; width and colors of a terminal.
#include "cli_fixture.h"

#include <pty.h>

/// A study of four bars that fall, with a gate each; its names are longer than a narrow table.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'Four falling bars',\n"
    "  keywords = { 'falling' },\n"
    "  parameters = { reference = -0.0545, finding = false },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 10, gravity = {0, 0, -9.81} }\n"
    "    s:rod{ nodes = 5, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
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

/// What the program prints on a terminal of so many columns; its words are separated by blanks.
static void run_on_terminal(const char *words, unsigned short columns) {
  struct winsize size = {.ws_row = 40, .ws_col = columns};
  char command[1024];
  int terminal, ended;
  size_t used = 0;
  snprintf(command, sizeof command, "exec %s %s --out %s/o", program(), words, folder);
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  for (ssize_t n; (n = read(terminal, output + used, sizeof output - 1 - used)) > 0;)
    used += (size_t)n;
  output[used] = '\0';
  close(terminal);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
}

/// Removes from `output` what a terminal does not show: escape sequences and, as the bar is
/// redrawn, what stands before a carriage return on its line.
static void keep_what_is_seen(void) {
  char *to = output, *line = output;
  for (const char *c = output; *c; c++) {
    if (*c == '\x1b') {
      while (c[1] && *c != 'm' && *c != 'K')
        c++;
    } else if (*c == '\r' && c[1] != '\n') {
      to = line;
    } else if (*c != '\r') {
      *to++ = *c;
      if (*c == '\n')
        line = to;
    }
  }
  *to = '\0';
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
  expect("run many --out @/o", 0, "");
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
    run_on_terminal("run bars --fresh", columns[i]);
    keep_what_is_seen();
    ck_assert_ptr_nonnull(strstr(output, "4 of 4 gates passed"));
    ck_assert_ptr_null(strstr(output, "1/4"));
    check_lines(output, columns[i]);
  }
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
  run_on_terminal("run bars", 100);
  ck_assert_ptr_nonnull(strstr(output, "\x1b[32mpassed\x1b[0m"));
  run_on_terminal("run bars --set reference=1", 100);
  ck_assert_ptr_nonnull(strstr(output, "\x1b[31mFAILED\x1b[0m"));
  setenv("NO_COLOR", "1", 1);
  run_on_terminal("run bars", 100);
  ck_assert_ptr_null(strstr(output, "\x1b[32m"));
}
END_TEST

START_TEST(every_command_has_a_page) {
  expect("help", 0, "");
  char *overview = strdup(output), *rest = overview;
  size_t n = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char name[32], words[64];
    if (strncmp(line, "  ", 2) != 0 || sscanf(line, " %31s", name) != 1 || name[0] == '-')
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
  char command[600];
  if (system("command -v bash >/dev/null 2>&1") != 0) {
    vb_skip("bash", "its completion needs it");
    return;
  }
  expect("help --completion bash", 0, "");
  write_file("complete.bash", output);
  snprintf(command, sizeof command,
           "bash -c '. %s/complete.bash; COMP_WORDS=(%s run --verb); COMP_CWORD=2; _viperbench; "
           "[ \"${COMPREPLY[*]}\" = --verbose ] && COMP_WORDS=(%s info ba); _viperbench; "
           "[ \"${COMPREPLY[*]}\" = bars ]'",
           folder, program(), program());
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
  tcase_add_test(tests, piped_names_are_whole);
  tcase_add_test(tests, every_command_has_a_page);
  tcase_add_test(tests, shells_complete_words);
  tcase_add_test(tests, colors_are_for_terminals_that_want_them);
  return tests;
}

VB_TEST_MAIN("terminal", person())
