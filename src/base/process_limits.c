// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/// Bytes of stack that are asked for, and those without which nothing is begun: ten times what the
/// studies were seen to need.
#define STACK       ((rlim_t)8 << 20)
#define LEAST_STACK ((rlim_t)1 << 20)

/// Bytes of addresses without which nothing is begun: the libraries, and what OpenBLAS wants to
/// work in (128 MiB), several times.
#define LEAST_ADDRESSES ((rlim_t)512 << 20)

/// Threads begin with the limit that there was when the program was started.
static void set_stack_of_threads(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes))
    return;
  if (pthread_attr_setstacksize(&attributes, STACK) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

static vb_status check_stack(vb_error *error) {
  struct rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= LEAST_STACK)
    return VB_OK;
  stack.rlim_cur = stack.rlim_max < STACK ? stack.rlim_max : STACK;
  if (stack.rlim_cur >= LEAST_STACK && setrlimit(RLIMIT_STACK, &stack) == 0) {
    set_stack_of_threads();
    return VB_OK;
  }
  return vb_error_set(error, VB_UNAVAILABLE,
                      "the stack is limited to %llu KiB, which is too little; allow %llu or more "
                      "(ulimit -s)",
                      (unsigned long long)stack.rlim_cur >> 10,
                      (unsigned long long)LEAST_STACK >> 10);
}

vb_status vb_limits_check(vb_error *error) {
  struct rlimit addresses;
  vb_status status = check_stack(error);
  if (!status && getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur < LEAST_ADDRESSES)
    status = vb_error_set(error, VB_UNAVAILABLE,
                          "memory is limited to %llu KiB, which is too little; allow %llu or more "
                          "(ulimit -v)",
                          (unsigned long long)addresses.rlim_cur >> 10,
                          (unsigned long long)LEAST_ADDRESSES >> 10);
  return status;
}

void vb_limit_set(int resource, double soft, double hard) {
  struct rlimit now;
  if (getrlimit(resource, &now))
    return;
  now.rlim_max = hard < (double)now.rlim_max ? (rlim_t)hard : now.rlim_max;
  now.rlim_cur = soft < (double)now.rlim_cur ? (rlim_t)soft : now.rlim_cur;
  now.rlim_cur = now.rlim_max < now.rlim_cur ? now.rlim_max : now.rlim_cur;
  setrlimit(resource, &now);
}

/// Bytes of data and stack that this process has by now, which its limit of data counts.
static double data_in_use(void) {
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%*u %*u %*u %*u %*u %zu", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

void vb_limit_data(double bytes) {
  double most = data_in_use() + bytes;
  vb_limit_set(RLIMIT_DATA, most, most);
}

double vb_machine_memory(void) {
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
