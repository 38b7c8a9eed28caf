// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs gnuplot with a time limit.
#ifndef VB_FIGURE_GNUPLOT_H
#define VB_FIGURE_GNUPLOT_H

#include "base/status.h"

#include <stddef.h>

/// Whether there is a gnuplot in PATH: VB_UNAVAILABLE where there is none. It is asked before data
/// and pictures are prepared for it.
vb_status vb_gnuplot_find(vb_error *error);

/// Runs `gnuplot` with the scripts (a null behind the last), one after the other and without the
/// user's own start-up file. It reads no input; its messages go to `said`, what does not fit left
/// out, and its wait status to `*ended`.
///
/// It is ended with all that it started, and leaves no process, when its time is over:
/// VB_FAILED with a sentence that names `what`; and when a signal was noted (vb_signals_install):
/// VB_INTERRUPTED. The time is 120 s of wall clock, or as many seconds as VIPERBENCH_GNUPLOT_TIME
/// says: VB_BAD_INPUT where that is no positive number. VB_UNAVAILABLE where it cannot be started.
/// It has 4 GiB of memory, and ends with this process (base/started_program.h).
vb_status vb_gnuplot_run(const char *const *scripts, const char *what, char *output, size_t size,
                         int *ended, vb_error *error);

/// An expression of gnuplot whose value is `text`, each control character replaced by a space. The
/// caller frees; null for want of memory.
char *vb_gnuplot_quote(const char *text);

#endif
