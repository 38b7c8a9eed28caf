// SPDX-License-Identifier: GPL-3.0-or-later
/// Every elastic energy that a run of viper records follows from its topology and its frames alone,
/// by formulas that share no code with the program (tests/support/check_energies.py).
/// Covers: src/viper/fields.c src/viper/energy/*.h
#include "test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Bent, twisted, tapered rods whose drawn shape, rest shape and stiffness differ in all ways that
/// a scene can say, moved far: what the studies leave out.
static const char SCRIPT[] =
    "return { title = 'Rods of all kinds', parameters = { precision = 'double' },\n"
    "build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 20, gravity = { 0, 0, -9.81 } }\n"
    "  local function rod(y, reverse)\n"
    "    return s:rod{ nodes = 9, radius = function(t) return 0.05 + 0.02 * t end,\n"
    "      curve = function(t) return math.cos(2 * t), y + math.sin(2 * t), 0.3 * t end,\n"
    "      material = { E = 1e5, nu = 0.4 }, density = 1000, twist = function(t) return t end,\n"
    "      reverse = reverse, scale_rate = 2, @OPTIONS@\n"
    "      angular_velocity = { 0, 0, 3 } }\n"
    "  end\n"
    "  local a, b = rod(0, false), rod(5, function(j) return j % 3 == 1 end)\n"
    "  s:pin{ node = a.first, segment = a.first_segment }\n"
    "  s:segment{ nodes = { b.first, b.last }, material = { E = 1e4, nu = 0.3 }, density = 900 }\n"
    "  local tip = s:node{ position = { 1, 5, 1 }, radius = 0.04 }\n"
    "  s:segment{ nodes = { b.nodes[5], tip }, material = { E = 1e5, nu = 0.3 }, density = 900 }\n"
    "  s:record{ every = 1, frames = 5, exact = true }\n"
    "  s:solver{ precision = p.precision, iterations = 10, method = 'direct' }\n"
    "  return s\n"
    "end,\n"
    "runs = function() return { { name = 'double' },\n"
    "  { name = 'float', parameters = { precision = 'float' } } } end }\n";

static bool has_h5py(void) {
  if (system("/usr/bin/python3 -c 'import h5py, numpy' >/dev/null 2>&1") == 0)
    return true;
  vb_skip("h5py", "python3 has no h5py");
  return false;
}

static char folder[32];

static void set_up(void) {
  strcpy(folder, "/tmp/vb_energies_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

/// Runs `what` into a folder, and compares the energies of all its runs.
static void check_runs(const char *what, const char *out) {
  char command[400];
  snprintf(command, sizeof command, "%s run %s --out %s --quiet", getenv("VIPERBENCH"), what, out);
  int code = WEXITSTATUS(system(command));
  ck_assert_msg(code == 0 || code == 1, "%s ended with %d", command, code); // 1: one diverged
  snprintf(command, sizeof command, "/usr/bin/python3 tests/support/check_energies.py %s/*-*.h5",
           out);
  ck_assert_int_eq(system(command), 0);
}

/// Their runs remain in GOLD_RUNS, where that is set, to be compared with gold results.
START_TEST(energies_of_all_studies) {
  char command[400];
  const char *kept = getenv("GOLD_RUNS");
  if (!has_h5py())
    return;
  if (kept) {
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", kept, kept);
    ck_assert_int_eq(system(command), 0);
  }
  check_runs("all --tier gold", kept ? kept : folder);
}
END_TEST

/// Writes SCRIPT with further options of its rods, and checks its runs.
static void check_script(const char *options) {
  char path[64];
  snprintf(path, sizeof path, "%s/kinds.lua", folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  const char *at = strstr(SCRIPT, "@OPTIONS@");
  fprintf(file, "%.*s%s%s", (int)(at - SCRIPT), SCRIPT, options, at + strlen("@OPTIONS@"));
  fclose(file);
  check_runs(path, folder);
}

START_TEST(energies_of_rods_of_all_kinds) {
  if (has_h5py())
    check_script("");
}
END_TEST

START_TEST(energies_of_rods_with_rest_curvature) {
  if (has_h5py())
    check_script("rest_curvature = function(t) return 1 + t, -2 * t, 0.5 end,");
}
END_TEST

START_TEST(energies_of_rods_with_bending_factors) {
  if (has_h5py())
    check_script("bending = function(t) return 0.2 + t, 3 - t end,");
}
END_TEST

static TCase *energies(void) {
  TCase *c = tcase_create("energies from frames");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_set_timeout(c, 240); // all studies, cut short
  tcase_add_test(c, energies_of_all_studies);
  tcase_add_test(c, energies_of_rods_of_all_kinds);
  tcase_add_test(c, energies_of_rods_with_rest_curvature);
  tcase_add_test(c, energies_of_rods_with_bending_factors);
  return c;
}

VB_TEST_MAIN("energies", energies())
