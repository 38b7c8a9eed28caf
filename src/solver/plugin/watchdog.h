// SPDX-License-Identifier: GPL-3.0-or-later
/// Ends all processes that a solver started when its run ends.
#ifndef VB_SOLVER_PLUGIN_WATCHDOG_H
#define VB_SOLVER_PLUGIN_WATCHDOG_H

/// The signal by which the host has a watchdog end all that it guards, and then itself (signal.h).
#define VB_WATCHDOG_END SIGUSR1

/// Forks this process, which the host has started. The child returns, in a process group of its
/// own, and serves; its parent, the watchdog, runs no code of a solver. When the child ends, the
/// host ends for any reason or requests it, the watchdog ends all processes that descend from the
/// child, those that have left its group or session or lost their parents among them, and then
/// itself, by the child's signal or with its exit code.
///
/// What is left are processes that the solver starts without end while they are being ended, or
/// after it has ended the watchdog itself; the child ends with that.
void vb_watchdog_start(void);

#endif
