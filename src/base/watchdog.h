// SPDX-License-Identifier: GPL-3.0-or-later
/// Ends all processes that a child of the program started, when the child or the program ends.
#ifndef VB_BASE_WATCHDOG_H
#define VB_BASE_WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

/// The signal by which the host has a watchdog end all that it guards, and then itself (signal.h).
#define VB_WATCHDOG_END SIGUSR1

/// Forks this process, which `host` has started. The child returns, in a process group of its own;
/// its parent, the watchdog, runs no code of the child and holds none of its files. When the child
/// ends, the host ends for any reason (SIGKILL, too) or requests it, the watchdog ends all
/// processes that descend from the child, those that have left its group or session or lost their
/// parents among them, and then itself, by the child's signal or with its exit code. It ends at
/// once where the host is gone already. SIGINT, SIGTERM and SIGHUP do not end it. What
/// the child writes to its standard streams goes to the standard error without control characters
/// (base/printable.h) where it is `relayed`; elsewhere they are those of this process.
///
/// What is left are processes that the child starts without end while they are being ended, or
/// after it has ended the watchdog itself; the child ends with that.
void vb_watchdog_start(pid_t host, bool relayed);

#endif
