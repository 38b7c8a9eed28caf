// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs a study: its runs, its gates, its index file.
#ifndef VB_HARNESS_STUDY_RUN_H
#define VB_HARNESS_STUDY_RUN_H

#include "harness/progress.h"
#include "harness/results.h"
#include "harness/run_summary.h"
#include "harness/study.h"

/// What became of one run of a study.
typedef struct vb_run_outcome {
  char *path;    ///< of its results file
  bool recorded; ///< whether that file is there, finished
  bool kept;     ///< whether it was there before
  int64_t dofs;
  vb_run_summary summary; ///< where recorded
} vb_run_outcome;

/// What became of a study. Freed by vb_study_outcome_free.
typedef struct vb_study_outcome {
  const vb_study *study; ///< borrowed
  vb_status status; ///< VB_FAILED where a gate failed or a run diverged; otherwise what stopped it
  vb_error error;   ///< what stopped it; unused with VB_OK and VB_FAILED
  char *index;      ///< path of the index file
  bool indexed;     ///< whether that file was written
  vb_run_outcome *runs;
  vb_verdict *verdicts; ///< one per gate, meaningful where judged
  bool *judged;         ///< one per gate
} vb_study_outcome;

/// How to run studies.
typedef struct vb_study_run_plan {
  const char *folder;    ///< of the results; must exist
  bool fresh;            ///< runs again what is recorded already
  vb_progress *progress; ///< told of each run
} vb_study_run_plan;

/// Executes the runs of `study` in order, but those whose recorded data may stand for them. Judges
/// the gates of each run and writes them into its file; then judges the gates over several runs and
/// writes the index. A gate of a diverged run fails. The first run that cannot be executed or is
/// interrupted ends the study. Returns `out->status`; `*out` is always to be freed, and borrows
/// `study`.
vb_status vb_study_run(const vb_study *study, const vb_study_run_plan *plan, vb_study_outcome *out);
void vb_study_outcome_free(vb_study_outcome *outcome);

/// Writes the index of `whole`, a study made of others, from the `n` outcomes of its parts: all
/// their runs and gates, a run being called PART-RUN. `path` is that of the index. VB_CANNOT_WRITE
/// where that fails.
vb_status vb_study_join(const vb_study *whole, const vb_study_outcome *const *parts, size_t n,
                        const char *path, vb_error *error);

/// The path of the results of `run` of a study, or of its index where `run` is null; to be freed;
/// null for want of memory.
char *vb_study_results_path(const char *folder, const char *study, const char *run);

/// The status of the two that a caller must hear of first.
vb_status vb_status_worse(vb_status a, vb_status b);

#endif
