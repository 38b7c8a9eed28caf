// SPDX-License-Identifier: GPL-3.0-or-later
/// The Python package apart from solvers: its types against the headers, results (hostile ones,
/// too), scenes against those of scripts, runs. check_package.py, check_hostile.py and
/// check_scenes.py do the work.
/// Covers: src/python/library.* src/python/reading.* src/python/viperbench/*.py
#include "python_fixture.h"

static void run_check(const char *script) {
  char command[PATH_MAX], place[PATH_MAX];
  if (!has_python("numpy"))
    return;
  ck_assert_ptr_nonnull(realpath(program(), place));
  setenv("VIPERBENCH", place, 1);
  ck_assert_ptr_nonnull(getcwd(place, sizeof place));
  setenv("VIPERBENCH_HOME", place, 1);
  setenv("PYTHONPATH", "src/python", 1);
  snprintf(command, sizeof command, PYTHON " tests/python/%s %s/out >%s/check.log 2>&1", script,
           folder, folder);
  int ended = system(command);
  read_file("check.log", output, sizeof output);
  ck_assert_msg(ended == 0, "%s: %s", script, output);
  static const char *const LACKING[][2] = {{"matplotlib", "the notebook draws with it"},
                                           {"pandas", "tables are its"},
                                           {"h5py", "hostile files are made by it"}};
  for (size_t i = 0; i < sizeof LACKING / sizeof *LACKING; i++) {
    char line[64];
    snprintf(line, sizeof line, "SKIPPED (%s)", LACKING[i][0]);
    if (strstr(output, line))
      vb_skip(LACKING[i][0], LACKING[i][1]);
  }
}

START_TEST(types_results_and_runs_agree_with_the_program) {
  run_check("check_package.py");
}
END_TEST

START_TEST(hostile_files_are_refused) {
  run_check("check_hostile.py");
}
END_TEST

START_TEST(scenes_are_those_of_scripts) {
  run_check("check_scenes.py");
}
END_TEST

static TCase *package(void) {
  TCase *t = tcase_create("package");
  tcase_set_timeout(t, 240);
  tcase_add_checked_fixture(t, make_home, remove_home);
  tcase_add_test(t, types_results_and_runs_agree_with_the_program);
  tcase_add_test(t, hostile_files_are_refused);
  tcase_add_test(t, scenes_are_those_of_scripts);
  return t;
}

VB_TEST_MAIN("python_package", package())
