// SPDX-License-Identifier: GPL-3.0-or-later
/// Compares how long two shell commands take ("compare --launch").
#ifndef VB_CLI_CLI_LAUNCH_H
#define VB_CLI_CLI_LAUNCH_H

#include "base/status.h"

#include <stdbool.h>

/// The two commands, and how they are compared.
typedef struct vb_launch_request {
  char *command[2];
  bool reported; ///< whether the number that they print is compared, not their whole process' time
  bool quiet;
  bool json;
} vb_launch_request;

/// Launches the two commands in turn and reports which takes longer. VB_OK where B is faster or the
/// same, VB_FAILED where it is slower, VB_INCONCLUSIVE.
vb_status vb_compare_launch(const vb_launch_request *request, vb_error *error);

#endif
