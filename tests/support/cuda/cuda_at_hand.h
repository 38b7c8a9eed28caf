// SPDX-License-Identifier: GPL-3.0-or-later
/// Tests that need a device. Where there is none, one test is skipped in place of all: the emulator
/// (tests/emulator) runs their cases, some in "make test" and all in "make emulated".
#ifndef VB_TESTS_SUPPORT_CUDA_AT_HAND_H
#define VB_TESTS_SUPPORT_CUDA_AT_HAND_H

#include "cuda/cuda_cases.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef VIPER_CUDA
#include <cuda_runtime_api.h>
#endif

/// Whether the runtime finds a device, as a process of its own told.
static bool case_found_device;

/// The backend must agree: else all tests that need a device would be left out unseen.
START_TEST(backend_agrees_whether_there_is_a_device) {
  ck_assert_int_eq(case_has_device(), case_found_device);
}
END_TEST

static inline bool case_ask_runtime(void) {
#ifdef VIPER_CUDA
  int n = 0;
  return cudaGetDeviceCount(&n) == cudaSuccess && n > 0;
#else
  return false;
#endif
}

/// Whether to add tests that need a device to `t`. A process of its own asks the runtime, for one
/// that has asked may not fork. Outside of a running test Check's assertions end the process, so
/// none is made there.
static inline bool case_add_where_device(TCase *t) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(case_ask_runtime() ? 0 : 1);
  case_found_device = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
                      WEXITSTATUS(status) == 0;
  tcase_add_test(t, backend_agrees_whether_there_is_a_device);
  return case_found_device;
}

#endif
