// SPDX-License-Identifier: GPL-3.0-or-later
/// What files contain: attributes, arrays and their storage, texts, columns.
#include "results/h5.h"

#include <stdlib.h>
#include <string.h>

/// Of an array from which on it is compressed. A smaller one is kept in the header of its dataset:
/// this takes no room for where the array lies, and the header has a checksum. Filters would take
/// more in the header than they save.
#define COMPRESSED_BYTES ((size_t)320)
#define PARTED_BYTES     ((size_t)16384) ///< of vectors from which on components have own chunks
/// Of a text that is kept in a header likewise, at most. A longer one lies in the heap of texts of
/// any length, which takes 4 KiB, and of which attributes and options fill a quarter.
#define HEADER_TEXT_BYTES ((size_t)120)
/// Of an array of one number, at least, that is kept as the value of what is not stored: that takes
/// as much as this in the header.
#define FILLED_BYTES ((hsize_t)32)
#define CHUNK_BYTES  ((size_t)1 << 20) ///< at most in a chunk of several rows
/// Likewise, of a finished run: one frame is read without much beside it. Deflate sees no farther
/// than 32 KiB anyway.
#define FINISHED_CHUNK_BYTES ((size_t)256 << 10)

hid_t vb_h5_text_type(vb_h5 *h5) {
  hid_t type = VB_H5(h5, H5Tcopy(H5T_C_S1));
  VB_H5(h5, H5Tset_size(type, H5T_VARIABLE));
  VB_H5(h5, H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

static void write_attribute(vb_h5 *h5, hid_t object, const char *name, hid_t file_type,
                            hid_t memory_type, const void *value) {
  hid_t space = VB_H5(h5, H5Screate(H5S_SCALAR));
  bool there = !h5->status && H5Aexists(object, name) > 0;
  hid_t attribute =
      there ? VB_H5(h5, H5Aopen(object, name, H5P_DEFAULT))
            : VB_H5(h5, H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT));
  VB_H5(h5, H5Awrite(attribute, memory_type, value));
  vb_h5_release(attribute);
  vb_h5_release(space);
}

void vb_h5_attribute_text(vb_h5 *h5, hid_t object, const char *name, const char *text) {
  hid_t type = vb_h5_text_type(h5);
  const char *value = text ? text : "";
  write_attribute(h5, object, name, type, type, &value);
  vb_h5_release(type);
}

void vb_h5_attribute_int(vb_h5 *h5, hid_t object, const char *name, int64_t value) {
  write_attribute(h5, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void vb_h5_attribute_number(vb_h5 *h5, hid_t object, const char *name, double value) {
  write_attribute(h5, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

/// The type of texts of at most `size` bytes with the zero at their end.
static hid_t fixed_text_type(vb_h5 *h5, size_t size) {
  hid_t type = VB_H5(h5, H5Tcopy(H5T_C_S1));
  VB_H5(h5, H5Tset_cset(type, H5T_CSET_UTF8));
  VB_H5(h5, H5Tset_size(type, size));
  return type;
}

void vb_h5_attribute_label(vb_h5 *h5, hid_t object, const char *name, const char *text) {
  hid_t type = fixed_text_type(h5, strlen(text) + 1);
  write_attribute(h5, object, name, type, type, text);
  vb_h5_release(type);
}

bool vb_h5_is_described(const char *path) {
  static const char *const GROUPS[] = {"provenance/", "scenario/", "solver/",
                                       "timing/",     "gates/",    "topology/"};
  path += *path == '/';
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
    if (strncmp(path, GROUPS[i], strlen(GROUPS[i])) == 0)
      return true;
  return false;
}

void vb_h5_unit(vb_h5 *h5, hid_t dataset, const char *unit) {
  if (unit && strcmp(unit, "1") != 0)
    vb_h5_attribute_label(h5, dataset, "units", unit);
}

void vb_h5_label(vb_h5 *h5, hid_t dataset, const char *unit, const char *long_name) {
  char path[32] = ""; // its beginning is enough
  VB_H5(h5, H5Iget_name(dataset, path, sizeof path));
  if (vb_h5_is_described(path)) {
    vb_h5_unit(h5, dataset, unit);
    return;
  }
  vb_h5_attribute_label(h5, dataset, "units", unit ? unit : "");
  vb_h5_attribute_label(h5, dataset, "long_name", long_name ? long_name : "");
}

/// Whether chunks have one component: numbers of one component are alike, and pack better.
static bool is_parted(const vb_h5_array *array, size_t bytes) {
  return array->rank > 1 && array->extent[array->rank - 1] <= 4 && bytes >= PARTED_BYTES &&
         H5Tget_class(array->file_type) == H5T_FLOAT;
}

void vb_h5_compress(vb_h5 *h5, const vb_h5_array *array, size_t most, hid_t plist) {
  size_t row = array->rank ? H5Tget_size(array->file_type) : 0;
  for (int i = 1; i < array->rank; i++)
    row *= array->extent[i];
  bool text = H5Tget_class(array->file_type) == H5T_STRING;
  if (array->rank == 0 || row * array->extent[0] < COMPRESSED_BYTES ||
      (text && H5Tis_variable_str(array->file_type) > 0))
    return;
  hsize_t chunk[3] = {most > row ? most / row : 1};
  for (int i = 1; i < array->rank; i++)
    chunk[i] = array->extent[i];
  if (chunk[0] > array->extent[0])
    chunk[0] = array->extent[0];
  if (is_parted(array, row * array->extent[0]))
    chunk[array->rank - 1] = 1;
  VB_H5(h5, H5Pset_chunk(plist, array->rank, chunk));
  if (!text)
    VB_H5(h5, H5Pset_shuffle(plist));
  VB_H5(h5, H5Pset_deflate(plist, VB_H5_COMPRESS_LEVEL));
  VB_H5(h5, H5Pset_fletcher32(plist));
}

/// Bytes of an array in the file; 0 for none.
static hsize_t bytes_of(const vb_h5_array *array) {
  hsize_t bytes = H5Tget_size(array->file_type);
  for (int i = 0; i < array->rank; i++)
    bytes *= array->extent[i];
  return bytes;
}

/// Keeps a small array in the header of its dataset; false where it is not small, or empty.
static bool make_compact(vb_h5 *h5, const vb_h5_array *array, hid_t plist) {
  hsize_t bytes = bytes_of(array);
  bool small = bytes > 0 && bytes < COMPRESSED_BYTES;
  if (small)
    VB_H5(h5, H5Pset_layout(plist, H5D_COMPACT));
  return small;
}

bool vb_h5_fill(vb_h5 *h5, const vb_h5_array *array, const void *values, hid_t plist) {
  size_t size = H5Tget_size(array->memory_type);
  hsize_t bytes = bytes_of(array), n = bytes / H5Tget_size(array->file_type);
  if (h5->status || bytes < FILLED_BYTES || bytes > VB_H5_SMALL ||
      H5Tget_class(array->file_type) == H5T_STRING)
    return false;
  for (hsize_t i = 1; i < n; i++)
    if (memcmp(values, (const char *)values + i * size, size) != 0)
      return false;
  VB_H5(h5, H5Pset_fill_value(plist, array->memory_type, values));
  return true;
}

void vb_h5_finish(vb_h5 *h5, const vb_h5_array *array, hid_t plist) {
  if (make_compact(h5, array, plist) || bytes_of(array) == 0)
    return;
  vb_h5_compress(h5, array, FINISHED_CHUNK_BYTES, plist);
  if (h5->status || array->rank == 0 || H5Pget_layout(plist) == H5D_CHUNKED)
    return;
  VB_H5(h5, H5Pset_chunk(plist, array->rank, array->extent));
  VB_H5(h5, H5Pset_fletcher32(plist));
}

void vb_h5_write(vb_h5 *h5, hid_t parent, const vb_h5_array *array) {
  bool none = bytes_of(array) == 0;
  hid_t space = array->rank ? VB_H5(h5, H5Screate_simple(array->rank, array->extent, NULL))
                            : VB_H5(h5, H5Screate(H5S_SCALAR));
  hid_t link = vb_h5_link_plist(h5), plist = vb_h5_dataset_plist(h5);
  none = none || vb_h5_fill(h5, array, array->data, plist);
  if (!none && !make_compact(h5, array, plist))
    vb_h5_compress(h5, array, CHUNK_BYTES, plist);
  hid_t dataset =
      VB_H5(h5, H5Dcreate2(parent, array->name, array->file_type, space, link, plist, H5P_DEFAULT));
  hid_t transfer = vb_h5_transfer_plist(h5);
  if (!none)
    VB_H5(h5, H5Dwrite(dataset, array->memory_type, H5S_ALL, H5S_ALL, transfer, array->data));
  vb_h5_release(transfer);
  vb_h5_label(h5, dataset, array->unit, array->long_name);
  vb_h5_release(dataset);
  vb_h5_release(plist);
  vb_h5_release(link);
  vb_h5_release(space);
}

/// Stores `n` values of a type in a list, or one value alone where `n` is SCALAR.
#define SCALAR SIZE_MAX
static void write_list(vb_h5 *h5, hid_t parent, const char *name, size_t n, hid_t file_type,
                       hid_t memory_type, const void *data, const char *unit,
                       const char *long_name) {
  vb_h5_write(h5, parent,
              &(vb_h5_array){.name = name,
                             .rank = n != SCALAR,
                             .extent = {n},
                             .file_type = file_type,
                             .memory_type = memory_type,
                             .data = data,
                             .unit = unit,
                             .long_name = long_name});
}

void vb_h5_number(vb_h5 *h5, hid_t parent, const char *name, double value, const char *unit,
                  const char *long_name) {
  vb_h5_numbers(h5, parent, name, SCALAR, &value, unit, long_name);
}

void vb_h5_numbers(vb_h5 *h5, hid_t parent, const char *name, size_t n, const double *values,
                   const char *unit, const char *long_name) {
  write_list(h5, parent, name, n, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, unit, long_name);
}

void vb_h5_integer(vb_h5 *h5, hid_t parent, const char *name, int64_t value,
                   const char *long_name) {
  write_list(h5, parent, name, SCALAR, H5T_STD_I64LE, H5T_NATIVE_INT64, &value, "1", long_name);
}

/// Stores texts in HDF5's heap of texts, each as long as it is.
static void write_variable_texts(vb_h5 *h5, hid_t parent, const char *name, size_t n,
                                 const char *const *texts, const char *long_name) {
  hid_t type = vb_h5_text_type(h5);
  write_list(h5, parent, name, n, type, type, texts, "1", long_name);
  vb_h5_release(type);
}

void vb_h5_text(vb_h5 *h5, hid_t parent, const char *name, const char *text,
                const char *long_name) {
  const char *value = text ? text : "";
  size_t size = strlen(value) + 1;
  if (size > HEADER_TEXT_BYTES) {
    write_variable_texts(h5, parent, name, SCALAR, &value, long_name);
    return;
  }
  hid_t type = fixed_text_type(h5, size);
  write_list(h5, parent, name, SCALAR, type, type, value, "1", long_name);
  vb_h5_release(type);
}

void vb_h5_long_text(vb_h5 *h5, hid_t parent, const char *name, const char *text,
                     const char *long_name) {
  const char *value = text ? text : "";
  size_t size = strlen(value) + 1;
  if (size > VB_H5_LONG_TEXT) {
    write_variable_texts(h5, parent, name, 1, &value, long_name);
    return;
  }
  hid_t type = fixed_text_type(h5, size);
  write_list(h5, parent, name, 1, type, type, value, "1", long_name);
  vb_h5_release(type);
}

void vb_h5_texts(vb_h5 *h5, hid_t parent, const char *name, size_t n, const char *const *texts,
                 const char *long_name) {
  size_t longest = 0;
  for (size_t i = 0; i < n; i++)
    longest = texts[i] && strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
  char *side_by_side = longest < VB_H5_FIXED_TEXT ? calloc(n + 1, longest + 1) : NULL;
  if (!side_by_side) {
    write_variable_texts(h5, parent, name, n, texts, long_name);
    return;
  }
  for (size_t i = 0; i < n; i++)
    strcpy(side_by_side + i * (longest + 1), texts[i] ? texts[i] : "");
  hid_t type = fixed_text_type(h5, longest + 1);
  write_list(h5, parent, name, n, type, type, side_by_side, "1", long_name);
  vb_h5_release(type);
  free(side_by_side);
}

void vb_h5_column_write(vb_h5 *h5, hid_t parent, const vb_h5_column *c, const void *structures,
                        size_t stride, size_t n) {
  const struct {
    size_t size;
    hid_t in_memory, in_file;
  } kinds[] = {[VB_H5_REAL] = {sizeof(double), H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE},
               [VB_H5_INT32] = {sizeof(int32_t), H5T_NATIVE_INT32, H5T_STD_I32LE},
               [VB_H5_INT64] = {sizeof(int64_t), H5T_NATIVE_INT64, H5T_STD_I64LE},
               [VB_H5_FLAG] = {sizeof(bool), H5T_NATIVE_UINT8, H5T_STD_U8LE},
               [VB_H5_COUNT] = {sizeof(int), H5T_NATIVE_INT, H5T_IEEE_F64LE},
               [VB_H5_TEXT] = {sizeof(char *), -1, -1},
               [VB_H5_NAME] = {sizeof(char *), -1, -1}};
  hsize_t components = c->components > 1 ? c->components : 1;
  size_t bytes = components * kinds[c->storage].size;
  char *data = reallocarray(NULL, n + 1, bytes);
  if (!data) {
    vb_h5_out_of_memory(h5);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const char *member = (const char *)structures + i * stride + c->offset;
    memcpy(data + i * bytes, c->storage == VB_H5_NAME ? (const void *)&member : member, bytes);
  }
  if (c->storage == VB_H5_TEXT || c->storage == VB_H5_NAME)
    vb_h5_texts(h5, parent, c->name, n, (const char *const *)data, c->long_name);
  else
    vb_h5_write(h5, parent,
                &(vb_h5_array){.name = c->name,
                               .rank = components > 1 ? 2 : 1,
                               .extent = {n, components},
                               .file_type = kinds[c->storage].in_file,
                               .memory_type = kinds[c->storage].in_memory,
                               .data = data,
                               .unit = c->unit,
                               .long_name = c->long_name});
  free(data);
}
