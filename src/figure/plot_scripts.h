// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the installed figure scripts.
#ifndef VB_FIGURE_PLOT_SCRIPTS_H
#define VB_FIGURE_PLOT_SCRIPTS_H

#include "base/status.h"

#include <stddef.h>

/// One script of a figure.
typedef struct vb_plot_script {
  char *path;
  char *suffix; ///< what its name has behind the figure's: "" or "_profile"; ".md" of the page
} vb_plot_script;

/// Those of a figure, the figure's own first.
typedef struct vb_plot_scripts {
  vb_plot_script *scripts; ///< (n)
  size_t n;
} vb_plot_scripts;

/// The common style.
#define VB_PLOT_STYLE "style"

/// Looks the scripts of `figure` up in the folder plots of `home`: FIGURE.gp, FIGURE_*.gp in the
/// order of the alphabet, and last the page's, FIGURE.md.gp. The text `figure` may come from any
/// file: it is compared with the names in the folder, and never made a path of. VB_BAD_INPUT, with
/// `who` as the one that wants it, where it names no script there. The caller frees with
/// vb_plot_scripts_free.
vb_status vb_plot_scripts_find(const char *home, const char *figure, const char *who,
                               vb_plot_scripts *out, vb_error *error);
void vb_plot_scripts_free(vb_plot_scripts *scripts);

#endif
