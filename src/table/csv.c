// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/csv.h"

#include "base/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin_field(vb_csv *csv) {
  if (csv->begun)
    fputc(',', csv->stream);
  csv->begun = true;
}

void vb_csv_text(vb_csv *csv, const char *text) {
  begin_field(csv);
  bool plain = !text || !strpbrk(text, ",\"\r\n");
  if (!plain)
    fputc('"', csv->stream);
  for (; text && *text; text++) {
    if (*text == '"')
      fputc('"', csv->stream);
    fputc(*text, csv->stream);
  }
  if (!plain)
    fputc('"', csv->stream);
}

void vb_csv_number(vb_csv *csv, double value) {
  char number[VB_SHORTEST_SIZE] = "";
  if (!isnan(value))
    vb_report_shortest(number, value);
  vb_csv_text(csv, number);
}

void vb_csv_integer(vb_csv *csv, int64_t value) {
  begin_field(csv);
  fprintf(csv->stream, "%" PRId64, value);
}

void vb_csv_end(vb_csv *csv) {
  fputc('\n', csv->stream);
  csv->begun = false;
}
