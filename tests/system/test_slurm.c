// SPDX-License-Identifier: GPL-3.0-or-later
// The job array for clusters, on a cluster of this one machine.
// Covers: bench/slurm.sh
#include "sweep_fixture.h"

START_TEST(a_job_array_shares_a_sweep) {
  if (system("PATH=$PATH:/usr/sbin; command -v slurmctld slurmd munged sbatch >/dev/null 2>&1")) {
    vb_skip("slurm", "the packages slurm-wlm and munge are not installed");
    return;
  }
  char root[4096], command[8192];
  expect("run sweep --out @/a --set long=20000", 0, "");
  ck_assert_ptr_nonnull(realpath(program(), root));
  snprintf(command, sizeof command, "tests/system/slurm.sh '%s' '%s' '%s' >'%s/slurm.log' 2>&1",
           root, folder, folder, folder);
  int ended = system(command);
  read_file("slurm.log", output, sizeof output);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 3) {
    vb_skip("slurm", "munged, slurmctld or slurmd do not come up here");
    return;
  }
  ck_assert_msg(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "%s", output);
  expect_same_folders("a", "b");
}
END_TEST

static TCase *clusters(void) {
  TCase *tests = tcase_create("clusters");
  tcase_set_timeout(tests, 200);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, a_job_array_shares_a_sweep);
  return tests;
}

VB_TEST_MAIN("slurm", clusters())
