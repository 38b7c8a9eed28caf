// SPDX-License-Identifier: GPL-3.0-or-later
/// Which part of what a gate allows its value takes.
#ifndef VB_GATE_GATE_USED_H
#define VB_GATE_GATE_USED_H

#include "results/results_gates.h"

/// From 0, nothing of it, to 1, all of it; more than 1 where the gate failed. Of a value close to a
/// reference it is the distance between them over the tolerance; of one at most or at least a
/// limit, the part of the limit that is reached (value over limit, or limit over value), and 0
/// where they have different signs. A tolerance or a limit of 0 is used up by the value that it
/// asks for. NaN where nothing says what is much: a value that was not measured, or one beyond a
/// limit of 0.
double vb_gate_used(const vb_gate_record *gate);

#endif
