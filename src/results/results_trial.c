// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_trial.h"

#include "results/h5_read_internal.h"
#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  const char *name; ///< of the file
  hid_t file;
  int depth;
  size_t n;                    ///< objects that were tried
  char path[VB_H5_PATH_SIZE];  ///< of the object that is being tried
  char first[VB_H5_PATH_SIZE]; ///< of those that HDF5 cannot read, or empty
} reader;

static void note_damage(reader *r) {
  if (!r->first[0])
    snprintf(r->first, sizeof r->first, "%s", r->path);
}

/// Whether a dataset is of texts as this program writes them. HDF5 does not convert others.
static bool has_own_texts(const vb_h5_dataset *d) {
  hid_t type = d->kind == VB_H5_TEXTS ? H5Dget_type(d->id) : -1;
  bool own = type >= 0 && H5Tget_cset(type) == H5T_CSET_UTF8;
  vb_h5_release(type);
  return own;
}

/// What is refused before it is read is no damage.
static void try_dataset(reader *r, hid_t id) {
  vb_h5 h5 = {r->name, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_dataset d;
  if (!vb_h5_examine(&h5, id, r->path, &d) || (d.kind != VB_H5_NUMBERS && !has_own_texts(&d)))
    return;
  vb_h5_expect(&h5, &d, d.kind, 0, d.kind == VB_H5_NUMBERS ? VB_H5_RANK : 1);
  if (h5.status)
    return;
  (d.kind == VB_H5_NUMBERS ? read_numbers : read_texts)(&h5, &d);
  if (h5.status == VB_BAD_INPUT)
    note_damage(r);
}

/// Tries a member of the group that is being tried, and what is below it; false at the limit.
static bool try_member(const char *name, H5L_type_t link, void *data) {
  reader *r = data;
  vb_h5 h5 = {r->name, VB_BAD_INPUT, NULL, VB_OK};
  size_t length = strlen(r->path);
  if (r->depth > VB_H5_MOST_DEPTH || ++r->n > VB_H5_MOST_MEMBERS)
    return false;
  if (link != H5L_TYPE_HARD || strlen(name) + length + 2 > sizeof r->path)
    return true;
  snprintf(r->path + length, sizeof r->path - length, "%s%s", length ? "/" : "", name);
  hid_t object = vb_h5_open_here(&h5, r->file, r->path);
  H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
  read_attributes(object);
  r->depth++;
  if (type == H5I_GROUP)
    vb_h5_list_members(&h5, object, try_member, r);
  else if (type == H5I_DATASET)
    try_dataset(r, object);
  if (object < 0 || h5.status)
    note_damage(r);
  r->depth--;
  r->path[length] = '\0';
  vb_h5_release(object);
  return true;
}

void vb_results_read_all(vb_h5 *h5, hid_t file) {
  reader r = {.name = h5->path, .file = file};
  if (vb_reader_has(file)) {
    vb_reader_all(h5, file);
    return;
  }
  read_attributes(file);
  vb_h5_list_members(h5, file, try_member, &r);
  if (!h5->status && r.first[0])
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT,
                     "%s is damaged: HDF5 cannot read \"%s\"; make it anew", h5->path, r.first);
}

bool vb_results_is_damaged(const char *path) {
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_fault fault = VB_H5_DAMAGED;
  hid_t file = vb_h5_open_file(&h5, &fault);
  if (!h5.status)
    vb_results_read_all(&h5, file);
  vb_h5_release(file);
  return h5.status == VB_BAD_INPUT && fault == VB_H5_DAMAGED;
}
