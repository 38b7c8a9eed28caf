// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/printable.h"
#include "base/report_text.h"
#include "table/listing.h"

#include <string.h>

/// A text as JSON. What is no UTF-8, which JSON does not allow, has question marks instead.
static json_t *describe_text(char *text) {
  json_t *value = json_string(text);
  if (value)
    return value;
  vb_printable_text(text);
  return json_string(text);
}

static json_t *describe_cell(const vb_cell *cell) {
  switch (cell->kind) {
  case VB_CELL_TEXT:
    return cell->text ? describe_text(cell->text) : NULL;
  case VB_CELL_INTEGER:
    return json_integer(cell->integer);
  case VB_CELL_REAL:
    return vb_report_number(cell->real);
  case VB_CELL_FLAG:
    return json_boolean(cell->flag);
  case VB_CELL_JSON:
    return json_incref(cell->json);
  default:
    return json_null();
  }
}

/// Puts a value under its name, or one group further down: "windows/valid". False for want of
/// memory.
static bool put(json_t *object, const char *name, json_t *value) {
  const char *slash = strchr(name, '/');
  if (!slash)
    return json_object_set_new(object, name, value) == 0;
  char group[64];
  snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
  if (!json_object_get(object, group))
    json_object_set_new(object, group, json_object());
  return json_object_set_new(json_object_get(object, group), slash + 1, value) == 0;
}

json_t *vb_listing_take_json(vb_listing *listing) {
  json_t *rows = json_array();
  bool done = rows && !listing->memory.failed;
  for (size_t i = 0, k = 0; done && i < listing->n_rows; i++) {
    size_t end = i + 1 < listing->n_rows ? listing->begin[i + 1] : listing->n_cells;
    json_t *row = json_object();
    for (; done && k < end; k++)
      done = put(row, listing->cells[k].name, describe_cell(&listing->cells[k]));
    done &= json_array_append_new(rows, row) == 0;
  }
  vb_listing_free(listing);
  if (done)
    return rows;
  json_decref(rows);
  return NULL;
}

json_t *vb_listing_take_object(vb_listing *listing) {
  json_t *rows = vb_listing_take_json(listing);
  json_t *row = json_incref(json_array_get(rows, 0));
  json_decref(rows);
  return row;
}
