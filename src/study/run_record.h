// SPDX-License-Identifier: GPL-3.0-or-later
/// The record of a run: starts it, and tells whether one may stand for the run.
#ifndef VB_STUDY_RUN_RECORD_H
#define VB_STUDY_RUN_RECORD_H

#include "study/study.h"

/// Starts the results file of `run` of `study` by `instance` of `solver` (see vb_results_create).
/// `describe` tells of the GPU that does the work, if one does; null leaves GPUs out.
vb_status vb_run_record(const char *path, const vb_study *study, const vb_run_plan *run,
                        const vb_solver *solver, void *instance, vb_gpu_describe *describe,
                        vb_results **out, vb_error *error);

/// Whether `path` holds a finished run of this very run plan by this very program, whose recorded
/// data may stand for a new run. Any doubt is a no.
bool vb_run_is_recorded(const char *path, const vb_study *study, const vb_run_plan *run);

#endif
