// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// What a kernel's version of Landlock knows, as linux/landlock.h of later kernels has it; that of
/// the machine that compiles may be older than the kernel that runs.
typedef struct rules {
  uint64_t files;   ///< 13 rights in version 1, and one more in each of 2, 3 and 5
  uint64_t network; ///< from version 4
  uint64_t scopes;  ///< from version 6: sockets without a name, and signals
} rules;

/// The version of Landlock, from 1; 0 where there is none.
static int landlock_version(void) {
  long version =
      syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

/// Takes every right that Landlock handles: no rule gives one back.
static bool take_rights(int version) {
  rules all = {.files =
                   ((uint64_t)1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1,
               .network = version >= 4 ? 3 : 0,
               .scopes = version >= 6 ? 3 : 0};
  size_t size = version >= 6   ? sizeof all
                : version >= 4 ? offsetof(rules, scopes)
                               : offsetof(rules, network);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
  if (ruleset < 0)
    return false;
  bool taken = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return taken;
}

#ifdef ARCHITECTURE

/// The system calls that are left. Any other fails with EPERM, as if there were no right.
static const uint32_t LEFT[] = {
    SYS_read,        SYS_sendto,        SYS_pread64,      SYS_lseek,          SYS_close,
    SYS_mmap,        SYS_munmap,        SYS_mremap,       SYS_mprotect,       SYS_madvise,
    SYS_brk,         SYS_futex,         SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction,
    SYS_sigaltstack, SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom,      SYS_sysinfo,
    SYS_getpid,      SYS_gettid,        SYS_sched_yield,  SYS_exit,           SYS_exit_group};

enum { N_LEFT = sizeof LEFT / sizeof *LEFT };

/// Puts the filter on; `check` only asks whether the kernel knows such filters.
static bool filter_calls(bool check) {
  struct sock_filter program[N_LEFT + 6];
  size_t n = 0;
  program[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < N_LEFT; i++)
    program[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LEFT[i], (uint8_t)(N_LEFT - i), 0);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {(unsigned short)n, program};
  // A null filter is a bad address where filters are known, and a bad argument where not.
  int done = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, check ? NULL : &filter, 0, 0);
  return check ? errno == EFAULT : done == 0;
}

#else

static bool filter_calls(bool check) {
  return !check;
}

#endif

bool vb_confine(void) {
  int version = landlock_version();
  bool filters = filter_calls(true);
  if (!version && !filters)
    return true;
  // Without this the kernel lets only root be confined.
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && (!version || take_rights(version)) &&
         (!filters || filter_calls(false));
}

const char *vb_confine_lacks(void) {
  bool landlock = landlock_version() > 0, filters = filter_calls(true);
  return landlock && filters ? NULL
         : landlock          ? "a filter of system calls (seccomp)"
         : filters           ? "Landlock"
                             : "Landlock and a filter of system calls (seccomp)";
}
