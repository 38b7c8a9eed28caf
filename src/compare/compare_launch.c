// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_launch.h"

#include "base/clock.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

vb_status vb_launch_pair(vb_launch *launch, void *context, size_t index, double *log_ratio,
                         vb_error *error) {
  double seconds[2];
  int first = (int)(index % 2);
  for (int k = 0; k < 2; k++) {
    int which = k == 0 ? first : 1 - first;
    if (vb_signal_caught())
      return vb_error_set(error, VB_INTERRUPTED, "stopped by signal %d", vb_signal_caught());
    vb_status status = launch(context, which, &seconds[which], error);
    if (status)
      return status;
  }
  *log_ratio = log(seconds[1] / seconds[0]);
  return VB_OK;
}

/// Starts the program with its output going to a file.
static vb_status start(char *const *arguments, int output, pid_t *child, vb_error *error) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (!code) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    code = posix_spawn(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  return code ? vb_error_set(error, VB_UNAVAILABLE, "cannot start %s: %s", arguments[0],
                             strerror(code))
              : VB_OK;
}

/// Waits for the end of a child, and returns its status.
static int await(pid_t child) {
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    continue;
  return ended;
}

/// Reads all of `from`, keeping what fits.
static void drain(int from, char *out, size_t size) {
  size_t used = 0;
  char byte;
  for (ssize_t n; (n = read(from, &byte, 1)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0 && used + 1 < size)
      out[used++] = byte;
  out[used] = '\0';
}

static vb_status check_result(const char *program, int ended, const char *output, double *seconds,
                              vb_error *error) {
  char *end;
  double value = strtod(output, &end);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0 && end != output && value > 0 &&
      isfinite(value)) {
    *seconds = value;
    return VB_OK;
  }
  if (vb_signal_caught())
    return vb_error_set(error, VB_INTERRUPTED, "stopped by signal %d", vb_signal_caught());
  return vb_error_set(error, VB_FAILED, "a launch of %s ended with %s %d and measured nothing",
                      program, WIFSIGNALED(ended) ? "signal" : "code",
                      WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
}

vb_status vb_launch_program(char *const *arguments, double *seconds, vb_error *error) {
  int ends[2];
  pid_t child;
  char output[256];
  if (pipe2(ends, O_CLOEXEC))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start %s: %s", arguments[0],
                        strerror(errno));
  vb_status status = start(arguments, ends[1], &child, error);
  close(ends[1]);
  if (!status)
    drain(ends[0], output, sizeof output);
  close(ends[0]);
  return status ? status : check_result(arguments[0], await(child), output, seconds, error);
}

vb_status vb_launch_command(char *command, double *seconds, vb_error *error) {
  char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, command, NULL};
  pid_t child;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  double begun = vb_clock();
  vb_status status = start(arguments, nowhere, &child, error);
  int ended = status ? 0 : await(child);
  double taken = vb_clock() - begun;
  if (nowhere >= 0)
    close(nowhere);
  if (!status && vb_signal_caught())
    return vb_error_set(error, VB_INTERRUPTED, "stopped by signal %d", vb_signal_caught());
  if (!status && (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0))
    return vb_bad_input(error, "\"%s\" ended with %s %d; only what ends well is timed", command,
                        WIFSIGNALED(ended) ? "signal" : "code",
                        WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
  if (!status)
    *seconds = taken;
  return status;
}

/// A launch on its way to the caller's, which notes its time.
typedef struct relay {
  vb_launch *launch;
  void *context;
  bool equal; ///< A in place of B
  double seconds[2];
  vb_progress *progress;
  int64_t done; ///< launches of this round
} relay;

/// Launches of a round but the first: A and A, and A and B.
enum { ROUND = 4 };

static vb_status pass_on(void *context, int which, double *seconds, vb_error *error) {
  relay *r = context;
  vb_status status = r->launch(r->context, r->equal ? 0 : which, seconds, error);
  if (!status)
    r->seconds[which] = *seconds;
  r->done++;
  if (r->progress)
    vb_progress_update(r->progress, r->done, ROUND);
  return status;
}

static void begin_round(relay *r, int launches) {
  r->done = 0;
  if (r->progress)
    vb_progress_begin(r->progress, "launches", launches);
}

/// Counts the round.
static void end_round(const relay *r, int launches) {
  char how[64];
  if (!r->progress)
    return;
  vb_progress_end(r->progress);
  snprintf(how, sizeof how, "A %.4g s, B %.4g s", r->seconds[0], r->seconds[1]);
  vb_progress_count(r->progress, "launches", launches, false, how);
}

static vb_status launch_both(relay *r, size_t i, vb_launch_session *s, vb_error *error) {
  begin_round(r, ROUND);
  r->equal = true;
  vb_status status = vb_launch_pair(pass_on, r, i, &s->equal[i], error);
  r->equal = false;
  if (!status)
    status = vb_launch_pair(pass_on, r, i, &s->log_ratio[i], error);
  for (int k = 0; k < 2; k++)
    s->time[k][i] = r->seconds[k];
  if (!status)
    end_round(r, ROUND);
  return status;
}

/// As vb_compare, but where the margin is above VB_MAX_MARGIN SLOWER and FASTER need the whole
/// interval beyond it, and all else is INCONCLUSIVE.
static void evaluate(vb_launch_session *s) {
  s->margin = vb_comparison_margin(s->equal, VB_LAUNCH_PAIRS);
  s->verdict = vb_compare(s->log_ratio, VB_LAUNCH_PAIRS, s->margin, &s->interval);
  if (s->margin <= log1p(VB_MAX_MARGIN))
    return;
  bool clear = s->interval.low > s->margin || s->interval.high < -s->margin;
  if (!clear)
    s->verdict = VB_COMPARED_INCONCLUSIVE;
}

vb_status vb_launch_session_run(vb_launch *launch, void *context, vb_progress *progress,
                                vb_launch_session *out, vb_error *error) {
  relay r = {.launch = launch, .context = context, .progress = progress};
  vb_launch_session session = {0};
  double unused;
  begin_round(&r, 2);
  // The first launch of a program reads it from the disk.
  vb_status status = vb_launch_pair(pass_on, &r, 0, &unused, error);
  if (!status)
    end_round(&r, 2);
  for (size_t i = 0; !status && i < VB_LAUNCH_PAIRS; i++)
    status = launch_both(&r, i, &session, error);
  if (status)
    return status;
  evaluate(&session);
  *out = session;
  return VB_OK;
}
