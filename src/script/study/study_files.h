// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the scripts of studies.
#ifndef VB_SCRIPT_STUDY_STUDY_FILES_H
#define VB_SCRIPT_STUDY_STUDY_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// The script of a study.
typedef struct vb_study_file {
  char name[128];   ///< of the study: the file's, without folder and ending
  char path[4096];  ///< to open it
  char shown[4096]; ///< how messages call it
} vb_study_file;

/// Finds the script of study `name`: in the folder scenarios or bench below `home`, or, where
/// `name` ends in .lua, at that path. VB_BAD_INPUT and the nearest name there is where it is in
/// neither.
vb_status vb_study_find(const char *home, const char *name, vb_study_file *out, vb_error *error);

/// All scripts of the two folders, sorted by name; the caller frees `*out` with free().
vb_status vb_study_files(const char *home, vb_study_file **out, size_t *count, vb_error *error);

#endif
