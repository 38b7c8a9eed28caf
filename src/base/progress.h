// SPDX-License-Identifier: GPL-3.0-or-later
/// A progress bar on the standard error, if that is a terminal.
#ifndef VB_BASE_PROGRESS_H
#define VB_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vb_progress {
  bool shown; ///< whether there is a bar at all
  char label[64];
  double begun; ///< s, of vb_clock
  double drawn; ///< when the bar was drawn last
} vb_progress;

/// A bar that is shown where `wanted` and stderr is a terminal that can redraw a line.
void vb_progress_init(vb_progress *progress, bool wanted);

/// Starts the bar of one run.
void vb_progress_begin(vb_progress *progress, const char *label);

/// Redraws it, ten times a second at most. `context` is the vb_progress; see vb_run_watcher.
void vb_progress_update(void *context, int64_t done, int64_t total);

/// Wipes the bar away.
void vb_progress_end(vb_progress *progress);

#endif
