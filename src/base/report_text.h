// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints reports: cells of text tables, and JSON documents.
#ifndef VB_BASE_REPORT_TEXT_H
#define VB_BASE_REPORT_TEXT_H

#include "base/status.h"
#include "base/terminal.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

/// Columns that a table fits in.
#define VB_REPORT_WIDTH 110

/// Columns of a text: UTF-8 letters count as one.
int vb_report_columns(const char *text);

/// Writes `before`, then `text` padded, or cut with "...", to `width` columns.
void vb_report_cell(FILE *stream, const char *before, const char *text, int width);

/// As vb_report_cell, but cut in the middle: names often differ at their ends.
void vb_report_name(FILE *stream, const char *before, const char *name, int width);

/// Writes `before`, then `text`, cut with "..." to `width` columns, as the end of a line.
void vb_report_end(FILE *stream, const char *before, const char *text, int width);

/// Writes `before`, then words in lines of up to `width` columns, all but the first after `indent`
/// blanks; `before` takes `indent` columns.
void vb_report_words(FILE *stream, const char *before, const char *words, int indent, int width);

/// Columns for the names of a table, of which the longest has `longest`: all of it, so that names
/// can be told apart; on a terminal as many as `rest` columns beside them leave.
int vb_report_name_width(FILE *stream, int longest, int rest);

/// Prints a word, to the standard output in that color (see vb_terminal_print_word).
void vb_report_word(FILE *stream, const char *word, vb_color color);

/// Room for what vb_report_shortest writes.
#define VB_SHORTEST_SIZE 32

/// Writes a number with as few digits as read back the same, and a point before any exponent.
void vb_report_shortest(char out[VB_SHORTEST_SIZE], double value);

/// A JSON number; null, which JSON has no NaN and no infinity for, where it is not finite.
json_t *vb_report_number(double value);

/// A JSON array of `n` of them.
json_t *vb_report_numbers(const double *values, size_t n);

/// A JSON array of `n` texts.
json_t *vb_report_texts(char *const *texts, size_t n);

/// Prints a JSON document, which may be null for want of memory, and frees it. Fails for want of
/// memory or with VB_CANNOT_WRITE.
vb_status vb_report_document(FILE *stream, json_t *document, vb_error *error);

#endif
