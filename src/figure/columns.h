// SPDX-License-Identifier: GPL-3.0-or-later
/// Prints columns of a results file as text, for gnuplot and for reading.
#ifndef VB_FIGURE_COLUMNS_H
#define VB_FIGURE_COLUMNS_H

#include "results/results_array.h"

#include <stdio.h>

/// Columns that came from one text.
typedef struct vb_column_block {
  char name[400];
  char unit[32];
  const char *x_name; ///< "time[s]", "iteration", "step" or "element"
  size_t n;
  size_t width;
  double *x;      ///< (n)
  double *y;      ///< (n x width), null where there are texts
  vb_texts texts; ///< (n)
} vb_column_block;

/// Blocks side by side, which have the same rows.
typedef struct vb_columns {
  size_t n;
  vb_column_block *blocks; ///< (n)
} vb_columns;

/// Reads what `n` texts name (n > 0), each "PATH", "PATH[row]", "PATH[row,component]" or
/// "PATH[frame=k]", with "runs/NAME/" before it in an index file; paths as h5ls prints them
/// ("/run/energy/total") are understood, too. VB_BAD_INPUT where one cannot be
/// read or the rows are not the same. The caller frees with vb_columns_free.
vb_status vb_columns_read(const char *file, char *const *texts, size_t n, vb_columns *out,
                          vb_error *error);
void vb_columns_free(vb_columns *columns);

/// VB_BAD_INPUT where one of `n` texts names wall times of a run beside which others were executed:
/// they are not to be compared, in figures or on pages.
vb_status vb_columns_refuse_shared(const char *file, char *const *texts, size_t n, vb_error *error);

/// Prints a line of names and units behind "#", then one line for each row: x, then all columns.
void vb_columns_print(FILE *out, const vb_columns *columns);

/// Prints the same as comma-separated values (RFC 4180), the first line names and units
/// (columns_export.c).
void vb_columns_print_csv(FILE *out, const vb_columns *columns);

/// Prints the same as a JSON document: a list of columns, each of name, unit and values
/// (columns_export.c). Fails for want of memory or with VB_CANNOT_WRITE.
vb_status vb_columns_print_json(FILE *out, const vb_columns *columns, vb_error *error);

/// Prints row `i` of a block without its x, a blank before each column; a text between quotes, its
/// own replaced by apostrophes.
void vb_columns_print_row(FILE *out, const vb_column_block *block, size_t i);

#endif
