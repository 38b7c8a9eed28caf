// SPDX-License-Identifier: GPL-3.0-or-later
/// Draws the figures of a study with gnuplot, and writes its page, from its results files.
#ifndef VB_FIGURE_PLOT_H
#define VB_FIGURE_PLOT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// In which formats figures are drawn.
typedef enum vb_plot_files {
  VB_PLOT_ALL, ///< SVG, PNG and PDF
  VB_PLOT_SVG, ///< SVG, and those of the others that are there already
} vb_plot_files;

/// Draws the figure of the study whose index file is `index` beside it, in these formats:
/// FIGURE.gp as STUDY.svg and STUDY.png, and each FIGURE_SUFFIX.gp beside it as STUDY_SUFFIX.*, but
/// for those of studies of that name.
/// Where there is a template FIGURE.md.lua, it writes STUDY.md, a page about the study, even where
/// gnuplot is missing.
/// `folder` is that of the study's script, where a figure of its own lies, or null. Pictures that
/// are younger than `since` [s since 1970] and their scripts are kept. Adds the number of scripts
/// drawn to `*drawn`; a study without a figure adds none. A picture gets its name when it is whole;
/// nothing else stays, whatever happens. What a script requests (plots/style.gp) is written to a
/// temporary folder first, where gnuplot reads it; no shell and no other program takes part.
///
/// VB_BAD_INPUT where there is no such figure (base/figure_files.h), and where it or the page wants
/// data that the file does not have, VB_UNAVAILABLE where gnuplot is missing, VB_CANNOT_WRITE where
/// the folder cannot be written, VB_FAILED with gnuplot's message if a script fails or takes too
/// long, VB_INTERRUPTED when a signal was noted.
vb_status vb_plot_index(const char *index, const char *folder, double since, vb_plot_files formats,
                        size_t *drawn, vb_error *error);

/// Draws these figures for a paper, `mm` wide, with text of 8 points, as STUDY-85mm.svg, .png and
/// .pdf for 85 mm: panels that have no room beside each other lie below each other. Prints what the
/// page has at its head and foot as the `caption`. Failures as above; VB_BAD_INPUT also where a
/// figure cannot be laid out so (plot_layout.h).
vb_status vb_plot_paper(const char *index, const char *folder, double mm, bool caption,
                        size_t *drawn, vb_error *error);

/// Draws the installed figure `figure` as `stem`.svg, .png and .pdf from the text `data`, which the
/// script knows as `file`; `names`, `labels` (between bars), `title` (its `headline`) and `footer`
/// are its variables. Failures as above.
vb_status vb_plot_text(const char *figure, const char *data, const char *names, const char *labels,
                       const char *title, const char *footer, const char *stem, vb_error *error);

/// When a file was changed last, s since 1970; minus infinity where there is none.
double vb_file_changed(const char *path);

#endif
