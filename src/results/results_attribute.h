// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads attributes of groups of results and index files.
#ifndef VB_RESULTS_RESULTS_ATTRIBUTE_H
#define VB_RESULTS_RESULTS_ATTRIBUTE_H

#include "results/results_array.h"

/// Length of a text attribute that is read, its zero included.
#define VB_ATTRIBUTE_SIZE 1024

typedef struct vb_attribute {
  bool is_text;
  char text[VB_ATTRIBUTE_SIZE];
  double number;
} vb_attribute;

/// Reads attribute `name` of the group `group` ("run") of a run, or of the file itself where it
/// has no name: "status" of "run" is "complete" or "diverged". VB_BAD_INPUT where there is none.
vb_status vb_run_attribute(vb_run_location place, const char *group, const char *name,
                           vb_attribute *out, vb_error *error);

#endif
