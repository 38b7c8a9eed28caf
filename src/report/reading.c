// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reading.h"

#include "base/names.h"
#include "base/printable.h"

#include <math.h>
#include <stdlib.h>

char *vb_reading_text(const vb_reading *r, const char *path) {
  vb_h5_dataset d;
  char *text = NULL;
  if (vb_h5_open_dataset(r->h5, r->from, path, &d) && d.kind == VB_H5_TEXTS)
    text = vb_h5_new_text(r->h5, &d);
  vb_h5_release(d.id);
  if (text)
    vb_printable_text(text);
  char *kept = vb_arena_text(r->memory, text ? text : "");
  free(text);
  return kept ? kept : "";
}

double vb_reading_number(const vb_reading *r, const char *path) {
  double value;
  return vb_h5_last_number(r->h5, r->from, path, &value) ? value : NAN;
}

char **vb_reading_texts(const vb_reading *r, const char *path, size_t *n) {
  vb_h5_dataset d;
  char **texts = NULL, **kept = NULL;
  *n = 0;
  if (vb_h5_open_dataset(r->h5, r->from, path, &d))
    texts = vb_h5_new_texts(r->h5, &d, n);
  vb_h5_release(d.id);
  if (!texts)
    return NULL;
  if (!VB_TAKE(r->memory, kept, *n + 1))
    vb_h5_out_of_memory(r->h5);
  for (size_t i = 0; i < *n; i++) {
    vb_printable_text(texts[i]);
    if (kept)
      kept[i] = vb_arena_text(r->memory, texts[i]);
    free(texts[i]);
  }
  free(texts);
  return kept;
}

static bool note_name(const char *name, H5L_type_t link, void *data) {
  vb_reading_list *list = data;
  (void)link;
  if (!vb_recorded_name_is_valid(name))
    return true;
  char **added = VB_APPEND(list->names, list->n);
  if (added)
    *added = vb_arena_text(list->memory, name);
  list->failed = !added || !*added;
  return !list->failed;
}

vb_reading_list vb_reading_names(const vb_reading *r, const char *path) {
  vb_reading_list list = {.memory = r->memory};
  hid_t group = vb_h5_open_group(r->h5, r->from, path);
  if (group >= 0)
    vb_h5_list_members(r->h5, group, note_name, &list);
  vb_h5_release(group);
  if (list.failed)
    vb_h5_out_of_memory(r->h5);
  return list;
}
