// SPDX-License-Identifier: GPL-3.0-or-later
/// Results of two small studies in the folder of a fuzz target, made by the program itself: rods
/// with a surface (rods.h5, rods-rods.h5) and a solid (solid.h5, solid-solid.h5).
#ifndef VB_TESTS_FUZZ_SMALL_STUDIES_H
#define VB_TESTS_FUZZ_SMALL_STUDIES_H

#include "changed_files.h"

/// The files of the studies, in this order.
enum { SMALL_STUDY_FILES = 4 };

/// Makes them, at the first call; the files.
fuzz_file *small_studies_make(void);

#endif
