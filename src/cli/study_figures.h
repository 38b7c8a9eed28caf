// SPDX-License-Identifier: GPL-3.0-or-later
/// Figures of the studies that "run" and "join" have executed, several at a time.
#ifndef VB_CLI_STUDY_FIGURES_H
#define VB_CLI_STUDY_FIGURES_H

#include "study/study.h"

#include <stdbool.h>
#include <stddef.h>

/// How many figures wait at most: few, so that an interrupted program has drawn most of them.
enum { VB_MOST_WAITING = 16 };

/// A figure that waits to be drawn.
typedef struct vb_waiting_figure {
  const vb_study *study; ///< borrowed
  const char *index;     ///< path of the index; borrowed
  double since;          ///< a figure that is younger than this stays
} vb_waiting_figure;

/// Figures that wait; start it zeroed.
typedef struct vb_study_figures {
  vb_waiting_figure waiting[VB_MOST_WAITING];
  size_t n;
  bool no_gnuplot; ///< whether that was missing, and said
} vb_study_figures;

/// Adds the figure of a study, for which there must be room; whether there is none any more. What
/// is borrowed must last until it is drawn.
bool vb_study_figures_add(vb_study_figures *figures, const vb_study *study, const char *index,
                          double since);

/// Draws all that wait: `jobs` at a time in child processes, or one by one in this one where that
/// is 0; tells on the standard error what failed. Returns what was worst; a gnuplot that is missing
/// is said once, and is VB_OK.
vb_status vb_study_figures_draw(vb_study_figures *figures, int jobs);

#endif
