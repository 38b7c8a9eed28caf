// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes kept results as one page of HTML that opens anywhere: it asks no network, and runs no
/// script but the player's own.
#ifndef VB_REPORT_PAGE_H
#define VB_REPORT_PAGE_H

#include "compare/compare_report.h"
#include "report/history.h"
#include "report/report_results.h"

#include <stdio.h>

/// Writes the address of the page of a study to `out`.
typedef void vb_page_address(const vb_report_study *study, char *out, size_t size);

/// What a page shows.
typedef struct vb_page {
  const vb_report_results *results;
  const vb_compared *compared; ///< with a baseline, or null
  const vb_history *history;   ///< of earlier results and these, or null
  const char *title;
  const char *index;      ///< address of the page that lists this one, or null
  vb_page_address *pages; ///< where studies are in pages of their own, or null: in this one
  const char *folder;     ///< of these pages, with a slash at its end; or null: that of this one
  size_t most_bytes;      ///< of the page: frames are thinned to fit
  bool plain;             ///< without player and stills
} vb_page;

/// Bytes of a report unless asked otherwise.
#define VB_PAGE_BYTES 20000000

/// Writes the page to `out`. Figures that cannot be drawn and runs that cannot be shown are told in
/// the page; VB_CANNOT_WRITE where writing fails, VB_UNAVAILABLE for want of memory.
vb_status vb_page_write(FILE *out, const vb_page *page, vb_error *error);

#endif
