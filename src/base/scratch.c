// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// What the keeper of a folder is: it waits until the other end of its standard input is closed, by
/// this process or by its end, and removes the folder. Programs that still write there are being
/// ended then (base/watchdog.h), so that a later attempt succeeds. A shell, not a fork: that would
/// hold a copy of all memory that this process changes from here on.
static const char KEEPER[] = "trap '' HUP INT TERM; read -r end; for i in 1 2 3 4 5 6 7 8 9 10; do "
                             "rm -rf -- \"$1\" 2>/dev/null && exit; sleep 0.2; done";

/// A folder with its keeper.
typedef struct keeper {
  char path[VB_SCRATCH_PATH];
  pid_t child;
  int pipe; ///< the end whose closing the keeper waits for
  struct keeper *next;
} keeper;

// Folders are known to their users by their path alone.
static keeper *keepers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Starts the keeper of a path, in a process group of its own, which outlives that of this process;
/// an errno value on failure.
static int start_keeper(keeper *k) {
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
  char *arguments[] = {"sh", "-c", (char *)KEEPER, "sh", k->path, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  int code = posix_spawn_file_actions_init(&actions);
  if (!code) {
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    code = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    for (int fd = STDOUT_FILENO; !code && fd <= STDERR_FILENO; fd++)
      code = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
    if (!code)
      code = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (!code)
      code = posix_spawn(&k->child, "/bin/sh", &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[0]);
  k->pipe = ends[1];
  if (code)
    close(ends[1]);
  return code;
}

/// Ends a keeper whose folder is not there (any more).
static void end_keeper(keeper *k) {
  kill(k->child, SIGKILL);
  close(k->pipe);
  while (waitpid(k->child, NULL, 0) < 0 && errno == EINTR)
    continue;
  free(k);
}

/// Writes a path below `parent` that no one can guess, so that no one else has it.
static vb_status name_folder(const char *parent, char path[VB_SCRATCH_PATH], vb_error *error) {
  uint64_t number[2];
  size_t room = VB_SCRATCH_PATH - sizeof "/viperbench-" - 2 * (sizeof number);
  if (strlen(parent) > room)
    return vb_error_set(error, VB_CANNOT_WRITE, "the path in TMPDIR is longer than %zu bytes",
                        room);
  if (getrandom(number, sizeof number, 0) != sizeof number)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot get random numbers: %s", strerror(errno));
  snprintf(path, VB_SCRATCH_PATH, "%s/viperbench-%016llx%016llx", parent,
           (unsigned long long)number[0], (unsigned long long)number[1]);
  return VB_OK;
}

vb_status vb_scratch_make(char path[VB_SCRATCH_PATH], vb_error *error) {
  const char *parent = getenv("TMPDIR");
  if (!parent || parent[0] != '/')
    parent = "/tmp";
  vb_status status = name_folder(parent, path, error);
  keeper *k = status ? NULL : calloc(1, sizeof *k);
  if (!k)
    return status ? status : vb_error_memory(error);
  memcpy(k->path, path, sizeof k->path);
  // First: from the moment it is there the folder is kept.
  int code = start_keeper(k);
  if (code) {
    free(k);
    return vb_error_set(error, VB_CANNOT_WRITE,
                        "cannot start the process that removes a temporary folder: %s",
                        strerror(code));
  }
  if (mkdir(path, 0700)) {
    code = errno;
    end_keeper(k);
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot make a temporary folder in %s: %s", parent,
                        strerror(code));
  }
  pthread_mutex_lock(&lock);
  k->next = keepers;
  keepers = k;
  pthread_mutex_unlock(&lock);
  return VB_OK;
}

/// Takes the keeper of a path from the list.
static keeper *take_keeper(const char *path) {
  pthread_mutex_lock(&lock);
  keeper **at = &keepers;
  while (*at && strcmp((*at)->path, path) != 0)
    at = &(*at)->next;
  keeper *found = *at;
  if (found)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

void vb_scratch_remove(const char *path) {
  keeper *k = take_keeper(path);
  int here = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = here < 0 ? NULL : fdopendir(here);
  for (struct dirent *e; folder && (e = readdir(folder));)
    unlinkat(here, e->d_name, 0);
  if (folder)
    closedir(folder);
  else if (here >= 0)
    close(here);
  rmdir(path);
  if (k)
    end_keeper(k);
}
