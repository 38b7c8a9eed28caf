// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes one number of a recorded series, as vb_measure says.
#ifndef VB_GATE_MEASURE_H
#define VB_GATE_MEASURE_H

#include "gate/gate.h"

/// Measures y(x) of `n` rows with growing x. `from` and `to` bound the window (a row within a
/// billionth of the series' length of a bound counts as inside). The mean is that of the rows; a
/// centroid weighs them by the trapezoid rule. Frequency and decay want uniform rows. False where
/// it cannot be measured; then `note` says why. `*out` is untouched on failure. `note` has room for
/// VB_NOTE_SIZE bytes.
bool vb_measure_series(const double *x, const double *y, size_t n, vb_measure measure, double from,
                       double to, double *out, char *note);

#endif
