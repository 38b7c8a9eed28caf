// SPDX-License-Identifier: GPL-3.0-or-later
/// A kernel that lacks something: system calls that fail from here on, in this process and in what
/// it starts.
#ifndef VB_TESTS_SUPPORT_DENY_CALLS_H
#define VB_TESTS_SUPPORT_DENY_CALLS_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/// Lets a system call fail with `code`: any of its number or, where `first` is not negative, those
/// with that first argument. False where this kernel cannot.
static inline bool deny_call(int number, int first, int code) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)first, 0, first < 0 ? 0 : 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog filter = {sizeof program / sizeof *program, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/// A kernel without Landlock.
static inline bool deny_landlock(void) {
  return deny_call(SYS_landlock_create_ruleset, -1, ENOSYS);
}

/// A kernel without filters. No other can be put on after it.
static inline bool deny_filters(void) {
  return deny_call(SYS_prctl, PR_SET_SECCOMP, EINVAL);
}

#endif
