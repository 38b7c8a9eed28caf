// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_table.h"

#include "base/arena.h"

#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES    ((size_t)1 << 20) ///< at most in a chunk of several rows
#define METADATA_BYTES ((size_t)8192)    ///< at most for a dataset's header and a node of its index

/// Chunks of whole rows. Series stay uncompressed: their last chunk is then rewritten in place at
/// each flush, so that a kill in the middle of one cannot lose rows of an earlier one. A frame is
/// written once, and compressed.
static hid_t creation_plist(vb_h5 *h5, const vb_table *table, const vb_table_column *column) {
  hsize_t chunk[3] = {column->chunk_rows, column->extent[0], column->extent[1]};
  hid_t plist = vb_h5_dataset_plist(h5);
  VB_H5(h5, H5Pset_chunk(plist, column->rank + 1, chunk));
  if (table->compress) {
    VB_H5(h5, H5Pset_shuffle(plist));
    VB_H5(h5, H5Pset_deflate(plist, 4));
  }
  VB_H5(h5, H5Pset_fletcher32(plist));
  return plist;
}

static hid_t create_dataset(vb_h5 *h5, const vb_table *table, const vb_table_column *column,
                            const vb_column_spec *spec) {
  hsize_t now[3] = {0, column->extent[0], column->extent[1]};
  hsize_t limit[3] = {H5S_UNLIMITED, column->extent[0], column->extent[1]};
  hid_t link = vb_h5_link_plist(h5), plist = creation_plist(h5, table, column);
  hid_t space = VB_H5(h5, H5Screate_simple(column->rank + 1, now, limit));
  hid_t type = spec->integer ? H5T_STD_I64LE : H5T_IEEE_F64LE;
  hid_t dataset =
      VB_H5(h5, H5Dcreate2(spec->parent, spec->name, type, space, link, plist, H5P_DEFAULT));
  vb_h5_label(h5, dataset, spec->unit, spec->long_name);
  vb_h5_release(space);
  vb_h5_release(plist);
  vb_h5_release(link);
  return dataset;
}

static void attach_scale(vb_h5 *h5, const vb_table *table, hid_t dataset, const char *name) {
  if (table->n_columns == 0)
    VB_H5(h5, H5DSset_scale(dataset, name));
  else
    VB_H5(h5, H5DSattach_scale(dataset, table->columns[0].dataset, 0));
}

void vb_table_add(vb_h5 *h5, vb_table *table, const vb_column_spec *spec) {
  vb_table_column column = {.dataset = -1, .rank = spec->rank, .width = 1};
  for (int i = 0; i < spec->rank; i++) {
    column.extent[i] = spec->extent[i];
    column.width *= spec->extent[i];
  }
  size_t fit = CHUNK_BYTES / (column.width * sizeof(double));
  column.chunk_rows = fit < table->capacity ? fit : table->capacity;
  if (column.chunk_rows == 0 || table->compress)
    column.chunk_rows = 1;
  column.rows = reallocarray(NULL, table->capacity * column.width, sizeof(double));
  if (!column.rows && !h5->status)
    h5->status = vb_error_memory(h5->error);
  column.dataset = create_dataset(h5, table, &column, spec);
  attach_scale(h5, table, column.dataset, spec->name);
  vb_table_column *added = h5->status ? NULL : VB_APPEND(table->columns, table->n_columns);
  if (added)
    *added = column;
  else if (!h5->status)
    h5->status = vb_error_memory(h5->error);
  if (h5->status) {
    vb_h5_release(column.dataset);
    free(column.rows);
  }
}

void vb_table_add_number(vb_h5 *h5, vb_table *table, hid_t parent, const char *prefix,
                         const char *name, const char *unit, const char *long_name) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", prefix, name);
  vb_table_add(
      h5, table,
      &(vb_column_spec){.parent = parent, .name = path, .unit = unit, .long_name = long_name});
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

void vb_table_free(vb_table *table) {
  for (size_t i = 0; i < table->n_columns; i++) {
    vb_h5_release(table->columns[i].dataset);
    free(table->columns[i].rows);
  }
  free(table->columns);
  *table = (vb_table){0};
}
