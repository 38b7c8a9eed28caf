// SPDX-License-Identifier: GPL-3.0-or-later
// --self-test without a verb: the tests that travel with a portable folder. Does not return where
// it can: the tests' runner takes the program's place, with its exit code.
#include "base/file.h"
#include "base/home.h"
#include "cli/cli.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  bool self_test;
  const char *out;
} settings;

static const vb_cli_option options[] = {{"self-test", NULL,
                                         "alone: run the tests of a portable folder", 4,
                                         vb_take_switch, VB_AT(self_test)},
                                        {VB_OPTION_OUT, VB_AT(out)},
                                        {0}};

/// Machines and their loads differ: seconds for one test program, and a factor on the times that
/// single tests are given.
static const char LIMIT_S[] = "1200";
static const char PATIENCE[] = "4";

/// Makes the folder of results, and writes the absolute path of its part "self-test".
static vb_status place_logs(const char *folder, char *out, size_t size, vb_error *error) {
  char absolute[PATH_MAX];
  vb_status status = vb_folder_make(folder, error);
  if (status)
    return status;
  if (!realpath(folder, absolute))
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot find the folder %s: %s", folder,
                        strerror(errno));
  if (snprintf(out, size, "%s/self-test", absolute) >= (int)size)
    return vb_bad_input(error, "the path of the folder %s is too long", folder);
  return VB_OK;
}

/// Settings of the test runner.
static vb_status describe_runner(const char *home, const char *logs, vb_error *error) {
  if (setenv("LOGS", logs, 1) || setenv("VIPERBENCH_HOME", home, 1) ||
      setenv("LIMIT", LIMIT_S, 0) || setenv("CK_TIMEOUT_MULTIPLIER", PATIENCE, 0))
    return vb_error_memory(error);
  if (chdir(home))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot enter the folder %s: %s", home,
                        strerror(errno));
  return VB_OK;
}

/// Runs the runner on the programs among `found` in this program's place; returns only where it
/// cannot.
static vb_status run_programs(const glob_t *found, const char *home, vb_error *error) {
  static char bash[] = "bash", runner[] = "tests/run.sh";
  char **words = calloc(found->gl_pathc + 3, sizeof *words);
  size_t n = 0;
  vb_status status;
  if (!words)
    return vb_error_memory(error);
  words[n++] = bash;
  words[n++] = runner;
  for (size_t i = 0; i < found->gl_pathc; i++)
    if (access(found->gl_pathv[i], X_OK) == 0) // the source tree has their sources there
      words[n++] = found->gl_pathv[i];
  if (n == 2) {
    status = vb_error_set(error, VB_UNAVAILABLE,
                          "%s/tests has no test programs: --self-test is for a portable folder; "
                          "in the source tree use make test",
                          home);
  } else {
    fflush(stdout);
    execvp(bash, words);
    status = vb_error_set(error, VB_UNAVAILABLE, "the self-test needs bash: %s", strerror(errno));
  }
  free(words);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  char home[PATH_MAX], logs[PATH_MAX];
  glob_t found = {0};
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = place_logs(s->out, logs, sizeof logs, error);
  if (!status)
    status = describe_runner(home, logs, error);
  if (!status) {
    glob("tests/test_*", 0, NULL, &found); // no match leaves it empty
    status = run_programs(&found, home, error);
    globfree(&found);
  }
  return status;
}

const vb_verb vb_verb_self_test = {
    .name = "--self-test", .options = options, VB_SETTINGS(.out = "results"), .run = run};
