// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to report_*.c: reads one file of results as a study.
#ifndef VB_REPORT_REPORT_STUDY_H
#define VB_REPORT_REPORT_STUDY_H

#include "report/report_results.h"

/// What a file is.
typedef struct vb_report_kind {
  bool index;  ///< of a study or a benchmark
  bool speeds; ///< of a benchmark
  bool joint;  ///< of a study that is made of others
} vb_report_kind;

vb_status vb_report_kind_read(const char *path, vb_report_kind *out, vb_error *error);

/// Reads a study from the file at `path`; all texts and lists are the arena's.
vb_status vb_report_study_read(const char *path, vb_report_kind kind, vb_arena *memory,
                               vb_report_study *out, vb_error *error);

#endif
