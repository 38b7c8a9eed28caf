// SPDX-License-Identifier: GPL-3.0-or-later
/// Gates and their verdicts as results files hold them, in the group /gates.
#ifndef VB_RESULTS_RESULTS_GATES_H
#define VB_RESULTS_RESULTS_GATES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A gate and its verdict. What results_gate_columns.c says of each dataset is its meaning.
typedef struct vb_gate_record {
  const char *name;
  char *runs; ///< names, separated by spaces
  const char *quantity;
  int64_t row;
  int64_t component;
  int64_t other_row;
  const char *measure;
  double from;
  double to;
  const char *combination;
  double value;
  const char *comparator;
  double reference;
  double tolerance;
  bool relative;
  bool passed;
  bool finding;
  bool timed;
  const char *finding_verdict;
  double band_low;
  double band_high;
  const char *reason;
  const char *note;
} vb_gate_record;

/// Replaces the gates in the file of a run, through a copy `path`.gates.part. Leaves the file
/// alone where its gates were written under the same `key`. VB_CANNOT_WRITE, or VB_BAD_INPUT where
/// it is no run's file.
vb_status vb_results_write_gates(const char *path, const char *key, const vb_gate_record *gates,
                                 size_t n, vb_error *error);

#endif
