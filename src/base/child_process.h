// SPDX-License-Identifier: GPL-3.0-or-later
/// Work in a fork of this process: for functions of libraries that may take long and never look at
/// a clock.
#ifndef VB_BASE_CHILD_PROCESS_H
#define VB_BASE_CHILD_PROCESS_H

#include "base/status.h"

#include <stddef.h>

/// Zeroed memory that a fork of this process shares with it; null where there is none. Returned by
/// vb_child_memory_free, with the same size.
void *vb_child_memory(size_t bytes);
void vb_child_memory_free(void *memory, size_t bytes);

/// What a fork does: it may read all memory of this process, and use no thread but its own. Of what
/// it writes, only what it writes to memory of vb_child_memory is left when it has ended.
typedef vb_status vb_child_task(void *context, vb_error *error);

/// Has a fork of this process carry out `task` and waits for its end, with up to `memory` bytes
/// more than this process has. Its status and message are returned. VB_FAILED where it crashed or
/// was ended by others, or where the time of this thread (base/time_limit.h) is over, and
/// VB_INTERRUPTED after a signal (base/signals.h): it is then ended. VB_UNAVAILABLE where there can
/// be none. It ends with the thread that waits for it.
vb_status vb_child_run(vb_child_task *task, void *context, size_t memory, vb_error *error);

#endif
