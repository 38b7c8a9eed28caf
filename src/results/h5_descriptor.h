// SPDX-License-Identifier: GPL-3.0-or-later
/// A driver of HDF5 for a file that is open already; it opens none itself.
///
/// A process without the right to open files reads by it. HDF5's own drivers open by name.
#ifndef VB_RESULTS_H5_DESCRIPTOR_H
#define VB_RESULTS_H5_DESCRIPTOR_H

#include "results/h5.h"

/// Opens the file with descriptor `file`, for reading or also for writing, without a lock.
/// VB_BAD_INPUT, and `*fault` says why. Released by vb_h5_release. A process has one such file.
hid_t vb_h5_open_descriptor(vb_h5 *h5, int file, bool writes, vb_h5_fault *fault);

/// The error number of the system where it failed to read or to write that file, or 0. HDF5 is not
/// told that it failed to write, and the rest is not written: HDF5 could not close the file.
int vb_h5_descriptor_failure(void);

#endif
