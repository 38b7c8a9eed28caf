// SPDX-License-Identifier: GPL-3.0-or-later
/// Locks on files, so that two processes do not write the same results at the same time.
#ifndef VB_BASE_FILE_LOCK_H
#define VB_BASE_FILE_LOCK_H

#include "base/status.h"

#include <stdbool.h>

/// The lock of a file that is being made. Start it zeroed.
typedef struct vb_file_lock {
  bool held;
  int descriptor; ///< of the lock file, or -1 where the file system knows no locks
  char *path;     ///< of the lock file
} vb_file_lock;

/// Takes the lock of the file `path`: flock on `path`.lock, which ends with this process, however
/// that ends; the file names the process. If another process has it, waits for it if
/// `wait` is set; otherwise leaves `out->held` false, which is VB_OK. VB_CANNOT_WRITE where the
/// lock file cannot be made; VB_INTERRUPTED where a signal (base/signals.h) ends the waiting. A
/// file system without locks is trusted. Given back by vb_file_lock_release.
vb_status vb_file_lock_take(const char *path, bool wait, vb_file_lock *out, vb_error *error);

/// Gives the lock back and removes its file. A lock that is not held is fine.
void vb_file_lock_release(vb_file_lock *lock);

#endif
