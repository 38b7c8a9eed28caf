// SPDX-License-Identifier: GPL-3.0-or-later
/// Comma-separated values (RFC 4180), field by field, for tables of numbers that are too long to be
/// collected first.
#ifndef VB_TABLE_CSV_H
#define VB_TABLE_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// Rows of comma-separated values, written field by field.
typedef struct vb_csv {
  FILE *stream;
  bool begun; ///< whether the row has a field
} vb_csv;

/// Writes a field: a text, between quotes where it needs them (null: empty); a number with as few
/// digits as read back the same (NaN: empty); a whole number.
void vb_csv_text(vb_csv *csv, const char *text);
void vb_csv_number(vb_csv *csv, double value);
void vb_csv_integer(vb_csv *csv, int64_t value);

/// Ends the row.
void vb_csv_end(vb_csv *csv);

#endif
