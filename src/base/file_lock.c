// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_lock.h"

#include "base/file.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/// Time between two looks at a lock that is taken, us.
enum { PAUSE_US = 50000 };

/// Whether the open file is still the one of that name: its owner before may have removed it.
static bool is_there(int descriptor, const char *path) {
  struct stat mine, there;
  return fstat(descriptor, &mine) == 0 && lstat(path, &there) == 0 && mine.st_dev == there.st_dev &&
         mine.st_ino == there.st_ino;
}

/// Writes who has the lock, for people to read; that it fails does no harm. What has another name,
/// too, is somebody's file.
static void write_owner(int descriptor) {
  char host[256] = "";
  struct stat mine;
  gethostname(host, sizeof host - 1);
  if (fstat(descriptor, &mine) == 0 && mine.st_nlink == 1 && ftruncate(descriptor, 0) == 0)
    dprintf(descriptor, "process %d on %s\n", (int)getpid(), host);
}

/// Tries once. Returns 0 where the lock is had, EWOULDBLOCK where another has it, or another errno
/// value and why the file is not to be locked.
static int try_lock(vb_file_lock *lock, const char **why) {
  for (;;) {
    lock->descriptor = vb_file_open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW, why);
    if (lock->descriptor < 0)
      return EIO;
    int code = flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (code == 0 && is_there(lock->descriptor, lock->path)) {
      write_owner(lock->descriptor);
      return 0;
    }
    close(lock->descriptor);
    lock->descriptor = -1;
    if (code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP)
      return 0;
    if (code != 0 && code != EINTR) {
      *why = strerror(code);
      return code;
    }
  }
}

vb_status vb_file_lock_take(const char *path, bool wait, vb_file_lock *out, vb_error *error) {
  vb_file_lock lock = {.descriptor = -1};
  if (asprintf(&lock.path, "%s.lock", path) < 0)
    return vb_error_memory(error);
  const char *why = NULL;
  int code;
  while ((code = try_lock(&lock, &why)) == EWOULDBLOCK && wait && !vb_signal_caught())
    usleep(PAUSE_US);
  vb_status status = VB_OK;
  if (code == EWOULDBLOCK && wait)
    status = vb_error_set(error, VB_INTERRUPTED,
                          "stopped by signal %d while waiting for %s, which another process uses",
                          vb_signal_caught(), path);
  else if (code != 0 && code != EWOULDBLOCK)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", lock.path, why);
  lock.held = code == 0;
  if (!lock.held) {
    free(lock.path);
    lock = (vb_file_lock){0};
  }
  if (!status)
    *out = lock;
  return status;
}

void vb_file_lock_release(vb_file_lock *lock) {
  if (!lock->held)
    return;
  // Removed while it is still held, so that no other's is removed.
  unlink(lock->path);
  if (lock->descriptor >= 0)
    close(lock->descriptor);
  free(lock->path);
  *lock = (vb_file_lock){0};
}
