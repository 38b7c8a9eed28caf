// SPDX-License-Identifier: GPL-3.0-or-later
/// Who looks at runs while they are executed.
#ifndef VB_STUDY_RUN_VIEWER_H
#define VB_STUDY_RUN_VIEWER_H

#include "solver/solver.h"
#include "study/study.h"

/// Sees a run while it is executed, in the process that does so. All functions are called between
/// steps, and leave the state as it is.
typedef struct vb_run_viewer {
  void *context;
  /// A run begins, of which `n_frames` frames are going to be recorded.
  void (*begin)(void *context, const vb_study *study, const vb_run_plan *run,
                const vb_solver *solver, void *instance, int64_t n_frames);
  void (*frame)(void *context, double time);                   ///< a frame was recorded [s]
  void (*advance)(void *context, int64_t done, int64_t total); ///< in steps
  void (*end)(void *context, const char *how); ///< "complete", "diverged", "interrupted", "failed"
} vb_run_viewer;

#endif
