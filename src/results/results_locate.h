// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the dataset of a quantity (see vb_gate) in a run file or, by the prefix "runs/NAME/", in
/// an index file.
#ifndef VB_RESULTS_RESULTS_LOCATE_H
#define VB_RESULTS_RESULTS_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/// Length of the prefix "runs/NAME/", 0 where there is none.
size_t vb_results_prefix(const char *quantity);

/// Whether it belongs to the run as a whole and has no time: what lies below topology/, gates/,
/// scenario/, in the file of a benchmark below bench/, scaling/ and machine/, and in one of scores
/// below scores/.
bool vb_results_is_static(const char *quantity);

/// The dataset that holds the quantity. Writes at most `size` bytes; false where they do not
/// suffice.
bool vb_results_locate(const char *quantity, char *out, size_t size);

/// The dataset that holds its x: time, iteration or step number. Likewise.
bool vb_results_locate_x(const char *quantity, char *out, size_t size);

#endif
