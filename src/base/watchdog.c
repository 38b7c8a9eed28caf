// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// Waits until the child has ended, and takes how; false where the host wants an end, or has one.
static bool watch(pid_t child, const sigset_t *signals, int *ended) {
  for (;;) {
    // Those that were taken over from others are reaped as they end.
    for (pid_t pid; (pid = waitpid(-1, ended, WNOHANG)) > 0;)
      if (pid == child)
        return true;
    int number = sigwaitinfo(signals, NULL);
    if (number == VB_WATCHDOG_END)
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

static _Noreturn void watch_over(pid_t child, const sigset_t *signals) {
  int ended = EXIT_FAILURE;
  setpgid(child, child); // as the child does: whoever comes first
  // The host learns by its ends of pipes and sockets that the child has ended.
  close_range(0, ~0U, 0);
  // Whoever ends all processes of the program's name is to leave this one, which then ends the
  // rest.
  prctl(PR_SET_NAME, "vb-watchdog");
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  bool by_itself = watch(child, signals, &ended);
  end_all(child);
  if (!by_itself)
    _exit(EXIT_SUCCESS);
  end_with_status(ended);
}

void vb_watchdog_start(pid_t host) {
  sigset_t signals, before;
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
  pid_t watchdog = getpid(), child = fork();
  if (child > 0)
    watch_over(child, &signals);
  if (child < 0) { // goes on unguarded, and ends with its host
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  } else {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watchdog)
      _exit(EXIT_FAILURE);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}
