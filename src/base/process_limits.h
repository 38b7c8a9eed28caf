// SPDX-License-Identifier: GPL-3.0-or-later
/// Limits that the system sets this process (ulimit).
#ifndef VB_BASE_PROCESS_LIMITS_H
#define VB_BASE_PROCESS_LIMITS_H

#include "base/status.h"

/// Makes sure that there is stack and memory enough to begin with. A soft limit on the stack is
/// raised as far as it may be, for all threads. VB_UNAVAILABLE where a limit is too low: a stack
/// that overflows ends the program without a word, and OpenBLAS asks for memory for ever.
vb_status vb_limits_check(vb_error *error);

#endif
