// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/watchdog.h"

#include "base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/// How long what the child has said waits for somebody to take it, after the child's end.
#define PATIENCE_MS 1000

/// Kills this process's children, those that it took over from others among them; false where the
/// system tells of none.
static bool kill_children(void) {
  char path[64];
  int found;
  bool any = false;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *list = fopen(path, "r");
  while (list && fscanf(list, "%d", &found) == 1)
    any = kill(found, SIGKILL) == 0 || any;
  if (list)
    fclose(list);
  return any;
}

/// Ends all descendants: the children of each that ends become this process's own.
static void end_all(pid_t child) {
  kill(-child, SIGKILL);
  for (;;) {
    bool any = kill_children();
    pid_t ended = waitpid(-1, NULL, any ? 0 : WNOHANG);
    if (ended == 0 || (ended < 0 && errno != EINTR))
      return;
  }
}

/// What the child says, on its way to the standard error.
typedef struct relay {
  bool open; ///< whether more may come
  char bytes[4096];
  size_t n;     ///< bytes that are there
  size_t ready; ///< of them; the rest begins a character
  size_t sent;  ///< of those
} relay;

/// Takes what the child says; all that came before has been passed on.
static void take_words(relay *r) {
  ssize_t n = read(STDIN_FILENO, r->bytes + r->n, sizeof r->bytes - r->n);
  if (n < 0 && errno == EINTR)
    return;
  r->open = n > 0;
  r->n += n > 0 ? (size_t)n : 0;
  r->ready = vb_printable_bytes(r->bytes, r->n);
  if (!r->open) { // no rest of a character follows
    memset(r->bytes + r->ready, '?', r->n - r->ready);
    r->ready = r->n;
  }
}

/// Passes on as much as can be without waiting; what nobody takes is lost.
static void pass_on(relay *r) {
  size_t left = r->ready - r->sent;
  ssize_t n = write(STDERR_FILENO, r->bytes + r->sent, left < PIPE_BUF ? left : PIPE_BUF);
  if (n < 0 && errno != EINTR && errno != EAGAIN)
    n = (ssize_t)left;
  r->sent += n > 0 ? (size_t)n : 0;
  if (r->sent < r->ready)
    return;
  r->n -= r->ready;
  memmove(r->bytes, r->bytes + r->ready, r->n);
  r->ready = r->sent = 0;
}

/// Waits for words to be taken or passed on, or for `signals` (a descriptor, or -1). Whether either
/// came in time.
static bool relay_words(relay *r, int signals, int wait_ms) {
  bool full = r->ready > r->sent;
  struct pollfd ready[2] = {{.fd = signals, .events = POLLIN},
                            {.fd = full      ? STDERR_FILENO
                                   : r->open ? STDIN_FILENO
                                             : -1,
                             .events = full ? POLLOUT : POLLIN}};
  if (poll(ready, 2, wait_ms) <= 0)
    return false;
  if (ready[1].revents && full)
    pass_on(r);
  else if (ready[1].revents)
    take_words(r);
  return true;
}

/// Passes on what the child has said before its end, as long as somebody takes it.
static void drain(relay *r) {
  while (r->open || r->ready > r->sent)
    if (!relay_words(r, -1, r->ready > r->sent ? PATIENCE_MS : 0))
      return;
}

/// Waits until the child has ended, and takes how; false where the host wants an end, or has one.
static bool watch(pid_t child, int signals, relay *r, int *ended) {
  for (;;) {
    // Those that were taken over from others are reaped as they end.
    for (pid_t pid; (pid = waitpid(-1, ended, WNOHANG)) > 0;)
      if (pid == child)
        return true;
    struct signalfd_siginfo caught;
    relay_words(r, signals, -1);
    while (read(signals, &caught, sizeof caught) == sizeof caught)
      if (caught.ssi_signo == (uint32_t)VB_WATCHDOG_END)
        return false;
  }
}

/// Ends as the child did, without a core of its own.
static _Noreturn void end_with_status(int ended) {
  sigset_t none;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  sigemptyset(&none);
  if (WIFSIGNALED(ended)) {
    signal(WTERMSIG(ended), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(ended));
  }
  _exit(WIFEXITED(ended) ? WEXITSTATUS(ended) : EXIT_FAILURE);
}

/// What the watchdog does; `words` is the pipe of what the child says, or -1.
static _Noreturn void watch_over(pid_t child, const sigset_t *caught, int words) {
  int ended = EXIT_FAILURE;
  relay r = {.open = words >= 0};
  setpgid(child, child); // as the child does: whoever comes first
  // The host learns by its ends of pipes and sockets that the child has ended.
  if (words >= 0)
    dup2(words, STDIN_FILENO);
  close_range(words >= 0 ? STDERR_FILENO + 1 : 0, ~0U, 0);
  int signals = signalfd(-1, caught, SFD_NONBLOCK | SFD_CLOEXEC);
  // Whoever ends all processes of the program's name is to leave this one, which then ends the
  // rest.
  prctl(PR_SET_NAME, "vb-watchdog");
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  bool by_itself = watch(child, signals, &r, &ended);
  end_all(child);
  drain(&r);
  if (!by_itself)
    _exit(EXIT_SUCCESS);
  end_with_status(ended);
}

/// Makes the pipe of what the child says; both ends -1 where there is none.
static void make_pipe(bool relayed, int ends[2]) {
  ends[0] = ends[1] = -1;
  if (relayed && pipe2(ends, O_CLOEXEC))
    ends[0] = ends[1] = -1;
}

/// The child's streams go to the pipe.
static void speak_to(int words) {
  if (words < 0)
    return;
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
}

void vb_watchdog_start(pid_t host, bool relayed) {
  sigset_t signals, before;
  int words[2];
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, VB_WATCHDOG_END);
  // Blocked, so that none is lost; and not ignored, as whoever started this may have left it.
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &signals, &before);
  prctl(PR_SET_PDEATHSIG, VB_WATCHDOG_END);
  if (getppid() != host)
    _exit(EXIT_FAILURE);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  make_pipe(relayed, words);
  pid_t watchdog = getpid(), child = fork();
  if (child > 0)
    watch_over(child, &signals, words[0]);
  if (child < 0) { // goes on unguarded, and ends with its host
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  } else {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watchdog)
      _exit(EXIT_FAILURE);
    speak_to(words[1]);
  }
  if (words[0] >= 0) {
    close(words[0]);
    close(words[1]);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}
