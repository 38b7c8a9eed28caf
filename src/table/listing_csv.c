// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/report_text.h"
#include "table/csv.h"
#include "table/listing.h"

#include <stdlib.h>
#include <string.h>

/// Writes an item of a list or an object: a text, or a number.
static void put_item(FILE *stream, const json_t *item) {
  char number[VB_SHORTEST_SIZE];
  if (json_is_number(item)) {
    vb_report_shortest(number, json_number_value(item));
    fputs(number, stream);
  } else if (json_is_string(item)) {
    fputs(json_string_value(item), stream);
  }
}

/// Writes a list or an object as one field; false for want of memory.
static bool put_joined(vb_csv *csv, json_t *value) {
  char *joined = NULL;
  const char *name, *between = "";
  size_t size, i;
  json_t *item;
  FILE *stream = open_memstream(&joined, &size);
  if (!stream)
    return false;
  json_array_foreach(value, i, item) {
    fputs(i ? " " : "", stream);
    put_item(stream, item);
  }
  json_object_foreach(value, name, item) {
    fprintf(stream, "%s%s=", between, name);
    put_item(stream, item);
    between = " ";
  }
  bool done = fclose(stream) == 0;
  vb_csv_text(csv, done ? joined : NULL);
  free(joined);
  return done;
}

static bool put_cell(vb_csv *csv, const vb_cell *cell) {
  switch (cell ? cell->kind : VB_CELL_MISSING) {
  case VB_CELL_TEXT:
    vb_csv_text(csv, cell->text);
    return true;
  case VB_CELL_INTEGER:
    vb_csv_integer(csv, cell->integer);
    return true;
  case VB_CELL_REAL:
    vb_csv_number(csv, cell->real);
    return true;
  case VB_CELL_FLAG:
    vb_csv_text(csv, cell->flag ? "true" : "false");
    return true;
  case VB_CELL_JSON:
    return put_joined(csv, cell->json);
  default:
    vb_csv_text(csv, NULL);
    return true;
  }
}

/// The columns of a document, in its order.
typedef struct columns {
  size_t n;
  struct column {
    const char *name, *unit; ///< no unit: null
  } * list;
} columns;

static void add_column(vb_listing *listing, columns *c, const char *name, const char *unit) {
  struct column *column = VB_APPEND(c->list, c->n);
  if (column)
    *column = (struct column){name, unit};
  else
    listing->memory.failed = true;
}

/// The columns of a list of names.
static void name_columns(vb_listing *listing, columns *c, const char *names) {
  char *rest = vb_arena_text(&listing->memory, names);
  for (char *name; rest && (name = strsep(&rest, ","));)
    add_column(listing, c, name, NULL);
}

/// The columns of all cells but lists and objects, in the order in which they are met.
static void find_columns(vb_listing *listing, columns *c) {
  for (size_t k = 0; k < listing->n_cells; k++) {
    const vb_cell *cell = &listing->cells[k];
    size_t i = 0;
    while (i < c->n && strcmp(c->list[i].name, cell->name) != 0)
      i++;
    if (cell->kind != VB_CELL_JSON && i == c->n)
      add_column(listing, c, cell->name, cell->unit);
  }
}

static void put_heads(vb_csv *csv, const columns *c) {
  for (size_t k = 0; k < c->n; k++) {
    char head[160];
    const char *unit = c->list[k].unit;
    snprintf(head, sizeof head, unit ? "%s[%s]" : "%s", c->list[k].name, unit);
    vb_csv_text(csv, head);
  }
  vb_csv_end(csv);
}

vb_status vb_listing_write_csv(FILE *stream, vb_listing *listing, const char *names,
                               vb_error *error) {
  vb_csv csv = {stream, false};
  columns c = {0};
  if (names)
    name_columns(listing, &c, names);
  else
    find_columns(listing, &c);
  bool done = !listing->memory.failed;
  if (done)
    put_heads(&csv, &c);
  for (size_t i = 0; done && i < listing->n_rows; i++) {
    for (size_t k = 0; k < c.n; k++)
      done &= put_cell(&csv, vb_listing_cell(listing, i, c.list[k].name));
    vb_csv_end(&csv);
  }
  free(c.list);
  vb_listing_free(listing);
  return done ? VB_OK : vb_error_memory(error);
}
