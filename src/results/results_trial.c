// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_trial.h"

#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>

/// Numbers that are read at once.
#define AT_ONCE ((hsize_t)1 << 20)

// Like the settings of HDF5 itself, this is one of the process.
static bool required;

void vb_results_begin_trials(void) {
  required = true;
}

bool vb_results_has_trials(void) {
  return required;
}

/// Reads all numbers, some rows at a time.
static void read_numbers(vb_h5 *h5, const vb_h5_dataset *d) {
  hsize_t width = d->extent[1] * d->extent[2];
  hsize_t rows = width < AT_ONCE ? AT_ONCE / (width + 1) + 1 : 1;
  vb_h5_block block = {.count = {rows, d->extent[1], d->extent[2]}};
  vb_h5_expect(h5, d, VB_H5_NUMBERS, 0, VB_H5_RANK);
  for (hsize_t at = 0; at < d->extent[0] && !h5->status; at += rows) {
    block.start[0] = at;
    block.count[0] = rows < d->extent[0] - at ? rows : d->extent[0] - at;
    free(vb_h5_new_numbers(h5, d, &block));
  }
}

static void read_texts(vb_h5 *h5, const vb_h5_dataset *d) {
  size_t n = 0;
  char **texts = vb_h5_new_texts(h5, d, &n);
  for (size_t i = 0; i < n; i++)
    free(texts[i]);
  free(texts);
}

static herr_t read_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  char text[256];
  (void)info, (void)data;
  vb_h5_read_attribute(object, name, text, sizeof text);
  return 0;
}

static void read_attributes(hid_t object) {
  if (object >= 0)
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, read_attribute, NULL);
}

/// An open file; each part of it is tried by itself, whatever is wrong with others.
typedef struct reader {
  const char *path;
  hid_t file;
  const char *group; ///< that is being read
} reader;

static bool read_dataset(const char *name, vb_h5_kind kind, void *data) {
  const reader *r = data;
  char path[1024];
  vb_h5 h5 = {r->path, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_dataset d;
  snprintf(path, sizeof path, "%s/%s", r->group, name);
  if (vb_h5_open_dataset(&h5, r->file, path, &d) && kind != VB_H5_OTHER)
    (kind == VB_H5_NUMBERS ? read_numbers : read_texts)(&h5, &d);
  read_attributes(d.id);
  vb_h5_release(d.id);
  return true;
}

static bool read_group(const char *name, H5L_type_t link, void *data) {
  reader *r = data;
  vb_h5 h5 = {r->path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t group = link == H5L_TYPE_HARD ? vb_h5_open_group(&h5, r->file, name) : -1;
  r->group = name;
  read_attributes(group);
  if (group >= 0)
    vb_h5_list_datasets(&h5, r->file, name, read_dataset, r);
  vb_h5_release(group);
  return true;
}

void vb_results_read_all(vb_h5 *h5, hid_t file) {
  reader r = {.path = h5->path, .file = file};
  if (vb_reader_has(file)) {
    vb_reader_all(h5, file);
    return;
  }
  read_attributes(file);
  vb_h5_list_members(h5, file, read_group, &r);
}
