// SPDX-License-Identifier: GPL-3.0-or-later
/// A temporary folder of this process.
#ifndef VB_BASE_SCRATCH_H
#define VB_BASE_SCRATCH_H

#include "base/status.h"

/// Length of a path, its zero included.
#define VB_SCRATCH_PATH 1024

/// Makes an empty folder that only this user can open, below TMPDIR or, where that is no absolute
/// path, /tmp. VB_CANNOT_WRITE where that cannot be done. To be removed by vb_scratch_remove; where
/// this process ends before, by SIGKILL, too, a shell that is started here removes it.
vb_status vb_scratch_make(char path[VB_SCRATCH_PATH], vb_error *error);

/// Removes the folder and the files in it; it holds no folders.
void vb_scratch_remove(const char *path);

#endif
