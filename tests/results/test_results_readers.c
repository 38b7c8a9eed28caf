// SPDX-License-Identifier: GPL-3.0-or-later
/// Covers: src/results/xdmf.* src/results/results_write.c src/results/results_static.c
/// Covers: src/results/results_topology.c
#include "results_fixture.h"

static bool has_tool(const char *what, const char *command) {
  char test[200];
  snprintf(test, sizeof test, "%s >/dev/null 2>&1", command);
  if (system(test) == 0)
    return true;
  vb_skip(what, "the tool is not installed");
  return false;
}

/// A finished run with its gates, a second equal one, and the index of the study.
static void write_all(char *second, char *index) {
  char kept[160];
  write_run();
  snprintf(second, 160, "%s/second.h5", fix.folder);
  snprintf(kept, sizeof kept, "%s/kept.h5", fix.folder);
  ck_assert(rename(fix.path, second) == 0);
  write_run();
  ck_assert(!vb_gates_write(second, &fix.gate, &fix.verdict, 1, &fix.error));
  ck_assert(!vb_gates_write(fix.path, &fix.gate, &fix.verdict, 1, &fix.error));
  snprintf(index, 160, "%s/wobbles.h5", fix.folder);
  ck_assert(!write_fixed_index(index));
}

START_TEST(h5py_reads_it) {
  char second[160], index[160], command[1024];
  if (!has_tool("h5py", "/usr/bin/python3 -c 'import h5py'"))
    return;
  write_all(second, index);
  snprintf(command, sizeof command, "/usr/bin/python3 tests/support/check_results.py %s %s %s",
           fix.path, second, index);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(h5dump_reads_it) {
  char second[160], index[160], command[512];
  if (!has_tool("hdf5-tools", "h5dump --version"))
    return;
  write_all(second, index);
  snprintf(command, sizeof command, "h5dump -H %s >/dev/null && h5dump -H %s >/dev/null", fix.path,
           index);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(paraview_reads_it) {
  char command[512];
  if (!vb_has_paraview())
    return;
  write_run();
  snprintf(command, sizeof command,
           "pvpython --force-offscreen-rendering tests/support/check_paraview.py %s/wobbles-a.xdmf",
           fix.folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static TCase *readers_case(void) {
  TCase *c = tcase_create("other readers");
  tcase_add_checked_fixture(c, set_up, tear_down);
  // ParaView takes seconds to start.
  tcase_set_timeout(c, 60);
  tcase_add_test(c, h5py_reads_it);
  tcase_add_test(c, h5dump_reads_it);
  tcase_add_test(c, paraview_reads_it);
  return c;
}

VB_TEST_MAIN("results: other readers", readers_case())
