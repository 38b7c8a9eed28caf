// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/report_text.h"
#include "table/listing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int longer(int a, int b) {
  return a > b ? a : b;
}

int vb_listing_longest(const vb_listing *listing, const char *cell, int least) {
  int longest = least;
  for (size_t i = 0; i < listing->n_rows; i++) {
    const vb_cell *of = vb_listing_cell(listing, i, cell);
    if (of && of->kind == VB_CELL_TEXT && of->text)
      longest = longer(longest, vb_report_columns(of->text));
  }
  return longest;
}

/// Room for a number as text.
enum { NUMBER = 64 };

/// The cell as text; a number is written to `number`.
static const char *text_of(const vb_cell *cell, const vb_text_column *column, char number[NUMBER]) {
  double real =
      cell && cell->kind == VB_CELL_REAL ? cell->real * (column->scale ? column->scale : 1) : NAN;
  snprintf(number, NUMBER, "%s", column->format ? "-" : "");
  switch (cell ? cell->kind : VB_CELL_MISSING) {
  case VB_CELL_TEXT:
    return cell->text && cell->text[0] ? cell->text : number;
  case VB_CELL_INTEGER:
    snprintf(number, NUMBER, "%" PRId64, cell->integer);
    break;
  case VB_CELL_REAL:
    if (column->format && isfinite(real))
      snprintf(number, NUMBER, column->whole && real >= column->whole ? "%.0f" : column->format,
               real);
    break;
  case VB_CELL_FLAG:
    return cell->flag ? "yes" : "no";
  default:
    break;
  }
  return number;
}

/// Writes a cell and the `blanks` before it; of one without text, blanks remain for the next.
static void put(FILE *stream, int *blanks, const vb_text_column *column, const char *text,
                vb_color color) {
  int width = abs(column->width), length = vb_report_columns(text);
  length = column->fit && length > width ? width : length;
  int padding = width > length ? width - length : 0, left = column->width > 0 ? padding : 0;
  if (!text[0]) {
    *blanks += width ? vb_report_columns(column->before) + padding : 0;
    return;
  }
  fprintf(stream, "%*s%s%*s", *blanks, "", column->before, left, "");
  if (color)
    vb_report_word(stream, text, color);
  else if (column->fit > VB_FIT_END)
    vb_report_name(stream, "", text, length);
  else
    vb_report_cell(stream, "", text, length);
  *blanks = padding - left;
}

static void print_heads(FILE *stream, const vb_text_column *columns, size_t n) {
  int blanks = 0;
  bool any = false;
  for (size_t k = 0; k < n; k++) {
    vb_text_column column = columns[k];
    column.fit = column.fit ? VB_FIT_END : VB_FIT_WHOLE;
    put(stream, &blanks, &column, column.head ? column.head : "", VB_PLAIN);
    any |= column.head != NULL;
  }
  if (any)
    fputc('\n', stream);
}

/// Writes a line between rows; false where row `i` is none.
static bool print_line(FILE *stream, const vb_listing *listing, size_t i) {
  const vb_cell *line = vb_listing_cell(listing, i, "");
  if (!line)
    return false;
  int before = vb_report_columns(line->before), width = vb_terminal_width(stream);
  if (line->fit == VB_FIT_WORDS)
    vb_report_words(stream, line->before, line->text, before, width);
  else if (line->fit)
    vb_report_end(stream, line->before, line->text, width - before);
  else
    fprintf(stream, "%s%s\n", line->before, line->text);
  return true;
}

static void print_row(FILE *stream, const vb_listing *listing, size_t i,
                      const vb_text_column *columns, size_t n) {
  int blanks = 0;
  for (size_t k = 0; k < n; k++) {
    char number[NUMBER];
    const vb_cell *cell = vb_listing_cell(listing, i, columns[k].cell);
    put(stream, &blanks, &columns[k], text_of(cell, &columns[k], number),
        cell ? cell->color : VB_PLAIN);
  }
  fputc('\n', stream);
}

/// The columns that are shown, as wide as they are; null for want of memory.
static vb_text_column *fit_columns(FILE *stream, vb_listing *listing, const vb_text_column *columns,
                                   size_t *n) {
  int rest = 0;
  size_t n_shown = 0;
  vb_text_column *shown;
  if (!VB_TAKE(&listing->memory, shown, *n))
    return NULL;
  for (size_t k = 0; k < *n; k++) {
    vb_text_column *c = &shown[n_shown];
    *c = columns[k];
    if (!c->cell || vb_terminal_width(stream) < c->least - 1)
      continue;
    c->before = c->before ? c->before : " ";
    c->room = longer(abs(c->width), c->room);
    rest += vb_report_columns(c->before) + (c->fit == VB_FIT_NAME ? 0 : c->room);
    n_shown++;
  }
  for (size_t k = 0; k < n_shown; k++)
    if (shown[k].fit == VB_FIT_NAME) {
      int head = vb_report_columns(shown[k].head ? shown[k].head : "");
      int longest = vb_listing_longest(listing, shown[k].cell, longer(head, shown[k].room));
      shown[k].width = -vb_report_name_width(stream, longest, rest);
    }
  *n = n_shown;
  return shown;
}

vb_status vb_listing_write_text(FILE *stream, vb_listing *listing, const vb_text_column *columns,
                                size_t n, vb_error *error) {
  vb_text_column *shown = fit_columns(stream, listing, columns, &n);
  vb_status status = vb_arena_status(&listing->memory, error);
  if (!status)
    print_heads(stream, shown, n);
  for (size_t i = 0; !status && i < listing->n_rows; i++)
    if (!print_line(stream, listing, i))
      print_row(stream, listing, i, shown, n);
  vb_listing_free(listing);
  return status;
}
