// SPDX-License-Identifier: GPL-3.0-or-later
/// Ends a run cleanly when a signal asks the program to stop.
#ifndef VB_BASE_SIGNALS_H
#define VB_BASE_SIGNALS_H

/// From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored) are only noted. A second one of a
/// kind ends the program at once.
void vb_signals_install(void);

/// Likewise in a child process, where any number of them is only noted: a signal to a group of
/// processes comes twice, once from the parent.
void vb_signals_install_in_child(void);

/// The number of the first signal noted, or 0.
int vb_signal_caught(void);

#endif
