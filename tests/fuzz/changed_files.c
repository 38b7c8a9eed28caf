// SPDX-License-Identifier: GPL-3.0-or-later
#include "changed_files.h"

#include "fuzz.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// 16 bits of the FNV-1a hash of a path.
static unsigned number_of(const char *path) {
  uint32_t hash = 2166136261u;
  for (; *path; path++)
    hash = (hash ^ (unsigned char)*path) * 16777619u;
  return (hash ^ hash >> 16) & 0xffff;
}

static herr_t add(hid_t root, const char *name, const H5O_info_t *info, void *context) {
  fuzz_file *file = context;
  (void)root;
  (void)info;
  fuzz_object *grown = realloc(file->objects, (file->n_objects + 1) * sizeof *grown);
  char *path = strdup(name);
  if (!grown || !path)
    abort();
  file->objects = grown;
  grown[file->n_objects++] = (fuzz_object){path, number_of(path)};
  return 0;
}

static int compare_numbers(const void *left, const void *right) {
  const fuzz_object *a = left, *b = right;
  return (a->number > b->number) - (a->number < b->number);
}

static hid_t open_file(const fuzz_file *file) {
  char path[FUZZ_PATH];
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), file->name);
  return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

static void list_objects(fuzz_file *file) {
  hid_t id = open_file(file);
  H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, add, file, H5O_INFO_BASIC);
  H5Fclose(id);
  qsort(file->objects, file->n_objects, sizeof *file->objects, compare_numbers);
}

void fuzz_file_keep(fuzz_file *file) {
  char path[FUZZ_PATH];
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), file->name);
  FILE *stream = fopen(path, "rb");
  if (!stream || fseek(stream, 0, SEEK_END)) {
    perror(path);
    abort();
  }
  file->size = (size_t)ftell(stream);
  file->bytes = malloc(file->size);
  rewind(stream);
  if (!file->bytes || fread(file->bytes, 1, file->size, stream) != file->size)
    abort();
  fclose(stream);
  list_objects(file);
}

void fuzz_file_restore(const fuzz_file *file) {
  char path[FUZZ_PATH];
  fuzz_write(file->name, file->bytes, file->size, path);
}

/// Texts that names, units and attributes may turn out to be.
static const char *const TEXTS[] = {"",
                                    "x",
                                    "rods",
                                    "complete",
                                    "interrupted",
                                    "x';touch${IFS}pwned;'",
                                    "../../sec/evil",
                                    "/etc/passwd",
                                    "a b",
                                    "a\nb",
                                    "\033[31mred",
                                    "\xff\xfe",
                                    "{\"fields\": [{\"name\": 1}]}",
                                    "{\"method\": \"direct\", \"threads\": {}}",
                                    "[]",
                                    "%s%n%s",
                                    "NaN",
                                    "m"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/// A text by its number; the first number beyond the list is a very long one.
static const char *text_of(unsigned k) {
  static char endless[20000];
  if (k % (COUNT(TEXTS) + 1) < COUNT(TEXTS))
    return TEXTS[k % (COUNT(TEXTS) + 1)];
  memset(endless, 'x', sizeof endless - 1);
  return endless;
}

/// A type by its number; to be closed.
static hid_t type_of(unsigned k) {
  hid_t type;
  switch (k % 14) {
  case 0:
    return H5Tcopy(H5T_IEEE_F64LE);
  case 1:
    return H5Tcopy(H5T_IEEE_F32LE);
  case 2:
    return H5Tcopy(H5T_STD_I64LE);
  case 3:
    return H5Tcopy(H5T_STD_U8LE);
  case 4:
    return H5Tcopy(H5T_STD_U64BE);
  case 5:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  case 6:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1 + k / 14);
    return type;
  case 7:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 40000);
    return type;
  case 8:
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "x", 0, H5T_IEEE_F64LE);
    H5Tinsert(type, "y", 8, H5T_STD_I64LE);
    return type;
  case 9: {
    hsize_t extent[] = {1 + k / 14};
    return H5Tarray_create2(H5T_IEEE_F64LE, 1, extent);
  }
  case 10:
    return H5Tvlen_create(H5T_IEEE_F64LE);
  case 11:
    return H5Tcreate(H5T_OPAQUE, 1 + k / 14);
  case 12:
    return H5Tcopy(H5T_STD_REF_OBJ);
  default:
    return H5Tenum_create(H5T_STD_I32LE);
  }
}

/// A space by its number: null, one element, or up to four axes; `*large` tells that nothing can be
/// written there.
static hid_t space_of(fuzz_bytes *bytes, int *rank, bool *large) {
  static const hsize_t EXTENT[] = {0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   7,
                                   1000,
                                   (hsize_t)1 << 31,
                                   ((hsize_t)1 << 32) + 1,
                                   (hsize_t)1 << 59,
                                   (hsize_t)1 << 61,
                                   ((hsize_t)1 << 61) - 1};
  hsize_t extent[4];
  unsigned kind = fuzz_byte(bytes);
  *rank = 0;
  *large = false;
  if (kind % 8 == 0)
    return H5Screate(H5S_NULL);
  if (kind % 8 == 1)
    return H5Screate(H5S_SCALAR);
  *rank = 1 + (int)(kind / 8 % 4);
  for (int i = 0; i < *rank; i++) {
    extent[i] = EXTENT[fuzz_byte(bytes) % COUNT(EXTENT)];
    *large = *large || extent[i] > 1000;
  }
  return H5Screate_simple(*rank, extent, NULL);
}

/// Fills a dataset or an attribute with numbers or texts, whichever it takes.
static void fill(hid_t id, bool is_attribute, unsigned k) {
  static const double NUMBER[] = {0, 1, 2, 3, -1, NAN, INFINITY, 1e300, 0.5, 4e9, -1e18};
  static double numbers[5000];
  static const char *texts[5000];
  hid_t space = is_attribute ? H5Aget_space(id) : H5Dget_space(id);
  hid_t type = is_attribute ? H5Aget_type(id) : H5Dget_type(id);
  hssize_t n = H5Sget_simple_extent_npoints(space);
  for (size_t i = 0; i < COUNT(numbers); i++) {
    numbers[i] = NUMBER[(i * (k / 16) + k) % COUNT(NUMBER)];
    texts[i] = text_of((unsigned)(i * (k / 16) + k));
  }
  bool text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type);
  const void *data = text ? (const void *)texts : numbers;
  hid_t memory = text ? type : H5T_NATIVE_DOUBLE;
  if (n >= 0 && (size_t)n <= COUNT(numbers)) {
    if (is_attribute)
      H5Awrite(id, memory, data);
    else
      H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  }
  H5Tclose(type);
  H5Sclose(space);
}

/// Makes a dataset of any type and space.
static void make_dataset(hid_t file, const char *path, fuzz_bytes *bytes) {
  int rank;
  bool large;
  hid_t type = type_of(fuzz_byte(bytes)), space = space_of(bytes, &rank, &large);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  if (large && rank > 0) {
    hsize_t chunk[] = {16, 1, 1, 1};
    H5Pset_chunk(plist, rank, chunk);
  }
  hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  if (dataset >= 0 && !large)
    fill(dataset, false, fuzz_byte(bytes));
  H5Dclose(dataset);
  H5Pclose(plist);
  H5Sclose(space);
  H5Tclose(type);
}

/// Makes a dataset whose numbers lie in another file, outside HDF5 or in HDF5.
static void make_elsewhere(hid_t file, const char *path, unsigned k) {
  static const char *const OTHER[] = {"/etc/passwd", "/dev/zero", "rods-rods.h5",
                                      "solid.h5",    ".",         "t%b.h5"};
  const char *other = OTHER[k / 2 % COUNT(OTHER)];
  hsize_t extent[] = {1 + k / 16};
  hid_t space = H5Screate_simple(1, extent, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
  if (k % 2)
    H5Pset_external(plist, other, 0, 8 * extent[0]);
  else
    H5Pset_virtual(plist, space, other, "/run/time", space);
  H5Dclose(H5Dcreate2(file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
  H5Pclose(plist);
  H5Sclose(space);
}

static void make_link(hid_t file, const char *path, unsigned k) {
  static const char *const FILES[] = {"rods-rods.h5", "solid-solid.h5",  "rods.h5",
                                      "/etc/passwd",  "../rods-rods.h5", "nothing.h5",
                                      "/dev/zero"};
  static const char *const PATHS[] = {"/", "/run",     "/run/time", "/topology/segment",
                                      ".", "/nothing", "/runs/rods"};
  static const H5L_class_t KIND = {.version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)100};
  const char *to = PATHS[k / 8 % COUNT(PATHS)];
  switch (k % 8) {
  case 0:
    H5Lcreate_soft(path, file, path, H5P_DEFAULT, H5P_DEFAULT); // to itself
    break;
  case 1:
    H5Lcreate_soft(to, file, path, H5P_DEFAULT, H5P_DEFAULT);
    break;
  case 2:
    H5Lcreate_hard(file, to, file, path, H5P_DEFAULT, H5P_DEFAULT);
    break;
  case 3:
    H5Lregister(&KIND);
    H5Lcreate_ud(file, path, KIND.id, "x", 2, H5P_DEFAULT, H5P_DEFAULT);
    H5Lunregister(KIND.id);
    break;
  default:
    H5Lcreate_external(FILES[k / 8 % COUNT(FILES)], PATHS[k / 64 % COUNT(PATHS)], file, path,
                       H5P_DEFAULT, H5P_DEFAULT);
  }
}

/// Puts an attribute in place of one of that name, or takes it away.
static void change_attribute(hid_t file, const char *path, fuzz_bytes *bytes) {
  static const char *const NAMES[] = {
      "rows",           "status",        "steps",         "run_key", "figure", "schema_name",
      "schema_version", "diverged_step", "diverged_what", "warning", "units",  "long_name"};
  const char *name = NAMES[fuzz_byte(bytes) % COUNT(NAMES)];
  int rank;
  bool large;
  unsigned kind = fuzz_byte(bytes);
  H5Adelete_by_name(file, path, name, H5P_DEFAULT);
  if (kind % 8 == 7)
    return;
  hid_t type = type_of(kind), space = space_of(bytes, &rank, &large);
  hid_t attribute = large ? -1
                          : H5Acreate_by_name(file, path, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0)
    fill(attribute, true, fuzz_byte(bytes));
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

/// A text or numbers in a dataset that stays what it is.
static void change_values(hid_t file, const char *path, fuzz_bytes *bytes) {
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset >= 0)
    fill(dataset, false, fuzz_byte(bytes));
  H5Dclose(dataset);
}

/// More or fewer rows than were written, where a dataset can grow.
static void change_extent(hid_t file, const char *path, unsigned k) {
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t extent[H5S_MAX_RANK];
  if (H5Sget_simple_extent_ndims(space) > 0 && H5Sget_simple_extent_dims(space, extent, NULL) > 0) {
    extent[0] = k < 200 ? k : (hsize_t)1 << (k - 193);
    H5Dset_extent(dataset, extent);
  }
  H5Sclose(space);
  H5Dclose(dataset);
}

/// The object of that number, or the next one.
static const fuzz_object *choose(const fuzz_file *file, unsigned number) {
  const fuzz_object *list = file->objects;
  size_t i = 0;
  while (i < file->n_objects && list[i].number < number)
    i++;
  return i < file->n_objects ? &list[i] : list;
}

static void change(hid_t file, const fuzz_file *made, unsigned kind, fuzz_bytes *bytes) {
  const char *path = choose(made, fuzz_pair(bytes))->path;
  if (kind % 8 == 0) {
    change_attribute(file, path, bytes);
    return;
  }
  if (kind % 8 == 1) {
    change_values(file, path, bytes);
    return;
  }
  if (kind % 8 == 2) {
    change_extent(file, path, fuzz_byte(bytes));
    return;
  }
  if (strcmp(path, ".") == 0)
    return;
  H5Ldelete(file, path, H5P_DEFAULT);
  if (kind % 8 == 3)
    make_link(file, path, fuzz_pair(bytes));
  else if (kind % 8 == 4)
    make_elsewhere(file, path, fuzz_byte(bytes));
  else if (kind % 8 == 5 && kind / 8 % 4)
    H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  else if (kind % 8 != 5) // and otherwise it is just gone
    make_dataset(file, path, bytes);
}

void fuzz_files_change(fuzz_file *files, size_t n, const uint8_t *data, size_t size) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (size_t at = 0; at + CHANGE_BYTES <= size && at < (size_t)16 * CHANGE_BYTES;
       at += CHANGE_BYTES) {
    fuzz_bytes bytes = {data + at, CHANGE_BYTES};
    unsigned first = fuzz_byte(&bytes);
    fuzz_file *file = &files[first % n];
    hid_t id = open_file(file);
    file->touched = true;
    if (id >= 0)
      change(id, file, first / (unsigned)n, &bytes);
    H5Fclose(id);
  }
}

void fuzz_files_restore(fuzz_file *files, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (files[i].touched)
      fuzz_file_restore(&files[i]);
    files[i].touched = false;
  }
}
