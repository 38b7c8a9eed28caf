// SPDX-License-Identifier: GPL-3.0-or-later
/// Executes one run of a study: steps its scene with a solver and records it; tells whether a
/// record may stand for the run.
#ifndef VB_STUDY_RUN_H
#define VB_STUDY_RUN_H

#include "results/run_summary.h"
#include "study/run_viewer.h"

/// What became of a run that was recorded.
typedef enum vb_run_status {
  VB_RUN_COMPLETE,
  VB_RUN_DIVERGED,
  VB_RUN_INTERRUPTED, ///< by a signal; the .part file holds what was recorded
} vb_run_status;

typedef struct vb_run_result {
  vb_run_status status;
  vb_divergence divergence; ///< of a diverged run
} vb_run_result;

/// What a run gets from its caller, to whom it reports progress (`report_progress` may be
/// null).
typedef struct vb_run_watcher {
  void (*report_progress)(void *context, int64_t done, int64_t total); ///< in steps
  void *context;
  int threads; ///< of a solver that may choose how many it takes, beside other runs; 0: as many as
               ///< it likes, for the run is alone
  vb_gpu_describe *describe_gpu; ///< tells of the GPU that the solver uses, or null
  const vb_run_viewer *viewer;   ///< or null
} vb_run_watcher;

/// Runs `run` of `study` with `solver` and records it to `path` (see results.h). Row 0 and frame 0
/// are the initial state; then a row every record.every steps, a frame every record.frames_every
/// steps, and both after the last step. Between two records the solver is given all steps at once,
/// but no more than about half a second of them, so that a signal is soon heeded. A step's wall
/// time and phases are the means of its chunk. An energy, work or reaction that is not finite
/// counts as divergence. The convergence plan is carried out last, by an instance of its own. A
/// divergence or a signal (base/signals.h) is VB_OK and recorded in `*out`; any other failure
/// leaves a .part file with what was recorded.
vb_status vb_run_execute(const vb_study *study, const vb_run_plan *run, const vb_solver *solver,
                         const char *path, const vb_run_watcher *watcher, vb_run_result *out,
                         vb_error *error);

/// Starts the results file of `run` of `study` by `instance` of `solver` (see vb_results_create).
/// `describe` tells of the GPU that does the work, if one does; null leaves GPUs out.
vb_status vb_run_record(const char *path, const vb_study *study, const vb_run_plan *run,
                        const vb_solver *solver, void *instance, vb_gpu_describe *describe,
                        vb_results **out, vb_error *error);

/// What there is at `path` of this very run plan by this very program (see vb_run_record_examine).
vb_record_state vb_run_find_record(const char *path, const vb_study *study, const vb_run_plan *run,
                                   vb_error *error);

/// Whether that is a finished run, whose recorded data may stand for a new one.
bool vb_run_is_recorded(const char *path, const vb_study *study, const vb_run_plan *run);

#endif
