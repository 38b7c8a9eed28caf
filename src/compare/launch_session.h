// SPDX-License-Identifier: GPL-3.0-or-later
/// A session of timed launches of two programs, which also measures the machine's margin.
#ifndef VB_COMPARE_LAUNCH_SESSION_H
#define VB_COMPARE_LAUNCH_SESSION_H

#include "base/progress.h"
#include "base/statistics.h"
#include "compare/compare_launch.h"

/// Widest margin (ratio of times less 1) at which "same" is meaningful: a slowdown of 3 % must be
/// detectable.
#define VB_MAX_MARGIN 0.02

/// Launches of a session: one of each to warm up, then pairs of A and A, and of A and B, in turn.
#define VB_SESSION_LAUNCHES (2 + 4 * VB_LAUNCH_PAIRS)

typedef struct vb_launch_session {
  double equal[VB_LAUNCH_PAIRS];     ///< ln(time of A / time of A)
  double log_ratio[VB_LAUNCH_PAIRS]; ///< ln(time of B / time of A)
  double time[2][VB_LAUNCH_PAIRS];   ///< s, of A and B in the pairs of both
  double margin;                     ///< natural logarithm
  vb_interval interval;              ///< of the median of log_ratio, 98.8 %
  vb_comparison verdict;             ///< of B
} vb_launch_session;

/// Launches everything and computes the verdict. `progress` may be null. Fails as `launch` does, or
/// with VB_INTERRUPTED after a signal.
vb_status vb_launch_session_run(vb_launch *launch, void *context, vb_progress *progress,
                                vb_launch_session *out, vb_error *error);

/// Judges what was launched: fills margin, interval and verdict. As vb_compare, but where the
/// margin is above VB_MAX_MARGIN SLOWER and FASTER need the whole interval beyond it, and all
/// else is INCONCLUSIVE.
void vb_launch_session_evaluate(vb_launch_session *session);

#endif
