// SPDX-License-Identifier: GPL-3.0-or-later
/// Freeing the parts of a study. Each function frees what its argument holds and zeroes it, not the
/// argument itself; zeroed parts are fine.
#ifndef VB_STUDY_STUDY_FREE_H
#define VB_STUDY_STUDY_FREE_H

#include "study/study.h"

void vb_record_plan_clear(vb_record_plan *plan);
void vb_convergence_plan_clear(vb_convergence_plan *plan);
void vb_run_plan_clear(vb_run_plan *run);

/// Frees a list of `n` options that owns its names and values.
void vb_options_destroy(vb_option *options, size_t n);

#endif
