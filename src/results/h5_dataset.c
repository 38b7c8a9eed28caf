// SPDX-License-Identifier: GPL-3.0-or-later
/// Datasets: what they claim, and their numbers.
#include "results/h5_read_internal.h"

#include "base/text.h"
#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/// Deflate makes at most this of a byte.
#define MOST_INFLATION 1032

/// Integers and floating-point numbers of the usual sizes and either order of bytes.
bool vb_h5_is_number(hid_t type) {
  const hid_t usual[] = {
      H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_U8LE,  H5T_IEEE_F32LE, H5T_STD_I8LE,
      H5T_STD_I16LE,  H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE,
      H5T_STD_I16BE,  H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_U16BE, H5T_STD_U32BE,  H5T_STD_U64BE};
  H5T_class_t class = H5Tget_class(type);
  if (class != H5T_INTEGER && class != H5T_FLOAT)
    return false;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (H5Tequal(type, usual[i]) > 0)
      return true;
  return false;
}

/// What a dataset of one text (`single`), or of other extents, holds.
static vb_h5_kind kind_of(hid_t type, bool single) {
  size_t longest = single ? VB_H5_LONG_TEXT : VB_H5_FIXED_TEXT;
  bool text = H5Tget_class(type) == H5T_STRING;
  return vb_h5_is_number(type)                                                    ? VB_H5_NUMBERS
         : text && (H5Tis_variable_str(type) > 0 || H5Tget_size(type) <= longest) ? VB_H5_TEXTS
                                                                                  : VB_H5_OTHER;
}

/// Fills in kind, rank and extent.
static void describe(vb_h5 *h5, vb_h5_dataset *d) {
  hid_t type = VB_H5(h5, H5Dget_type(d->id)), space = VB_H5(h5, H5Dget_space(d->id));
  if (!h5->status) {
    int rank = H5Sget_simple_extent_ndims(space);
    H5S_class_t class = H5Sget_simple_extent_type(space);
    bool good = (class == H5S_SCALAR || class == H5S_SIMPLE) && rank <= VB_H5_RANK &&
                H5Sget_simple_extent_dims(space, d->extent, NULL) == rank;
    d->rank = good ? rank : 0;
    d->kind = good ? kind_of(type, rank == 0 || (rank == 1 && d->extent[0] == 1)) : VB_H5_OTHER;
    d->letter = H5Tget_class(type) == H5T_FLOAT     ? 'f'
                : H5Tget_sign(type) == H5T_SGN_NONE ? 'u'
                                                    : 'i';
    bool variable = H5Tis_variable_str(type) > 0;
    d->size = variable ? 16 : H5Tget_size(type); // length, and where it is
  }
  vb_h5_release(space);
  vb_h5_release(type);
}

/// Describes an open dataset; false after a failure.
bool vb_h5_examine(vb_h5 *h5, hid_t id, const char *path, vb_h5_dataset *out) {
  vb_h5_dataset d = {.id = id, .path = path, .extent = {1, 1, 1}};
  // This comes first: HDF5 would look into other files for the extent of what is made of them.
  vb_h5_check_storage(h5, id, path, NULL);
  describe(h5, &d);
  if (!h5->status)
    *out = d;
  return !h5->status;
}

bool vb_h5_open_dataset(vb_h5 *h5, hid_t from, const char *path, vb_h5_dataset *out) {
  if (vb_reader_has(from))
    return vb_reader_dataset(h5, from, path, out);
  hid_t id = vb_h5_open_here(h5, from, path);
  if (id >= 0 && H5Iget_type(id) == H5I_DATASET && vb_h5_examine(h5, id, path, out))
    return true;
  vb_h5_release(id);
  out->id = -1;
  return false;
}

/// "100 x 5 x 3".
static void print_extent(const vb_h5_dataset *d, char *out, size_t size) {
  snprintf(out, size, "%s", d->rank ? "" : "1");
  for (int i = 0; i < d->rank; i++)
    vb_text_add(out, size, "%s%llu", i ? " x " : "", (unsigned long long)d->extent[i]);
}

/// Bytes of the file that the dataset is in.
hsize_t vb_h5_file_bytes(vb_h5 *h5, const vb_h5_dataset *d) {
  hsize_t size = 0;
  hid_t file = VB_H5(h5, H5Iget_file_id(d->id));
  VB_H5(h5, H5Fget_filesize(file, &size));
  vb_h5_release(file);
  return size;
}

/// What was never written takes no room, whatever is claimed of it; what was written takes at least
/// what deflate makes of zeros. An axis without elements counts as one, since others are gone
/// through for each of its.
static void check_claim(vb_h5 *h5, const vb_h5_dataset *d) {
  hsize_t bytes = d->size, stored = 0;
  bool overflows = false;
  for (int i = 0; i < d->rank; i++)
    if (d->extent[i] > 1)
      overflows = __builtin_mul_overflow(bytes, d->extent[i], &bytes) || overflows;
  hsize_t size = vb_h5_file_bytes(h5, d);
  if (h5->status || (!overflows && bytes <= (size > VB_H5_SMALL ? size : VB_H5_SMALL)))
    return;
  if (d->rank > 0 && d->extent[0] == 0)
    stored = size;
  else
    vb_h5_check_storage(h5, d->id, d->path, &stored);
  stored = stored < size ? stored : size; // whatever the index of its chunks says
  if (h5->status || (!overflows && bytes / MOST_INFLATION <= stored))
    return;
  char extent[80];
  print_extent(d, extent, sizeof extent);
  h5->status = vb_error_set(
      h5->error, VB_BAD_INPUT,
      "%s: \"%s\" claims %s %s, more than its %llu bytes in the file can hold", h5->path, d->path,
      extent, d->kind == VB_H5_TEXTS ? "texts" : "numbers", (unsigned long long)stored);
}

/// What vb_h5_expect does, for messages about the file that the dataset is in.
static void expect(vb_h5 *h5, const vb_h5_dataset *d, vb_h5_kind kind, int least, int most) {
  if (d->kind != kind)
    vb_h5_refuse(h5, d->path, kind == VB_H5_TEXTS ? "holds no texts" : "holds no numbers");
  else if (d->rank < least || d->rank > most)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has %d axes; it must have %d to %d",
                     h5->path, d->path, d->rank, least, most);
  else if (vb_reader_has(d->id) && !d->sound)
    vb_reader_expect(h5, d, kind, least, most);
  else if (!d->sound)
    check_claim(h5, d);
}

void vb_h5_expect(vb_h5 *h5, const vb_h5_dataset *d, vb_h5_kind kind, int least, int most) {
  const char *path = vb_reader_path(d->id); // of a run, where `h5` is about the index
  vb_h5 of = {path ? path : h5->path, h5->kind, h5->error, h5->status};
  if (!h5->status)
    expect(&of, d, kind, least, most);
  h5->status = of.status;
}

/// How many numbers a block has; sees to it that they are in the dataset and fit in memory.
static size_t count_numbers(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block) {
  vb_h5_expect(h5, d, VB_H5_NUMBERS, 0, VB_H5_RANK);
  hsize_t n = 1, most = (hsize_t)sysconf(_SC_PHYS_PAGES) * (hsize_t)sysconf(_SC_PAGESIZE);
  bool inside = true, overflows = false;
  for (int i = 0; i < VB_H5_RANK; i++) {
    inside = inside && block->start[i] <= d->extent[i] &&
             block->count[i] <= d->extent[i] - block->start[i];
    overflows = __builtin_mul_overflow(n, block->count[i], &n) || overflows;
  }
  if (!inside)
    vb_h5_refuse(h5, d->path, "has fewer rows than what lies beside it");
  else if (overflows || n > most / sizeof(double))
    vb_h5_refuse(h5, d->path, "holds more numbers than this machine's memory");
  return h5->status ? 0 : n;
}

/// Reads a block of numbers as double or, where `integer`, as int64_t.
static void read_block(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block, bool integer,
                       void *out) {
  if (vb_reader_has(d->id)) {
    vb_reader_numbers(h5, d, block, integer, out);
    return;
  }
  hsize_t n = count_numbers(h5, d, block);
  if (h5->status || n == 0)
    return;
  // Of the same shape as in the file: otherwise HDF5 goes from number to number through all chunks.
  hid_t space = VB_H5(h5, H5Dget_space(d->id));
  hid_t memory = VB_H5(h5, H5Screate_simple(d->rank > 0 ? d->rank : 1, block->count, NULL));
  hid_t type = integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, transfer = vb_h5_transfer_plist(h5);
  if (d->rank > 0)
    VB_H5(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, block->start, NULL, block->count, NULL));
  VB_H5(h5, H5Dread(d->id, type, memory, space, transfer, out));
  vb_h5_release(transfer);
  vb_h5_release(memory);
  vb_h5_release(space);
}

void vb_h5_read_numbers(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block, double *out) {
  read_block(h5, d, block, false, out);
}

static void *new_block(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block, bool integer) {
  size_t n = count_numbers(h5, d, block);
  void *out = h5->status ? NULL : reallocarray(NULL, n + 1, sizeof(double));
  if (!out)
    vb_h5_out_of_memory(h5);
  read_block(h5, d, block, integer, out);
  if (!h5->status)
    return out;
  free(out);
  return NULL;
}

double *vb_h5_new_numbers(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block) {
  return new_block(h5, d, block, false);
}

int64_t *vb_h5_new_integers(vb_h5 *h5, const vb_h5_dataset *d, const vb_h5_block *block) {
  return new_block(h5, d, block, true);
}

bool vb_h5_last_number(vb_h5 *h5, hid_t from, const char *path, double *out) {
  vb_h5_dataset d;
  vb_h5_block last = {.count = {1, 1, 1}};
  if (!vb_h5_open_dataset(h5, from, path, &d))
    return false;
  vb_h5_expect(h5, &d, VB_H5_NUMBERS, 0, 1);
  bool some = !h5->status && d.extent[0] > 0;
  if (some) {
    last.start[0] = d.extent[0] - 1;
    vb_h5_read_numbers(h5, &d, &last, out);
  }
  vb_h5_release(d.id);
  return some && !h5->status;
}
