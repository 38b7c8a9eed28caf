// SPDX-License-Identifier: GPL-3.0-or-later
/// Parses the data requests of a figure script: the lines of its head that begin with "#:". Their
/// syntax is described in plots/style.gp.
#ifndef VB_FIGURE_PLOT_LIST_H
#define VB_FIGURE_PLOT_LIST_H

#include "base/status.h"

#include <stddef.h>

typedef enum vb_plot_kind {
  VB_PLOT_SERIES,
  VB_PLOT_FRAME,
  VB_PLOT_OUTLINE,
  VB_PLOT_OUTLINE_OF,
  VB_PLOT_BOX_EDGES,
  VB_PLOT_BOX_SECTIONS,
  VB_PLOT_DISTANCE,
  VB_PLOT_VALUES,
  VB_PLOT_PICTURE,
} vb_plot_kind;

/// Words in a line at most.
#define VB_PLOT_WORDS 64

/// One line of a list.
typedef struct vb_plot_item {
  char *text; ///< the line's words, cut apart
  size_t line;
  vb_plot_kind kind;
  const char *helper; ///< its first word
  const char *of;     ///< whose data: ".", "runs/PATTERN,PATTERN" and so on; null for pictures
  const char *frames; ///< which of them, or null
  char **arguments;   ///< (n_arguments) paths, a plane, two lengths, a run, or pictures
  size_t n_arguments;
} vb_plot_item;

typedef struct vb_plot_list {
  vb_plot_item *items; ///< (n)
  size_t n;
} vb_plot_list;

/// Reads the list of the script at `path`. VB_BAD_INPUT with the line where one is wrong. The
/// caller frees with vb_plot_list_free.
vb_status vb_plot_list_read(const char *path, vb_plot_list *out, vb_error *error);
void vb_plot_list_free(vb_plot_list *list);

#endif
