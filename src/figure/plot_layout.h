// SPDX-License-Identifier: GPL-3.0-or-later
/// The layout of a figure for the width of a paper's column.
///
/// Figures are designed for a page 900 to 1300 pixels wide. At the width of a column, with text of
/// 8 points, most of their panels do not fit beside each other. So a script runs twice: first for
/// its page, where plots/style.gp notes what it places where, and whose SVG tells how much room the
/// texts around each panel take; then with new places, made here: panels in reading order, as many
/// on a line as have room, and keys above or below the line of the panel that draws them. Graphs
/// are lower, and pictures smaller, where the figure would be higher than VB_PAPER_HEIGHT.
#ifndef VB_FIGURE_PLOT_LAYOUT_H
#define VB_FIGURE_PLOT_LAYOUT_H

#include "base/status.h"

#include <stdio.h>

/// Points of text on paper, and what it has on the page in pixels.
#define VB_PAPER_POINTS 8.0
#define VB_PAGE_PIXELS  11.0

/// Height of the text on a page of A4 [mm].
#define VB_PAPER_HEIGHT 250.0

/// Lays out a figure `mm` wide. `noted` is the file that style.gp wrote its variable "asked" to,
/// and `svg` the picture of the page. Writes variables for the second run to `definitions`.
/// `script` is the figure's, for messages. VB_BAD_INPUT where it cannot be laid out: it draws
/// several plots without the function panel, other numbers of plots and panels, or panels that
/// share an axis and together do not fit.
vb_status vb_plot_layout(const char *noted, const char *svg, const char *script, double mm,
                         double *high, FILE *definitions, vb_error *error);

#endif
