// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/report_text.h"

#include <errno.h>
#include <math.h>
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

void vb_report_name(FILE *stream, const char *before, const char *name, int width) {
  int length = vb_report_columns(name), head = (width - 2) / 2;
  if (length <= width) {
    vb_report_cell(stream, before, name, width);
    return;
  }
  fputs(before, stream);
  for (int seen = 0; *name; name++) {
    seen += begins_letter(*name);
    if (seen <= head || seen > length - (width - head - 3))
      fputc(*name == '\n' || *name == '\t' ? ' ' : *name, stream);
    else if (seen == head + 1 && begins_letter(*name))
      fputs("...", stream);
  }
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

void vb_report_words(FILE *stream, const char *before, const char *words, int indent, int width) {
  int at = indent;
  fputs(before, stream);
  while (*words) {
    int length = (int)strcspn(words, " ");
    if (at > indent && at + 1 + length > width) {
      fprintf(stream, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      fputc(' ', stream);
      at++;
    }
    fprintf(stream, "%.*s", length, words);
    at += length;
    words += length + (words[length] == ' ');
  }
  fputc('\n', stream);
}

int vb_report_name_width(FILE *stream, int longest, int rest) {
  enum { LEAST = 17 };
  int most = vb_terminal_width(stream) - rest;
  return longest < most ? longest : most < LEAST ? LEAST : most;
}

void vb_report_word(FILE *stream, const char *word, vb_color color) {
  if (stream == stdout)
    vb_terminal_print_word(word, color);
  else
    fputs(word, stream);
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

json_t *vb_report_texts(char *const *texts, size_t n) {
  json_t *out = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(out, json_string(texts[i]));
  return out;
}

vb_status vb_report_document(FILE *stream, json_t *document, vb_error *error) {
  if (!document)
    return vb_error_memory(error);
  int failed =
      json_dumpf(document, stream, JSON_INDENT(2)) || fputc('\n', stream) == EOF || fflush(stream);
  int why = errno; // of the stream
  json_decref(document);
  return failed ? vb_error_set(error, VB_CANNOT_WRITE, "cannot write the JSON document: %s",
                               strerror(why))
                : VB_OK;
}
