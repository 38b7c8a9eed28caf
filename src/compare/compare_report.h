// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints the result of a comparison of records as tables, one JSON document or comma-separated
/// values, and draws it.
#ifndef VB_COMPARE_COMPARE_REPORT_H
#define VB_COMPARE_COMPARE_REPORT_H

#include "compare/compare.h"

#include <stdio.h>

/// Words of --json and --csv for what became of a quantity, in the order of vb_outcome.
extern const char *const vb_outcome_words[];

/// What was compared.
typedef struct vb_compared {
  const char *a;
  const char *b;
  const vb_compare_request *request;
  const vb_compare_result *result;
} vb_compared;

/// Prints tables: each run, what differs in it and where first, gates that changed side, what is
/// missing, and the verdict. Runs that agree take one line each, or are left out if `brief`.
void vb_compare_print(FILE *stream, const vb_compared *compared, bool brief);

/// Prints all of it as one JSON document (compare_export.c). Fails for want of memory or with
/// VB_CANNOT_WRITE.
vb_status vb_compare_json(FILE *stream, const vb_compared *compared, vb_error *error);

/// Prints a row for each quantity of each run, each run that was refused or is missing, and each
/// gate that changed side; `kind` tells them apart (compare_export.c). Fails for want of
/// memory.
vb_status vb_compare_csv(FILE *stream, const vb_compared *compared, vb_error *error);

/// Quantities that a figure shows at most.
#define VB_FIGURE_PANELS 5

/// Draws plots/compare.gp as `stem`.svg and `stem`.png: of those quantities that differ by most of
/// what is allowed, one of each kind, A and B over time at the element where they differ
/// most, and their difference. Draws nothing where nothing differs. Failures as of vb_plot_text.
vb_status vb_compare_figure(const vb_compared *compared, const char *stem, vb_error *error);

#endif
