// SPDX-License-Identifier: GPL-3.0-or-later
/// Compares the speed of two programs by launching them alternately. Whole launches are the
/// replicates, because repeated measurements within one launch share a bias from the placement of
/// its memory.
#ifndef VB_COMPARE_COMPARE_LAUNCH_H
#define VB_COMPARE_COMPARE_LAUNCH_H

#include "base/status.h"

#include <stddef.h>

/// Pairs of launches in a comparison.
#define VB_LAUNCH_PAIRS 11

/// Launches one of the two, 0 or 1, and gives the time [s] that it measured.
typedef vb_status vb_launch(void *context, int which, double *seconds, vb_error *error);

/// Launches pair number `index`: A B where it is even, B A where it is odd, so that over A B B A A
/// B .. drift of the machine falls on both alike. Writes ln(time of B / time of A). VB_INTERRUPTED
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

#endif
