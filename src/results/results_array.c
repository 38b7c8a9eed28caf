// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_array.h"

#include "base/nearest_word.h"
#include "results/results_file.h"
#include "results/results_meaning.h"
#include "results/skin_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Opens a dataset of a file of ours, with the rows that count; it must be there.
static void open_dataset(vb_h5 *h5, const char *name, vb_h5_dataset *out) {
  hid_t root = -1;
  const char *below = NULL;
  if (vb_results_open_dataset(h5, name, out, &root, &below)) {
    if (out->rank > 0)
      out->extent[0] = vb_results_whole_rows(h5, root, below, out->extent[0]);
    vb_h5_release(root);
    return;
  }
  bool index = false;
  hid_t file = h5->status ? -1 : vb_results_open(h5, &index);
  if (!h5->status)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s has no dataset \"%s\"%s", h5->path, name,
                              index && strncmp(name, "/runs/", 6) != 0
                                  ? "; it is the index of a study: name one of its runs"
                                  : "");
  vb_h5_release(file);
}

/// Chooses one element of the first axis.
static void choose_frame(vb_h5 *h5, const vb_h5_dataset *d, int64_t frame, vb_h5_block *block) {
  int64_t n = (int64_t)d->extent[0], k = frame < 0 ? frame + n : frame;
  if (h5->status)
    return;
  if (k < 0 || k >= n)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has no frame %lld; it has %lld",
                              h5->path, d->path, (long long)frame, (long long)n);
  block->start[0] = (hsize_t)k;
  block->count[0] = 1;
}

static void read_array(vb_h5 *h5, const vb_h5_dataset *d, int64_t frame, vb_array *out) {
  bool whole = frame == VB_NO_FRAME;
  int least = whole ? 0 : 1, most = whole ? 2 : 3;
  if (!h5->status && d->kind == VB_H5_NUMBERS && (d->rank < least || d->rank > most))
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s: \"%s\" has %d axes, which is not %s", h5->path,
                     d->path, d->rank, whole ? "a table" : "a field over frames");
  vb_h5_expect(h5, d, VB_H5_NUMBERS, least, most);
  vb_h5_block block = {.count = {d->extent[0], d->extent[1], d->extent[2]}};
  if (!whole)
    choose_frame(h5, d, frame, &block);
  out->values = vb_h5_new_numbers(h5, d, &block);
  out->n = block.count[whole ? 0 : 1];
  out->width = block.count[whole ? 1 : 2];
}

vb_status vb_results_array(const char *path, const char *dataset, int64_t frame, vb_array *out,
                           vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_array array = {0};
  vb_h5_dataset d;
  open_dataset(&h5, dataset, &d);
  if (!h5.status)
    read_array(&h5, &d, frame, &array);
  if (!h5.status)
    vb_results_unit_of(d.id, dataset, array.unit, sizeof array.unit);
  vb_h5_release(d.id);
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

bool vb_array_holds_indexes(const vb_array *list, double least, size_t n) {
  for (size_t i = 0; i < list->n * list->width; i++)
    if (!(list->values[i] >= least && list->values[i] < (double)n &&
          list->values[i] == floor(list->values[i])))
      return false;
  return true;
}

bool vb_array_is_finite(const vb_array *list) {
  for (size_t i = 0; i < list->n * list->width; i++)
    if (!isfinite(list->values[i]))
      return false;
  return true;
}

vb_status vb_results_has(const char *path, const char *dataset, bool *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_h5_dataset d;
  bool there = vb_results_open_dataset(&h5, dataset, &d, NULL, NULL);
  if (!h5.status)
    *out = there;
  vb_h5_release(d.id);
  return h5.status;
}

vb_status vb_results_unit(const char *path, const char *dataset, char *out, size_t size,
                          vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_h5_dataset d;
  open_dataset(&h5, dataset, &d);
  if (!h5.status)
    vb_results_unit_of(d.id, dataset, out, size);
  vb_h5_release(d.id);
  return h5.status;
}

vb_status vb_results_is_text(const char *path, const char *dataset, bool *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_h5_dataset d;
  open_dataset(&h5, dataset, &d);
  if (!h5.status)
    *out = d.kind == VB_H5_TEXTS;
  vb_h5_release(d.id);
  return h5.status;
}

vb_status vb_results_texts(const char *path, const char *dataset, vb_texts *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  vb_h5_dataset d;
  vb_texts texts = {0};
  open_dataset(&h5, dataset, &d);
  texts.texts = h5.status ? NULL : vb_h5_new_texts(&h5, &d, &texts.n);
  vb_h5_release(d.id);
  if (!h5.status)
    *out = texts;
  return h5.status;
}

void vb_texts_free(vb_texts *texts) {
  vb_texts_destroy(texts->texts, texts->n);
  *texts = (vb_texts){0};
}

/// The path of a dataset of a run, of at most `size` bytes.
static void name_dataset(vb_run_location place, const char *dataset, char *out, size_t size) {
  snprintf(out, size, "%s%s/%s", place.run ? "/runs/" : "", place.run ? place.run : "", dataset);
}

vb_status vb_run_array(vb_run_location place, const char *dataset, int64_t frame, vb_array *out,
                       vb_error *error) {
  char path[512];
  bool skin = false, stored = false;
  vb_status status = frame == VB_NO_FRAME ? VB_OK : vb_skin_has(place, dataset, &skin, error);
  name_dataset(place, dataset, path, sizeof path);
  if (!status && skin)
    status = vb_results_has(place.path, path, &stored, error);
  if (status)
    return status;
  return skin && !stored ? vb_skin_vertices(place, frame, out, error)
                         : vb_results_array(place.path, path, frame, out, error);
}

vb_status vb_run_has(vb_run_location place, const char *dataset, bool *out, vb_error *error) {
  char path[512];
  name_dataset(place, dataset, path, sizeof path);
  vb_status status = vb_results_has(place.path, path, out, error);
  return status || *out ? status : vb_skin_has(place, dataset, out, error);
}

vb_status vb_run_scale(vb_run_location place, size_t n, int64_t frame, vb_array *out,
                       vb_error *error) {
  static const char PATH[] = "run/frames/scale";
  bool there = false;
  vb_status status = vb_run_has(place, PATH, &there, error);
  if (status || there)
    return status ? status : vb_run_array(place, PATH, frame, out, error);
  *out = (vb_array){.values = reallocarray(NULL, n + 1, sizeof *out->values), .n = n, .width = 1};
  for (size_t i = 0; out->values && i < n; i++)
    out->values[i] = 1;
  return out->values ? VB_OK : vb_error_memory(error);
}

vb_status vb_run_text(vb_run_location place, const char *dataset, char **out, vb_error *error) {
  char path[512];
  vb_texts texts;
  name_dataset(place, dataset, path, sizeof path);
  vb_status status = vb_results_texts(place.path, path, &texts, error);
  if (status)
    return status;
  if (texts.n > 0) {
    *out = texts.texts[0];
    texts.texts[0] = NULL;
  } else {
    status = vb_bad_input(error, "%s: \"%s\" is empty", place.path, path);
  }
  vb_texts_free(&texts);
  return status;
}
