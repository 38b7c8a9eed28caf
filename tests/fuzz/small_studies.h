// SPDX-License-Identifier: GPL-3.0-or-later
/// Results of two small studies in the folder of a fuzz target, made by the program itself: rods
/// with a surface (rods.h5, rods-rods.h5) and a solid (solid.h5, solid-solid.h5).
#ifndef VB_TESTS_FUZZ_SMALL_STUDIES_H
#define VB_TESTS_FUZZ_SMALL_STUDIES_H

#include <stddef.h>

/// The files of the studies.
enum { SMALL_STUDY_FILES = 4 };
extern const char *const SMALL_STUDY_FILE[SMALL_STUDY_FILES];

/// Makes them, at the first call.
void small_studies_make(void);

/// Puts a file back as it was made.
void small_studies_restore(size_t file);

#endif
