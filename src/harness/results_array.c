// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/results_array.h"

#include "harness/results_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Opens a dataset of a file of ours; both are to be released.
static hid_t open_dataset(vb_h5 *h5, const char *name, hid_t *file) {
  bool index = false;
  *file = vb_results_open(h5, &index);
  hid_t dataset = h5->status ? -1 : H5Dopen2(*file, name, H5P_DEFAULT);
  if (dataset < 0 && !h5->status)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s has no dataset \"%s\"%s", h5->path, name,
                              index && strncmp(name, "/runs/", 6) != 0
                                  ? "; it is the index of a study: name one of its runs"
                                  : "");
  return dataset;
}

/// Chooses one element of the first axis and takes that axis off.
static void choose_frame(vb_h5 *h5, const char *name, int64_t frame, hid_t space, int *rank,
                         hsize_t size[3]) {
  int64_t n = (int64_t)size[0], k = frame < 0 ? frame + n : frame;
  if (k < 0 || k >= n) {
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has no frame %lld; it has %lld",
                              h5->path, name, (long long)frame, (long long)n);
    return;
  }
  hsize_t start[3] = {(hsize_t)k, 0, 0}, count[3] = {1, size[1], size[2]};
  VB_H5(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  size[0] = size[1];
  size[1] = size[2];
  (*rank)--;
}

/// Chooses the rows that count.
static void choose_rows(vb_h5 *h5, hid_t space, const hsize_t size[3]) {
  hsize_t start[3] = {0};
  VB_H5(h5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL));
}

static void read_array(vb_h5 *h5, hid_t file, hid_t dataset, const char *name, int64_t frame,
                       vb_array *out) {
  hsize_t size[4] = {1, 1, 1, 1};
  hid_t space = VB_H5(h5, H5Dget_space(dataset));
  int rank = (int)VB_H5(h5, H5Sget_simple_extent_ndims(space));
  bool whole = frame == VB_NO_FRAME;
  if (!h5->status && (rank < (whole ? 0 : 1) || rank > (whole ? 2 : 3)))
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has %d axes, which is not %s",
                              h5->path, name, rank, whole ? "a table" : "a field over frames");
  if (rank >= 0 && rank <= 3)
    VB_H5(h5, H5Sget_simple_extent_dims(space, size, NULL));
  if (!h5->status && rank > 0)
    size[0] = vb_results_whole_rows(file, name, size[0]);
  if (!h5->status && !whole)
    choose_frame(h5, name, frame, space, &rank, size);
  else if (!h5->status && rank > 0)
    choose_rows(h5, space, size);
  if (!h5->status) {
    hsize_t n = rank > 0 ? size[0] : 1, width = rank > 1 ? size[1] : 1, total = n * width;
    hid_t memory = VB_H5(h5, H5Screate_simple(1, &total, NULL));
    out->n = n;
    out->width = width;
    out->values = malloc((total + 1) * sizeof *out->values);
    if (!out->values)
      h5->status = vb_error_memory(h5->error);
    VB_H5(h5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out->values));
    vb_h5_release(memory);
  }
  vb_h5_release(space);
}

vb_status vb_results_array(const char *path, const char *dataset, int64_t frame, vb_array *out,
                           vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_array array = {0};
  hid_t file;
  hid_t id = open_dataset(&h5, dataset, &file);
  if (!h5.status)
    read_array(&h5, file, id, dataset, frame, &array);
  if (!h5.status && !vb_h5_read_attribute(id, "units", array.unit, sizeof array.unit))
    array.unit[0] = '\0';
  vb_h5_release(id);
  vb_h5_release(file);
  if (h5.status)
    vb_array_free(&array);
  else
    *out = array;
  return h5.status;
}

void vb_array_free(vb_array *array) {
  free(array->values);
  *array = (vb_array){0};
}

vb_status vb_results_has(const char *path, const char *dataset, bool *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  hid_t id = h5.status ? -1 : H5Dopen2(file, dataset, H5P_DEFAULT);
  if (!h5.status)
    *out = id >= 0;
  vb_h5_release(id);
  vb_h5_release(file);
  return h5.status;
}

vb_status vb_results_unit(const char *path, const char *dataset, char *out, size_t size,
                          vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file;
  hid_t id = open_dataset(&h5, dataset, &file);
  if (!h5.status && !vb_h5_read_attribute(id, "units", out, size))
    out[0] = '\0';
  vb_h5_release(id);
  vb_h5_release(file);
  return h5.status;
}

vb_status vb_results_is_text(const char *path, const char *dataset, bool *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file;
  hid_t id = open_dataset(&h5, dataset, &file);
  hid_t type = VB_H5(&h5, H5Dget_type(id));
  if (!h5.status)
    *out = H5Tget_class(type) == H5T_STRING;
  vb_h5_release(type);
  vb_h5_release(id);
  vb_h5_release(file);
  return h5.status;
}

/// Copies what HDF5 allocated, so that it can be freed like all else.
static void read_texts(vb_h5 *h5, hid_t dataset, vb_texts *out) {
  hid_t space = VB_H5(h5, H5Dget_space(dataset)), type = vb_h5_text_type(h5);
  hssize_t n = VB_H5(h5, H5Sget_simple_extent_npoints(space));
  char **read = n >= 0 ? calloc((size_t)n + 1, sizeof *read) : NULL;
  out->texts = n >= 0 ? calloc((size_t)n + 1, sizeof *out->texts) : NULL;
  if (!h5->status && (!read || !out->texts))
    h5->status = vb_error_memory(h5->error);
  VB_H5(h5, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read));
  for (hssize_t i = 0; !h5->status && i < n; i++) {
    out->texts[i] = strdup(read[i] ? read[i] : "");
    if (!out->texts[i])
      h5->status = vb_error_memory(h5->error);
    else
      out->n++;
  }
  if (read && n > 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
  free(read);
  vb_h5_release(type);
  vb_h5_release(space);
}

vb_status vb_results_texts(const char *path, const char *dataset, vb_texts *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_texts texts = {0};
  hid_t file;
  hid_t id = open_dataset(&h5, dataset, &file);
  if (!h5.status)
    read_texts(&h5, id, &texts);
  vb_h5_release(id);
  vb_h5_release(file);
  if (h5.status)
    vb_texts_free(&texts);
  else
    *out = texts;
  return h5.status;
}

void vb_texts_free(vb_texts *texts) {
  for (size_t i = 0; i < texts->n; i++)
    free(texts->texts[i]);
  free(texts->texts);
  *texts = (vb_texts){0};
}
