// SPDX-License-Identifier: GPL-3.0-or-later
/// Trials of results files: HDF5 may crash on a damaged file, and so ends a child in place of this
/// process.
#ifndef VB_RESULTS_RESULTS_TRIAL_H
#define VB_RESULTS_RESULTS_TRIAL_H

#include "results/h5.h"

/// Has a child read the file by `read`, or all of it where that is null. VB_BAD_INPUT where that
/// child crashes; any other failure is left to whoever opens the file. It costs a fork, which there
/// may be as in vb_pool_run; a GPU does not matter, since the child leaves it alone.
void vb_results_try(vb_h5 *h5, void (*read)(vb_h5 *h5));

/// From now on vb_results_open tries each file as a whole before it opens it for the first time.
/// For commands that read many files, of which one that crashes is to be left out.
void vb_results_begin_trials(void);
bool vb_results_has_trials(void);

#endif
