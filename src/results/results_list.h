// SPDX-License-Identifier: GPL-3.0-or-later
/// Lists the datasets of a results or index file.
#ifndef VB_RESULTS_RESULTS_LIST_H
#define VB_RESULTS_RESULTS_LIST_H

#include "base/status.h"

#include <stddef.h>

/// A dataset of numbers or texts. Texts live for the call.
typedef struct vb_dataset_info {
  const char *path; ///< as `table` takes it: "energy/total"; "runs/NAME/..." in an index
  const char *unit; ///< "" where it has none
  const char *what; ///< what it holds; "" where the file does not say
  int rank;         ///< axes; 0: one value
  size_t extent[3]; ///< elements of each axis; those of a series are the rows that count
} vb_dataset_info;

/// Called for each dataset.
typedef void vb_dataset_visit(const vb_dataset_info *dataset, void *context);

/// Tells of the datasets of a file that `table` can print, in the order of their paths: of an index
/// its own, and those of its run `run` where that is not null. VB_BAD_INPUT where the file cannot
/// be read.
vb_status vb_results_list(const char *path, const char *run, vb_dataset_visit *visit, void *context,
                          vb_error *error);

#endif
