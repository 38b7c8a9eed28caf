// SPDX-License-Identifier: GPL-3.0-or-later
/// Checks the resource limits of this process (ulimit): stack and memory.
#ifndef VB_BASE_PROCESS_LIMITS_H
#define VB_BASE_PROCESS_LIMITS_H

#include "base/status.h"

/// Makes sure that there is stack and memory enough to begin with. A soft limit on the stack is
/// raised as far as it may be, for all threads. VB_UNAVAILABLE where a limit is too low: a stack
/// that overflows ends the program without a message, and OpenBLAS requests memory for ever.
vb_status vb_limits_check(vb_error *error);

#endif
