// SPDX-License-Identifier: GPL-3.0-or-later
/// Clocks for measuring durations.
#ifndef VB_BASE_CLOCK_H
#define VB_BASE_CLOCK_H

/// Seconds of a clock that never jumps, from an arbitrary start.
double vb_clock(void);

/// Processor time of this thread, s.
double vb_clock_thread(void);

#endif
