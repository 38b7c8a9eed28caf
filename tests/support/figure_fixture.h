// SPDX-License-Identifier: GPL-3.0-or-later
// A study in a folder of the test's own, with two runs that are done, and its figure.
#ifndef VB_TESTS_SUPPORT_FIGURE_FIXTURE_H
#define VB_TESTS_SUPPORT_FIGURE_FIXTURE_H

#include "cli_fixture.h"

#include <dirent.h>

/// A bar that falls freely: nodes 0 to 4, frames 0 to 10.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'A falling bar',\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 10, gravity = {0, 0, -9.81} }\n"
    "    local r = s:rod{ nodes = 5, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000, name = 'bar' }\n"
    "    s:record{ every = 1, frames = 1 }\n"
    "    s:gate{ name = 'fall', quantity = 'frames/position', node = r.nodes[4], component = 'z',\n"
    "            measure = 'final', at_most = 0, reason = 'a test' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function() return { { name = 'a', label = 'A|B' }, { name = 'b', method = 'xpbd' } } "
    "end,\n"
    "  figure = 'fall',\n"
    "}\n";

static const char FIGURE[] = "#: series runs/* frames/position[0,2]\n"
                             "plot for [i=1:n_runs] series(run(i), 'frames/position[0,2]') ls i\n";

static char old_path[4096];

static void set_up(void) {
  char path[128];
  make_home();
  write_file("scenarios/fall.lua", SCRIPT);
  snprintf(path, sizeof path, "%s/tmp", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  setenv("TMPDIR", path, 1);
  snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
  write_file("plots/fall.gp", FIGURE);
  setenv("PATH", "/nonexistent", 1); // nothing is drawn yet
  expect("run fall --out @/o --quiet", 0, "gnuplot is not installed");
  setenv("PATH", old_path, 1);
}

static void tear_down(void) {
  setenv("PATH", old_path, 1);
  unsetenv("TMPDIR");
  unsetenv("VIPERBENCH_GNUPLOT_TIME");
  remove_home();
}

/// The files of a folder of the test that hold `part`.
static int count_files(const char *where, const char *part) {
  char path[128];
  int n = 0;
  snprintf(path, sizeof path, "%s/%s", folder, where);
  DIR *dir = opendir(path);
  ck_assert_ptr_nonnull(dir);
  for (struct dirent *e; (e = readdir(dir));)
    n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && strstr(e->d_name, part);
  closedir(dir);
  return n;
}

/// Nothing is left of a figure but its pictures.
static void expect_clean(void) {
  ck_assert_int_eq(count_files("tmp", ""), 0);
  ck_assert_int_eq(count_files("o", ".svg.part"), 0);
  ck_assert_int_eq(count_files("o", ".png.part"), 0);
}

#endif
