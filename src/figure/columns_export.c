// SPDX-License-Identifier: GPL-3.0-or-later
// Columns for other programs.
#include "base/report_text.h"
#include "figure/columns.h"
#include "table/csv.h"

#include <math.h>
#include <string.h>

static void name_column(const vb_column_block *b, size_t k, char *out, size_t size) {
  if (b->width == 1)
    snprintf(out, size, "%s", b->name);
  else
    snprintf(out, size, "%s.%zu", b->name, k);
}

static void put_head(vb_csv *csv, const vb_columns *columns) {
  vb_csv_text(csv, columns->blocks[0].x_name);
  for (size_t b = 0; b < columns->n; b++)
    for (size_t k = 0; k < columns->blocks[b].width; k++) {
      char name[440], whole[500];
      const char *unit = columns->blocks[b].unit;
      name_column(&columns->blocks[b], k, name, sizeof name);
      snprintf(whole, sizeof whole, "%s%s%s%s", name, unit[0] ? "[" : "", unit, unit[0] ? "]" : "");
      vb_csv_text(csv, whole);
    }
  vb_csv_end(csv);
}

void vb_columns_print_csv(FILE *out, const vb_columns *columns) {
  vb_csv csv = {out, false};
  char number[VB_SHORTEST_SIZE];
  put_head(&csv, columns);
  for (size_t i = 0; i < columns->blocks[0].n; i++) {
    vb_csv_number(&csv, columns->blocks[0].x[i]);
    for (size_t b = 0; b < columns->n; b++) {
      const vb_column_block *block = &columns->blocks[b];
      for (size_t k = 0; k < block->width; k++) {
        if (block->texts.texts) {
          vb_csv_text(&csv, block->texts.texts[i]);
          continue;
        }
        // "nan" is a value here, as what was recorded.
        vb_report_shortest(number, block->y[i * block->width + k]);
        vb_csv_text(&csv, number);
      }
    }
    vb_csv_end(&csv);
  }
}

/// One column; null for want of memory.
static json_t *describe_column(const vb_column_block *b, size_t k) {
  char name[440];
  json_t *values = json_array();
  name_column(b, k, name, sizeof name);
  for (size_t i = 0; i < b->n; i++)
    json_array_append_new(values, b->texts.texts ? json_string(b->texts.texts[i])
                                                 : vb_report_number(b->y[i * b->width + k]));
  return json_pack("{s:s, s:s, s:o}", "name", name, "unit", b->unit, "values", values);
}

vb_status vb_columns_print_json(FILE *out, const vb_columns *columns, vb_error *error) {
  const vb_column_block *first = &columns->blocks[0];
  size_t length = strcspn(first->x_name, "[");
  json_t *list = json_array();
  json_array_append_new(list, json_pack("{s:s%, s:s, s:o}", "name", first->x_name, length, "unit",
                                        first->x_name[length] ? "s" : "1", "values",
                                        vb_report_numbers(first->x, first->n)));
  for (size_t b = 0; b < columns->n; b++)
    for (size_t k = 0; k < columns->blocks[b].width; k++)
      json_array_append_new(list, describe_column(&columns->blocks[b], k));
  return vb_report_document(out, json_pack("{s:o}", "columns", list), error);
}
