// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to report_*.c: reads texts and lists of an open file into an arena. As in h5_read.h, a
/// failure is noted in the `vb_h5`, and that something is not there is no failure.
#ifndef VB_REPORT_READING_H
#define VB_REPORT_READING_H

#include "report/report_results.h"
#include "results/results_file.h"

/// A group that is read, and where its texts go.
typedef struct vb_reading {
  vb_h5 *h5;
  hid_t from;
  vb_arena *memory;
} vb_reading;

/// Names of the members of a group, whose texts are the arena's.
typedef struct vb_reading_list {
  vb_arena *memory;
  char **names; ///< (n)
  size_t n;
  bool failed;
} vb_reading_list;

/// The text of a dataset, without control characters; "" where there is none.
char *vb_reading_text(const vb_reading *r, const char *path);

/// The last number of a list, or the only one; NaN where there is none.
double vb_reading_number(const vb_reading *r, const char *path);

/// All texts of a list; null where there is none.
char **vb_reading_texts(const vb_reading *r, const char *path, size_t *n);

/// Lists those members of a group that are sound names; the caller frees `names`.
vb_reading_list vb_reading_names(const vb_reading *r, const char *path);

/// Reads the group of gates of a file into a study; none where it has no such group.
void vb_reading_gates(const vb_reading *r, vb_report_study *study);

#endif
