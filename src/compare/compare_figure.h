// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws the largest differences between two recorded runs.
#ifndef VB_COMPARE_COMPARE_FIGURE_H
#define VB_COMPARE_COMPARE_FIGURE_H

#include "compare/compare_report.h"

/// Quantities that a figure shows at most.
#define VB_FIGURE_PANELS 5

/// Draws plots/compare.gp as `stem`.svg and `stem`.png: of those quantities that differ by most of
/// what is allowed, one of each kind, A and B over time at the element where they differ
/// most, and their difference. Draws nothing where nothing differs. Failures as of vb_plot_text.
vb_status vb_compare_figure(const vb_compared *compared, const char *stem, vb_error *error);

#endif
