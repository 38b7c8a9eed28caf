// SPDX-License-Identifier: GPL-3.0-or-later
/// Texts of datasets.
#include "results/h5_read_internal.h"

#include "base/arena.h"
#include "base/nearest_word.h"
#include "results/h5_reader.h"

#include <stdlib.h>
#include <string.h>

/// Memory of the texts that HDF5 reads. They are in the file as they are, so that together they
/// cannot be longer than it is.
typedef struct text_memory {
  vb_arena memory;
  size_t room; ///< bytes left
} text_memory;

static void *take_text(size_t size, void *data) {
  text_memory *m = data;
  if (size > m->room)
    return NULL;
  m->room -= size;
  return vb_arena_take(&m->memory, size, 1);
}

/// All are freed together, even what HDF5 loses where it fails.
static void keep_text(void *text, void *data) {
  (void)text, (void)data;
}

static char **copy_texts(vb_h5 *h5, char *const *from, size_t n) {
  char **out = h5->status ? NULL : calloc(n + 1, sizeof *out);
  bool whole = out != NULL;
  for (size_t i = 0; whole && i < n; i++)
    whole = (out[i] = strdup(from[i] ? from[i] : "")) != NULL;
  if (whole)
    return out;
  if (out)
    vb_texts_destroy(out, n);
  vb_h5_out_of_memory(h5);
  return NULL;
}

/// Reads texts that are each as long as they are.
static char **read_variable(vb_h5 *h5, const vb_h5_dataset *d, size_t *n) {
  text_memory texts = {.room =
                           vb_h5_file_bytes(h5, d) + d->extent[0]}; // and the zeros at their ends
  char **read = calloc(d->extent[0] + 1, sizeof *read);
  hid_t type = vb_h5_text_type(h5), plist = vb_h5_transfer_plist(h5);
  if (!read)
    vb_h5_out_of_memory(h5);
  VB_H5(h5, H5Pset_vlen_mem_manager(plist, take_text, &texts, keep_text, &texts));
  if (d->extent[0] > 0)
    VB_H5(h5, H5Dread(d->id, type, H5S_ALL, H5S_ALL, plist, read));
  char **out = read ? copy_texts(h5, read, d->extent[0]) : NULL;
  vb_arena_clear(&texts.memory);
  free(read);
  vb_h5_release(plist);
  vb_h5_release(type);
  if (out)
    *n = d->extent[0];
  return out;
}

/// Reads texts that all have the length of their type.
static char **read_fixed(vb_h5 *h5, const vb_h5_dataset *d, hid_t type, size_t *n) {
  char *read = calloc(d->extent[0] + 1, d->size);
  char **out = calloc(d->extent[0] + 1, sizeof *out);
  bool whole = read && out;
  if (whole && d->extent[0] > 0)
    VB_H5(h5, H5Dread(d->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read));
  for (size_t i = 0; whole && !h5->status && i < d->extent[0]; i++)
    whole = (out[i] = strndup(read + i * d->size, d->size)) != NULL;
  free(read);
  if (!whole)
    vb_h5_out_of_memory(h5);
  if (h5->status && out)
    vb_texts_destroy(out, d->extent[0]);
  if (h5->status)
    return NULL;
  *n = d->extent[0];
  return out;
}

char **vb_h5_new_texts(vb_h5 *h5, const vb_h5_dataset *d, size_t *n) {
  if (vb_reader_has(d->id))
    return vb_reader_texts(h5, d, n);
  vb_h5_expect(h5, d, VB_H5_TEXTS, 0, 1);
  hid_t stored = VB_H5(h5, H5Dget_type(d->id));
  bool fixed = !h5->status && H5Tis_variable_str(stored) == 0;
  char **texts = h5->status ? NULL : fixed ? read_fixed(h5, d, stored, n) : read_variable(h5, d, n);
  vb_h5_release(stored);
  return texts;
}

char *vb_h5_new_text(vb_h5 *h5, const vb_h5_dataset *d) {
  size_t n = 0;
  char **texts = vb_h5_new_texts(h5, d, &n), *out = NULL;
  if (!h5->status && n != 1)
    vb_h5_refuse(h5, d->path, "is not one text");
  for (size_t i = 0; i < n; i++)
    if (h5->status)
      free(texts[i]);
    else
      out = texts[i];
  free(texts);
  return out;
}
