// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/// Those that are left besides to who writes to an open file.
static const uint32_t WRITING[] = {SYS_pwrite64, SYS_ftruncate};

enum { N_LEFT = sizeof LEFT / sizeof *LEFT, N_WRITING = sizeof WRITING / sizeof *WRITING };

/// The instruction that goes `skip` + 1 further at a system call of that number.
static struct sock_filter skip_at(uint32_t call, size_t skip) {
  return (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, (uint8_t)skip, 0);
}

/// Puts the filter on; `check` only asks whether the kernel knows such filters.
static bool filter_calls(bool writes, bool check) {
  struct sock_filter program[N_LEFT + N_WRITING + 6];
  size_t more = writes ? N_WRITING : 0;
  size_t n = 0;
  program[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < N_LEFT; i++)
    program[n++] = skip_at(LEFT[i], N_LEFT + more - i);
  for (size_t i = 0; i < more; i++)
    program[n++] = skip_at(WRITING[i], more - i);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {(unsigned short)n, program};
  // A null filter is a bad address where filters are known, and a bad argument where not.
  int done = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, check ? NULL : &filter, 0, 0);
  return check ? errno == EFAULT : done == 0;
}

#else

static bool filter_calls(bool writes, bool check) {
  (void)writes;
  return !check;
}

#endif

void vb_confine_prepare(int *one, int *other) {
  static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof CRASHES / sizeof *CRASHES; i++)
    signal(CRASHES[i], SIG_DFL); // the program's own may tell of a crash, which is none of its
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  int low = *one < *other ? *one : *other, high = *one < *other ? *other : *one;
  if (low > 0)
    close_range(0, (unsigned)low - 1, 0);
  if (high > low + 1)
    close_range((unsigned)low + 1, (unsigned)high - 1, 0);
  close_range((unsigned)high + 1, ~0U, 0);
  int moved = fcntl(*one, F_DUPFD, STDERR_FILENO + 1);
  *other = other == one ? moved : fcntl(*other, F_DUPFD, STDERR_FILENO + 1);
  *one = moved;
  int nowhere = open("/dev/null", O_RDWR); // one of the three, or none is left
  for (int i = 0; i <= STDERR_FILENO; i++)
    if (i != nowhere)
      dup2(nowhere, i);
}

bool vb_confine(bool writes) {
  int version = landlock_version();
  bool filters = filter_calls(writes, true);
  if (!version && !filters)
    return true;
  // Without this the kernel lets only root be confined.
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && (!version || take_rights(version)) &&
         (!filters || filter_calls(writes, false));
}

const char *vb_confine_lacks(void) {
  bool landlock = landlock_version() > 0, filters = filter_calls(false, true);
  return landlock && filters ? NULL
         : landlock          ? "a filter of system calls (seccomp)"
         : filters           ? "Landlock"
                             : "Landlock and a filter of system calls (seccomp)";
}
