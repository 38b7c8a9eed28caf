// SPDX-License-Identifier: GPL-3.0-or-later
/// What judges studies with planted solvers (tests/planted.py, by the program planted/judge): it
/// fails where a study does not see what it must, and where an exemption is not true.
#include "test.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/vb_judge_XXXXXX";
static char judge[PATH_MAX];
static char said[1 << 16];

/// A rod that falls freely under `gravity` for 10 steps, with `gates` and a `key` of its study.
#define STUDY(gravity, gates, key)                                                                 \
  "return { title = 't', " key "build = function()\n"                                              \
  "local s = vb.scene{ step = 0.1, steps = 10, gravity = { 0, 0, -" gravity " } }\n"               \
  "s:rod{ nodes = 3, from = { 0, 0, 0 }, to = { 0, 0, 1 }, radius = 0.1, density = 1000,\n"        \
  "material = { E = 1e6, nu = 0.4 } } s:record{ every = 1, frames = 1 }\n"                         \
  "s:solver{ method = 'direct', precision = 'double', iterations = 20 }\n" gates                   \
  " return s end }\n"

/// It falls as backward Euler has it: 10 m/s^2 h^2 n (n + 1)/2 deep, and its energies say so.
#define SEES                                                                                       \
  "s:gate{ name = 'depth', quantity = 'frames/position', node = 0, component = 'z', measure = "    \
  "'final', near = -5.5, tolerance = 1e-6, absolute = true, reason = 'r' }\n"                      \
  "s:gate{ name = 'speed', quantity = 'energy/kinetic', measure = 'final', at_least = 1,"          \
  "reason = 'r' }\n"
/// A gate that cannot fail, and a finding, which counts for nothing.
#define SEES_NOTHING                                                                               \
  "s:gate{ name = 'height', quantity = 'frames/position', node = 0, component = 'z', measure = "   \
  "'final', at_most = 1, reason = 'r' }\n"                                                         \
  "s:gate{ name = 'found', finding = true, quantity = 'energy/kinetic', measure = 'final',"        \
  "at_least = 1e9, reason = 'r' }\n"
#define EXEMPT_ALL                                                                                 \
  "planted = { exempt = { still = 'a', stale = 'b', ['free-fall'] = 'c', ['half-step'] = 'd',"     \
  "['zero-energies'] = 'e' } }, "

/// Judges the study of a text with every kind; the exit code. What was printed is in `said`.
static int judge_study(const char *text, const char *options) {
  char path[64], command[PATH_MAX + 256];
  snprintf(path, sizeof path, "%s/study.lua", folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
  snprintf(command, sizeof command, "JUDGE='%s' JOBS=1 python3 tests/planted.py %s %s 2>&1", judge,
           options, path);
  FILE *pipe = popen(command, "r");
  ck_assert_ptr_nonnull(pipe);
  said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
  int ended = pclose(pipe);
  unlink(path);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

static void expect(const char *text, const char *options, int code, const char *what) {
  if (access(judge, X_OK)) {
    vb_skip("planted/judge", "it is built beside the tests, and is not part of a portable folder");
    return;
  }
  int got = judge_study(text, options);
  ck_assert_msg(got == code && strstr(said, what), "exit code %d, not %d; \"%s\" in: %s", got, code,
                what, said);
}

static void set_up(void) {
  ssize_t n = readlink("/proc/self/exe", judge, sizeof judge - 32);
  ck_assert_int_gt(n, 0);
  judge[n] = '\0';
  for (int i = 0; i < 2; i++)
    *strrchr(judge, '/') = '\0';
  strcat(judge, "/planted/judge");
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
  rmdir(folder);
}

START_TEST(a_study_that_sees_all_passes) {
  expect(STUDY("10", SEES, ""), "--kinds all", 0, "planted: 5 of 5 caught, 0 exempt");
  expect(STUDY("10", SEES, ""), "--kinds none", 0, "planted: 0 of 1 caught");
}
END_TEST

START_TEST(a_study_that_sees_nothing_fails) {
  expect(STUDY("10", SEES_NOTHING, ""), "--kinds still", 1,
         "study, still: must be caught, and passes all of 1 gates");
}
END_TEST

START_TEST(an_exemption_must_be_true) {
  expect(STUDY("10", SEES, EXEMPT_ALL), "--kinds still", 1,
         "study, still: is exempt (a), and is caught by \"depth\"");
  expect(STUDY("10", SEES_NOTHING, EXEMPT_ALL), "--kinds all", 0,
         "planted: 0 of 5 caught, 5 exempt");
}
END_TEST

/// What is listed beside the five must be seen, too.
START_TEST(what_a_study_adds_must_be_caught) {
  expect(STUDY("10", SEES, "planted = { must = { 'slow-time' } }, "), "--kinds slow-time", 0,
         "planted: 1 of 1 caught");
  expect(STUDY("10", SEES, "planted = { must = { 'no-contact' } }, "), "--kinds no-contact", 1,
         "study, no-contact: must be caught, and passes all of 2 gates");
}
END_TEST

START_TEST(a_run_that_cannot_be_executed_fails) {
  expect(STUDY("10", SEES " s:collider{ sphere = { 0, 0, -9 }, radius = 1, name = 'ball' }", ""),
         "--kinds none", 1,
         "planted: study, none: study, run study: solver viper does not support");
}
END_TEST

START_TEST(a_broken_study_fails) {
  expect("return { title = 't', planted = { must = { 'nois' } } }", "--kinds still", 1,
         "did you mean \"noise\"?");
  expect(STUDY("10", SEES, ""), "--kinds stil", 1, "unknown kind \"stil\"");
}
END_TEST

START_TEST(all_kinds_become_a_page) {
  char options[128], page[4096];
  snprintf(options, sizeof options, "--all --page %s/page.md", folder);
  expect(STUDY("10", SEES, ""), options, 0, "of 12 caught");
  snprintf(options, sizeof options, "%s/page.md", folder);
  FILE *file = fopen(options, "r");
  if (!file)
    return; // skipped
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  unlink(options);
  ck_assert_ptr_nonnull(strstr(page, "| `study` | 2 | **2** | **"));
  ck_assert_ptr_nonnull(strstr(page, "- `study`, zero-energies: speed\n"));
}
END_TEST

static TCase *driver(void) {
  TCase *tcase = tcase_create("judge");
  tcase_set_timeout(tcase, 60);
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, a_study_that_sees_all_passes);
  tcase_add_test(tcase, a_study_that_sees_nothing_fails);
  tcase_add_test(tcase, an_exemption_must_be_true);
  tcase_add_test(tcase, what_a_study_adds_must_be_caught);
  tcase_add_test(tcase, a_run_that_cannot_be_executed_fails);
  tcase_add_test(tcase, a_broken_study_fails);
  tcase_add_test(tcase, all_kinds_become_a_page);
  return tcase;
}

VB_TEST_MAIN("judge of planted solvers", driver())
