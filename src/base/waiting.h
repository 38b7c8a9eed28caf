// SPDX-License-Identifier: GPL-3.0-or-later
/// Sets how long threads of OpenMP poll before they sleep.
#ifndef VB_BASE_WAITING_H
#define VB_BASE_WAITING_H

/// Has threads that wait for others look for these for some 30 us and then sleep, whatever
/// OMP_WAIT_POLICY says. For the first line of `main`; `arguments` are those of the program.
///
/// By itself libgomp looks for some 10 ms, or for ever. On a quiet machine that gains nothing, and
/// beside another busy process it keeps a processor from the very thread that is waited for. The
/// library reads GOMP_SPINCOUNT before `main`. Where it is set already, by the user or by the
/// program's parent, it is kept and nothing is done. Where vb_waiting_prepare could not set it, the
/// program is started once more, in this process, with it set; where that fails, it goes on as it
/// is.
void vb_waiting_limit(char **arguments);

/// Sets GOMP_SPINCOUNT before libraries are initialized: for the section ".preinit_array" of a
/// program, whose functions have these arguments. A second start took 9 ms, half of the processor
/// time of a short command.
///
/// The environment cannot grow at that time. The setting replaces a variable that no library
/// reads, until vb_waiting_limit puts it back.
void vb_waiting_prepare(int n, char **arguments, char **environment);

#endif
