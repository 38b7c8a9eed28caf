// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/report_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool begins_letter(char c) {
  return ((unsigned char)c & 0xC0) != 0x80;
}

int vb_report_columns(const char *text) {
  int n = 0;
  for (; *text; text++)
    n += begins_letter(*text);
  return n;
}

/// Writes `text`, cut to `width` columns, and returns how many it took.
static int print_cut(FILE *stream, const char *text, int width) {
  int length = vb_report_columns(text);
  int shown = length > width ? width - 3 : length;
  for (int seen = 0; *text; text++) {
    seen += begins_letter(*text);
    if (seen > shown)
      break;
    fputc(*text == '\n' || *text == '\t' ? ' ' : *text, stream);
  }
  if (length > width)
    fputs("...", stream);
  return length > width ? width : length;
}

void vb_report_cell(FILE *stream, const char *before, const char *text, int width) {
  fputs(before, stream);
  fprintf(stream, "%*s", width - print_cut(stream, text, width), "");
}

void vb_report_end(FILE *stream, const char *before, const char *text, int width) {
  fputs(before, stream);
  print_cut(stream, text, width);
  fputc('\n', stream);
}

void vb_report_shortest(char out[VB_SHORTEST_SIZE], double value) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, VB_SHORTEST_SIZE, "%.*g", digits, value);
    if (strtod(out, NULL) == value)
      break;
  }
  char *exponent = strchr(out, 'e');
  if (exponent && !strchr(out, '.')) { // of "1e-06" gnuplot reads the 1 alone
    memmove(exponent + 2, exponent, strlen(exponent) + 1);
    memcpy(exponent, ".0", 2);
  }
}

json_t *vb_report_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *vb_report_numbers(const double *values, size_t n) {
  json_t *out = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(out, vb_report_number(values[i]));
  return out;
}

vb_status vb_report_document(FILE *stream, json_t *document, vb_error *error) {
  if (!document)
    return vb_error_memory(error);
  int failed =
      json_dumpf(document, stream, JSON_INDENT(2)) || fputc('\n', stream) == EOF || fflush(stream);
  json_decref(document);
  return failed ? vb_error_set(error, VB_CANNOT_WRITE, "cannot write the JSON document") : VB_OK;
}
