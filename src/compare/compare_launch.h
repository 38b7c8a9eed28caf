// SPDX-License-Identifier: GPL-3.0-or-later
/// Compares the speed of two programs by launching them alternately. Whole launches are the
/// replicates, because repeated measurements within one launch share a bias from the placement of
/// its memory.
#ifndef VB_COMPARE_COMPARE_LAUNCH_H
#define VB_COMPARE_COMPARE_LAUNCH_H

#include "base/progress.h"
#include "base/statistics.h"
#include "base/status.h"

#include <stddef.h>

/// Pairs of launches in a comparison.
#define VB_LAUNCH_PAIRS 11

/// Launches one of the two, 0 or 1, and gives the time [s] that it measured.
typedef vb_status vb_launch(void *context, int which, double *seconds, vb_error *error);

/// Launches pair number `index`: A B where it is even, B A where it is odd, so that over A B B A A
/// B .. drift of the machine affects both equally. Writes ln(time of B / time of A). VB_INTERRUPTED
/// after a signal (base/signals.h).
vb_status vb_launch_pair(vb_launch *launch, void *context, size_t index, double *log_ratio,
                         vb_error *error);

/// Runs a program (`arguments[0]` is its path, a null ends them) and reads the number that is the
/// only thing it prints. VB_FAILED where it ends with another code than 0 or prints no positive
/// number.
vb_status vb_launch_program(char *const *arguments, double *seconds, vb_error *error);

/// Runs a shell command with its output thrown away, and measures from its start to its end.
/// VB_BAD_INPUT where it ends with another code than 0, VB_INTERRUPTED after a signal.
vb_status vb_launch_command(char *command, double *seconds, vb_error *error);

/// Widest margin (ratio of times less 1) at which "same" is meaningful: a slowdown of 3 % must be
/// detectable.
#define VB_MAX_MARGIN 0.02

/// Launches of a session: one of each to warm up, then pairs of A and A, and of A and B, in turn.
#define VB_SESSION_LAUNCHES (2 + 4 * VB_LAUNCH_PAIRS)
#define VB_SESSION_ROUNDS   (1 + VB_LAUNCH_PAIRS)

typedef struct vb_launch_session {
  double equal[VB_LAUNCH_PAIRS];     ///< ln(time of A / time of A)
  double log_ratio[VB_LAUNCH_PAIRS]; ///< ln(time of B / time of A)
  double time[2][VB_LAUNCH_PAIRS];   ///< s, of A and B in the pairs of both
  double margin;                     ///< natural logarithm
  vb_interval interval;              ///< of the median of log_ratio, 98.8 %
  vb_comparison verdict;             ///< of B
} vb_launch_session;

/// Launches everything and computes the verdict: that of vb_compare, but where the margin is above
/// VB_MAX_MARGIN SLOWER and FASTER need the whole interval beyond it. `progress` may be null; its
/// items are VB_SESSION_ROUNDS, whose cost is their launches. Fails as `launch` does, or with
/// VB_INTERRUPTED after a signal.
vb_status vb_launch_session_run(vb_launch *launch, void *context, vb_progress *progress,
                                vb_launch_session *out, vb_error *error);

#endif
