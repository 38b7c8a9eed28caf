// SPDX-License-Identifier: GPL-3.0-or-later
/// Resource limits of this process (ulimit): whether it has enough, and lower ones before it
/// becomes another program, or runs the code of others.
#ifndef VB_BASE_PROCESS_LIMITS_H
#define VB_BASE_PROCESS_LIMITS_H

#include "base/status.h"

/// Makes sure that there is stack and memory enough to begin with. A soft limit on the stack is
/// raised as far as it may be, for all threads. VB_UNAVAILABLE where a limit is too low: a stack
/// that overflows ends the program without a message, and OpenBLAS requests memory for ever.
vb_status vb_limits_check(vb_error *error);

/// Lowers the limit of a resource of this process (setrlimit): the soft one to `soft`, the hard one
/// to `hard`. A lower one stays. What it becomes after that inherits both.
void vb_limit_set(int resource, double soft, double hard);

/// Lets this process have `bytes` of data more than it has by now, or as many as it may have now
/// where these are fewer. Data is what only this process may write, without its stack.
void vb_limit_data(double bytes);

/// Bytes of memory of this machine.
double vb_machine_memory(void);

#endif
