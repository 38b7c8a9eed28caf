// SPDX-License-Identifier: GPL-3.0-or-later
/// Tells how far the program is: a bar on the standard error where that is a terminal, otherwise a
/// line on the standard output for each item that is done.
#ifndef VB_BASE_PROGRESS_H
#define VB_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vb_progress {
  bool shown; ///< whether there is a bar
  bool lines; ///< whether there is a line for each item instead
  char label[64];
  double begun;    ///< s, of vb_clock
  double drawn;    ///< when the bar was drawn last
  size_t done;     ///< items of all
  size_t total;    ///< of items; 0: they are not counted
  double since;    ///< when the first item began [s]
  double cost;     ///< of all items, in any unit
  double executed; ///< cost of those that took their time
  double kept;     ///< cost of those that were there already
  double current;  ///< cost of the item that the bar is about; 0: not known
} vb_progress;

/// A bar that is shown where `wanted` and stderr is a terminal that can redraw a line.
void vb_progress_init(vb_progress *progress, bool wanted);

/// Announces `total` items of a cost that is proportional to their time, more or less. Without a
/// bar each is told by a line, where `lines`.
void vb_progress_plan(vb_progress *progress, size_t total, double cost, bool lines);

/// Starts the bar of one run of that cost (0: not known).
void vb_progress_begin(vb_progress *progress, const char *label, double cost);

/// Redraws it, ten times a second at most. `context` is the vb_progress; see vb_run_watcher.
void vb_progress_update(void *context, int64_t done, int64_t total);

/// Wipes the bar away.
void vb_progress_end(vb_progress *progress);

/// Counts an item that is done: that took time or, if `kept`, was there before. `how` ends its
/// line: "1.2 s".
void vb_progress_count(vb_progress *progress, const char *label, double cost, bool kept,
                       const char *how);

/// The time that is left, by the cost of what took time so far, the running item at the part
/// `fraction`; negative where nothing can be said [s].
double vb_progress_left(const vb_progress *progress, double fraction, double now);

#endif
