// SPDX-License-Identifier: GPL-3.0-or-later
/// Listings: rows of named cells, which are filled once and written as aligned text, as
/// comma-separated values or as JSON. For text alone there are lines between rows.
///
/// A cell may be missing: it is null in JSON, empty in CSV and a dash in text. A row may lack cells
/// that others have: JSON leaves them out. Where it has a name twice, the first one counts in CSV
/// and in text. Names are constants that outlive the listing; texts are copied. Whoever writes a
/// listing learns there whether there was memory for all of it.
#ifndef VB_TABLE_LISTING_H
#define VB_TABLE_LISTING_H

#include "base/arena.h"
#include "base/terminal.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

typedef enum vb_cell_kind {
  VB_CELL_MISSING,
  VB_CELL_TEXT,
  VB_CELL_INTEGER,
  VB_CELL_REAL,
  VB_CELL_FLAG,
  VB_CELL_JSON
} vb_cell_kind;

/// What becomes of a text that is longer than its column, or than a line of the terminal.
typedef enum vb_text_fit {
  VB_FIT_WHOLE,  ///< it is written as it is
  VB_FIT_END,    ///< its end is cut
  VB_FIT_MIDDLE, ///< its middle is cut: names often differ at their ends
  VB_FIT_NAME,   ///< likewise; the column is as wide as its longest cell, if the terminal has room
  VB_FIT_WORDS   ///< its words are written in several lines; of a line alone
} vb_text_fit;

typedef struct vb_cell {
  const char *name;
  vb_cell_kind kind;
  union {
    char *text;
    int64_t integer;
    double real; ///< may be infinite, which JSON has no number for
    bool flag;
    json_t *json; ///< owned: an array, or an object
  };
  const char *unit; ///< a constant like the name; or null
  vb_color color;   ///< of a text on a terminal
  vb_text_fit fit;  ///< of a line, as is the next; its row has no other cell, and this one no name
  char *before;
} vb_cell;

/// Start it zeroed.
typedef struct vb_listing {
  size_t n_cells, n_rows;
  vb_cell *cells; ///< of all rows, one after the other
  size_t *begin;  ///< (n_rows) first cell of each row
  vb_arena memory;
} vb_listing;

/// Begins a row, which takes the cells that follow.
void vb_listing_row(vb_listing *listing);

/// Adds a cell to the latest row. Null and NaN are missing. It owns the JSON value that it
/// gets. In JSON a name "GROUP/NAME" puts the cell into an object GROUP of the row's object.
void vb_listing_text(vb_listing *listing, const char *name, const char *text);
void vb_listing_integer(vb_listing *listing, const char *name, int64_t value);
void vb_listing_real(vb_listing *listing, const char *name, double value);
void vb_listing_flag(vb_listing *listing, const char *name, bool value);
void vb_listing_json(vb_listing *listing, const char *name, json_t *value);

/// Adds a text that is printed as by printf, or one with a color.
__attribute__((format(printf, 3, 4))) void vb_listing_print(vb_listing *listing, const char *name,
                                                            const char *format, ...);
void vb_listing_word(vb_listing *listing, const char *name, const char *text, vb_color color);

/// Adds a line behind the latest row: `before`, and a text that is printed as by printf.
__attribute__((format(printf, 4, 5))) void
vb_listing_line(vb_listing *listing, vb_text_fit fit, const char *before, const char *format, ...);

/// Gives the latest cell a unit.
void vb_listing_unit(vb_listing *listing, const char *unit);

/// The cell of that name in row `i`; null where the row lacks it.
const vb_cell *vb_listing_cell(const vb_listing *listing, size_t i, const char *name);

/// Writes a line of the columns' names and a line for each row (RFC 4180), and frees the listing.
/// `names` are those of the columns, separated by commas; cells that it does not name are left out.
/// Null are all names but those of lists and objects, in the order in which they are met, with
/// their units: "NAME[UNIT]". A list is written as its items with blanks between, an object as
/// NAME=VALUE. Fails for want of memory.
vb_status vb_listing_write_csv(FILE *stream, vb_listing *listing, const char *names,
                               vb_error *error);

/// The rows as an array of JSON objects, which the caller owns, and frees the listing; null for
/// want of memory. Infinite numbers are null.
json_t *vb_listing_take_json(vb_listing *listing);

/// The only row as a JSON object, likewise.
json_t *vb_listing_take_object(vb_listing *listing);

/// A column of a text.
typedef struct vb_text_column {
  const char *cell;   ///< name of its cells; null: the column is left out
  const char *head;   ///< what stands over them; null: nothing
  const char *format; ///< of its real numbers, as of printf; null: what is missing is no dash
  double scale;       ///< factor of these numbers; 0: they are written as they are
  double whole;       ///< from this number on they are written without decimals; 0: none is
  const char *before; ///< what parts it from the column before; null: a blank
  int width; ///< columns, more where a cell takes them; below 0 flush left; 0: as they come
  vb_text_fit fit;
  int room;  ///< columns that VB_FIT_NAME leaves to it, where these are more than `width`
  int least; ///< columns of a terminal, without which it is left out
} vb_text_column;

/// Columns that the longest text of those cells takes, and at least `least`.
int vb_listing_longest(const vb_listing *listing, const char *cell, int least);

/// Writes the heads of `n` columns, where there are any, and a line for each row, without blanks at
/// their ends, and frees the listing. Of a column with a format, what is missing, no number or an
/// empty text is a dash; lines of a text become one. Fails for want of memory.
vb_status vb_listing_write_text(FILE *stream, vb_listing *listing, const vb_text_column *columns,
                                size_t n, vb_error *error);

void vb_listing_free(vb_listing *listing);

#endif
