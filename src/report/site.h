// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes kept results as a folder of pages: a gallery of studies, a report of each with its
/// player, and the READMEs.
#ifndef VB_REPORT_SITE_H
#define VB_REPORT_SITE_H

#include "report/report_results.h"

#include <stdio.h>

/// What a site is made of.
typedef struct vb_site_plan {
  char *const *path; ///< (n) folders and files of results
  size_t n;
  const char *out;   ///< folder of the pages; made where it is not there
  size_t most_bytes; ///< of a page
  bool force;        ///< whether other files of these names may be replaced
  bool plain;        ///< without players and pictures of motion
} vb_site_plan;

/// Writes it: index.html, STUDY.html (bench-STUDY.html of a benchmark), readme-NAME.html. Files of
/// other names in the folder stay. VB_BAD_INPUT where results cannot be read, or another file has
/// one of these names (base/output_policy.h); VB_CANNOT_WRITE.
vb_status vb_site_write(const vb_site_plan *plan, vb_error *error);

/// Writes the pages of the studies alone, each with a link to `index`, the address of the page that
/// lists them.
vb_status vb_site_studies(const vb_site_plan *plan, vb_report_results *results, const char *index,
                          vb_error *error);

struct vb_readmes;

/// What a page that lists studies shows.
typedef struct vb_site_list {
  const vb_report_results *results;
  const char *title;
  const char *folder; ///< of the studies' pages, with a slash at its end; or null: its own
  const struct vb_readmes *readmes; ///< or null
  bool plain;                       ///< without pictures
} vb_site_list;

/// Writes it: the conclusion, and each study's title, verdict and picture.
vb_status vb_site_list_write(FILE *out, const vb_site_list *gallery, vb_error *error);

#endif
