// SPDX-License-Identifier: GPL-3.0-or-later
/// Values of gates and speeds over several kept results, and where they changed beyond the noise.
#ifndef VB_REPORT_HISTORY_H
#define VB_REPORT_HISTORY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/// What changed from the latest earlier result that has the value. A speed changes where the
/// intervals of its times (of the median, or the range of medians of ten stretches of a run) do not
/// overlap; on another machine, or without intervals, there is no verdict on it. A gate's value
/// changes by more than VB_HISTORY_NOISE of the greater of value, reference and tolerance.
typedef enum vb_history_change {
  VB_HISTORY_SAME,
  VB_HISTORY_MOVED,  ///< of a gate: by more than rounding
  VB_HISTORY_BETTER, ///< faster; a gate passes
  VB_HISTORY_WORSE,  ///< slower; a gate fails
} vb_history_change;

/// Results of single precision differ so much between compilers.
#define VB_HISTORY_NOISE 1e-6

typedef struct vb_history_point {
  bool there;
  bool passed;             ///< of a gate
  double value, low, high; ///< of a gate, or a step's time and its interval [s]
  double residual;         ///< that a speed achieves
  vb_history_change change;
} vb_history_point;

/// A gate, or the time of a step of a run or a case.
typedef struct vb_history_line {
  bool speed;
  char *study, *name, *runs;
  double reference, tolerance; ///< of a gate; the tolerance in units of the value
  vb_history_point *points;    ///< (records)
} vb_history_line;

/// Where results come from.
typedef struct vb_history_record {
  char *path, *commit, *host, *cpu, *date;
} vb_history_record;

typedef struct vb_history {
  vb_history_record *records; ///< (n_records) in the order given
  size_t n_records;
  vb_history_line *lines; ///< (n_lines)
  size_t n_lines;
  vb_arena memory; ///< all of it, but the list of lines
} vb_history;

/// Reads the results at `path` (n), the oldest first. VB_BAD_INPUT where one cannot be read. Freed
/// by vb_history_free.
vb_status vb_history_read(char *const *path, size_t n, vb_history *out, vb_error *error);
void vb_history_free(vb_history *history);

/// The word of a change.
const char *vb_history_word(const vb_history_line *line, vb_history_change change);

/// Prints where results come from, and what changed.
void vb_history_print(FILE *stream, const vb_history *history);

/// Draws plots/history.gp as `stem`.svg and `stem`.png: times relative to the first, and how far
/// gates are from their references. Failures as of vb_plot_text.
vb_status vb_history_figure(const vb_history *history, const char *stem, vb_error *error);

#endif
