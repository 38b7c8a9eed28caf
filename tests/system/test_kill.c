// SPDX-License-Identifier: GPL-3.0-or-later
// A few kills of commands that start other programs; nightly there are more (tests/system/kill.sh).
// Covers: src/base/watchdog.* src/base/scratch.* src/base/started_program.*
#include "cli_fixture.h"

START_TEST(nothing_stays_of_what_was_started) {
  char plugin[4096] = "", command[9000];
  ck_assert_int_gt(readlink("/proc/self/exe", plugin, sizeof plugin - 64), 0);
  strcpy(strrchr(plugin, '/'), "/plugins/falling.so");
  snprintf(command, sizeof command,
           "PROGRAM='%s' PLUGIN='%s' N=3 tests/system/kill.sh figure mesh movie plugin >'%s/log' "
           "2>&1",
           program(), plugin, folder);
  int ended = system(command);
  read_file("log", output, sizeof output);
  for (char *line = strtok(output, "\n"); line; line = strtok(NULL, "\n"))
    if (strncmp(line, "SKIPPED", 7) == 0)
      fprintf(stderr, "%s\n", line);
  read_file("log", output, sizeof output);
  ck_assert_msg(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "%s", output);
}
END_TEST

static TCase *kills(void) {
  TCase *tests = tcase_create("kills");
  tcase_set_timeout(tests, 300);
  tcase_add_checked_fixture(tests, make_home, remove_home);
  tcase_add_test(tests, nothing_stays_of_what_was_started);
  return tests;
}

VB_TEST_MAIN("kill", kills())
