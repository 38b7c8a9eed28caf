// SPDX-License-Identifier: GPL-3.0-or-later
/// What a report says of kept results: studies, their gates, runs and measured speeds, read from
/// results files.
#ifndef VB_REPORT_REPORT_RESULTS_H
#define VB_REPORT_REPORT_RESULTS_H

#include "base/arena.h"
#include "results/results_array.h"
#include "results/results_gates.h"

#include <stdbool.h>
#include <stdio.h>

/// A fact of a group of texts and numbers, as it is to be read.
typedef struct vb_report_fact {
  char *name;
  char *text;
} vb_report_fact;

/// A run, or a case of a benchmark. Numbers that are not recorded are NaN, texts empty.
typedef struct vb_report_run {
  char *name;
  char *label;
  vb_run_location place; ///< of a run
  char *status;          ///< "complete" and so on; "" of a case
  char *what;            ///< what diverged, why there is no speed, or what the solver warns of
  char *solver;          ///< name, method, precision and backend
  char *scene;           ///< SHA-256
  char *parameters;      ///< JSON
  double steps;          ///< taken
  double step_time;      ///< median [s]
  bool shared;           ///< whether other runs were executed beside it: it then has no times
  double step_time_low;  ///< bounds of that [s]: 95 % of a case; the range over a run
  double step_time_high;
  double residual;          ///< of the last step
  char *convergence;        ///< "yes", "no", "not judged"; "" of a case, and before schema 2.1
  double greatest_residual; ///< of all
  double dof_hz, real_time; ///< of a case: degrees of freedom [Hz]; simulated over wall time
  bool gates_passed;        ///< of a case
  bool shown;               ///< whether its study names it for show
} vb_report_run;

/// A study that was run, or the one run of a file without an index; or a benchmark.
typedef struct vb_report_study {
  char *path; ///< of its file
  char *name, *title, *tier, *script, *figure;
  bool speeds; ///< whether it is a benchmark
  vb_gate_record *gates;
  size_t n_gates;
  vb_report_run *runs;
  size_t n_runs;
  char **missing; ///< names of runs that are not recorded, or cannot be read
  size_t n_missing;
  char **broken; ///< (n_broken) sentences on those that cannot be read
  size_t n_broken;
  vb_report_fact *provenance;
  size_t n_provenance;
} vb_report_study;

typedef struct vb_report_results {
  vb_report_study *studies; ///< benchmarks last
  size_t n_studies;
  char **left_out; ///< (n_left_out) sentences on files that cannot be read
  size_t n_left_out;
  vb_arena memory; ///< all texts and lists of studies
} vb_report_results;

/// Counts of a verdict.
typedef struct vb_report_counts {
  size_t gates, passed;
  size_t failed;         ///< or findings that left their bands or were not measured
  size_t findings;       ///< other findings that were missed
  size_t runs, bad_runs; ///< those that did not end complete
} vb_report_counts;

/// Reads the files of runs, indexes, benchmarks and folders `path` (n). Of a folder: all indexes
/// and benchmarks, and files of runs whose study has no index there; an index of a study that is
/// made of others is left out, since it repeats them. A file that cannot be read is left out, too
/// (vb_report_complain); VB_BAD_INPUT where nothing is left. The caller frees with
/// vb_report_results_free.
vb_status vb_report_results_read(char *const *path, size_t n, vb_report_results *out,
                                 vb_error *error);
void vb_report_results_free(vb_report_results *results);

/// Prints the sentences on files that are left out.
void vb_report_complain(FILE *stream, const vb_report_results *results);

/// Whether the verdict on a gate fails its study: it was missed and is no finding, or it is one
/// that is worse, better or unmeasured.
bool vb_report_gate_failed(const vb_gate_record *gate);

/// The verdict on a gate in a word.
const char *vb_report_gate_word(const vb_gate_record *gate);

/// Adds what a study counts; those of benchmarks count gates alone.
void vb_report_count(const vb_report_study *study, vb_report_counts *counts);

/// The fact of that name, or "unknown".
const char *vb_report_provenance(const vb_report_study *study, const char *name);

#endif
