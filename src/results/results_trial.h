// SPDX-License-Identifier: GPL-3.0-or-later
/// Trials of results files: whether HDF5 crashes somewhere in a file or cannot read a part of it,
/// before anything of it is used.
#ifndef VB_RESULTS_RESULTS_TRIAL_H
#define VB_RESULTS_RESULTS_TRIAL_H

#include "results/h5.h"

/// Has the reader of an open file read all of it. VB_BAD_INPUT where it crashes, and where HDF5
/// cannot read a group, numbers or texts. What is readable and is refused, such as links out of the
/// file, is left to whoever reads it.
void vb_results_read_all(vb_h5 *h5, hid_t file);

/// Whether a results file can be opened, and is damaged somewhere.
bool vb_results_is_damaged(const char *path);

/// From now on vb_results_open reads each file as a whole when it is opened for the first time. For
/// commands that read many files, of which one that is damaged is to be left out.
void vb_results_begin_trials(void);
bool vb_results_has_trials(void);

#endif
