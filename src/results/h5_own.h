// SPDX-License-Identifier: GPL-3.0-or-later
/// Files that this process wrote itself. They hold nothing of a stranger's, so it reads them
/// without a reader (h5_reader.h), which takes a fork for each file.
#ifndef VB_RESULTS_H5_OWN_H
#define VB_RESULTS_H5_OWN_H

#include "results/h5.h"

#include <sys/stat.h>

/// Notes that this process wrote all of the finished file at `path`, which is closed. A file that
/// is changed or replaced afterwards no longer counts; of many files the latest do.
void vb_h5_note_own(const char *path);

/// Whether a file of this status is one of these, unchanged.
bool vb_h5_is_own(const struct stat *file);

/// Opens an own file of this status that is still open from an earlier time; -1 where there is
/// none, or another process has the lock of the file with descriptor `file`.
hid_t vb_h5_open_kept(int file, const struct stat *status);

/// Keeps an own file open, without its lock: one is opened for each array that is read from it. The
/// identifier remains the caller's. The latest are kept until the process forks or notes a file.
void vb_h5_keep_open(hid_t file, const struct stat *status);

#endif
