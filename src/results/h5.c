// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5.h"

#include "base/file.h"
#include "results/h5_own.h"
#include "results/h5_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

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
/// That are converted at a time between types of memory and of the file. HDF5 has two buffers of so
/// much for each access, whose zeros took more time than the data of a short run.
#define CONVERTED_BYTES ((size_t)64 << 10)
/// Links that a group holds in its header: a heap and a tree for them take some 2 KB more.
#define FEW_LINKS 64
/// Likewise attributes.
#define FEW_ATTRIBUTES 16

/// The most telling line of HDF5's error stack: the system's reason, or else the innermost one.
typedef struct stack_reason {
  char system[128];
  char inner[256];
} stack_reason;

static herr_t note_reason(unsigned n, const H5E_error2_t *entry, void *data) {
  stack_reason *reason = data;
  (void)n;
  if (!entry->desc)
    return 0;
  const char *mark = "error message = '";
  const char *text = strstr(entry->desc, mark);
  if (text)
    snprintf(reason->system, sizeof reason->system, "%.*s", (int)strcspn(text + strlen(mark), "'"),
             text + strlen(mark));
  if (!reason->inner[0])
    snprintf(reason->inner, sizeof reason->inner, "%s", entry->desc);
  return 0;
}

hid_t vb_h5_checked(vb_h5 *h5, hid_t value, const char *call) {
  if (value >= 0)
    return value;
  stack_reason reason = {0};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_reason, &reason);
  const char *verb = h5->kind == VB_CANNOT_WRITE ? "write" : "read";
  if (reason.system[0])
    h5->status =
        vb_error_set(h5->error, h5->kind, "cannot %s %s: %s", verb, h5->path, reason.system);
  else
    h5->status = vb_error_set(h5->error, h5->kind, "cannot %s %s: %s (%.*s)", verb, h5->path,
                              reason.inner, (int)strcspn(call, "("), call);
  return value;
}

void vb_h5_quiet(void) {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5PLset_loading_state(0); // a file may ask for filters that would be loaded from any folder
}

hid_t vb_h5_share(vb_h5 *h5, hid_t *kept, vb_h5_make *make) {
  if (h5->status)
    return -1;
  if (*kept <= 0) {
    hid_t made = make(h5);
    if (h5->status) {
      vb_h5_release(made);
      return -1;
    }
    *kept = made;
  }
  return VB_H5(h5, H5Iinc_ref(*kept)) > 0 ? *kept : -1;
}

static hid_t file_access(vb_h5 *h5, H5F_libver_t oldest) {
  hid_t access = VB_H5(h5, H5Pcreate(H5P_FILE_ACCESS));
  VB_H5(h5, H5Pset_libver_bounds(access, oldest, H5F_LIBVER_V110));
  if (oldest == H5F_LIBVER_V110) { // a small file, of whose last blocks much would be empty
    VB_H5(h5, H5Pset_meta_block_size(access, 0));
    VB_H5(h5, H5Pset_small_data_block_size(access, 0));
  }
  VB_H5(h5, H5Pset_file_locking(access, true, true));
  return access;
}

void vb_h5_out_of_memory(vb_h5 *h5) {
  h5->status = h5->status ? h5->status : vb_error_memory(h5->error);
}

/// Whether another process keeps this one from a lock of that kind.
static bool is_locked(const char *path, int lock) {
  const char *why;
  int probe = vb_file_open(path, O_WRONLY | O_NOFOLLOW, &why);
  bool locked = probe >= 0 && flock(probe, lock | LOCK_NB) < 0 && errno == EWOULDBLOCK;
  if (probe >= 0)
    close(probe);
  return locked;
}

/// Whether another process has that file open.
static bool in_use(const char *path) {
  return is_locked(path, LOCK_EX);
}

bool vb_h5_is_written(const char *path) {
  return is_locked(path, LOCK_SH);
}

/// The name of a file until it has a head; null for want of memory. The caller frees.
static char *early_name(vb_h5 *h5) {
  char *name;
  if (asprintf(&name, "%s.new", h5->path) >= 0)
    return name;
  vb_h5_out_of_memory(h5);
  return NULL;
}

/// What HDF5 calls an open file, so that it takes that very file and not another of its name.
static const char *name_open(int file, char out[32]) {
  snprintf(out, 32, "/proc/self/fd/%d", file);
  return out;
}

/// Makes the new file; its descriptor or -1.
static int make_file(vb_h5 *h5) {
  const char *why = NULL;
  char *name = early_name(h5);
  if (!name)
    return -1;
  int file = -1;
  if (in_use(h5->path) || in_use(name))
    why = "it is in use by another process; wait for its end";
  else
    file = vb_file_create(name, &why);
  free(name);
  if (file < 0)
    h5->status = vb_error_set(h5->error, VB_CANNOT_WRITE, "cannot write %s: %s", h5->path, why);
  return file;
}

/// Sets the creation properties of a group that is going to hold these links.
static void set_links(vb_h5 *h5, hid_t creation, const vb_h5_links *links) {
  VB_H5(h5, H5Pset_obj_track_times(creation, false));
  VB_H5(h5, H5Pset_link_phase_change(creation, FEW_LINKS, FEW_LINKS / 2));
  VB_H5(h5, H5Pset_attr_phase_change(creation, FEW_ATTRIBUTES, FEW_ATTRIBUTES / 2));
  if (links->n > 0 && links->n <= FEW_LINKS)
    VB_H5(h5, H5Pset_est_link_info(creation, (unsigned)links->n,
                                   (unsigned)((links->letters + links->n - 1) / links->n)));
}

static hid_t create_file(vb_h5 *h5, H5F_libver_t oldest) {
  char name[32];
  vb_h5_quiet();
  int made = make_file(h5);
  if (made < 0)
    return -1;
  hid_t access = file_access(h5, oldest), creation = VB_H5(h5, H5Pcreate(H5P_FILE_CREATE));
  set_links(h5, creation, &(vb_h5_links){8, 64});
  hid_t file = VB_H5(h5, H5Fcreate(name_open(made, name), H5F_ACC_TRUNC, creation, access));
  vb_h5_release(creation);
  vb_h5_release(access);
  close(made);
  if (h5->status)
    vb_h5_drop_file(h5);
  return file;
}

void vb_h5_show_file(vb_h5 *h5) {
  char *name = h5->status ? NULL : early_name(h5);
  if (name)
    h5->status = vb_file_rename(name, h5->path, h5->error);
  free(name);
}

void vb_h5_drop_file(vb_h5 *h5) {
  char *name = early_name(h5);
  if (name)
    unlink(name);
  free(name);
}

hid_t vb_h5_create_file(vb_h5 *h5) {
  // These bounds leave no mark in the file that a killed writer would have to take back.
  return create_file(h5, H5F_LIBVER_V18);
}

hid_t vb_h5_create_small_file(vb_h5 *h5) {
  return create_file(h5, H5F_LIBVER_V110);
}

/// What kept HDF5 from opening a file that is there.
typedef struct obstacle {
  bool locked;
  int code; ///< errno of the system's failure, or 0: what is in the file is at fault
} obstacle;

static herr_t note_obstacle(unsigned n, const H5E_error2_t *entry, void *data) {
  obstacle *o = data;
  const char *code = entry->desc ? strstr(entry->desc, "errno = ") : NULL;
  (void)n;
  if (entry->desc && strstr(entry->desc, "unable to lock file"))
    o->locked = true;
  else if (code)
    o->code = (int)strtol(code + strlen("errno = "), NULL, 10);
  return 0;
}

/// Says why HDF5 does not open it; what kept it from doing so.
static vb_h5_fault tell_fault(vb_h5 *h5, const char *damage) {
  obstacle o = {0};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_obstacle, &o);
  if (o.code && !o.locked)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "cannot read %s: %s", h5->path, strerror(o.code));
  else
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s is %s", h5->path,
                              o.locked ? "in use by another process; wait for its end" : damage);
  return o.locked || o.code ? VB_H5_OUT_OF_REACH : VB_H5_DAMAGED;
}

/// Opens what is a regular file in this process.
static hid_t open_probed(vb_h5 *h5, int probe, vb_h5_fault *fault) {
  char name[32];
  vb_h5_quiet();
  H5Eclear2(H5E_DEFAULT);
  if (H5Fis_hdf5(name_open(probe, name)) <= 0) {
    *fault = tell_fault(h5, "no HDF5 file, or is truncated; give a results file");
    return -1;
  }
  hid_t access = file_access(h5, H5F_LIBVER_V18);
  hid_t file = H5Fopen(name_open(probe, name), H5F_ACC_RDONLY, access);
  if (file < 0 && !h5->status)
    *fault = tell_fault(h5, "a truncated or damaged HDF5 file; make it anew");
  vb_h5_release(access);
  return file;
}

/// Opens a file that this process wrote.
static hid_t open_own(vb_h5 *h5, int probe, const struct stat *status, vb_h5_fault *fault) {
  hid_t file = vb_h5_open_kept(probe, status);
  if (file >= 0)
    return file;
  file = open_probed(h5, probe, fault);
  if (file >= 0)
    vb_h5_keep_open(file, status);
  return file;
}

hid_t vb_h5_open_file(vb_h5 *h5, vb_h5_fault *fault) {
  const char *why;
  vb_h5_fault found = VB_H5_OUT_OF_REACH;
  struct stat status;
  int probe = vb_file_open(h5->path, O_RDONLY, &why);
  hid_t file = -1;
  if (probe < 0) {
    if (errno == ENOENT)
      found = VB_H5_MISSING;
    h5->status = vb_error_set(h5->error, h5->kind, "cannot read %s: %s", h5->path, why);
  } else {
    bool own = fstat(probe, &status) == 0 && vb_h5_is_own(&status);
    file = vb_reader_stays_here() ? open_probed(h5, probe, &found)
           : own                  ? open_own(h5, probe, &status, &found)
                                  : vb_reader_open(h5, probe, &found);
    close(probe);
  }
  if (h5->status && fault)
    *fault = found;
  return file;
}

hid_t vb_h5_open_written(vb_h5 *h5, int file) {
  vb_h5_fault fault;
  return h5->status ? -1 : open_probed(h5, file, &fault);
}

int vb_h5_file_descriptor(hid_t file) {
  void *handle = NULL;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle)
    return -1;
  return *(int *)handle;
}

void vb_h5_reserve(vb_h5 *h5, hid_t file, size_t bytes) {
  hsize_t size = 0;
  VB_H5(h5, H5Fget_filesize(file, &size));
  if (h5->status)
    return;
  int fd = vb_h5_file_descriptor(file);
  int code = fd < 0 ? 0 : posix_fallocate(fd, (off_t)size, (off_t)bytes);
  if (code == 0 || code == EOPNOTSUPP || code == EINVAL)
    return;
  // What was reserved before the disk was full is given back, so that others find it.
  if (ftruncate(fd, (off_t)size) < 0)
    code = errno;
  h5->status =
      vb_error_set(h5->error, VB_CANNOT_WRITE, "cannot write %s: %s", h5->path, strerror(code));
}

void vb_h5_flush(vb_h5 *h5, hid_t file) {
  hsize_t size = 0;
  VB_H5(h5, H5Fflush(file, H5F_SCOPE_LOCAL));
  VB_H5(h5, H5Fget_filesize(file, &size));
  int fd = h5->status ? -1 : vb_h5_file_descriptor(file);
  if (fd >= 0 && ftruncate(fd, (off_t)size) < 0)
    h5->status =
        vb_error_set(h5->error, VB_CANNOT_WRITE, "cannot write %s: %s", h5->path, strerror(errno));
}

void vb_h5_divert(hid_t file) {
  // HDF5 cannot close a file without writing what it holds back, and keeps a dangling identifier
  // when that fails. So it writes to a file in memory from here on.
  int fd = vb_h5_file_descriptor(file), sink = memfd_create("abandoned", MFD_CLOEXEC);
  if (fd >= 0 && sink >= 0)
    dup2(sink, fd);
  if (sink >= 0)
    close(sink);
}

vb_status vb_h5_end_file(vb_h5 *h5, hid_t file) {
  vb_h5_flush(h5, file);
  if (file >= 0 && h5->status)
    vb_h5_divert(file);
  VB_H5(h5, H5Fclose(file));
  vb_h5_show_file(h5);
  if (file >= 0 && h5->status) {
    vb_h5_release(file);
    vb_h5_drop_file(h5);
  }
  return h5->status;
}

void vb_h5_release(hid_t id) {
  if (vb_reader_has(id))
    vb_reader_release(id);
  else if (id >= 0)
    H5Idec_ref(id);
}

static hid_t make_link_plist(vb_h5 *h5) {
  hid_t plist = VB_H5(h5, H5Pcreate(H5P_LINK_CREATE));
  VB_H5(h5, H5Pset_create_intermediate_group(plist, 1));
  return plist;
}

hid_t vb_h5_link_plist(vb_h5 *h5) {
  static hid_t kept;
  return vb_h5_share(h5, &kept, make_link_plist);
}

static hid_t make_transfer_plist(vb_h5 *h5) {
  hid_t plist = VB_H5(h5, H5Pcreate(H5P_DATASET_XFER));
  VB_H5(h5, H5Pset_buffer(plist, CONVERTED_BYTES, NULL, NULL));
  return plist;
}

hid_t vb_h5_transfer_plist(vb_h5 *h5) {
  static hid_t kept;
  return vb_h5_share(h5, &kept, make_transfer_plist);
}

hid_t vb_h5_dataset_plist(vb_h5 *h5) {
  hid_t plist = VB_H5(h5, H5Pcreate(H5P_DATASET_CREATE));
  VB_H5(h5, H5Pset_obj_track_times(plist, false));
  VB_H5(h5, H5Pset_dset_no_attrs_hint(plist, true)); // headers take what they need, and grow
  return plist;
}

static hid_t make_group_plist(vb_h5 *h5) {
  hid_t plist = VB_H5(h5, H5Pcreate(H5P_GROUP_CREATE));
  set_links(h5, plist, &(vb_h5_links){0, 0});
  return plist;
}

/// Releases `creation`.
static hid_t add_group(vb_h5 *h5, hid_t parent, const char *name, hid_t creation) {
  hid_t link = vb_h5_link_plist(h5);
  hid_t group = VB_H5(h5, H5Gcreate2(parent, name, link, creation, H5P_DEFAULT));
  vb_h5_release(link);
  vb_h5_release(creation);
  return group;
}

hid_t vb_h5_group(vb_h5 *h5, hid_t parent, const char *name) {
  static hid_t kept;
  hid_t creation = vb_h5_share(h5, &kept, make_group_plist);
  return add_group(h5, parent, name, creation);
}

hid_t vb_h5_group_of(vb_h5 *h5, hid_t parent, const char *name, const vb_h5_links *links) {
  hid_t creation = VB_H5(h5, H5Pcreate(H5P_GROUP_CREATE));
  set_links(h5, creation, links);
  return add_group(h5, parent, name, creation);
}

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
