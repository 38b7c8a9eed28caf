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
