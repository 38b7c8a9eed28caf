// SPDX-License-Identifier: GPL-3.0-or-later
/// The identity of the running program: results of another build do not stand for its own.
#ifndef VB_RESULTS_PROGRAM_ID_H
#define VB_RESULTS_PROGRAM_ID_H

#include "base/status.h"

/// What identifies the build of the running program, or of the library that holds this code, as
/// hexadecimal digits and a zero: the linker's digest of its contents (GNU build ID), or where
/// there is none, the SHA-256 of the program's file. VB_UNAVAILABLE where that file cannot be read.
vb_status vb_program_id(char hex[65], vb_error *error);

#endif
