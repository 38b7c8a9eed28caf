// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_descriptor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif

/// Most bytes before the signature of a file, which begins at 0, 512, 1024, 2048, ..
#define MOST_BEFORE ((off_t)1 << 40)

/// An open file, as HDF5 sees it.
typedef struct descriptor_file {
  H5FD_t shared; ///< HDF5's part
  haddr_t used;  ///< bytes that HDF5 takes for the file's
  haddr_t size;
} descriptor_file;

// HDF5 hands a driver no more than a name.
static int descriptor;
static bool writable;
static bool full;   ///< a write failed: nothing more is written
static int failure; ///< errno of a read or write that failed, or 0

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)name, (void)access, (void)most;
  descriptor_file *file = calloc(1, sizeof *file);
  off_t size = lseek(descriptor, 0, SEEK_END); // fstat may ask for a file by its name
  bool asks_more = flags & (H5F_ACC_CREAT | H5F_ACC_TRUNC) || (flags & H5F_ACC_RDWR && !writable);
  if (!file || asks_more || size < 0) {
    free(file);
    return NULL;
  }
  file->size = (haddr_t)size;
  return &file->shared;
}

static herr_t close_file(H5FD_t *file) {
  free(file);
  return 0;
}

/// All are the same file.
static int compare_files(const H5FD_t *a, const H5FD_t *b) {
  (void)a, (void)b;
  return 0;
}

// The types of these are HDF5's. NOLINTBEGIN(readability-non-const-parameter)
static herr_t query_features(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t get_used(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const descriptor_file *)file)->used;
}

static herr_t set_used(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((descriptor_file *)file)->used = address;
  return 0;
}

static haddr_t get_size(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const descriptor_file *)file)->size;
}

/// What is beyond the end of the file is zero.
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, void *out) {
  char *to = out;
  (void)file, (void)type, (void)transfer;
  while (size > 0) {
    ssize_t n = pread(descriptor, to, size, (off_t)address);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      failure = errno;
      return -1;
    }
    if (n == 0) {
      memset(to, 0, size);
      break;
    }
    to += n;
    size -= (size_t)n;
    address += (haddr_t)n;
  }
  return 0;
}

static void note_full(void) {
  failure = errno;
  full = true;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, const void *bytes) {
  descriptor_file *to = (descriptor_file *)file;
  const char *from = bytes;
  (void)type, (void)transfer;
  while (writable && !full && size > 0) {
    ssize_t n = pwrite(descriptor, from, size, (off_t)address);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      note_full();
      break;
    }
    from += n;
    size -= (size_t)n;
    address += (haddr_t)n;
    to->size = to->size > address ? to->size : address;
  }
  return writable ? 0 : -1;
}

/// Cuts the file to what is used of it.
static herr_t cut(H5FD_t *file, hid_t transfer, hbool_t closes) {
  descriptor_file *f = (descriptor_file *)file;
  (void)transfer, (void)closes;
  if (!writable || full || f->size == f->used)
    return 0;
  if (ftruncate(descriptor, (off_t)f->used))
    note_full();
  f->size = f->used;
  return 0;
}
// NOLINTEND(readability-non-const-parameter)

static const H5FD_class_t DRIVER = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 511, // the last of those for experiments
#endif
    .name = "descriptor",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_file,
    .close = close_file,
    .cmp = compare_files,
    .query = query_features,
    .get_eoa = get_used,
    .set_eoa = set_used,
    .get_eof = get_size,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = cut,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

/// Whether there is an HDF5 file in the file.
static bool has_signature(int file) {
  static const char SIGNATURE[8] = "\x89HDF\r\n\x1a\n";
  char bytes[8];
  for (off_t at = 0; at < MOST_BEFORE; at = at ? 2 * at : 512) {
    ssize_t n = pread(file, bytes, sizeof bytes, at);
    if (n != (ssize_t)sizeof bytes) {
      failure = n < 0 ? errno : 0;
      return false;
    }
    if (memcmp(bytes, SIGNATURE, sizeof bytes) == 0)
      return true;
  }
  return false;
}

static vb_h5_fault tell(vb_h5 *h5, const char *damage) {
  if (failure)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "cannot read %s: %s", h5->path, strerror(failure));
  else
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s is %s", h5->path, damage);
  return failure ? VB_H5_OUT_OF_REACH : VB_H5_DAMAGED;
}

static hid_t open_by_driver(vb_h5 *h5) {
  static hid_t driver = -1;
  if (driver < 0)
    driver = VB_H5(h5, H5FDregister(&DRIVER));
  hid_t access = VB_H5(h5, H5Pcreate(H5P_FILE_ACCESS));
  VB_H5(h5, H5Pset_driver(access, driver, NULL));
  VB_H5(h5, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110));
  hid_t file =
      h5->status ? -1 : H5Fopen("/descriptor", writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  vb_h5_release(access);
  return file;
}

int vb_h5_descriptor_failure(void) {
  return failure;
}

hid_t vb_h5_open_descriptor(vb_h5 *h5, int file, bool writes, vb_h5_fault *fault) {
  descriptor = file;
  writable = writes;
  full = false;
  failure = 0;
  hid_t out = -1;
  if (!has_signature(file))
    *fault = tell(h5, "no HDF5 file, or is truncated; give a results file");
  else if ((out = open_by_driver(h5)) < 0 && !h5->status)
    *fault = tell(h5, "a truncated or damaged HDF5 file; make it anew");
  return out;
}
