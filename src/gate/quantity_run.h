// SPDX-License-Identifier: GPL-3.0-or-later
/// The run that a quantity of an index names by its prefix "runs/NAME/".
#ifndef VB_GATE_QUANTITY_RUN_H
#define VB_GATE_QUANTITY_RUN_H

#include "base/status.h"
#include "results/results_array.h"

/// Where the run of `quantity` is: in the file at `path`, by the name that is written to `run`, or
/// without a name where the quantity has no prefix. VB_BAD_INPUT where a name is too long.
vb_status vb_quantity_run(const char *path, const char *quantity, char run[256],
                          vb_run_location *out, vb_error *error);

#endif
