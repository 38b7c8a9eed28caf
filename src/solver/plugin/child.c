// SPDX-License-Identifier: GPL-3.0-or-later
/// The host's end of a channel: its child process, asked and watched.
#include "base/clock.h"
#include "base/watchdog.h"
#include "solver/plugin/channel.h"
#include "solver/plugin/description.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// A file descriptor above those that the child has, so that none is in the way of another; or -1.
static int raise_descriptor(int descriptor) {
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, VB_FD_END);
  close(descriptor);
  return lifted;
}

/// A file in memory that holds the scene and that nobody can change any more; or -1.
static int seal_scene(const vb_scene *scene) {
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
  posix_spawnattr_t attributes;
  char *arguments[] = {"viperbench", VB_CHILD_COMMAND, (char *)name, NULL};
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  // A group of its own: what the terminal sends is for the host alone.
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
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
    reason = posix_spawn(out, program ? program : "/proc/self/exe", &actions, &attributes,
                         arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

/// Keeps a solver, which runs as the same user, from tracing this process and from reading its
/// memory; so this process leaves no core. Of the superuser's solvers nothing keeps it.
static void forbid_tracing(void) {
  prctl(PR_SET_DUMPABLE, 0);
}

vb_status vb_channel_open(const char *program, const char *name, const vb_scene *scene,
                          vb_channel_limits limits, vb_channel *out, vb_error *error) {
  vb_channel channel;
  int other;
  vb_status status = vb_channel_make(&channel, &other, error);
  if (status)
    return status;
  forbid_tracing();
  channel.limits = channel.head->limits = limits;
  int sealed = scene ? seal_scene(scene) : -1;
  int descriptor[3] = {raise_descriptor(other), fcntl(channel.memory, F_DUPFD_CLOEXEC, VB_FD_END),
                       sealed < 0 ? -1 : raise_descriptor(sealed)};
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

/// Whether the child has ended: its end of the socket may be held by processes of its own.
static bool has_ended(const vb_channel *channel) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)channel->child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == channel->child;
}

/// Waits some seconds for the child to end: a core may be written. Whether it has.
static bool wait_for_end(const vb_channel *channel) {
  const struct timespec MOMENT = {.tv_nsec = 1000000};
  const double PATIENCE_S = 5;
  for (double end = vb_clock() + PATIENCE_S; !has_ended(channel); nanosleep(&MOMENT, NULL))
    if (vb_clock() > end)
      return false;
  return true;
}

/// Takes how the child came to its end, in what time it is given; false where it had to be ended.
static bool reap_child(vb_channel *channel, int *ended) {
  bool by_itself = wait_for_end(channel);
  if (!by_itself)
    kill(channel->child, SIGKILL);
  while (waitpid(channel->child, ended, 0) < 0 && errno == EINTR)
    continue;
  channel->child = 0;
  return by_itself;
}

/// Ends the child and all that it has started.
static void end_child(vb_channel *channel) {
  int ended;
  kill(channel->child, VB_WATCHDOG_END);
  reap_child(channel, &ended);
}

void vb_channel_close(vb_channel *channel) {
  if (!channel->head)
    return;
  if (channel->child > 0)
    end_child(channel);
  vb_channel_unmap(channel);
}

/// Copies what the other side has written, which may change any time, in a form that can be looked
/// at.
static void take_head(vb_channel *channel) {
  vb_channel_head *copy = &channel->answer;
  unsigned char diverged;
  memcpy(copy, channel->head, sizeof *copy);
  copy->message[sizeof copy->message - 1] = '\0';
  copy->divergence.what[sizeof copy->divergence.what - 1] = '\0';
  for (int i = 0; i < VB_OUTPUTS; i++)
    copy->output[i][VB_OUTPUT_NAME - 1] = '\0';
  memcpy(&diverged, &copy->divergence.diverged, 1); // what is no bool must not be read as one
  copy->divergence.diverged = diverged != 0;
}

/// The function that the child was in when its head was taken.
static const char *function_in(const vb_channel *channel) {
  return vb_function_name((vb_function)channel->answer.function);
}

/// What a child touched that is not its own, where that is how it ended; false otherwise.
static bool report_crossing(const vb_fault *fault, const char *function, const char *output,
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

/// What is added to a crash that came after memory was refused: most code does not expect that.
static const char *add_refusal(const vb_channel *channel, const vb_fault *fault, char out[128]) {
  out[0] = '\0';
  if (fault->memory)
    snprintf(out, 128, " after it was refused memory; its process may have %.3g GB (option %s)",
             channel->limits.memory / 1e9, VB_MEMORY_LIMIT);
  return out;
}

/// Says that a child crashed, by a signal that it noted itself.
static vb_status report_crash(const vb_channel *channel, const char *function, vb_error *error) {
  char refusal[128], where[64] = "";
  const vb_fault *fault = &channel->answer.fault;
  int at = fault->output >= 0 && fault->output < VB_OUTPUTS ? fault->output : 0;
  if (report_crossing(fault, function, channel->answer.output[at], error))
    return VB_FAILED;
  if (fault->signal == SIGSEGV || fault->signal == SIGBUS)
    snprintf(where, sizeof where, " at address 0x%llx", (unsigned long long)fault->address);
  return vb_error_set(error, VB_FAILED, "%s crashed (%s%s)%s", function, strsignal(fault->signal),
                      where, add_refusal(channel, fault, refusal));
}

/// Says how the child came to its end; it has one, or is about to.
static vb_status report_end(vb_channel *channel, vb_error *error) {
  int ended = 0;
  bool by_itself = reap_child(channel, &ended);
  take_head(channel);
  const char *function = function_in(channel);
  const vb_fault *fault = &channel->answer.fault;
  if (!by_itself)
    return vb_error_set(error, VB_FAILED,
                        "%s closed the socket between its process and the program, and was ended",
                        function);
  if (WIFSIGNALED(ended) && fault->signal == WTERMSIG(ended))
    return report_crash(channel, function, error);
  if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU && channel->limits.cpu_s > 0)
    return vb_error_set(error, VB_FAILED,
                        "%s took more than the %g s of processor time that its process may have "
                        "(option %s)",
                        function, channel->limits.cpu_s, VB_CPU_LIMIT);
  if (WIFSIGNALED(ended))
    return vb_error_set(error, VB_FAILED, "its process was ended in %s by signal %d (%s)", function,
                        WTERMSIG(ended), strsignal(WTERMSIG(ended)));
  return vb_error_set(error, VB_FAILED, "%s ended its process, with exit code %d", function,
                      WEXITSTATUS(ended));
}

/// Ends a child that does not answer.
static vb_status end_hung(vb_channel *channel, double limit_s, vb_error *error) {
  take_head(channel);
  end_child(channel);
  return vb_error_set(error, VB_FAILED,
                      "%s did not return within %g s (option time_limit), and was ended",
                      function_in(channel), limit_s);
}

/// Ends a child whose solver writes to the socket.
static vb_status end_stray(vb_channel *channel, ssize_t length, char first, vb_error *error) {
  end_child(channel);
  return vb_error_set(error, VB_FAILED,
                      "%s sent the program an invalid answer (%zd byte%s, the first is "
                      "0x%02x), and was ended; descriptors %d to %d are not the solver's",
                      function_in(channel), length, length == 1 ? "" : "s", (unsigned char)first,
                      VB_FD_SOCKET, VB_FD_END - 1);
}

/// Takes the message that has come; an answer is `wanted` or not.
static vb_status take_message(vb_channel *channel, bool wanted, vb_error *error) {
  char first;
  ssize_t length = vb_channel_receive(channel, &first);
  if (length <= 0)
    return report_end(channel, error);
  take_head(channel);
  bool answered =
      wanted && length == 1 && first == VB_CHANNEL_BYTE && channel->answer.status != VB_NO_ANSWER;
  return answered ? VB_OK : end_stray(channel, length, first, error);
}

static vb_status await_answer(vb_channel *channel, double limit_s, vb_error *error) {
  const double LOOK_S = 0.2; // how often to look whether the child still lives
  double end = limit_s > 0 ? vb_clock() + limit_s : INFINITY;
  for (;;) {
    struct pollfd event = {.fd = channel->socket, .events = POLLIN};
    double left = end - vb_clock();
    int ready = poll(&event, 1, (int)(1000 * fmin(fmax(left, 0), LOOK_S)) + 1);
    if (ready > 0)
      return take_message(channel, true, error);
    if (has_ended(channel))
      return report_end(channel, error);
    if (left <= 0)
      return end_hung(channel, limit_s, error);
  }
}

/// Ends a child that answered what cannot be.
static vb_status end_invalid(vb_channel *channel, const char *what, uint64_t value,
                             vb_error *error) {
  end_child(channel);
  return vb_error_set(error, VB_FAILED, "its process answered %s (%llu), and was ended", what,
                      (unsigned long long)value);
}

/// The status and message of an answer.
static vb_status check_answer(vb_channel *channel, vb_error *error) {
  const vb_channel_head *answer = &channel->answer;
  if (!vb_channel_follow(channel))
    return end_invalid(channel, "with more or less shared memory than there is", answer->bytes,
                       error);
  switch (answer->status) {
  case VB_OK:
    return VB_OK;
  case VB_FAILED:
  case VB_BAD_INPUT:
  case VB_UNAVAILABLE:
    return vb_error_set(error, (vb_status)answer->status, "%s",
                        answer->message[0] ? answer->message
                                           : "its process failed without a message");
  default:
    return end_invalid(channel, "with an invalid vb_status", answer->status, error);
  }
}

vb_status vb_channel_ask(vb_channel *channel, vb_call call, double limit_s, vb_error *error) {
  struct pollfd event = {.fd = channel->socket, .events = POLLIN};
  vb_channel_head *head = channel->head;
  if (channel->child <= 0)
    return vb_error_set(error, VB_FAILED, "its process is gone");
  if (poll(&event, 1, 0) > 0)
    return take_message(channel, false, error);
  head->call = (uint32_t)call;
  head->status = VB_NO_ANSWER;
  head->message[0] = '\0';
  vb_status status =
      vb_channel_send(channel) ? await_answer(channel, limit_s, error) : report_end(channel, error);
  return status ? status : check_answer(channel, error);
}
