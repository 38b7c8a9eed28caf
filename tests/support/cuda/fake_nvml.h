// SPDX-License-Identifier: GPL-3.0-or-later
/// Puts the fake of NVIDIA's management library (fake_nvml.c) in the real one's place.
#ifndef VB_TESTS_SUPPORT_FAKE_NVML_H
#define VB_TESTS_SUPPORT_FAKE_NVML_H

#include "test.h"

#include <limits.h>
#include <unistd.h>

#define FAKE_UUID "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"

/// From now on the library `name` ("fake_nvml.so", or "fake_nvml_old.so"), which lies beside this
/// program, answers as `script` says.
static inline void use_fake_nvml(const char *name, const char *script) {
  char path[PATH_MAX + 32];
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
  ck_assert(n > 0);
  path[n] = '\0';
  strcpy(strrchr(path, '/') + 1, name);
  ck_assert_msg(access(path, R_OK) == 0, "%s is missing", path);
  setenv("VIPERBENCH_NVML", path, 1);
  setenv("FAKE_NVML", script, 1);
}

#endif
