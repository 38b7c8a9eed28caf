// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints what the runs of a command come to, as its last lines.
#ifndef VB_CLI_CONCLUSION_H
#define VB_CLI_CONCLUSION_H

#include "study/study_run.h"

#include <stdio.h>

typedef struct vb_conclusion {
  const vb_study_outcome *outcomes; ///< (n)
  size_t n;
  const vb_study *const
      *studies; ///< (n_studies) all that were asked for: first those with outcomes
  size_t n_studies;
  const char *only;                ///< which of their runs (vb_study_is_chosen), or null
  bool stopped;                    ///< whether a signal ended them before their time
  const vb_study *const *includes; ///< (n_includes) studies made of others
  size_t n_includes;
  const char *folder; ///< of the results
  double seconds;     ///< that all took
} vb_conclusion;

/// Whether the tables of gates and timings are so short that they need not be asked for.
bool vb_report_is_short(const vb_study_outcome *outcomes, size_t n);

/// Prints a line for each study in place of such tables: gates, runs and wall time.
void vb_report_studies(const vb_study_outcome *outcomes, size_t n);

/// Whether the steps of a recorded run left the scene out of balance: they are not judged by a
/// tolerance, as those of a fixed number of sweeps are not, but a tenth of the forces or more is
/// not balanced after the last, and a gate that speaks of the run failed.
bool vb_report_lacks_balance(const vb_study_outcome *outcome, size_t run);

/// Prints which findings and gates have which verdict and which runs failed, by name; how many runs
/// took what time; which figures and pages there are to open; and in the last line how many gates
/// have which verdict, and, where a signal came or runs failed, how many runs and gates are
/// missing.
void vb_conclude(const vb_conclusion *conclusion);

/// Prints this last part of the line alone, how many runs and gates of those that are asked for are
/// missing, without a newline.
void vb_conclude_missing(FILE *out, const vb_conclusion *conclusion);

#endif
