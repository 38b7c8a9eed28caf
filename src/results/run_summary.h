// SPDX-License-Identifier: GPL-3.0-or-later
/// The few numbers of a finished run that tables show.
#ifndef VB_RESULTS_RUN_SUMMARY_H
#define VB_RESULTS_RUN_SUMMARY_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vb_run_summary {
  char status[16]; ///< "complete" or "diverged"
  bool diverged;
  char what[128];       ///< what blew up
  char warning[160];    ///< what the solver warns of; empty where of nothing
  int64_t steps;        ///< taken
  double wall_s;        ///< in the solver's steps, s
  char convergence[16]; ///< "yes", "no", "not judged"; empty in files before schema 2.1
  int64_t missed;       ///< steps that did not converge, where they were evaluated
  double worst;         ///< greatest residual of an evaluated step
  double residual;      ///< of the last recorded step; NaN where none is recorded
} vb_run_summary;

/// Reads it from the results file of a run. VB_BAD_INPUT where `path` is not one.
vb_status vb_run_summary_read(const char *path, vb_run_summary *out, vb_error *error);

#endif
