// SPDX-License-Identifier: GPL-3.0-or-later
/// A driver of HDF5 that reads a file which is open already, and opens none itself.
///
/// A process without the right to open files reads by it. HDF5's own drivers open by name.
#ifndef VB_RESULTS_H5_DESCRIPTOR_H
#define VB_RESULTS_H5_DESCRIPTOR_H

#include "results/h5.h"

/// Opens the file with descriptor `file` for reading, without a lock. VB_BAD_INPUT, and `*fault`
/// says why. Released by vb_h5_release. A process reads one such file.
hid_t vb_h5_open_descriptor(vb_h5 *h5, int file, vb_h5_fault *fault);

#endif
