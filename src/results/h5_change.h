// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes a file of any source.
///
/// HDF5 was not made for hostile files, and so never opens one in this process, to write to it
/// neither, unless this process wrote it: a fork that has that one file open and no rights (see
/// base/confine.h) changes it. Should the file take that process over, it can write to itself,
/// which it could anyway.
#ifndef VB_RESULTS_H5_CHANGE_H
#define VB_RESULTS_H5_CHANGE_H

#include "results/h5.h"

/// Changes an open file by HDF5's functions. What it notes elsewhere is lost.
typedef void vb_h5_change_fn(vb_h5 *h5, hid_t file, void *context);

/// Has the file with descriptor `file`, which is open for reading and writing, changed, which adds
/// at most `more` bytes to it; `path` is its name for messages. `own`: this process wrote all of
/// it, and changes it without a fork. On failure what is in the file has no meaning:
/// VB_CANNOT_WRITE, before anything is changed where the disk is full; VB_BAD_INPUT where it is no
/// HDF5 file, or makes HDF5 crash or loop; VB_INTERRUPTED by a signal.
vb_status vb_h5_change(const char *path, int file, size_t more, bool own, vb_h5_change_fn *change,
                       void *context, vb_error *error);

#endif
