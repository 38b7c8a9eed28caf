// SPDX-License-Identifier: GPL-3.0-or-later
/// All results of a benchmark case as one list of named values, from which the HDF5 file and the
/// JSON document are written.
#ifndef VB_BENCH_CASE_VALUES_H
#define VB_BENCH_CASE_VALUES_H

#include "bench/bench.h"

/// One named value: a text, a number, or a list of numbers.
typedef struct vb_case_value {
  const char *name; ///< "dofs", or below a group: "windows/wall_time"
  const char *text; ///< or null
  double number;    ///< where it is no text and no list
  double *list;     ///< (n) owned, or null
  size_t n;
  const char *unit; ///< null for a text
  const char *long_name;
} vb_case_value;

/// Enough for all facts of a case.
#define VB_MAX_CASE_VALUES 112

typedef struct vb_case_values {
  size_t n;
  vb_case_value fact[VB_MAX_CASE_VALUES];
  char throttle[120]; ///< what a fact of that name points to
} vb_case_values;

/// Gathers the facts of a case, which must outlive them. Fails only for want of memory; to be freed
/// by vb_case_values_free in any case.
vb_status vb_case_values_collect(const vb_bench_case *c, vb_case_values *out, vb_error *error);
void vb_case_values_free(vb_case_values *facts);

#endif
