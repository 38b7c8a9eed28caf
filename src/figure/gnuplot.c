// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/gnuplot.h"

#include "base/clock.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIME_VARIABLE "VIPERBENCH_GNUPLOT_TIME"
#define USUAL_TIME    120.0 ///< s
#define MOST_SCRIPTS  8

/// How often a signal and the end of the process are looked for.
#define LOOK_MS 20

char *vb_gnuplot_quote(const char *text) {
  // Nothing is expanded between single quotes; a quote itself is joined on between double ones.
  const char *joint = "'.\"'\".'";
  char *out = reallocarray(NULL, strlen(text) + 3, strlen(joint)), *end = out;
  if (!out)
    return NULL;
  *end++ = '\'';
  for (; *text; text++)
    if (*text == '\'')
      end = stpcpy(end, joint);
    else
      *end++ = (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text;
  *end++ = '\'';
  *end = '\0';
  return out;
}

static vb_status read_limit(double *out, vb_error *error) {
  const char *text = getenv(TIME_VARIABLE);
  char *end;
  *out = USUAL_TIME;
  if (!text || !*text)
    return VB_OK;
  *out = strtod(text, &end);
  if (*end || !(*out > 0) || !isfinite(*out))
    return vb_bad_input(
        error, TIME_VARIABLE " is \"%.40s\"; it must be a positive number of seconds", text);
  return VB_OK;
}

/// Makes gnuplot the first of a process group of its own, so that it can be ended with all that it
/// starts. An errno value.
static int set_group(posix_spawnattr_t *attributes) {
  int code = posix_spawnattr_init(attributes);
  if (code)
    return code;
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP);
}

/// Starts gnuplot with its messages going to a pipe; an errno value on failure.
static int start(char *const *arguments, int messages, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code)
    return code;
  code = set_group(&attributes);
  if (!code) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    code = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// What is heard of a process.
typedef struct listener {
  int from; ///< pipe of its messages
  bool closed;
  char *output;
  size_t size;
  size_t used;
} listener;

/// Waits a while for messages and keeps what fits; false where there were none.
static bool read_messages(listener *l, int wait_ms) {
  char buffer[512];
  struct pollfd ready = {.fd = l->from, .events = POLLIN};
  if (poll(&ready, 1, wait_ms) <= 0)
    return false;
  ssize_t n = read(l->from, buffer, sizeof buffer);
  for (ssize_t i = 0; i < n && l->used + 1 < l->size; i++)
    l->output[l->used++] = buffer[i];
  l->output[l->used] = '\0';
  l->closed = n == 0 || (n < 0 && errno != EINTR);
  return n > 0;
}

/// Whether the process has ended; then its wait status is in `*ended`.
static bool has_ended(pid_t child, int *ended) {
  pid_t found = waitpid(child, ended, WNOHANG);
  return found == child || (found < 0 && errno != EINTR);
}

static vb_status stop(pid_t child, bool late, double limit, const char *what, vb_error *error) {
  kill(-child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  if (!late)
    return vb_error_set(error, VB_INTERRUPTED, "interrupted: %s is not drawn", what);
  return vb_error_set(error, VB_FAILED,
                      "gnuplot was ended because %s took longer than %g s; " TIME_VARIABLE
                      " sets this limit",
                      what, limit);
}

/// Listens until gnuplot ends, or ends it.
static vb_status wait_for_end(pid_t child, listener *l, double limit, const char *what, int *ended,
                              vb_error *error) {
  double end = vb_clock() + limit;
  *ended = 0;
  while (!has_ended(child, ended)) {
    bool late = vb_clock() > end;
    if (late || vb_signal_caught())
      return stop(child, late, limit, what, error);
    if (l->closed)
      poll(NULL, 0, 1); // it is about to end
    else
      read_messages(l, LOOK_MS);
  }
  kill(-child, SIGKILL); // what it may have started
  while (!l->closed && read_messages(l, 0))
    continue;
  return VB_OK;
}

vb_status vb_gnuplot_run(const char *const *scripts, const char *what, char *output, size_t size,
                         int *ended, vb_error *error) {
  char *arguments[MOST_SCRIPTS + 3] = {"gnuplot", "-d"};
  double limit;
  int ends[2], code;
  pid_t child;
  for (size_t i = 0; i < MOST_SCRIPTS && scripts[i]; i++)
    arguments[2 + i] = (char *)scripts[i];
  output[0] = '\0';
  vb_status status = read_limit(&limit, error);
  if (status)
    return status;
  if (pipe2(ends, O_CLOEXEC))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start gnuplot: %s", strerror(errno));
  code = start(arguments, ends[1], &child);
  close(ends[1]);
  listener l = {.from = ends[0], .output = output, .size = size};
  if (code == ENOENT)
    status = vb_error_set(error, VB_UNAVAILABLE,
                          "gnuplot is not installed; figures need it (package gnuplot-nox)");
  else if (code)
    status = vb_error_set(error, VB_UNAVAILABLE, "cannot start gnuplot: %s", strerror(code));
  else
    status = wait_for_end(child, &l, limit, what, ended, error);
  close(ends[0]);
  return status;
}
