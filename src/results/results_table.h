// SPDX-License-Identifier: GPL-3.0-or-later
/// Tables of a results file: columns that share their first axis, buffered in memory.
///
/// A table becomes datasets in one of two ways. `vb_table_create` makes datasets that can grow, to
/// which `vb_table_write` appends many rows at a time. `vb_table_write_whole` writes a table whose
/// rows are all in memory as datasets of fixed extents, which are smaller and take less time.
#ifndef VB_RESULTS_RESULTS_TABLE_H
#define VB_RESULTS_RESULTS_TABLE_H

#include "results/h5.h"

/// What a column is. Its dataset has the rows as first axis and up to two more.
typedef struct vb_column_spec {
  const char *group; ///< path of a group, from the root of the file
  const char *name;  ///< a path below `group`; missing groups are made
  int rank;          ///< axes after the first, 0 to 2
  hsize_t extent[2];
  const char *unit;
  const char *long_name;
  bool integer; ///< stored as 64-bit integers
} vb_column_spec;

typedef struct vb_table_column {
  hid_t dataset; ///< -1 until it is made
  char *path;    ///< from the root of the file
  const char *unit;
  const char *long_name;
  bool integer;
  int rank;
  hsize_t extent[2];
  size_t width;      ///< numbers in a row
  size_t chunk_rows; ///< rows in a chunk
  double *rows;      ///< (capacity x width) those not yet written
  double rounding;   ///< greatest error of its numbers by rounding, told by an attribute; 0: none
} vb_table_column;

/// Start it zeroed but for `capacity`, `compress`, `no_scale` and `no_names`.
typedef struct vb_table {
  size_t capacity; ///< rows held in memory
  bool compress;   ///< whether each row is a chunk of its own, compressed
  bool no_scale;   ///< whether there is no scale of the first axis that columns refer to
  bool no_names;   ///< whether columns have no long_name, and units only where these are not 1
  vb_table_column *columns;
  size_t n_columns;
  size_t pending; ///< rows in memory
  size_t written; ///< rows in the datasets
  bool failed;    ///< whether memory was lacking for a column
} vb_table;

/// Adds a column, of which `unit` and `long_name` must outlive the table. The first column is the
/// scale of the first axis of all others. Sets `table->failed` for want of memory.
void vb_table_add(vb_table *table, const vb_column_spec *spec);

/// Adds a column of one number per row, called `prefix` and `name`.
void vb_table_add_number(vb_table *table, const char *group, const char *prefix, const char *name,
                         const char *unit, const char *long_name);

/// Makes datasets without rows, which can grow.
void vb_table_create(vb_h5 *h5, vb_table *table, hid_t file);

/// Where the numbers of column `column` of the row being filled go. The table must not be full.
double *vb_table_cell(const vb_table *table, size_t column);

/// Ends the row being filled; true when the table is then full and must be written.
bool vb_table_push(vb_table *table);

/// Most bytes that writing the rows in memory can add to the file.
size_t vb_table_bytes(const vb_table *table);

/// Appends the rows in memory to the datasets.
void vb_table_write(vb_h5 *h5, vb_table *table);

/// Adds to `links` what columns put into `group`: datasets, and groups of datasets.
void vb_table_add_links(const vb_table *table, const char *group, vb_h5_links *links);

/// Makes datasets of fixed extents from a table whose rows are all in memory.
void vb_table_write_whole(vb_h5 *h5, vb_table *table, hid_t file);

/// Releases datasets and memory.
void vb_table_free(vb_table *table);

#endif
