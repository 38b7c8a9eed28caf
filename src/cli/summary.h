// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints the results of a command: tables of gates and timings, one JSON document, or
/// comma-separated values. What they come to is in conclusion.h.
#ifndef VB_CLI_SUMMARY_H
#define VB_CLI_SUMMARY_H

#include "study/study_run.h"
#include "table/listing.h"

#include <stdio.h>

/// Prints what each study of a shard that is not whole lacks, where that is no failure: the shares
/// of others.
void vb_report_shards(FILE *stream, const vb_study_outcome *outcomes, size_t n);

/// Prints the verdict on each gate that was evaluated: name, run, value, reference, tolerance;
/// below a gate that could not be measured, why. Then what each recorded run took; "DOF Hz" is the
/// degrees of freedom advanced by a step per second. Goes to the standard output; on a terminal it
/// fits that, and a narrow one lacks columns; elsewhere names are whole. Fails for want of memory.
vb_status vb_report_tables(const vb_study_outcome *outcomes, size_t n, vb_error *error);

/// Writes the runs that a gate speaks of: its one run, or how several are combined.
void vb_report_name_runs(const vb_gate *gate, char *out, size_t size);

/// Prints a line for each run that diverged, each gate that failed and each finding that left its
/// band, for those who want no tables.
void vb_report_failures(FILE *stream, const vb_study_outcome *outcomes, size_t n);

/// Prints a gate that was missed, or a finding with its band, as the end of such a line, after the
/// names of study and run.
void vb_report_missed(FILE *stream, const vb_gate *gate, const vb_verdict *verdict);

/// Prints one JSON document of all that, and the exit code (summary_export.c). Fails for want of
/// memory or with VB_CANNOT_WRITE.
vb_status vb_report_json(FILE *stream, const vb_study_outcome *outcomes, size_t n, int exit_code,
                         vb_error *error);

/// Prints a row for each run and each gate that was evaluated; `kind` tells them apart
/// (summary_export.c). Fails for want of memory.
vb_status vb_report_csv(FILE *stream, const vb_study_outcome *outcomes, size_t n, vb_error *error);

/// Begins a row with its kind and the study that it is of.
void vb_report_begin_row(vb_listing *table, const char *kind, const char *study);

/// Adds the options of a run as one cell.
void vb_report_add_options(vb_listing *table, const vb_run_plan *run);

/// Adds what a gate asks for: name, runs, combination, and the cells of VB_CSV_GATE_NAMES.
void vb_report_add_gate(vb_listing *table, const vb_gate *gate);
#define VB_CSV_GATE_NAMES                                                                          \
  "quantity,measure,comparator,reference,tolerance,relative,finding,timed,band_low,band_high,"     \
  "reason"

/// Degrees of freedom advanced by a step per second; 0 where nothing was timed, NaN where other
/// runs were executed beside this one, and where no residual tells what accuracy it buys.
double vb_dof_rate(const vb_run_outcome *run);

#endif
