// SPDX-License-Identifier: GPL-3.0-or-later
/// Files that this process wrote itself. They hold nothing of a stranger's, so it reads them
/// without a reader (h5_reader.h), which takes a fork for each file.
#ifndef VB_RESULTS_H5_OWN_H
#define VB_RESULTS_H5_OWN_H

#include <stdbool.h>
#include <sys/stat.h>

/// Notes that this process wrote all of the finished file at `path`, which is closed. A file that
/// is changed or replaced afterwards no longer counts; of many files the latest do.
void vb_h5_note_own(const char *path);

/// Whether a file of this status is one of these, unchanged.
bool vb_h5_is_own(const struct stat *file);

#endif
