// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws the figures of a study with gnuplot, from its results files.
#ifndef VB_HARNESS_PLOT_H
#define VB_HARNESS_PLOT_H

#include "base/status.h"

#include <stddef.h>

/// Draws the figure of the study whose index file is `index`, as SVG and PNG beside it:
/// plots/FIGURE.gp as STUDY.svg and STUDY.png, and each plots/FIGURE_SUFFIX.gp as STUDY_SUFFIX.*.
/// Where there is plots/FIGURE.md.gp, it writes STUDY.md, a page about the figures, in the same
/// way. Adds the number of scripts drawn to `*drawn`; a study without a figure adds none. A picture
/// gets its name when it is whole. VB_UNAVAILABLE where gnuplot is missing, VB_CANNOT_WRITE where
/// the folder cannot be written, VB_FAILED with what gnuplot said where a script fails.
vb_status vb_plot_index(const char *index, double since, size_t *drawn, vb_error *error);

/// Draws plots/`script`.gp as `stem`.svg and `stem`.png from the text file `data`, which the script
/// knows as `file`; `names`, `labels` (between bars) and `footer` are what it is told. Failures as
/// above.
vb_status vb_plot_data(const char *script, const char *data, const char *names, const char *labels,
                       const char *footer, const char *stem, vb_error *error);

/// When a file was changed last, s since 1970; minus infinity where there is none.
double vb_file_changed(const char *path);

/// An expression of gnuplot whose value is `text`, a newline replaced by a space. The caller frees;
/// null for want of memory.
char *vb_plot_quote(const char *text);

/// `text` as one word of a shell command, without quotes. The caller frees; null for want of
/// memory.
char *vb_plot_shell_word(const char *text);

#endif
