// SPDX-License-Identifier: GPL-3.0-or-later
/// Opening what is in a file, and what is refused.
#include "results/h5_read_internal.h"

#include "results/h5_reader.h"

#include <string.h>

void vb_h5_refuse(vb_h5 *h5, const char *path, const char *what) {
  if (!h5->status)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" %s", h5->path, path, what);
}

static const char leads_out[] = "leads out of the file, and is not followed";

static bool denied;

bool vb_h5_is_denied(void) {
  return denied;
}

void vb_h5_set_denied(bool is_denied) {
  denied = is_denied;
}

/// Refuses what may be right, but is not for readers.
void vb_h5_refuse_denied(vb_h5 *h5, const char *path, const char *what) {
  denied = denied || !h5->status;
  vb_h5_refuse(h5, path, what);
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

static bool outside; ///< whether the last path led there

static hid_t make_access_plist(vb_h5 *h5) {
  hid_t plist = VB_H5(h5, H5Pcreate(H5P_LINK_ACCESS));
  VB_H5(h5, H5Pset_elink_cb(plist, stop_at_link, &outside));
  return plist;
}

/// Whether an object that a hard link leads to cannot be opened.
static bool is_broken(hid_t from, const char *path) {
  hid_t object = H5Oopen(from, path, H5P_DEFAULT);
  vb_h5_release(object);
  return object < 0;
}

/// Says why a path cannot be opened, unless it is not there: a link of it is of a kind that leads
/// elsewhere, or what it leads to is damaged. Soft links are not followed.
static void tell_obstacle(vb_h5 *h5, hid_t from, const char *path) {
  char prefix[VB_H5_PATH_SIZE];
  size_t length = strlen(path), n = strspn(path, "/");
  H5L_info_t info = {.type = H5L_TYPE_HARD};
  while (n < length && length < sizeof prefix && info.type == H5L_TYPE_HARD) {
    n += strcspn(path + n, "/");
    memcpy(prefix, path, n);
    prefix[n] = '\0';
    if (H5Lget_info(from, prefix, &info, H5P_DEFAULT) < 0)
      return;
    if (info.type == H5L_TYPE_HARD && is_broken(from, prefix)) {
      vb_h5_refuse(h5, prefix, "is damaged; make the file anew");
      return;
    }
    n += strspn(path + n, "/");
  }
  if (info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT)
    vb_h5_refuse_denied(h5, path, leads_out);
}

/// Opens a group or dataset here; -1 where there is none.
hid_t vb_h5_open_here(vb_h5 *h5, hid_t from, const char *path) {
  static hid_t kept;
  hid_t access = vb_h5_share(h5, &kept, make_access_plist);
  outside = false;
  hid_t object = h5->status ? -1 : H5Oopen(from, path, access);
  vb_h5_release(access);
  if (!h5->status && object < 0 && outside)
    vb_h5_refuse_denied(h5, path, leads_out);
  // HDF5 knows no links that users define, and so does not say that it met one.
  if (!h5->status && object < 0)
    tell_obstacle(h5, from, path);
  return object;
}

/// The same, wherever the file is read, and its type.
static hid_t open_typed(vb_h5 *h5, hid_t from, const char *path, H5I_type_t *type) {
  if (vb_reader_has(from))
    return vb_reader_object(h5, from, path, type);
  hid_t object = vb_h5_open_here(h5, from, path);
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
