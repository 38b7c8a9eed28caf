// SPDX-License-Identifier: GPL-3.0-or-later
// What signals and the end of a terminal do to runs: exit codes, what is kept, what is told.
// Covers: src/cli/run_studies.c src/cli/conclusion.*
#include "cli_fixture.h"

/// A bar that falls freely, for as long as it is told.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'A falling bar', parameters = { steps = 10 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = p.steps, gravity = {0, 0, -9.81} }\n"
    "    s:rod{ nodes = 5, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000 }\n"
    "    s:gate{ name = 'fall', quantity = 'frames/position', node = 0, component = 'z',\n"
    "            measure = 'final', at_most = 0, reason = 'a test' }\n"
    "    return s\n"
    "  end,\n"
    "}\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/fall.lua", SCRIPT);
}

/// Waits until the run has begun to record.
static void await(const char *name) {
  for (int i = 0; i < 3000 && !exists(name); i++)
    usleep(10000);
  ck_assert_msg(exists(name), "%s does not appear", name);
}

START_TEST(signal_exits_128_and_keeps_the_record) {
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (int i = 0; i < 3; i++) {
    pid_t child = start("run fall --out @/o --fresh --set steps=100000000");
    await("o/fall-fall.h5.part");
    ck_assert_int_eq(kill(child, signals[i]), 0);
    ck_assert_int_eq(finish(child), 128 + signals[i]);
    ck_assert_ptr_nonnull(strstr(error_output, "is kept in"));
    ck_assert(exists("o/fall-fall.h5.part") && !exists("o/fall-fall.h5"));
    expect("table @/o/fall-fall.h5.part energy/kinetic", 0, "");
    char part[128];
    snprintf(part, sizeof part, "%s/o/fall-fall.h5.part", folder);
    unlink(part);
  }
}
END_TEST

START_TEST(the_last_line_tells_what_a_signal_left_out) {
  write_file("scenarios/talking.lua", SCRIPT);
  pid_t child = start("run --out @/o --set steps=100000000");
  await("o/fall-fall.h5.part");
  ck_assert_int_eq(kill(child, SIGINT), 0);
  ck_assert_int_eq(finish(child), 128 + SIGINT);
  const char *end = "stopped: 2 of 2 runs and 2 of 2 gates are missing; the same command goes on\n";
  ck_assert_ptr_nonnull(strstr(output, "all 2 studies; "));
  size_t n = strlen(output);
  ck_assert_uint_ge(n, strlen(end));
  ck_assert_str_eq(output + n - strlen(end), end);
}
END_TEST

START_TEST(children_end_with_the_terminal) {
  pid_t child = start("run fall --out @/o --fresh --set steps=100000000 --jobs 2");
  await("o/fall-fall.h5.part");
  ck_assert_int_eq(kill(child, SIGHUP), 0);
  ck_assert_int_eq(finish(child), 128 + SIGHUP);
  ck_assert_ptr_nonnull(
      strstr(error_output, "stopped by signal 15")); // the children's, by the parent
  ck_assert(exists("o/fall-fall.h5.part"));
}
END_TEST

START_TEST(what_nohup_starts_outlives_the_terminal) {
  ck_assert(signal(SIGHUP, SIG_IGN) != SIG_ERR);
  pid_t child = start("run fall --out @/o --fresh --set steps=100000000");
  signal(SIGHUP, SIG_DFL);
  await("o/fall-fall.h5.part");
  kill(child, SIGHUP);
  usleep(300000);
  ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
  kill(child, SIGTERM);
  ck_assert_int_eq(finish(child), 128 + SIGTERM);
}
END_TEST

static TCase *signals(void) {
  TCase *tests = tcase_create("signals");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, signal_exits_128_and_keeps_the_record);
  tcase_add_test(tests, the_last_line_tells_what_a_signal_left_out);
  tcase_add_test(tests, children_end_with_the_terminal);
  tcase_add_test(tests, what_nohup_starts_outlives_the_terminal);
  return tests;
}

VB_TEST_MAIN("cli signals", signals())
