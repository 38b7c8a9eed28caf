// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/started_program.h"

#include "base/clock.h"
#include "base/printable.h"
#include "base/process_limits.h"
#include "base/signals.h"
#include "base/time_limit.h"
#include "base/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// How often a signal, the time and the end of the program are looked for.
#define LOOK_MS 5

/// The first descriptor of this process that is none of those that the program gets.
enum { FIRST_OWN = 4 };

/// The program's process has its standard streams and, until it is replaced, a pipe for the reason
/// why it cannot be.
enum { FD_REASON = 3 };

static void limit_all(const vb_program *program) {
  double cpu_s = ceil(program->cpu_s), memory = (double)program->memory;
  vb_limit_set(RLIMIT_DATA, memory, memory);
  vb_limit_set(RLIMIT_CORE, 0, 0);
  vb_limit_set(RLIMIT_CPU, cpu_s, cpu_s + 1); // the signal of the soft limit tells why it ended
}

/// All that the forked process does: one becomes the watchdog, the other the program.
static _Noreturn void become(const vb_program *program, pid_t host, int said, int reason) {
  setpgid(0, 0);
  // What this program ignores, and what is noted here, is not to be so there.
  static const int USUAL[] = {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE};
  sigset_t none;
  sigemptyset(&none);
  vb_watchdog_start(host, false);
  for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
    signal(USUAL[i], SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  limit_all(program);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), out = nowhere;
  if (program->output)
    out = open(program->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (dup2(nowhere, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(said, STDERR_FILENO) >= 0 && dup3(reason, FD_REASON, O_CLOEXEC) >= 0 &&
      close_range(FIRST_OWN, ~0U, 0) == 0) {
    execvp(program->arguments[0], program->arguments);
    reason = FD_REASON;
  }
  int code = errno;
  while (write(reason, &code, sizeof code) < 0 && errno == EINTR)
    continue;
  _exit(EXIT_FAILURE);
}

/// A pipe whose ends are none of the descriptors of the program's process; false on failure.
static bool make_pipe(int ends[2]) {
  int low[2];
  if (pipe2(low, O_CLOEXEC))
    return false;
  for (int i = 0; i < 2; i++)
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, FIRST_OWN);
  int code = errno;
  close(low[0]);
  close(low[1]);
  for (int i = 0; i < 2; i++)
    if (ends[0] < 0 || ends[1] < 0)
      close(ends[i]);
  errno = code;
  return ends[0] >= 0 && ends[1] >= 0;
}

/// Waits until the program's process has become the program: 0, or why it has not.
static int read_reason(int from) {
  int code = 0;
  ssize_t n;
  while ((n = read(from, &code, sizeof code)) < 0 && errno == EINTR)
    continue;
  return n == sizeof code ? code : 0;
}

/// Starts the program, `*said` an end of the pipe that it writes to; an errno value on failure.
static int start(const vb_program *program, pid_t *child, int *said) {
  int words[2], reason[2];
  if (!make_pipe(words))
    return errno;
  if (!make_pipe(reason)) {
    int code = errno;
    close(words[0]);
    close(words[1]);
    return code;
  }
  pid_t host = getpid();
  *child = fork();
  int code = *child < 0 ? errno : 0;
  if (*child == 0)
    become(program, host, words[1], reason[1]);
  close(words[1]);
  close(reason[1]);
  if (!code && (code = read_reason(reason[0])))
    while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
      continue;
  close(reason[0]);
  if (code)
    close(words[0]);
  else
    *said = words[0];
  return code;
}

/// What is heard of a program.
typedef struct listener {
  int from; ///< pipe
  bool closed;
  const vb_program *program;
  size_t used;
} listener;

/// Waits a while for words and keeps what fits; false where there were none.
static bool listen_to(listener *l, int wait_ms) {
  char buffer[4096];
  struct pollfd ready = {.fd = l->from, .events = POLLIN};
  if (l->closed) {
    poll(NULL, 0, wait_ms < 1 ? wait_ms : 1); // it is about to end
    return false;
  }
  if (poll(&ready, 1, wait_ms) <= 0)
    return false;
  ssize_t n = read(l->from, buffer, sizeof buffer);
  for (ssize_t i = 0; i < n && l->used + 1 < l->program->size; i++)
    l->program->said[l->used++] = buffer[i] ? buffer[i] : '?';
  l->closed = n == 0 || (n < 0 && errno != EINTR);
  return n > 0;
}

/// Whether the watchdog has ended, and so the program; then its wait status is in `*wait_status`.
static bool has_ended(pid_t child, int *wait_status) {
  pid_t found = waitpid(child, wait_status, WNOHANG);
  return found == child || (found < 0 && errno != EINTR);
}

static vb_program_end stop(pid_t child, vb_program_end end) {
  kill(child, VB_WATCHDOG_END);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  return end;
}

/// Listens until the program ends, or ends it.
static vb_program_end wait_for_end(pid_t child, listener *l, int *wait_status) {
  double end = vb_clock() + l->program->wall_s;
  while (!has_ended(child, wait_status)) {
    if (vb_signal_caught())
      return stop(child, VB_PROGRAM_INTERRUPTED);
    if (vb_clock() > end || vb_time_limit_over())
      return stop(child, VB_PROGRAM_LATE);
    listen_to(l, LOOK_MS);
  }
  while (!l->closed && listen_to(l, 0))
    continue;
  bool over = WIFSIGNALED(*wait_status) && WTERMSIG(*wait_status) == SIGXCPU;
  return over ? VB_PROGRAM_LATE : VB_PROGRAM_DONE;
}

vb_status vb_program_run(const vb_program *program, vb_program_end *end, int *wait_status,
                         vb_error *error) {
  listener l = {.program = program};
  pid_t child = 0;
  *wait_status = 0;
  *end = VB_PROGRAM_MISSING;
  program->said[0] = '\0';
  int code = start(program, &child, &l.from);
  if (code == ENOENT)
    return VB_OK;
  if (code)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start %s: %s", program->arguments[0],
                        strerror(code));
  vb_time_limit_wait(true);
  *end = wait_for_end(child, &l, wait_status);
  vb_time_limit_wait(false);
  close(l.from);
  program->said[l.used] = '\0';
  vb_printable_text(program->said);
  return VB_OK;
}
