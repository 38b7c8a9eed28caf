// SPDX-License-Identifier: GPL-3.0-or-later
/// The command "compare --launch".
#ifndef VB_CLI_CLI_LAUNCH_H
#define VB_CLI_CLI_LAUNCH_H

#include "cli/cli.h"

/// `compare --launch A B`: launches two shell commands in turn and tells which takes longer. VB_OK
/// where B is faster or the same, VB_FAILED where it is slower, VB_INCONCLUSIVE.
vb_status vb_compare_launch(const vb_cli *cli, vb_error *error);

#endif
