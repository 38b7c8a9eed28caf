// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's end of a channel: its child process, asked and watched.
#include "solver/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A file descriptor above those that the child has, so that none is in the way of another; or -1.
static int lift(int descriptor) {
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, VB_FD_END);
  close(descriptor);
  return lifted;
}

/// A file in memory that holds the scene and that nobody can change any more; or -1.
static int seal(const vb_scene *scene) {
  size_t bytes = vb_scene_bytes(scene), at = 0;
  int file = memfd_create("viperbench-scene", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  while (file >= 0 && at < bytes) {
    ssize_t n = write(file, (const char *)scene + at, bytes - at);
    if (n < 0 && errno != EINTR)
      break;
    at += n > 0 ? (size_t)n : 0;
  }
  if (file >= 0 &&
      (at < bytes || fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW))) {
    close(file);
    file = -1;
  }
  return file;
}

/// Starts the child with its three descriptors and nothing else that is open here. What it prints
/// goes to the standard error.
static int spawn(const char *program, const char *name, const int descriptor[3], pid_t *out) {
  posix_spawn_file_actions_t actions;
  char *arguments[] = {"viperbench", VB_CHILD_COMMAND, (char *)name, NULL};
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  reason = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!reason)
    reason = posix_spawn_file_actions_adddup2(&actions, 2, 1);
  int end = VB_FD_SOCKET;
  for (int i = 0; !reason && i < 3; i++)
    if (descriptor[i] >= 0)
      reason = posix_spawn_file_actions_adddup2(&actions, descriptor[i], end = VB_FD_SOCKET + i);
  if (!reason)
    reason = posix_spawn_file_actions_addclosefrom_np(&actions, end + 1);
  if (!reason)
    reason =
        posix_spawn(out, program ? program : "/proc/self/exe", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

vb_status vb_channel_open(const char *program, const char *name, const vb_scene *scene,
                          vb_channel *out, vb_error *error) {
  vb_channel channel;
  int other;
  vb_status status = vb_channel_make(&channel, &other, error);
  if (status)
    return status;
  int sealed = scene ? seal(scene) : -1;
  int descriptor[3] = {lift(other), fcntl(channel.memory, F_DUPFD_CLOEXEC, VB_FD_END),
                       sealed < 0 ? -1 : lift(sealed)};
  int reason = 0;
  if (descriptor[0] < 0 || descriptor[1] < 0 || (scene && descriptor[2] < 0))
    reason = errno;
  else
    reason = spawn(program, name, descriptor, &channel.child);
  for (int i = 0; i < 3; i++)
    if (descriptor[i] >= 0)
      close(descriptor[i]);
  if (reason) {
    channel.child = 0;
    vb_channel_close(&channel);
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start a child process for solver %s: %s",
                        name, strerror(reason));
  }
  *out = channel;
  return VB_OK;
}

void vb_channel_close(vb_channel *channel) {
  if (!channel->head)
    return;
  if (channel->child > 0) {
    kill(channel->child, SIGKILL);
    while (waitpid(channel->child, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  vb_channel_unmap(channel);
}

/// What a child touched that is not its own, where that is how it ended; false otherwise.
static bool tell_crossing(const vb_fault *fault, const char *function, const char *output,
                          vb_error *error) {
  static const char *const SIDE[] = {"touched memory before the begin of", "wrote to",
                                     "touched memory beyond the end of"};
  if (fault->scene)
    vb_error_write(error, VB_FAILED, "%s wrote to the scene, which is not its own", function);
  else if (fault->output >= 0 && fault->output < VB_OUTPUTS && fault->side >= -1 &&
           fault->side <= 1)
    vb_error_write(error, VB_FAILED, "%s %s %s", function, SIDE[fault->side + 1], output);
  else
    return false;
  return true;
}

/// Whether the child has ended: its end of the socket may be held by processes of its own.
static bool has_ended(const vb_channel *channel) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)channel->child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == channel->child;
}

/// How a child ended that let go of its socket; it is ended where it lives on.
static int reap(vb_channel *channel) {
  const struct timespec MOMENT = {.tv_nsec = 5000000};
  const double PATIENCE_S = 5; // a core may be written
  int ended = 0;
  for (double end = now() + PATIENCE_S; !has_ended(channel) && now() < end;)
    nanosleep(&MOMENT, NULL);
  kill(channel->child, SIGKILL);
  while (waitpid(channel->child, &ended, 0) < 0 && errno == EINTR)
    continue;
  channel->child = 0;
  return ended;
}

/// Says how the child came to its end; it has one, or is about to.
static vb_status tell_end(vb_channel *channel, vb_error *error) {
  const vb_channel_head *head = channel->head;
  const char *function = vb_function_name((vb_function)head->function);
  int ended = reap(channel);
  vb_fault fault = head->fault;
  if (WIFSIGNALED(ended) && fault.signal == WTERMSIG(ended)) {
    char output[VB_OUTPUT_NAME];
    int at = fault.output >= 0 && fault.output < VB_OUTPUTS ? fault.output : 0;
    snprintf(output, sizeof output, "%.*s", VB_OUTPUT_NAME - 1, head->output[at]);
    if (tell_crossing(&fault, function, output, error))
      return VB_FAILED;
    if (fault.signal != SIGSEGV && fault.signal != SIGBUS)
      return vb_error_set(error, VB_FAILED, "%s crashed (%s)", function, strsignal(fault.signal));
    return vb_error_set(error, VB_FAILED, "%s crashed (%s at address 0x%llx)", function,
                        strsignal(fault.signal), (unsigned long long)fault.address);
  }
  if (WIFSIGNALED(ended))
    return vb_error_set(error, VB_FAILED, "its process was ended in %s by signal %d (%s)", function,
                        WTERMSIG(ended), strsignal(WTERMSIG(ended)));
  return vb_error_set(error, VB_FAILED, "%s ended its process, with exit code %d", function,
                      WEXITSTATUS(ended));
}

/// Ends a child that does not answer.
static vb_status end_hung(vb_channel *channel, double limit_s, vb_error *error) {
  const char *function = vb_function_name((vb_function)channel->head->function);
  kill(channel->child, SIGKILL);
  reap(channel);
  return vb_error_set(error, VB_FAILED,
                      "%s did not return within %g s (option time_limit), and was ended", function,
                      limit_s);
}

static vb_status await(vb_channel *channel, double limit_s, vb_error *error) {
  const double LOOK_S = 0.2; // how often to look whether the child still lives
  double end = limit_s > 0 ? now() + limit_s : INFINITY;
  for (;;) {
    struct pollfd event = {.fd = channel->socket, .events = POLLIN};
    double left = end - now();
    int ready = poll(&event, 1, (int)(1000 * fmin(fmax(left, 0), LOOK_S)) + 1);
    if (ready > 0)
      return vb_channel_receive(channel) ? VB_OK : tell_end(channel, error);
    if (has_ended(channel))
      return tell_end(channel, error);
    if (left <= 0)
      return end_hung(channel, limit_s, error);
  }
}

vb_status vb_channel_ask(vb_channel *channel, vb_call call, double limit_s, vb_error *error) {
  vb_channel_head *head = channel->head;
  if (channel->child <= 0)
    return vb_error_set(error, VB_FAILED, "its process is gone");
  head->call = (uint32_t)call;
  head->status = VB_FAILED;
  head->message[0] = '\0';
  vb_status status =
      vb_channel_send(channel) ? await(channel, limit_s, error) : tell_end(channel, error);
  if (status)
    return status;
  if (!vb_channel_follow(channel))
    return vb_error_set(error, VB_FAILED, "the memory shared with its process is broken");
  head = channel->head;
  head->message[sizeof head->message - 1] = '\0';
  if (head->status == VB_OK)
    return VB_OK;
  status = head->status == VB_BAD_INPUT || head->status == VB_UNAVAILABLE ? (vb_status)head->status
                                                                          : VB_FAILED;
  return vb_error_set(error, status, "%s", head->message);
}
