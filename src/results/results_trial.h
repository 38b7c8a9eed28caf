// SPDX-License-Identifier: GPL-3.0-or-later
/// Trials of results files: whether HDF5 crashes somewhere in a file, before anything of it is
/// used.
#ifndef VB_RESULTS_RESULTS_TRIAL_H
#define VB_RESULTS_RESULTS_TRIAL_H

#include "results/h5.h"

/// Has the reader of an open file read all of it. VB_BAD_INPUT where it crashes; any other failure
/// is left to whoever reads the part that is wrong.
void vb_results_read_all(vb_h5 *h5, hid_t file);

/// From now on vb_results_open reads each file as a whole when it is opened for the first time. For
/// commands that read many files, of which one that crashes is to be left out.
void vb_results_begin_trials(void);
bool vb_results_has_trials(void);

#endif
