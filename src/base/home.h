// SPDX-License-Identifier: GPL-3.0-or-later
/// The folder of what the program reads beside results: studies and figures.
#ifndef VB_BASE_HOME_H
#define VB_BASE_HOME_H

#include "base/status.h"

#include <stddef.h>

/// The folder that holds scenarios/, bench/ and plots/: $VIPERBENCH_HOME, or else the parent of the
/// folder of the running program, or the folder share/viperbench in that. Writes at most `size`
/// bytes.
vb_status vb_home(char *out, size_t size, vb_error *error);

#endif
