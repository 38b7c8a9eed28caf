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
  char what[128];    ///< what blew up
  char warning[160]; ///< what the solver warns of; empty where of nothing
  int64_t steps;     ///< taken
  double wall_s;     ///< in the solver's steps, s
  bool shared;       ///< whether other runs were executed beside it, so that this time says little
  char convergence[16]; ///< "yes", "no", "not judged"; empty in files before schema 2.1
  int64_t missed;       ///< steps that did not converge, where they were evaluated
  double worst;         ///< greatest residual of an evaluated step
  double energy_gain;   ///< energy from nothing (energy_gain.h); NaN where it is not recorded
  double residual;      ///< of the last step; NaN where none is recorded
} vb_run_summary;

/// What is to be found under the name of a run's results file.
typedef enum vb_record_state {
  VB_RECORD_MISSING,
  VB_RECORD_CURRENT,     ///< a finished run, which may stand for the one that is asked for
  VB_RECORD_OLD,         ///< a run of another plan or program, or one that was not finished
  VB_RECORD_DAMAGED,     ///< no file of ours that can be read whole
  VB_RECORD_OUT_OF_REACH ///< locked, forbidden or the like: what is in it is not known
} vb_record_state;

/// Examines the file under the name of a run that is recorded under `key`. The message says why it
/// is damaged or out of reach.
vb_record_state vb_run_record_examine(const char *path, const char *key, vb_error *error);

/// Reads it from the results file of a run. VB_BAD_INPUT where `path` is not one.
vb_status vb_run_summary_read(const char *path, vb_run_summary *out, vb_error *error);

#endif
