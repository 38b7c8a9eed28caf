// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the script of a study by its name or its path.
#ifndef VB_SCRIPT_STUDY_STUDY_FILES_H
#define VB_SCRIPT_STUDY_STUDY_FILES_H

#include "base/home_files.h"

/// Finds the script of study `name`: one below `home` (base/home_files.h), or, where `name` ends in
/// .lua, the file at that path. VB_BAD_INPUT, with the nearest name there is, where it is neither.
vb_status vb_study_find(const char *home, const char *name, vb_home_file *out, vb_error *error);

#endif
