// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints the result of a comparison of records: tables, or one JSON document.
#ifndef VB_COMPARE_COMPARE_REPORT_H
#define VB_COMPARE_COMPARE_REPORT_H

#include "compare/compare.h"

#include <stdio.h>

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

/// Prints all of it as one JSON document (compare_json.c). Fails for want of memory or with
/// VB_CANNOT_WRITE.
vb_status vb_compare_json(FILE *stream, const vb_compared *compared, vb_error *error);

#endif
