// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/listing.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void vb_listing_row(vb_listing *listing) {
  size_t *begin = VB_APPEND(listing->begin, listing->n_rows);
  if (begin)
    *begin = listing->n_cells;
  else
    listing->memory.failed = true;
}

/// A new cell of the latest row; null for want of memory, which the listing remembers.
static vb_cell *add_cell(vb_listing *listing, const char *name, vb_cell_kind kind) {
  vb_cell *cell = VB_APPEND(listing->cells, listing->n_cells);
  if (cell)
    *cell = (vb_cell){.name = name, .kind = kind};
  else
    listing->memory.failed = true;
  return cell;
}

void vb_listing_text(vb_listing *listing, const char *name, const char *text) {
  vb_cell *cell = add_cell(listing, name, text ? VB_CELL_TEXT : VB_CELL_MISSING);
  if (cell)
    cell->text = vb_arena_text(&listing->memory, text);
}

/// A text that is printed as by vprintf.
static char *print(vb_listing *listing, const char *format, va_list values) {
  char *text;
  va_list again;
  va_copy(again, values);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (VB_TAKE(&listing->memory, text, (size_t)length + 1))
    vsnprintf(text, (size_t)length + 1, format, values);
  return text;
}

void vb_listing_print(vb_listing *listing, const char *name, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vb_cell *cell = add_cell(listing, name, VB_CELL_TEXT);
  if (cell)
    cell->text = print(listing, format, values);
  va_end(values);
}

void vb_listing_line(vb_listing *listing, vb_text_fit fit, const char *before, const char *format,
                     ...) {
  va_list values;
  va_start(values, format);
  vb_listing_row(listing);
  vb_cell *cell = add_cell(listing, "", VB_CELL_TEXT);
  if (cell) {
    cell->before = vb_arena_text(&listing->memory, before);
    cell->text = print(listing, format, values);
    cell->fit = fit;
  }
  va_end(values);
}

void vb_listing_word(vb_listing *listing, const char *name, const char *text, vb_color color) {
  vb_listing_text(listing, name, text);
  if (listing->n_cells > 0)
    listing->cells[listing->n_cells - 1].color = color;
}

void vb_listing_integer(vb_listing *listing, const char *name, int64_t value) {
  vb_cell *cell = add_cell(listing, name, VB_CELL_INTEGER);
  if (cell)
    cell->integer = value;
}

void vb_listing_real(vb_listing *listing, const char *name, double value) {
  vb_cell *cell = add_cell(listing, name, isnan(value) ? VB_CELL_MISSING : VB_CELL_REAL);
  if (cell)
    cell->real = value;
}

void vb_listing_flag(vb_listing *listing, const char *name, bool value) {
  vb_cell *cell = add_cell(listing, name, VB_CELL_FLAG);
  if (cell)
    cell->flag = value;
}

void vb_listing_json(vb_listing *listing, const char *name, json_t *value) {
  vb_cell *cell = value ? add_cell(listing, name, VB_CELL_JSON) : NULL;
  if (cell) {
    cell->json = value;
  } else {
    listing->memory.failed = true;
    json_decref(value);
  }
}

void vb_listing_unit(vb_listing *listing, const char *unit) {
  if (listing->n_cells > 0)
    listing->cells[listing->n_cells - 1].unit = unit;
}

const vb_cell *vb_listing_cell(const vb_listing *listing, size_t i, const char *name) {
  size_t end = i + 1 < listing->n_rows ? listing->begin[i + 1] : listing->n_cells;
  for (size_t k = listing->begin[i]; k < end; k++)
    if (strcmp(listing->cells[k].name, name) == 0)
      return &listing->cells[k];
  return NULL;
}

void vb_listing_free(vb_listing *listing) {
  for (size_t k = 0; k < listing->n_cells; k++)
    if (listing->cells[k].kind == VB_CELL_JSON)
      json_decref(listing->cells[k].json);
  free(listing->cells);
  free(listing->begin);
  vb_arena_clear(&listing->memory);
  *listing = (vb_listing){0};
}
