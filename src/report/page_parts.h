// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to page_*.c: the parts of a page, a function each.
#ifndef VB_REPORT_PAGE_PARTS_H
#define VB_REPORT_PAGE_PARTS_H

#include "report/assets.h"
#include "report/html.h"
#include "report/page.h"

/// Begins any page of ours: head with its rules of security and style, up to the start of `main`.
/// The page may run `script` (null: none) and scripts from `sources`, a list that begins with a
/// space, or "". The end holds `script`.
void vb_page_begin(FILE *out, const char *title, const vb_asset *script, const char *sources);
void vb_page_end(FILE *out, const vb_asset *script);

/// The verdict, what failed by name, findings, and what was compared (page_conclusion.c).
void vb_page_conclusion(FILE *out, const vb_page *page);

/// Gates, figures, speeds and runs of each study (page_study.c).
vb_status vb_page_studies(FILE *out, const vb_page *page, vb_error *error);

/// What a gate's reference is: "at most ", "at least ", or "" where the value is to be near it.
const char *vb_page_sign(const vb_gate_record *gate);

/// The figures of a study, drawn where they are not (page_figures.c).
vb_status vb_page_figures(FILE *out, const vb_report_study *study, vb_error *error);

/// Runs with their times and residuals; cases of benchmarks with their speeds (page_speeds.c).
void vb_page_speeds(FILE *out, const vb_report_study *study);

/// What differs from the baseline (page_compare.c).
void vb_page_comparison(FILE *out, const vb_compared *compared);

/// What changed over several results (page_history.c).
vb_status vb_page_history(FILE *out, const vb_history *history, vb_error *error);

/// Program, compiler and machine; scripts (page_provenance.c).
void vb_page_provenance(FILE *out, const vb_report_results *results);

/// Player, its data, and stills (page_player.c). `room` is how many bytes they may take.
vb_status vb_page_player(FILE *out, const vb_page *page, size_t room, vb_error *error);

/// Begins and ends a table that scrolls by itself where the page is narrow. `columns` are its
/// heads, separated by "|"; one that begins with "#" is of numbers.
void vb_page_table_begin(FILE *out, const char *caption, const char *columns);
void vb_page_table_end(FILE *out);

/// A cell with a number.
void vb_page_cell(FILE *out, double value, int digits);

/// The mark of a gate's or run's outcome: a word, whose color only adds to it.
void vb_page_mark(FILE *out, const char *kind, const char *word);

#endif
