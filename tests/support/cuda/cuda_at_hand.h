// SPDX-License-Identifier: GPL-3.0-or-later
/// Tests that need a device. Where there is none, one test is skipped in place of all: the emulator
/// (tests/emulator) runs their cases, some in "make test" and all in "make emulated".
#ifndef VB_TESTS_SUPPORT_CUDA_AT_HAND_H
#define VB_TESTS_SUPPORT_CUDA_AT_HAND_H

#include "cuda/cuda_cases.h"

#include <sys/wait.h>
#include <unistd.h>

START_TEST(there_is_a_device) {
  case_has_device();
}
END_TEST

/// Whether to add tests that need a device to `t`. A process of its own asks the driver, for one
/// that has asked may not fork.
static inline bool case_add_where_device(TCase *t) {
  int status = 0;
  tcase_add_test(t, there_is_a_device);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    const bool silent = freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
    _exit(silent && case_has_device() ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

#endif
