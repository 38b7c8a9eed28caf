// SPDX-License-Identifier: GPL-3.0-or-later
/// Sets how long threads of OpenMP poll before they sleep.
#ifndef VB_BASE_WAITING_H
#define VB_BASE_WAITING_H

/// Has threads that wait for others look for these for some 30 us and then sleep, whatever
/// OMP_WAIT_POLICY says. For the first line of `main`; `arguments` are those of the program.
///
/// By itself libgomp looks for some 10 ms, or for ever. On a quiet machine that gains nothing, and
/// beside another busy process it keeps a processor from the very thread that is waited for. The
/// library reads its settings before `main`, so the program is started once more, in this process,
/// with GOMP_SPINCOUNT set. Where that is set already, by the user or by the program's parent, it
/// is kept and nothing is done; where the program cannot be started again, it goes on as it is.
void vb_waiting_limit(char **arguments);

#endif
