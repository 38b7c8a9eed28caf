// SPDX-License-Identifier: GPL-3.0-or-later
/// Judges gates on recorded data.
#ifndef VB_GATE_GATE_H
#define VB_GATE_GATE_H

#include "results/results.h"
#include "study/study.h"

/// Measures what `gate` asks for in the files of its runs, `paths[i]` of `gate->runs[i]`, and
/// compares. A gate that cannot be measured fails: its value is NaN and its note says why.
void vb_gate_evaluate(const vb_gate *gate, const char *const *paths, vb_verdict *out);

/// Combines the numbers of several runs into one, as `gate->combination` says; `values` has
/// `gate->n_runs` of them. False where there is no such number; then `note` (VB_NOTE_SIZE bytes)
/// says why and `*out` is untouched.
bool vb_gate_combine(const vb_gate *gate, const double *values, double *out, char *note);

/// Whether `value` is what the gate asks for; a NaN never is.
bool vb_gate_compare(const vb_gate *gate, double value);

/// A verdict of failure that was not measured, for the reason `note`.
void vb_gate_fail(vb_verdict *out, const char *note);

#endif
