// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes text, numbers and bytes into a page of HTML, so that nothing of them is markup.
#ifndef VB_REPORT_HTML_H
#define VB_REPORT_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Writes a text as content or as the value of an attribute between quotes; null is none. Control
/// characters become question marks.
void vb_html_text(FILE *out, const char *text);

/// Writes markup as printf does, in which `%s` is a text of vb_html_text. It knows %s, %zu, %g with
/// flags and precision, and %%.
__attribute__((format(printf, 2, 3))) void vb_html_print(FILE *out, const char *format, ...);

/// Writes a number with `digits` significant digits; a dash with a meaning for screen readers where
/// it is not a number.
void vb_html_number(FILE *out, double value, int digits);

/// Writes a text as the content of a block of JSON, in which "<" would end the block.
void vb_html_json(FILE *out, const char *json);

/// Writes bytes as base64 (RFC 4648), in one line.
void vb_html_base64(FILE *out, const uint8_t *bytes, size_t n);

/// Writes what an `id` may be made of: letters, digits and "-"; all else becomes "_".
void vb_html_anchor(FILE *out, const char *text);

#endif
