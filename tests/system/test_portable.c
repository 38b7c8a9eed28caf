// SPDX-License-Identifier: GPL-3.0-or-later
// What a portable folder adds to the program: its tests, and what it needs. tests/system/dist.sh
// tries a whole one.
// Covers: src/cli/cli_self_test.c .ci/dist
#include "cli_fixture.h"

#include <limits.h>

/// Stands for the runner of tests: tells what it was given.
static const char RUNNER[] =
    "printf '%s|' \"$LOGS\" \"$VIPERBENCH_HOME\" \"$LIMIT\" \"$PWD\" \"$@\"\n"
    "exit 1\n";

static void make_tests(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/tests", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("tests/run.sh", RUNNER);
  write_file("tests/test_one", "");
  write_file("tests/test_two", "");
  write_file("tests/test_two.c", "");
  snprintf(path, sizeof path, "%s/tests/test_one", folder);
  ck_assert_int_eq(chmod(path, 0755), 0);
  snprintf(path, sizeof path, "%s/tests/test_two", folder);
  ck_assert_int_eq(chmod(path, 0755), 0);
}

START_TEST(the_self_test_runs_the_programs_that_are_there) {
  char expected[512];
  make_tests();
  unsetenv("LIMIT");
  expect("--self-test --out @/o", 1, ""); // the code is the runner's
  snprintf(expected, sizeof expected, "%s/o/self-test|%s|1200|%s|tests/test_one|tests/test_two|",
           folder, folder, folder);
  ck_assert_str_eq(output, expected);
}
END_TEST

START_TEST(without_programs_the_self_test_exits_3) {
  expect("--self-test --out @/o", 3, "use make test");
  expect("--self-test --tier full", 2, "--self-test does not take --tier");
  expect("run --self-test", 2, "run does not take --self-test");
}
END_TEST

START_TEST(without_bash_the_self_test_exits_3) {
  char path[PATH_MAX];
  ck_assert_ptr_nonnull(realpath(program(), path));
  make_tests();
  setenv("VB_PROGRAM", path, 1);
  const char *old = getenv("PATH");
  char *kept = strdup(old ? old : "/usr/bin:/bin");
  setenv("PATH", folder, 1);
  expect("--self-test --out @/o", 3, "needs bash");
  setenv("PATH", kept, 1); // which the removal of the folder needs
  free(kept);
}
END_TEST

START_TEST(version_lists_what_the_folder_needs) {
  write_file("BUILD-INFO", "viperbench 1\nneeds: glibc 2.99 or newer\nCUDA: none\n");
  expect("--version", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\nneeds: glibc 2.99 or newer\n"));
  ck_assert_ptr_null(strstr(output, "CUDA"));
}
END_TEST

static TCase *portable_tests(void) {
  TCase *tests = tcase_create("portable");
  tcase_add_checked_fixture(tests, make_home, remove_home);
  tcase_add_test(tests, the_self_test_runs_the_programs_that_are_there);
  tcase_add_test(tests, without_programs_the_self_test_exits_3);
  tcase_add_test(tests, without_bash_the_self_test_exits_3);
  tcase_add_test(tests, version_lists_what_the_folder_needs);
  return tests;
}

VB_TEST_MAIN("portable folder", portable_tests())
