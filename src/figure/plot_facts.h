// SPDX-License-Identifier: GPL-3.0-or-later
/// Facts of a study that its figure script gets: its runs, their labels, and a footer.
#ifndef VB_FIGURE_PLOT_FACTS_H
#define VB_FIGURE_PLOT_FACTS_H

#include "base/status.h"

/// All texts are owned; freed by vb_plot_facts_free.
typedef struct vb_plot_facts {
  char *figure; ///< name of the script in plots/, or "" for none
  char *runs;   ///< names, separated by spaces
  char *labels; ///< of the runs, separated by "|"
  char *footer; ///< program, commit, scenes, date
} vb_plot_facts;

/// Reads them from the index file of a study and the run files it links to.
vb_status vb_plot_facts_read(const char *index, vb_plot_facts *out, vb_error *error);
void vb_plot_facts_free(vb_plot_facts *facts);

#endif
