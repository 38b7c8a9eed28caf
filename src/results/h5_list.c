// SPDX-License-Identifier: GPL-3.0-or-later
/// What is in a group.
#include "results/h5_read_internal.h"

#include "results/h5_reader.h"

#include <stdio.h>
#include <string.h>

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
  char path[VB_H5_PATH_SIZE];
} walk;

/// A group may be in itself: the walk then ends at its depth, or at so many objects.
static herr_t enter(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  walk *w = data;
  vb_h5_dataset d;
  size_t length = strlen(w->path);
  if (info->type != H5L_TYPE_HARD)
    return 0;
  if (length + strlen(name) + 2 > sizeof w->path) {
    vb_h5_refuse(w->h5, w->path, "holds a name that is too long");
    return 1;
  }
  snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? "/" : "", name);
  if (w->depth > VB_H5_MOST_DEPTH || ++w->n > VB_H5_MOST_MEMBERS)
    vb_h5_refuse(w->h5, w->path, "is one of too many groups and datasets");
  hid_t object = vb_h5_open_here(w->h5, group, name);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  bool on = true;
  w->depth++;
  if (type == H5I_GROUP)
    on = VB_H5(w->h5, H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, enter, w)) == 0;
  else if (type == H5I_DATASET && vb_h5_examine(w->h5, object, w->path, &d))
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
  char value[VB_H5_PATH_SIZE];
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
