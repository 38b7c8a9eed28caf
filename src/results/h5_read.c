// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_read.h"

#include "base/arena.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Deflate makes at most this of a byte.
#define MOST_INFLATION 1032

/// Bytes that any file may claim.
#define SMALL 4096

/// Of a path in a file.
#define PATH_SIZE 1024

/// Nested groups, and objects, that a listing goes through.
#define MOST_DEPTH   8
#define MOST_OBJECTS 65536

/// Parts that a virtual dataset is made of.
#define MAX_VIRTUAL_SOURCES 4096

static void refuse(vb_h5 *h5, const char *path, const char *what) {
  if (!h5->status)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" %s", h5->path, path, what);
}

static bool denied;

bool vb_h5_is_denied(void) {
  return denied;
}

void vb_h5_set_denied(bool is_denied) {
  denied = is_denied;
}

/// Refuses what may be right, but is not for readers.
static void deny(vb_h5 *h5, const char *path, const char *what) {
  denied = denied || !h5->status;
  refuse(h5, path, what);
}

// The type is HDF5's. NOLINTBEGIN(readability-non-const-parameter)
/// HDF5 asks this before it follows a link to another file, wherever on a path that is.
static herr_t stop_at_link(const char *file, const char *group, const char *target,
                           const char *object, unsigned *flags, hid_t access, void *data) {
  (void)file, (void)group, (void)target, (void)object, (void)flags, (void)access;
  *(bool *)data = true;
  return -1;
}
// NOLINTEND(readability-non-const-parameter)

/// Whether a link of the path is of a kind that leads elsewhere; soft links are not followed.
static bool leads_to_another_file(hid_t from, const char *path) {
  char prefix[PATH_SIZE];
  size_t length = strlen(path), n = strspn(path, "/");
  H5L_info_t info = {.type = H5L_TYPE_HARD};
  while (n < length && length < sizeof prefix && info.type == H5L_TYPE_HARD) {
    n += strcspn(path + n, "/");
    memcpy(prefix, path, n);
    prefix[n] = '\0';
    if (H5Lget_info(from, prefix, &info, H5P_DEFAULT) < 0)
      return false;
    n += strspn(path + n, "/");
  }
  return info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT;
}

/// Opens a group or dataset here; -1 where there is none.
static hid_t open_object(vb_h5 *h5, hid_t from, const char *path) {
  bool outside = false;
  hid_t access = VB_H5(h5, H5Pcreate(H5P_LINK_ACCESS));
  VB_H5(h5, H5Pset_elink_cb(access, stop_at_link, &outside));
  hid_t object = h5->status ? -1 : H5Oopen(from, path, access);
  vb_h5_release(access);
  // HDF5 knows no links that users define, and so does not say that it met one.
  if (!h5->status && object < 0 && (outside || leads_to_another_file(from, path)))
    deny(h5, path, "leads out of the file, and is not followed");
  return object;
}

/// The same, wherever the file is read, and its type.
static hid_t open_typed(vb_h5 *h5, hid_t from, const char *path, H5I_type_t *type) {
  if (vb_reader_has(from))
    return vb_reader_object(h5, from, path, type);
  hid_t object = open_object(h5, from, path);
  *type = object < 0 ? H5I_BADID : H5Iget_type(object);
  return object;
}

hid_t vb_h5_open_object(vb_h5 *h5, hid_t from, const char *path) {
  H5I_type_t type;
  return open_typed(h5, from, path, &type);
}

bool vb_h5_has(vb_h5 *h5, hid_t from, const char *path) {
  hid_t object = vb_h5_open_object(h5, from, path);
  vb_h5_release(object);
  return object >= 0;
}

hid_t vb_h5_open_group(vb_h5 *h5, hid_t from, const char *path) {
  H5I_type_t type;
  hid_t object = open_typed(h5, from, path, &type);
  if (object < 0 || type == H5I_GROUP)
    return object;
  vb_h5_release(object);
  return -1;
}

/// Filters of HDF5 itself, each once: what comes of several deflates has no limit.
static void check_filters(vb_h5 *h5, const char *path, hid_t plist) {
  int n = (int)VB_H5(h5, H5Pget_nfilters(plist));
  unsigned seen = 0;
  for (int i = 0; i < n && !h5->status; i++) {
    unsigned flags;
    size_t n_values = 0;
    H5Z_filter_t filter =
        H5Pget_filter2(plist, (unsigned)i, &flags, &n_values, NULL, 0, NULL, NULL);
    bool known = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
                 filter == H5Z_FILTER_FLETCHER32;
    if (!known || seen & 1U << filter)
      deny(h5, path, "uses a compression filter that this program does not write");
    else
      seen |= 1U << filter;
  }
}

/// Sees to it that the numbers lie in this file, as `plist` tells. Where `bytes` is not null, adds
/// what they take there, which HDF5 must count.
static void check_own(vb_h5 *h5, hid_t dataset, const char *path, hid_t plist, hsize_t *bytes) {
  if (!h5->status && H5Pget_external_count(plist) != 0)
    deny(h5, path, "is kept in another file, which is not read");
  check_filters(h5, path, plist);
  if (bytes && !h5->status)
    *bytes += H5Dget_storage_size(dataset);
}

static bool is_virtual(hid_t plist) {
  return H5Pget_layout(plist) == H5D_VIRTUAL;
}

/// One of the datasets that another is made of.
static void check_virtual_source(vb_h5 *h5, hid_t file, const char *name, const char *path,
                                 hsize_t *bytes) {
  // A % would have HDF5 look for many datasets.
  hid_t source = strchr(name, '%') ? -1 : open_object(h5, file, name), plist = -1;
  if (source < 0 || H5Iget_type(source) != H5I_DATASET) {
    refuse(h5, path, "is made of a dataset that is not there");
  } else {
    plist = VB_H5(h5, H5Dget_create_plist(source));
    if (is_virtual(plist))
      refuse(h5, path, "is made of datasets that are made of others");
    check_own(h5, source, path, plist, bytes);
  }
  vb_h5_release(plist);
  vb_h5_release(source);
}

/// A dataset that is made of others: these must lie in the same file, and not be made of others.
static void check_virtual_sources(vb_h5 *h5, hid_t dataset, const char *path, hid_t plist,
                                  hsize_t *bytes) {
  size_t n = 0;
  if (H5Pget_virtual_count(plist, &n) < 0 || n > MAX_VIRTUAL_SOURCES)
    refuse(h5, path, "is made of too many others");
  hid_t file = VB_H5(h5, H5Iget_file_id(dataset));
  for (size_t i = 0; i < n && !h5->status; i++) {
    char where[8] = "", name[PATH_SIZE] = "";
    ssize_t length = H5Pget_virtual_filename(plist, i, where, sizeof where);
    if (length != 1 || where[0] != '.') {
      deny(h5, path, "is made of another file, which is not read");
      break;
    }
    length = H5Pget_virtual_dsetname(plist, i, name, sizeof name);
    check_virtual_source(h5, file, length > 0 && (size_t)length < sizeof name ? name : "%", path,
                         bytes);
  }
  vb_h5_release(file);
}

static void check_storage(vb_h5 *h5, hid_t dataset, const char *path, hsize_t *bytes) {
  hid_t plist = VB_H5(h5, H5Dget_create_plist(dataset));
  if (!h5->status && is_virtual(plist))
    check_virtual_sources(h5, dataset, path, plist, bytes);
  else
    check_own(h5, dataset, path, plist, bytes);
  vb_h5_release(plist);
}

/// Integers and floating-point numbers of the usual sizes and either order of bytes.
static bool is_number(hid_t type) {
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

static vb_h5_kind kind_of(hid_t type) {
  return is_number(type) ? VB_H5_NUMBERS : H5Tis_variable_str(type) > 0 ? VB_H5_TEXTS : VB_H5_OTHER;
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
    d->kind = good ? kind_of(type) : VB_H5_OTHER;
    d->letter = H5Tget_class(type) == H5T_FLOAT     ? 'f'
                : H5Tget_sign(type) == H5T_SGN_NONE ? 'u'
                                                    : 'i';
    d->size = d->kind == VB_H5_TEXTS ? 16 : H5Tget_size(type); // length, and where it is
  }
  vb_h5_release(space);
  vb_h5_release(type);
}

/// Describes an open dataset; false after a failure.
static bool examine(vb_h5 *h5, hid_t id, const char *path, vb_h5_dataset *out) {
  vb_h5_dataset d = {.id = id, .path = path, .extent = {1, 1, 1}};
  // This comes first: HDF5 would look into other files for the extent of what is made of them.
  check_storage(h5, id, path, NULL);
  describe(h5, &d);
  if (!h5->status)
    *out = d;
  return !h5->status;
}

bool vb_h5_open_dataset(vb_h5 *h5, hid_t from, const char *path, vb_h5_dataset *out) {
  if (vb_reader_has(from))
    return vb_reader_dataset(h5, from, path, out);
  hid_t id = open_object(h5, from, path);
  if (id >= 0 && H5Iget_type(id) == H5I_DATASET && examine(h5, id, path, out))
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
static hsize_t file_bytes(vb_h5 *h5, const vb_h5_dataset *d) {
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
  hsize_t size = file_bytes(h5, d);
  if (h5->status || (!overflows && bytes <= (size > SMALL ? size : SMALL)))
    return;
  if (d->rank > 0 && d->extent[0] == 0)
    stored = size;
  else
    check_storage(h5, d->id, d->path, &stored);
  if (h5->status || (!overflows && bytes / MOST_INFLATION <= stored))
    return;
  char extent[80];
  print_extent(d, extent, sizeof extent);
  h5->status = vb_error_set(
      h5->error, VB_BAD_INPUT,
      "%s: \"%s\" claims %s %s, more than its %llu bytes in the file can hold", h5->path, d->path,
      extent, d->kind == VB_H5_TEXTS ? "texts" : "numbers", (unsigned long long)stored);
}

void vb_h5_expect(vb_h5 *h5, const vb_h5_dataset *d, vb_h5_kind kind, int least, int most) {
  if (h5->status)
    return;
  if (d->kind != kind)
    refuse(h5, d->path, kind == VB_H5_TEXTS ? "holds no texts" : "holds no numbers");
  else if (d->rank < least || d->rank > most)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has %d axes; it must have %d to %d",
                     h5->path, d->path, d->rank, least, most);
  else if (vb_reader_has(d->id) && !d->sound)
    vb_reader_expect(h5, d, kind, least, most);
  else if (!d->sound)
    check_claim(h5, d);
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
    refuse(h5, d->path, "has fewer rows than what lies beside it");
  else if (overflows || n > most / sizeof(double))
    refuse(h5, d->path, "holds more numbers than this machine's memory");
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
  hid_t space = VB_H5(h5, H5Dget_space(d->id)), memory = VB_H5(h5, H5Screate_simple(1, &n, NULL));
  hid_t type = integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  if (d->rank > 0)
    VB_H5(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, block->start, NULL, block->count, NULL));
  VB_H5(h5, H5Dread(d->id, type, memory, space, H5P_DEFAULT, out));
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

/// Memory of the texts that HDF5 reads. They are in the file as they are, so that together they
/// cannot be longer than it is.
typedef struct text_memory {
  vb_arena memory;
  size_t room; ///< bytes left
} text_memory;

static void *take_text(size_t size, void *data) {
  text_memory *m = data;
  if (size > m->room)
    return NULL;
  m->room -= size;
  return vb_arena_take(&m->memory, size, 1);
}

/// All are freed together, even what HDF5 loses where it fails.
static void keep_text(void *text, void *data) {
  (void)text, (void)data;
}

static char **copy_texts(vb_h5 *h5, char *const *from, size_t n) {
  char **out = h5->status ? NULL : calloc(n + 1, sizeof *out);
  bool whole = out != NULL;
  for (size_t i = 0; whole && i < n; i++)
    whole = (out[i] = strdup(from[i] ? from[i] : "")) != NULL;
  if (whole)
    return out;
  if (out)
    vb_texts_destroy(out, n);
  vb_h5_out_of_memory(h5);
  return NULL;
}

char **vb_h5_new_texts(vb_h5 *h5, const vb_h5_dataset *d, size_t *n) {
  if (vb_reader_has(d->id))
    return vb_reader_texts(h5, d, n);
  vb_h5_expect(h5, d, VB_H5_TEXTS, 0, 1);
  if (h5->status)
    return NULL;
  text_memory texts = {.room = file_bytes(h5, d) + d->extent[0]}; // and the zeros at their ends
  char **read = calloc(d->extent[0] + 1, sizeof *read);
  hid_t type = vb_h5_text_type(h5), plist = VB_H5(h5, H5Pcreate(H5P_DATASET_XFER));
  if (!read)
    vb_h5_out_of_memory(h5);
  VB_H5(h5, H5Pset_vlen_mem_manager(plist, take_text, &texts, keep_text, &texts));
  if (d->extent[0] > 0)
    VB_H5(h5, H5Dread(d->id, type, H5S_ALL, H5S_ALL, plist, read));
  char **out = read ? copy_texts(h5, read, d->extent[0]) : NULL;
  vb_arena_clear(&texts.memory);
  free(read);
  vb_h5_release(plist);
  vb_h5_release(type);
  if (out)
    *n = d->extent[0];
  return out;
}

char *vb_h5_new_text(vb_h5 *h5, const vb_h5_dataset *d) {
  size_t n = 0;
  char **texts = vb_h5_new_texts(h5, d, &n), *out = NULL;
  if (!h5->status && n != 1)
    refuse(h5, d->path, "is not one text");
  for (size_t i = 0; i < n; i++)
    if (h5->status)
      free(texts[i]);
    else
      out = texts[i];
  free(texts);
  return out;
}

/// Opens an attribute that is one value; negative where there is none.
static hid_t open_attribute(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0)
    return -1;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  vb_h5_release(space);
  if (one)
    return attribute;
  vb_h5_release(attribute);
  return -1;
}

bool vb_h5_read_attribute(hid_t object, const char *name, char *out, size_t size) {
  if (vb_reader_has(object))
    return vb_reader_attribute(object, name, out, size);
  char *text = NULL;
  hid_t attribute = open_attribute(object, name);
  if (attribute < 0)
    return false;
  hid_t stored = H5Aget_type(attribute), type = H5Tcopy(H5T_C_S1);
  bool good = H5Tis_variable_str(stored) > 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
              H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && H5Aread(attribute, type, &text) >= 0 && text;
  if (good)
    snprintf(out, size, "%s", text);
  if (text)
    H5free_memory(text);
  vb_h5_release(type);
  vb_h5_release(stored);
  vb_h5_release(attribute);
  return good;
}

/// Reads an attribute of a class of numbers; false where there is none, or `h5` fails.
static bool read_scalar(vb_h5 *h5, hid_t object, const char *name, H5T_class_t class, hid_t native,
                        void *out) {
  if (h5->status || H5Aexists(object, name) <= 0)
    return false;
  hid_t attribute = open_attribute(object, name);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
  bool good = type >= 0 && H5Tget_class(type) == class && is_number(type) &&
              H5Aread(attribute, native, out) >= 0;
  if (!good)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: its attribute \"%s\" is no %s",
                              h5->path, name, class == H5T_INTEGER ? "integer" : "number");
  vb_h5_release(type);
  vb_h5_release(attribute);
  return good;
}

bool vb_h5_read_integer(vb_h5 *h5, hid_t object, const char *name, int64_t *out) {
  if (vb_reader_has(object))
    return vb_reader_integer(h5, object, name, out);
  int64_t value;
  bool good = read_scalar(h5, object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
  if (good)
    *out = value;
  return good;
}

bool vb_h5_read_number(vb_h5 *h5, hid_t object, const char *name, double *out) {
  if (vb_reader_has(object))
    return vb_reader_number(h5, object, name, out);
  double value;
  bool good = read_scalar(h5, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
  if (good)
    *out = value;
  return good;
}

typedef struct listing {
  vb_h5_member *visit;
  void *data;
} listing;

static herr_t visit_member(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  listing *l = data;
  (void)group;
  return !l->visit(name, info->type, l->data);
}

void vb_h5_list_members(vb_h5 *h5, hid_t group, vb_h5_member *visit, void *data) {
  if (vb_reader_has(group)) {
    vb_reader_members(h5, group, visit, data);
    return;
  }
  listing l = {visit, data};
  VB_H5(h5, H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_member, &l));
}

/// A walk through groups in groups.
typedef struct walk {
  vb_h5 *h5;
  vb_h5_found *visit;
  void *data;
  int depth;
  size_t n; ///< objects
  char path[PATH_SIZE];
} walk;

/// A group may be in itself: the walk then ends at its depth, or at so many objects.
static herr_t enter(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  walk *w = data;
  vb_h5_dataset d;
  size_t length = strlen(w->path);
  if (info->type != H5L_TYPE_HARD)
    return 0;
  snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? "/" : "", name);
  if (w->depth > MOST_DEPTH || ++w->n > MOST_OBJECTS)
    refuse(w->h5, w->path, "is one of too many groups and datasets");
  hid_t object = open_object(w->h5, group, name);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  bool on = true;
  w->depth++;
  if (type == H5I_GROUP)
    on = VB_H5(w->h5, H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, enter, w)) == 0;
  else if (type == H5I_DATASET && examine(w->h5, object, w->path, &d))
    on = w->visit(w->path, d.kind, w->data);
  w->depth--;
  w->path[length] = '\0';
  vb_h5_release(object);
  return !on || w->h5->status;
}

void vb_h5_list_datasets(vb_h5 *h5, hid_t from, const char *path, vb_h5_found *visit, void *data) {
  if (vb_reader_has(from)) {
    vb_reader_datasets(h5, from, path, visit, data);
    return;
  }
  walk w = {.h5 = h5, .visit = visit, .data = data};
  hid_t group = vb_h5_open_group(h5, from, path);
  if (group >= 0)
    VB_H5(h5, H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, enter, &w));
  vb_h5_release(group);
}

bool vb_h5_has_member(hid_t group, const char *name) {
  if (vb_reader_has(group))
    return vb_reader_member(group, name);
  return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

bool vb_h5_link_target(hid_t group, const char *name, char *out, size_t size) {
  if (vb_reader_has(group))
    return vb_reader_link(group, name, out, size);
  char value[PATH_SIZE];
  const char *file, *object;
  H5L_info_t info;
  bool linked = H5Lget_info(group, name, &info, H5P_DEFAULT) >= 0 &&
                info.type == H5L_TYPE_EXTERNAL && info.u.val_size <= sizeof value &&
                H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT) >= 0 &&
                H5Lunpack_elink_val(value, info.u.val_size, NULL, &file, &object) >= 0 &&
                strcmp(object, "/") == 0;
  if (!linked || strlen(file) >= size)
    return false;
  strcpy(out, file);
  return true;
}
