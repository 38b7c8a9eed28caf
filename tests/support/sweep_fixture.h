// SPDX-License-Identifier: GPL-3.0-or-later
/// A sweep of falling bars, and what became of it in two folders.
#ifndef VB_TESTS_SUPPORT_SWEEP_FIXTURE_H
#define VB_TESTS_SUPPORT_SWEEP_FIXTURE_H

#include "cli_fixture.h"
#include "same_results.h"

#include <glob.h>

/// Bars that fall. The one of 17 nodes takes much longer than the others.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'Bars that fall',\n"
    "  parameters = { n = 5, steps = 400, long = 1200, frames = 100 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.001, steps = p.steps, gravity = {0, 0, -9.81} }\n"
    "    s:rod{ nodes = p.n, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1, density = 1000,\n"
    "           material = { E = 1e5, nu = 0.3 }, name = 'bar' }\n"
    "    s:record{ every = 5, frames = p.frames }\n"
    "    s:solver{ iterations = 3 }\n"
    "    s:gate{ name = 'speed', quantity = 'momentum', component = 'z', measure = 'value',\n"
    "            at = 0.2, at_most = -1, reason = 'it falls' }\n"
    "    return s\n"
    "  end,\n"
    "  grid = { method = {'direct', 'xpbd'}, n = {5, 9, 17} },\n"
    "  each = function(at, p)\n"
    "    if at.n == 17 and at.method == 'xpbd' then return false end\n"
    "    if at.n == 17 then return { parameters = { steps = p.long } } end\n"
    "  end,\n"
    "  gates = function(p) return {\n"
    "    { name = 'fall', where = {}, quantity = 'frames/position', node = 0, component = 'z',\n"
    "      measure = 'value', at = 0.4, near = -9.81 * 0.08, tolerance = 0.01,\n"
    "      reason = 'g t^2 / 2, and half a step more by implicit Euler' },\n"
    "    { name = 'alike', where = { n = {5, 9} }, against = { method = 'direct' },\n"
    "      combine = 'difference', quantity = 'frames/position', node = 0, component = 'z',\n"
    "      measure = 'value', at = 0.4, near = 0, absolute = true, tolerance = 1e-6,\n"
    "      reason = 'a rigid motion' },\n"
    "  } end,\n"
    "}\n";

static const char *const RUNS[] = {"direct-n5", "direct-n9", "direct-n17", "xpbd-n5", "xpbd-n9"};
enum { N_RUNS = sizeof RUNS / sizeof *RUNS };

static inline void set_up(void) {
  make_home();
  write_file("scenarios/sweep.lua", SCRIPT);
}

/// The path of a file in the folder of the test; of four at a time.
static inline const char *in_folder(const char *format, const char *a, const char *b) {
  static char paths[4][256];
  static int next;
  char name[128];
  next = (next + 1) % 4;
  snprintf(name, sizeof name, format, a, b);
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

static inline size_t count_files(const char *pattern) {
  glob_t found;
  size_t n = glob(in_folder("%s%s", pattern, ""), 0, NULL, &found) == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return n;
}

/// Both folders hold the same files, and these the same results.
static inline void expect_same_folders(const char *a, const char *b) {
  for (int i = 0; i < N_RUNS; i++) {
    expect_same_results(in_folder("%s/sweep-%s.h5", a, RUNS[i]),
                        in_folder("%s/sweep-%s.h5", b, RUNS[i]));
    ck_assert(access(in_folder("%s/sweep-%s.xdmf", b, RUNS[i]), F_OK) == 0);
  }
  expect_same_results(in_folder("%s/sweep.h5%s", a, ""), in_folder("%s/sweep.h5%s", b, ""));
  char all[80];
  snprintf(all, sizeof all, "%s/*", b);
  ck_assert_uint_eq(count_files(all), 2 * N_RUNS + 1);
}

#endif
