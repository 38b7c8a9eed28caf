// SPDX-License-Identifier: GPL-3.0-or-later
/// Gates and verdicts as results files hold them.
#ifndef VB_GATE_GATE_RECORD_H
#define VB_GATE_GATE_RECORD_H

#include "gate/gate.h"
#include "results/results_gates.h"

/// Makes the record of a gate, from which it borrows all texts but `runs`. Where `part` is not
/// null, the names of its runs get that in front, and a dash. Fails only for want of memory.
vb_status vb_gate_record_make(const vb_gate *gate, const vb_verdict *verdict, const char *part,
                              vb_gate_record *out, vb_error *error);

/// Frees `n` records in an array of their own; null is none.
void vb_gate_records_destroy(vb_gate_record *records, size_t n);

/// Puts the gates of a run and their verdicts into its file (see vb_results_write_gates).
vb_status vb_gates_write(const char *path, const vb_gate *gates, const vb_verdict *verdicts,
                         size_t n, vb_error *error);

#endif
