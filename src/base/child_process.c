// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child_process.h"

#include "base/process_limits.h"
#include "base/signals.h"
#include "base/time_limit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// How often a signal and the time are looked for while the child works.
#define LOOK_MS 1

void *vb_child_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void vb_child_memory_free(void *memory, size_t bytes) {
  if (memory)
    munmap(memory, bytes + 1);
}

/// What the child leaves behind.
typedef struct outcome {
  bool done;
  vb_status status;
  vb_error error;
} outcome;

static _Noreturn void work(vb_child_task *task, void *context, size_t memory, pid_t host,
                           outcome *out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != host)
    _exit(EXIT_FAILURE);
  vb_limit_set(RLIMIT_CORE, 0, 0);
  vb_limit_data((double)memory);
  vb_time_limit_set((vb_time_limit){0}); // the host looks at the clock
  out->status = task(context, &out->error);
  out->done = true;
  _exit(EXIT_SUCCESS);
}

/// Waits for the end of the child, or ends it; VB_OK where it ended by itself.
static vb_status wait_for(pid_t child, vb_error *error) {
  vb_status status = VB_OK;
  pid_t found;
  while ((found = waitpid(child, NULL, WNOHANG)) == 0) {
    if (vb_signal_caught())
      status = vb_error_set(error, VB_INTERRUPTED, "interrupted");
    if (!status)
      status = vb_time_limit_check(error);
    if (status)
      break;
    poll(NULL, 0, LOOK_MS);
  }
  if (found != 0)
    return VB_OK;
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/// Takes over what the child says of its failure. A child that runs what a file told it may say
/// anything.
static vb_status copy_failure(const outcome *out, vb_error *error) {
  int length = (int)strnlen(out->error.message, sizeof out->error.message - 1);
  vb_status status = out->status > VB_OK && out->status <= VB_INTERRUPTED ? out->status : VB_FAILED;
  return vb_error_set(error, status, "%.*s", length, out->error.message);
}

vb_status vb_child_run(vb_child_task *task, void *context, size_t memory, vb_error *error) {
  outcome *out = vb_child_memory(sizeof *out);
  if (!out)
    return vb_error_memory(error);
  pid_t host = getpid(), child = fork();
  if (child == 0)
    work(task, context, memory, host, out);
  vb_status status;
  if (child < 0) {
    status = vb_error_set(error, VB_UNAVAILABLE, "cannot start a process: %s", strerror(errno));
  } else {
    vb_time_limit_wait(true);
    status = wait_for(child, error);
    vb_time_limit_wait(false);
    if (!status && !out->done)
      status = vb_error_set(error, VB_FAILED, "the process that works on it has ended");
    else if (!status && out->status)
      status = copy_failure(out, error);
  }
  vb_child_memory_free(out, sizeof *out);
  return status;
}
