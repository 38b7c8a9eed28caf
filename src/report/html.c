// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html.h"

#include "base/printable.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    case '\'':
      fputs("&#39;", out);
      break;
    default:
      putc(*text, out);
    }
}

void vb_html_text(FILE *out, const char *text) {
  char *own = text ? strdup(text) : NULL;
  if (own) {
    vb_printable_text(own);
    put_escaped(out, own);
  }
  free(own);
}

/// Prints one conversion of `format`, from "%" up to its letter.
static const char *print_one(FILE *out, const char *format, va_list *values) {
  char one[16];
  size_t length = 1 + strspn(format + 1, "-+ #0.123456789zl");
  if (length + 2 > sizeof one)
    abort(); // no such format is in this program
  memcpy(one, format, length + 1);
  one[length + 1] = '\0';
  if (format[length] == 's')
    vb_html_text(out, va_arg(*values, const char *));
  else if (format[length] == 'u') // %zu alone
    fprintf(out, "%zu", va_arg(*values, size_t));
  else if (format[length] == 'g')
    fprintf(out, one, va_arg(*values, double));
  else if (format[length] == '%')
    putc('%', out);
  else
    abort();
  return format + length + 1;
}

void vb_html_print(FILE *out, const char *format, ...) {
  va_list values;
  va_start(values, format);
  while (*format)
    if (*format == '%')
      format = print_one(out, format, &values);
    else
      putc(*format++, out);
  va_end(values);
}

void vb_html_number(FILE *out, double value, int digits) {
  if (isnan(value))
    fputs("<span title=\"not a number\">&ndash;</span>", out);
  else
    fprintf(out, "%.*g", digits, value);
}

void vb_html_json(FILE *out, const char *json) {
  for (; *json; json++)
    if (*json == '<' || *json == '>' || *json == '&')
      fprintf(out, "\\u%04x", (unsigned)*json);
    else
      putc(*json, out);
}

void vb_html_base64(FILE *out, const uint8_t *bytes, size_t n) {
  static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    size_t left = n - i;
    uint32_t group = (uint32_t)bytes[i] << 16;
    if (left > 1)
      group |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2)
      group |= bytes[i + 2];
    putc(LETTERS[group >> 18], out);
    putc(LETTERS[group >> 12 & 63], out);
    putc(left > 1 ? LETTERS[group >> 6 & 63] : '=', out);
    putc(left > 2 ? LETTERS[group & 63] : '=', out);
  }
}

void vb_html_anchor(FILE *out, const char *text) {
  for (; *text; text++)
    putc(isalnum((unsigned char)*text) || *text == '-' ? *text : '_', out);
}
