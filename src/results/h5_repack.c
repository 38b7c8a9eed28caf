// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_repack.h"

#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define COPIED_BYTES ((size_t)256 << 10) ///< of several rows that are copied at a time, at most

/// What is copied from where to where.
typedef struct copying {
  vb_h5 *h5;
  hid_t from;
  hid_t to;
  const vb_h5_copy_change *rewriting; ///< or null
} copying;

/// Attributes by which HDF5 ties datasets to their scales: they hold addresses.
static bool is_of_scales(const char *name) {
  static const char *const NAMES[] = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strcmp(name, NAMES[i]) == 0)
      return true;
  return false;
}

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *data) {
  const copying *c = data;
  vb_h5 *h5 = c->h5;
  if (is_of_scales(name))
    return 0;
  (void)info;
  hid_t source = VB_H5(h5, H5Aopen(from, name, H5P_DEFAULT));
  hid_t type = VB_H5(h5, H5Aget_type(source)), space = VB_H5(h5, H5Aget_space(source));
  hid_t copy = VB_H5(h5, H5Acreate2(c->to, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  hssize_t n = h5->status ? 0 : H5Sget_simple_extent_npoints(space);
  void *values = n > 0 ? calloc((size_t)n, H5Tget_size(type)) : NULL;
  if (n > 0 && !values)
    vb_h5_out_of_memory(h5);
  if (values) {
    VB_H5(h5, H5Aread(source, type, values));
    VB_H5(h5, H5Awrite(copy, type, values));
  }
  if (values && H5Tis_variable_str(type) > 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
  free(values);
  vb_h5_release(copy);
  vb_h5_release(space);
  vb_h5_release(type);
  vb_h5_release(source);
  return h5->status ? -1 : 0;
}

static void copy_attributes(vb_h5 *h5, hid_t from, hid_t to) {
  copying c = {h5, from, to, NULL};
  hsize_t at = 0;
  VB_H5(h5, H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &at, copy_attribute, &c));
}

/// Changes rows that are on their way in `buffer`.
static void change_rows(vb_h5 *h5, const copying *c, const vb_h5_array *array, hsize_t first,
                        hsize_t n, void *buffer) {
  char path[1024];
  if (h5->status || !c->rewriting || H5Tequal(array->file_type, H5T_NATIVE_DOUBLE) <= 0)
    return;
  VB_H5(h5, H5Iget_name(c->from, path, sizeof path));
  hsize_t width = 1;
  for (int i = 1; i < array->rank; i++)
    width *= array->extent[i];
  if (!h5->status)
    c->rewriting->rows(c->rewriting->context, path, first, n, width, buffer);
}

/// Copies rows from `first` on, `n` of them, through `buffer`.
static void copy_rows(vb_h5 *h5, const copying *c, const vb_h5_array *array, hsize_t first,
                      hsize_t n, void *buffer) {
  hsize_t start[3] = {first}, count[3] = {n, array->extent[1], array->extent[2]};
  hid_t memory = VB_H5(h5, H5Screate_simple(array->rank, count, NULL));
  hid_t source = VB_H5(h5, H5Dget_space(c->from)), copy = VB_H5(h5, H5Dget_space(c->to));
  VB_H5(h5, H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, count, NULL));
  VB_H5(h5, H5Sselect_hyperslab(copy, H5S_SELECT_SET, start, NULL, count, NULL));
  VB_H5(h5, H5Dread(c->from, array->file_type, memory, source, H5P_DEFAULT, buffer));
  change_rows(h5, c, array, first, n, buffer);
  VB_H5(h5, H5Dwrite(c->to, array->file_type, memory, copy, H5P_DEFAULT, buffer));
  vb_h5_release(copy);
  vb_h5_release(source);
  vb_h5_release(memory);
}

/// Copies all rows.
static void copy_values(vb_h5 *h5, const copying *c, const vb_h5_array *array) {
  size_t row = H5Tget_size(array->file_type);
  for (int i = 1; i < array->rank; i++)
    row *= array->extent[i];
  hsize_t rows = row > 0 && COPIED_BYTES > row ? COPIED_BYTES / row : 1, n = array->extent[0];
  void *buffer = n > 0 && row > 0 ? calloc(rows < n ? rows : n, row) : NULL;
  if (n > 0 && row > 0 && !buffer)
    vb_h5_out_of_memory(h5);
  for (hsize_t i = 0; buffer && i < n && !h5->status; i += rows)
    copy_rows(h5, c, array, i, rows < n - i ? rows : n - i, buffer);
  free(buffer);
}

/// Whether the copy of a dataset is all one number, which `plist` then has as the value of what is
/// not stored.
static bool is_filled(vb_h5 *h5, const copying *c, const vb_h5_array *array, hid_t plist) {
  hsize_t bytes = H5Tget_size(array->file_type);
  for (int i = 0; i < array->rank; i++)
    bytes *= array->extent[i];
  double values[VB_H5_SMALL / sizeof(double)];
  if (h5->status || bytes == 0 || bytes > sizeof values)
    return false;
  VB_H5(h5, H5Dread(c->from, array->file_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  change_rows(h5, c, array, 0, array->extent[0], values);
  return vb_h5_fill(h5, array, values, plist);
}

/// Writes a dataset that could grow anew, with a fixed extent.
static void rewrite(vb_h5 *h5, hid_t from, hid_t parent, const char *name,
                    const vb_h5_copy_change *rewriting) {
  char path[1024] = "";
  vb_h5_array array = {.name = name, .file_type = VB_H5(h5, H5Dget_type(from))};
  array.memory_type = array.file_type;
  hid_t space = VB_H5(h5, H5Dget_space(from)), plist = vb_h5_dataset_plist(h5);
  array.rank = (int)VB_H5(h5, H5Sget_simple_extent_dims(space, array.extent, NULL));
  hid_t fixed = VB_H5(h5, H5Screate_simple(array.rank, array.extent, NULL));
  copying c = {h5, from, -1, rewriting};
  bool filled = is_filled(h5, &c, &array, plist);
  if (!h5->status && !filled)
    vb_h5_finish(h5, &array, plist);
  hid_t to =
      VB_H5(h5, H5Dcreate2(parent, name, array.file_type, fixed, H5P_DEFAULT, plist, H5P_DEFAULT));
  c.to = to;
  if (!h5->status && !filled)
    copy_values(h5, &c, &array);
  copy_attributes(h5, from, to);
  VB_H5(h5, H5Iget_name(from, path, sizeof path));
  if (!h5->status && rewriting)
    rewriting->attribute(rewriting->context, h5, path, to);
  vb_h5_release(to);
  vb_h5_release(fixed);
  vb_h5_release(plist);
  vb_h5_release(space);
  vb_h5_release(array.file_type);
}

/// Whether a dataset has an extent that may grow.
static bool grows(vb_h5 *h5, hid_t dataset) {
  hsize_t extent[H5S_MAX_RANK], most[H5S_MAX_RANK];
  hid_t space = VB_H5(h5, H5Dget_space(dataset));
  int rank = (int)VB_H5(h5, H5Sget_simple_extent_dims(space, extent, most));
  vb_h5_release(space);
  return !h5->status && rank > 0 && rank <= 3 && most[0] == H5S_UNLIMITED;
}

static herr_t count_link(hid_t from, const char *name, const H5L_info_t *info, void *data) {
  vb_h5_links *links = data;
  (void)from, (void)info;
  links->n++;
  links->letters += strlen(name);
  return 0;
}

static void copy_group(vb_h5 *h5, hid_t from, hid_t to, const vb_h5_copy_change *rewriting);

static herr_t copy_object(hid_t from, const char *name, const H5L_info_t *info, void *data) {
  const copying *c = data;
  vb_h5 *h5 = c->h5;
  (void)info;
  hid_t object = VB_H5(h5, H5Oopen(from, name, H5P_DEFAULT));
  if (h5->status)
    return -1;
  if (H5Iget_type(object) == H5I_GROUP) {
    vb_h5_links links = {0};
    VB_H5(h5, H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &links));
    hid_t group = vb_h5_group_of(h5, c->to, name, &links);
    copy_group(h5, object, group, c->rewriting);
    vb_h5_release(group);
  } else if (grows(h5, object)) {
    rewrite(h5, object, c->to, name, c->rewriting);
  } else {
    VB_H5(h5, H5Ocopy(from, name, c->to, name, H5P_DEFAULT, H5P_DEFAULT));
  }
  vb_h5_release(object);
  return h5->status ? -1 : 0;
}

static void copy_group(vb_h5 *h5, hid_t from, hid_t to, const vb_h5_copy_change *rewriting) {
  copying c = {h5, from, to, rewriting};
  hsize_t at = 0;
  VB_H5(h5, H5Literate(from, H5_INDEX_NAME, H5_ITER_INC, &at, copy_object, &c));
  copy_attributes(h5, from, to);
}

/// Ties the copy of a dataset to the copy of its scale.
static herr_t tie_to_scale(hid_t dataset, unsigned axis, hid_t scale, void *data) {
  const copying *c = data;
  vb_h5 *h5 = c->h5;
  char own[1024], of_scale[1024], name[256] = "";
  VB_H5(h5, H5Iget_name(dataset, own, sizeof own));
  VB_H5(h5, H5Iget_name(scale, of_scale, sizeof of_scale));
  VB_H5(h5, H5DSget_scale_name(scale, name, sizeof name));
  hid_t copy = VB_H5(h5, H5Dopen2(c->to, own, H5P_DEFAULT));
  hid_t time = VB_H5(h5, H5Dopen2(c->to, of_scale, H5P_DEFAULT));
  if (!h5->status && H5DSis_scale(time) <= 0)
    VB_H5(h5, H5DSset_scale(time, name));
  VB_H5(h5, H5DSattach_scale(copy, time, axis));
  vb_h5_release(time);
  vb_h5_release(copy);
  return h5->status ? -1 : 0;
}

/// Ties what it visits to its scales.
static herr_t tie_object(hid_t root, const char *path, const H5O_info_t *info, void *data) {
  copying *c = data;
  vb_h5 *h5 = c->h5;
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  hid_t dataset = VB_H5(h5, H5Dopen2(root, path, H5P_DEFAULT));
  if (!h5->status && H5Aexists(dataset, "DIMENSION_LIST") > 0)
    VB_H5(h5, H5DSiterate_scales(dataset, 0, NULL, tie_to_scale, c));
  vb_h5_release(dataset);
  return h5->status ? -1 : 0;
}

/// Copies all of the file behind a descriptor.
static void copy_file(vb_h5 *h5, int file, hid_t to, size_t more,
                      const vb_h5_copy_change *rewriting) {
  hid_t from = vb_h5_open_written(h5, file);
  hsize_t bytes = 0;
  VB_H5(h5, H5Fget_filesize(from, &bytes));
  if (!h5->status)
    vb_h5_reserve(h5, to, bytes + more);
  if (!h5->status) {
    copying c = {h5, from, to, NULL};
    copy_group(h5, from, to, rewriting);
    VB_H5(h5, H5Ovisit2(from, H5_INDEX_NAME, H5_ITER_INC, tie_object, &c, H5O_INFO_BASIC));
  }
  vb_h5_release(from);
}

hid_t vb_h5_repack(vb_h5 *h5, hid_t file, bool compact, size_t more,
                   const vb_h5_copy_change *rewriting) {
  // The descriptor stays with what was written, whatever the name means by now. The copy is begun
  // while the file is closed: it would take an open one for one that another process uses.
  int kept = dup(vb_h5_file_descriptor(file));
  VB_H5(h5, H5Fclose(file));
  if (kept >= 0)
    flock(kept, LOCK_UN); // HDF5 leaves its lock to the last descriptor's end
  else if (!h5->status)
    h5->status =
        vb_error_set(h5->error, h5->kind, "too many files are open to finish %s", h5->path);
  if (!compact)
    vb_h5_show_file(h5); // not before: what is not closed cannot be read after a kill
  hid_t to = h5->status ? -1 : compact ? vb_h5_create_small_file(h5) : vb_h5_create_file(h5);
  if (to >= 0)
    copy_file(h5, kept, to, more, rewriting);
  if (kept >= 0)
    close(kept);
  return to;
}
