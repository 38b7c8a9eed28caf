// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_table.h"

#include "base/arena.h"
#include "results/results_rounding.h"

#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES    ((size_t)1 << 20) ///< at most in a chunk of several rows
#define GROUP_SIZE     256               ///< of the path of a group
#define METADATA_BYTES ((size_t)8192)    ///< at most for a dataset's header and a node of its index

static hid_t file_type(const vb_table_column *column) {
  return column->integer ? H5T_STD_I64LE : H5T_IEEE_F64LE;
}

/// Chunks of whole rows. Series stay uncompressed: their last chunk is then rewritten in place at
/// each flush, so that a kill in the middle of one cannot lose rows of an earlier one. A frame is
/// written once, and compressed.
static hid_t growing_plist(vb_h5 *h5, const vb_table *table, const vb_table_column *column) {
  hsize_t chunk[3] = {column->chunk_rows, column->extent[0], column->extent[1]};
  hid_t plist = vb_h5_dataset_plist(h5);
  VB_H5(h5, H5Pset_chunk(plist, column->rank + 1, chunk));
  if (table->compress) {
    VB_H5(h5, H5Pset_shuffle(plist));
    VB_H5(h5, H5Pset_deflate(plist, VB_H5_COMPRESS_LEVEL));
  }
  VB_H5(h5, H5Pset_fletcher32(plist));
  return plist;
}

/// Makes the dataset of a column with an extent of `rows`.
static void create_dataset(vb_h5 *h5, hid_t file, const vb_table *table, vb_table_column *column,
                           hsize_t rows, hsize_t most_rows, hid_t plist) {
  hsize_t now[3] = {rows, column->extent[0], column->extent[1]};
  hsize_t limit[3] = {most_rows, column->extent[0], column->extent[1]};
  hid_t link = vb_h5_link_plist(h5);
  hid_t space = VB_H5(h5, H5Screate_simple(column->rank + 1, now, limit));
  column->dataset =
      VB_H5(h5, H5Dcreate2(file, column->path, file_type(column), space, link, plist, H5P_DEFAULT));
  if (table->no_names)
    vb_h5_unit(h5, column->dataset, column->unit);
  else
    vb_h5_label(h5, column->dataset, column->unit, column->long_name);
  if (column->rounding > 0)
    vb_h5_attribute_number(h5, column->dataset, VB_ROUNDING_ATTRIBUTE, column->rounding);
  vb_h5_release(space);
  vb_h5_release(link);
}

/// The word after `group` in the path of a column; null for one of another group.
static const char *word_below(const vb_table_column *column, const char *group, size_t *length) {
  size_t n = strlen(group);
  if (strncmp(column->path, group, n) != 0 || column->path[n] != '/')
    return NULL;
  *length = strcspn(column->path + n + 1, "/");
  return column->path + n + 1;
}

void vb_table_add_links(const vb_table *table, const char *group, vb_h5_links *links) {
  for (size_t i = 0; i < table->n_columns; i++) {
    size_t length, other;
    const char *word = word_below(&table->columns[i], group, &length);
    bool first = word != NULL;
    for (size_t k = 0; k < i && first; k++) {
      const char *earlier = word_below(&table->columns[k], group, &other);
      first = !earlier || other != length || strncmp(earlier, word, length) != 0;
    }
    links->n += first;
    links->letters += first ? length : 0;
  }
}

/// The group below those of tables that a column is in; empty for none.
static void find_group(const vb_table_column *column, char out[GROUP_SIZE]) {
  const char *slash = strrchr(column->path, '/'), *first = strchr(column->path, '/');
  snprintf(out, GROUP_SIZE, "%.*s", slash > first ? (int)(slash - column->path) : 0, column->path);
}

/// Whether a column is the first in its group.
static bool is_first(const vb_table *table, size_t column, const char *group) {
  char other[GROUP_SIZE];
  for (size_t i = 0; i < column; i++) {
    find_group(&table->columns[i], other);
    if (strcmp(other, group) == 0)
      return false;
  }
  return true;
}

/// Makes the groups that columns are in below those of tables.
static void create_groups(vb_h5 *h5, const vb_table *table, hid_t file) {
  for (size_t i = 0; i < table->n_columns; i++) {
    char group[GROUP_SIZE];
    vb_h5_links links = {0};
    find_group(&table->columns[i], group);
    if (!group[0] || !is_first(table, i, group))
      continue;
    vb_table_add_links(table, group, &links);
    vb_h5_release(vb_h5_group_of(h5, file, group, &links));
  }
}

/// Makes the first column the scale of the first axis of a later one.
static void attach_scale(vb_h5 *h5, const vb_table *table, size_t column) {
  const vb_table_column *scale = table->columns;
  const char *slash = strrchr(scale->path, '/');
  if (table->no_scale)
    return;
  if (column == 0)
    VB_H5(h5, H5DSset_scale(scale->dataset, slash ? slash + 1 : scale->path));
  else
    VB_H5(h5, H5DSattach_scale(table->columns[column].dataset, scale->dataset, 0));
}

/// Memory of a column's rows, and its name.
static bool allocate(vb_table *table, vb_table_column *column, const vb_column_spec *spec) {
  column->rows = reallocarray(NULL, table->capacity * column->width, sizeof(double));
  if (asprintf(&column->path, "%s/%s", spec->group, spec->name) < 0)
    column->path = NULL;
  vb_table_column *added =
      column->rows && column->path ? VB_APPEND(table->columns, table->n_columns) : NULL;
  if (added)
    *added = *column;
  return added;
}

void vb_table_add(vb_table *table, const vb_column_spec *spec) {
  vb_table_column column = {.dataset = -1,
                            .unit = spec->unit,
                            .long_name = spec->long_name,
                            .integer = spec->integer,
                            .rank = spec->rank,
                            .width = 1};
  for (int i = 0; i < spec->rank; i++) {
    column.extent[i] = spec->extent[i];
    column.width *= spec->extent[i];
  }
  size_t fit = CHUNK_BYTES / (column.width * sizeof(double));
  column.chunk_rows = fit < table->capacity ? fit : table->capacity;
  if (column.chunk_rows == 0 || table->compress)
    column.chunk_rows = 1;
  if (table->failed || allocate(table, &column, spec))
    return;
  table->failed = true;
  free(column.path);
  free(column.rows);
}

void vb_table_add_number(vb_table *table, const char *group, const char *prefix, const char *name,
                         const char *unit, const char *long_name) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", prefix, name);
  vb_table_add(
      table, &(vb_column_spec){.group = group, .name = path, .unit = unit, .long_name = long_name});
}

void vb_table_create(vb_h5 *h5, vb_table *table, hid_t file) {
  for (size_t i = 0; i < table->n_columns; i++) {
    hid_t plist = growing_plist(h5, table, &table->columns[i]);
    create_dataset(h5, file, table, &table->columns[i], 0, H5S_UNLIMITED, plist);
    vb_h5_release(plist);
    attach_scale(h5, table, i);
  }
}

double *vb_table_cell(const vb_table *table, size_t column) {
  const vb_table_column *c = &table->columns[column];
  return c->rows + table->pending * c->width;
}

bool vb_table_push(vb_table *table) {
  return ++table->pending == table->capacity;
}

size_t vb_table_bytes(const vb_table *table) {
  size_t bytes = 0;
  for (size_t i = 0; i < table->n_columns && table->pending > 0; i++) {
    const vb_table_column *c = &table->columns[i];
    size_t chunks = table->pending / c->chunk_rows + 2;
    size_t chunk = c->chunk_rows * c->width * sizeof(double);
    // Deflate makes what it cannot compress a little larger.
    bytes += chunks * (chunk + chunk / 100 + 256) + METADATA_BYTES;
  }
  return bytes;
}

static void write_column(vb_h5 *h5, const vb_table *table, const vb_table_column *column) {
  hsize_t start[3] = {table->written, 0, 0};
  hsize_t count[3] = {table->pending, column->extent[0], column->extent[1]};
  hsize_t size[3] = {table->written + table->pending, column->extent[0], column->extent[1]};
  VB_H5(h5, H5Dset_extent(column->dataset, size));
  hid_t file_space = VB_H5(h5, H5Dget_space(column->dataset));
  hid_t memory_space = VB_H5(h5, H5Screate_simple(column->rank + 1, count, NULL));
  hid_t transfer = vb_h5_transfer_plist(h5);
  VB_H5(h5, H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL));
  VB_H5(h5, H5Dwrite(column->dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, transfer,
                     column->rows));
  vb_h5_release(transfer);
  vb_h5_release(memory_space);
  vb_h5_release(file_space);
}

void vb_table_write(vb_h5 *h5, vb_table *table) {
  if (table->pending == 0)
    return;
  for (size_t i = 0; i < table->n_columns; i++)
    write_column(h5, table, &table->columns[i]);
  if (h5->status)
    return;
  table->written += table->pending;
  table->pending = 0;
}

/// Writes all rows of a column, whose dataset has this extent.
static void store_column(vb_h5 *h5, hid_t file, const vb_table *table, vb_table_column *column,
                         hsize_t rows) {
  vb_h5_array array = {.rank = column->rank + 1,
                       .extent = {rows, column->extent[0], column->extent[1]},
                       .file_type = file_type(column),
                       .memory_type = H5T_NATIVE_DOUBLE};
  hid_t plist = vb_h5_dataset_plist(h5);
  bool filled = vb_h5_fill(h5, &array, column->rows, plist);
  if (!filled)
    vb_h5_finish(h5, &array, plist);
  create_dataset(h5, file, table, column, rows, rows, plist);
  hid_t transfer = vb_h5_transfer_plist(h5);
  if (rows > 0 && !filled)
    VB_H5(h5,
          H5Dwrite(column->dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, column->rows));
  vb_h5_release(transfer);
  vb_h5_release(plist);
}

void vb_table_write_whole(vb_h5 *h5, vb_table *table, hid_t file) {
  create_groups(h5, table, file);
  for (size_t i = 0; i < table->n_columns; i++) {
    store_column(h5, file, table, &table->columns[i], table->pending);
    attach_scale(h5, table, i);
  }
  table->written = table->pending;
  table->pending = 0;
}

void vb_table_free(vb_table *table) {
  for (size_t i = 0; i < table->n_columns; i++) {
    vb_h5_release(table->columns[i].dataset);
    free(table->columns[i].path);
    free(table->columns[i].rows);
  }
  free(table->columns);
  *table = (vb_table){0};
}
