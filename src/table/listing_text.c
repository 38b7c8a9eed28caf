// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/report_text.h"
#include "table/listing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int vb_listing_longest(const vb_listing *listing, const char *cell, int least) {
  int longest = least;
  for (size_t i = 0; i < listing->n_rows; i++) {
    const vb_cell *of = vb_listing_cell(listing, i, cell);
    int columns = of && of->kind == VB_CELL_TEXT && of->text ? vb_report_columns(of->text) : 0;
    longest = columns > longest ? columns : longest;
  }
  return longest;
}

static const char *before_of(const vb_text_column *column) {
  return column->before ? column->before : " ";
}

/// Room for a number as text.
enum { NUMBER = 64 };

/// The cell as text; a number is written to `number`.
static const char *text_of(const vb_cell *cell, const char *format, char number[NUMBER]) {
  snprintf(number, NUMBER, "%s", format ? "-" : "");
  switch (cell ? cell->kind : VB_CELL_MISSING) {
  case VB_CELL_TEXT:
    return cell->text ? cell->text : "";
  case VB_CELL_INTEGER:
    snprintf(number, NUMBER, "%" PRId64, cell->integer);
    break;
  case VB_CELL_REAL:
    if (format && isfinite(cell->real))
      snprintf(number, NUMBER, format, cell->real);
    break;
  case VB_CELL_FLAG:
    return cell->flag ? "yes" : "no";
  default:
    break;
  }
  return number;
}

static void print_row(FILE *stream, const vb_listing *listing, size_t i,
                      const vb_text_column *columns, size_t n) {
  for (size_t k = 0; k < n; k++) {
    char number[NUMBER];
    const char *text =
        text_of(vb_listing_cell(listing, i, columns[k].cell), columns[k].format, number);
    int length = vb_report_columns(text), missing = abs(columns[k].width) - length;
    missing = missing > 0 ? missing : 0;
    if (!text[0] && columns[k].width == 0)
      continue;
    fprintf(stream, "%s%*s", before_of(&columns[k]), columns[k].width > 0 ? missing : 0, "");
    vb_report_cell(stream, "", text, length);
    fprintf(stream, "%*s", columns[k].width < 0 ? missing : 0, "");
  }
  fputc('\n', stream);
}

static void print_heads(FILE *stream, const vb_text_column *columns, size_t n) {
  int blanks = 0; // before the next head; after the last one there are none
  bool any = false;
  for (size_t k = 0; k < n; k++) {
    const char *head = columns[k].head ? columns[k].head : "";
    int missing = abs(columns[k].width) - vb_report_columns(head);
    missing = missing > 0 ? missing : 0;
    blanks += (int)strlen(before_of(&columns[k])) + (columns[k].width > 0 ? missing : 0);
    if (head[0]) {
      fprintf(stream, "%*s%s", blanks, "", head);
      blanks = 0;
      any = true;
    }
    blanks += columns[k].width < 0 ? missing : 0;
  }
  if (any)
    fputc('\n', stream);
}

vb_status vb_listing_write_text(FILE *stream, vb_listing *listing, const vb_text_column *columns,
                                size_t n, vb_error *error) {
  vb_status status = vb_arena_status(&listing->memory, error);
  if (!status)
    print_heads(stream, columns, n);
  for (size_t i = 0; !status && i < listing->n_rows; i++)
    print_row(stream, listing, i, columns, n);
  vb_listing_free(listing);
  return status;
}
