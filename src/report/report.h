// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the report of kept results to a file.
#ifndef VB_REPORT_REPORT_H
#define VB_REPORT_REPORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// What a report is made of.
typedef struct vb_report_plan {
  char *const *path; ///< (n) results files and folders
  size_t n;
  const char *against; ///< file or folder of the baseline, or null
  const char *history; ///< earlier results, separated by commas, the oldest first; or null
  const char *out;     ///< the page
  size_t most_bytes;   ///< of the page: frames are thinned to fit
  bool plain;          ///< without player and stills
  bool force;          ///< whether other files in the folder of the studies' pages may be replaced
} vb_report_plan;

/// Studies that a page holds at most: of more, which a browser would need long to load, it is a
/// list that leads to a page of each.
#define VB_REPORT_STUDIES 8

/// Writes it, by the rules of base/file.h. Of more than VB_REPORT_STUDIES studies, without baseline
/// and history, it lists them, and their pages are in a folder beside it, called as the page
/// without
/// ".html". VB_BAD_INPUT where results cannot be read or compared,
/// VB_CANNOT_WRITE, VB_INTERRUPTED.
vb_status vb_report_write(const vb_report_plan *plan, vb_error *error);

#endif
