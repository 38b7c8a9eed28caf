// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the sources of h5_read.h: what they share.
#ifndef VB_RESULTS_H5_READ_INTERNAL_H
#define VB_RESULTS_H5_READ_INTERNAL_H

#include "results/h5_read.h"

/// Of a path in a file.
#define VB_H5_PATH_SIZE 1024

/// Nested groups, and objects, that are gone through.
#define VB_H5_MOST_DEPTH   8
#define VB_H5_MOST_MEMBERS 65536

/// Notes a failure: what is at `path` is wrong.
void vb_h5_refuse(vb_h5 *h5, const char *path, const char *what);

/// The same of what may be right, but is not for readers.
void vb_h5_refuse_denied(vb_h5 *h5, const char *path, const char *what);

/// Opens a group or dataset by HDF5 in this process; -1 where there is none.
hid_t vb_h5_open_here(vb_h5 *h5, hid_t from, const char *path);

/// Sees to it that the numbers of a dataset lie in this file, packed as files of ours are. Where
/// `bytes` is not null, adds what they take there, which HDF5 must count.
void vb_h5_check_storage(vb_h5 *h5, hid_t dataset, const char *path, hsize_t *bytes);

/// Whether a type is of integers or floating-point numbers of the usual sizes, in either order of
/// bytes.
bool vb_h5_is_number(hid_t type);

/// Describes an open dataset; false after a failure.
bool vb_h5_examine(vb_h5 *h5, hid_t id, const char *path, vb_h5_dataset *out);

/// Bytes of the file that the dataset is in.
hsize_t vb_h5_file_bytes(vb_h5 *h5, const vb_h5_dataset *dataset);

#endif
