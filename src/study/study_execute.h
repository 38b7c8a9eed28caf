// SPDX-License-Identifier: GPL-3.0-or-later
/// The parts of executing a study: one run, from its lock to its verdicts; gates; the index.
#ifndef VB_STUDY_STUDY_EXECUTE_H
#define VB_STUDY_STUDY_EXECUTE_H

#include "study/study_run.h"

/// What may be done about a run that is not recorded.
typedef enum vb_run_effort {
  VB_EFFORT_NONE, ///< nothing
  VB_EFFORT_TRY,  ///< execute it, unless another process is at it
  VB_EFFORT_WAIT  ///< wait for that process, and execute it if that does not
} vb_run_effort;

/// Brings run `i` of an outcome as far as `effort` allows: executes it with `threads` of the solver
/// (0: as many as that likes), reads its summary, evaluates its own gates and writes them into its
/// file. All of that is done under the run's lock. Its result is in the outcome, whose
/// other runs are left alone: child processes do this at the same time.
void vb_study_execute_run(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan,
                          vb_run_effort effort, int threads);

/// Judges gate `gate` of an outcome, all of whose runs are recorded.
void vb_study_evaluate_gate(vb_study_outcome *outcome, size_t gate);

/// Writes the index of an outcome to `outcome->index`: of all its runs, or of those that are
/// recorded and the gates that are evaluated, with the names of the missing and of the shard (count
/// 0: none). VB_CANNOT_WRITE where that fails.
vb_status vb_study_write_index(const vb_study_outcome *outcome, vb_shard shard, vb_error *error);

/// Whether all runs of a gate are recorded.
bool vb_study_can_evaluate(const vb_study_outcome *outcome, size_t gate);

#endif
