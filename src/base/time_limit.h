// SPDX-License-Identifier: GPL-3.0-or-later
/// A limit of time for what a thread calls: functions that may take long ask now and then whether
/// to give up. Threads that they start have no limit of their own.
#ifndef VB_BASE_TIME_LIMIT_H
#define VB_BASE_TIME_LIMIT_H

#include "base/status.h"

#include <stdbool.h>

/// Tells whether the time is over.
typedef struct vb_time_limit {
  bool (*over)(void *context); ///< null: there is no limit
  /// Told when this thread begins and ends to wait for another process: where the time of the
  /// processor counts, that of the wall does meanwhile. May be null.
  void (*wait)(void *context, bool waits);
  void *context;
} vb_time_limit;

/// Sets the limit of this thread; returns the one before, to be set again.
vb_time_limit vb_time_limit_set(vb_time_limit limit);

/// Whether to give up. It may look at a clock: no function asks more often than each microsecond.
bool vb_time_limit_over(void);

/// To be called before and after this thread waits for another process.
void vb_time_limit_wait(bool waits);

/// The same as VB_FAILED, with a message.
vb_status vb_time_limit_check(vb_error *error);

#endif
