// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/reading.h"

#include "base/nearest_word.h"
#include "results/results_file.h"
#include "results/results_meaning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends a call: its status and, after a failure, why.
static vb_status end(const vb_h5 *h5, vb_python_fault *fault) {
  if (h5->status)
    *fault = vb_h5_is_denied() || h5->status != VB_BAD_INPUT ? VB_PYTHON_DENIED : VB_PYTHON_DAMAGED;
  return h5->status;
}

/// Begins one: nothing has been denied yet.
static vb_h5 begin(const char *path, vb_error *error) {
  vb_h5_set_denied(false);
  return (vb_h5){path, VB_BAD_INPUT, error, VB_OK};
}

vb_status vb_python_open(const char *path, int64_t *object, bool *index, vb_python_fault *fault,
                         vb_error *error) {
  vb_h5 h5 = begin(path, error);
  vb_h5_fault found = VB_H5_DAMAGED;
  *object = vb_results_open_by(&h5, index, &found);
  if (h5.status)
    *fault = vb_h5_is_denied() || found == VB_H5_OUT_OF_REACH || h5.status != VB_BAD_INPUT
                 ? VB_PYTHON_DENIED
             : found == VB_H5_MISSING ? VB_PYTHON_WRONG
                                      : VB_PYTHON_DAMAGED;
  return h5.status;
}

vb_status vb_python_open_run(const char *path, int64_t index, const char *name, int64_t *object,
                             vb_python_fault *fault, vb_error *error) {
  vb_h5 h5 = begin(path, error);
  *object = vb_results_open_run(&h5, index, name);
  return end(&h5, fault);
}

void vb_python_close(int64_t object) {
  vb_h5_release(object);
}

void vb_python_drop(void *memory) {
  free(memory);
}

/// Names that are put one after the other.
typedef struct list {
  FILE *stream;
  char *text;
  size_t size;
} list;

static void begin_list(vb_h5 *h5, list *l) {
  *l = (list){0};
  l->stream = open_memstream(&l->text, &l->size);
  if (!l->stream)
    vb_h5_out_of_memory(h5);
}

static bool add_name(const char *name, const list *l) {
  return fwrite(name, strlen(name) + 1, 1, l->stream) == 1;
}

static bool add_member(const char *name, H5L_type_t link, void *data) {
  (void)link;
  return add_name(name, data);
}

static bool add_dataset(const char *name, vb_h5_kind kind, void *data) {
  (void)kind;
  return add_name(name, data);
}

/// Ends the list; where all is well it is the caller's.
static vb_status end_list(vb_h5 *h5, list *l, char **out, size_t *n, vb_python_fault *fault) {
  if (l->stream && fclose(l->stream))
    vb_h5_out_of_memory(h5);
  if (h5->status) {
    free(l->text);
    return end(h5, fault);
  }
  *out = l->text;
  *n = l->size;
  return VB_OK;
}

vb_status vb_python_list(const char *path, int64_t object, const char *group, bool below,
                         char **names, size_t *size, vb_python_fault *fault, vb_error *error) {
  vb_h5 h5 = begin(path, error);
  hid_t found = vb_h5_open_group(&h5, object, group);
  *names = NULL;
  *size = 0;
  if (found < 0)
    return end(&h5, fault);
  list l;
  begin_list(&h5, &l);
  if (below)
    vb_h5_list_datasets(&h5, object, group, add_dataset, &l);
  else
    vb_h5_list_members(&h5, found, add_member, &l);
  vb_h5_release(found);
  return end_list(&h5, &l, names, size, fault);
}

vb_status vb_python_describe(const char *path, int64_t object, const char *name,
                             vb_python_dataset *out, bool *found, vb_python_fault *fault,
                             vb_error *error) {
  vb_h5 h5 = begin(path, error);
  vb_h5_dataset d;
  *found = vb_h5_open_dataset(&h5, object, name, &d);
  if (!*found)
    return end(&h5, fault);
  *out = (vb_python_dataset){.letter = d.kind == VB_H5_NUMBERS ? d.letter
                                       : d.kind == VB_H5_TEXTS ? 't'
                                                               : '?',
                             .size = (int32_t)d.size,
                             .rank = d.rank,
                             .extent = {d.extent[0], d.extent[1], d.extent[2]}};
  out->rows = d.rank > 0 ? vb_results_whole_rows(&h5, object, name, d.extent[0]) : 1;
  vb_results_unit_of(d.id, name, out->units, sizeof out->units);
  if (!vb_h5_read_attribute(d.id, "long_name", out->long_name, sizeof out->long_name))
    snprintf(out->long_name, sizeof out->long_name, "%s", vb_results_meaning(name));
  vb_h5_release(d.id);
  return end(&h5, fault);
}

/// Opens a dataset that must be there.
static bool open_dataset(vb_h5 *h5, int64_t object, const char *name, vb_h5_dataset *d) {
  if (vb_h5_open_dataset(h5, object, name, d))
    return true;
  if (!h5->status)
    h5->status = vb_bad_input(h5->error, "%s: there is no dataset \"%s\"", h5->path, name);
  return false;
}

vb_status vb_python_numbers(const char *path, int64_t object, const char *name,
                            const uint64_t start[3], const uint64_t count[3], bool integer,
                            void **numbers, size_t *n, vb_python_fault *fault, vb_error *error) {
  vb_h5 h5 = begin(path, error);
  vb_h5_dataset d;
  const vb_h5_block block = {{start[0], start[1], start[2]}, {count[0], count[1], count[2]}};
  if (!open_dataset(&h5, object, name, &d))
    return end(&h5, fault);
  if (integer)
    *numbers = vb_h5_new_integers(&h5, &d, &block);
  else
    *numbers = vb_h5_new_numbers(&h5, &d, &block);
  *n = count[0] * count[1] * count[2];
  vb_h5_release(d.id);
  return end(&h5, fault);
}

vb_status vb_python_texts(const char *path, int64_t object, const char *name, char **texts,
                          size_t *size, vb_python_fault *fault, vb_error *error) {
  vb_h5 h5 = begin(path, error);
  vb_h5_dataset d;
  size_t n = 0;
  list l;
  if (!open_dataset(&h5, object, name, &d))
    return end(&h5, fault);
  char **read = vb_h5_new_texts(&h5, &d, &n);
  vb_h5_release(d.id);
  begin_list(&h5, &l);
  for (size_t i = 0; l.stream && i < n; i++)
    add_name(read[i], &l);
  if (read)
    vb_texts_destroy(read, n);
  return end_list(&h5, &l, texts, size, fault);
}

bool vb_python_attribute(const char *path, int64_t object, const char *group, const char *name,
                         char *out, size_t size) {
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t found = vb_h5_open_group(&h5, object, group);
  bool there = found >= 0 && vb_h5_read_attribute(found, name, out, size);
  vb_h5_release(found);
  return there;
}

int64_t vb_python_integer(const char *path, int64_t object, const char *group, const char *name,
                          int64_t otherwise) {
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t found = vb_h5_open_group(&h5, object, group);
  int64_t value;
  bool there = found >= 0 && vb_h5_read_integer(&h5, found, name, &value);
  vb_h5_release(found);
  return there ? value : otherwise;
}
