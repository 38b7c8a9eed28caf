// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/tetgen_run.h"

#include "base/clock.h"
#include "base/scratch.h"
#include "base/signals.h"
#include "base/time_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 120.0 ///< s
#define LOOK_MS 5     ///< how often its end is looked for

/// Starts it, its words going to `log`; an errno value on failure.
static int start(char *const *arguments, const char *log, pid_t *child) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code)
    return code;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Waits for its end, or ends it.
static vb_status wait_for(pid_t child, const char *name, int *ended, vb_error *error) {
  double end = vb_clock() + LONGEST;
  for (;;) {
    pid_t found = waitpid(child, ended, WNOHANG);
    if (found == child || (found < 0 && errno != EINTR))
      return VB_OK;
    bool caught = vb_signal_caught(), late = vb_clock() > end || vb_time_limit_over();
    if (caught || late) {
      kill(child, SIGKILL);
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
      return caught
                 ? vb_error_set(error, VB_INTERRUPTED, "interrupted: %s is not meshed", name)
                 : vb_error_set(error, VB_FAILED, "%s: TetGen was ended; it took too long", name);
    }
    poll(NULL, 0, LOOK_MS);
  }
}

vb_status vb_tetgen_run(const char *switches, const char *folder, const char *name,
                        vb_error *error) {
  char log[VB_SCRATCH_PATH + 16], path[VB_SCRATCH_PATH + 16], made[VB_SCRATCH_PATH + 16];
  snprintf(log, sizeof log, "%s/log", folder);
  snprintf(path, sizeof path, "%s/m.smesh", folder);
  snprintf(made, sizeof made, "%s/m.1.ele", folder);
  char *arguments[] = {"tetgen", (char *)switches, path, NULL};
  pid_t child;
  int ended = 0, code = start(arguments, log, &child);
  if (code == ENOENT)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "tetgen is not installed; meshing surfaces needs it (package tetgen)");
  if (code)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start tetgen: %s", strerror(code));
  vb_status status = wait_for(child, name, &ended, error);
  // It may end with 0 without a result.
  if (!status && (!WIFEXITED(ended) || WEXITSTATUS(ended) || access(made, R_OK)))
    status = vb_bad_input(error, "%s: TetGen cannot mesh it; triangles touch or overlap", name);
  return status;
}
