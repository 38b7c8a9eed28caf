// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the data that a figure script requests as plain files for gnuplot.
#ifndef VB_FIGURE_PLOT_DATA_H
#define VB_FIGURE_PLOT_DATA_H

#include "figure/plot_list.h"

#include <stdbool.h>
#include <stdio.h>

/// Writes the data that `list` requests from the index file `index` into files of `folder`, and to
/// `definitions` variables of gnuplot that give the helpers of plots/style.gp where and what they
/// are; all names are made of counters. `script` is whose list it is, for messages.
///
/// VB_BAD_INPUT, with the line of the list, where it is wrong, where the index does not have what
/// it asks for, and where names in the index are wrong; VB_INTERRUPTED when a signal was noted;
/// VB_CANNOT_WRITE.
vb_status vb_plot_data_write(const char *folder, const char *index, const char *script,
                             const vb_plot_list *list, FILE *definitions, vb_error *error);

/// Writes the definition of a variable whose value is a text; false for want of memory or room.
bool vb_plot_define(FILE *definitions, const char *name, const char *value);

#endif
