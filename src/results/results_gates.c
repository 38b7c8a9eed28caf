// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_gates.h"

#include "base/file.h"
#include "results/h5_change.h"
#include "results/h5_own.h"
#include "results/results_file.h"
#include "results/results_gate_columns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Of no gates, makes the empty dataset of column `i`: the same for all columns of its kind, as
/// most runs have none and headers take room.
static void write_none(vb_h5 *h5, hid_t group, size_t i) {
  size_t first = 0;
  while (vb_gate_columns[first].storage != vb_gate_columns[i].storage)
    first++;
  if (first == i)
    vb_h5_column_write(h5, group, &vb_gate_columns[i], NULL, 0, 0);
  else
    VB_H5(h5, H5Lcreate_hard(group, vb_gate_columns[first].name, group, vb_gate_columns[i].name,
                             H5P_DEFAULT, H5P_DEFAULT));
}

void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate_record *gates, size_t n) {
  vb_h5_links links = {.n = VB_N_GATE_COLUMNS};
  for (size_t i = 0; i < VB_N_GATE_COLUMNS; i++)
    links.letters += strlen(vb_gate_columns[i].name);
  hid_t group = vb_h5_group_of(h5, file, "gates", &links);
  for (size_t i = 0; i < VB_N_GATE_COLUMNS; i++)
    if (n > 0)
      vb_h5_column_write(h5, group, &vb_gate_columns[i], gates, sizeof *gates, n);
    else
      write_none(h5, group, i);
  vb_h5_release(group);
}

/// Whether the file holds these very gates; VB_BAD_INPUT in h5 where it is no file of a run.
static bool has_gates(vb_h5 *h5, const char *key) {
  char stored[65] = "";
  bool index = false;
  hid_t file = vb_results_open(h5, &index);
  if (!h5->status && index)
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "%s is the index of a study, no run", h5->path);
  hid_t group = vb_h5_open_group(h5, file, "gates");
  bool same = group >= 0 && vb_h5_read_attribute(group, "gates_key", stored, sizeof stored) &&
              strcmp(stored, key) == 0;
  vb_h5_release(group);
  vb_h5_release(file);
  return same;
}

/// Copies a file; the copy is open in `*copy`, which the caller closes. Whether this process wrote
/// the file to `*own`.
static vb_status copy_file(const char *from, const char *to, int *copy, bool *own,
                           vb_error *error) {
  const char *why;
  struct stat found;
  int in = vb_file_open(from, O_RDONLY, &why);
  if (in < 0)
    return vb_bad_input(error, "cannot read %s: %s", from, why);
  *own = fstat(in, &found) == 0 && vb_h5_is_own(&found);
  int out = vb_file_create(to, &why), code = 0;
  if (out >= 0) {
    code = vb_file_copy(in, out);
    why = strerror(code);
  }
  close(in);
  if (out >= 0 && !code) {
    *copy = out;
    return VB_OK;
  }
  if (out >= 0)
    close(out);
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", to, why);
}

/// Gates and the key that they are written under.
typedef struct new_gates {
  const char *key;
  const vb_gate_record *gates;
  size_t n;
} new_gates;

/// Replaces the gates of the file.
static void replace_gates(vb_h5 *h5, hid_t file, void *context) {
  const new_gates *to = context;
  if (H5Lexists(file, "gates", H5P_DEFAULT) > 0)
    VB_H5(h5, H5Ldelete(file, "gates", H5P_DEFAULT));
  vb_results_write_gate_group(h5, file, to->gates, to->n);
  hid_t group = VB_H5(h5, H5Gopen2(file, "gates", H5P_DEFAULT));
  vb_h5_attribute_label(h5, group, "gates_key", to->key);
  vb_h5_release(group);
}

/// Bytes that gates take at most: as much as the texts of one may have, and what HDF5 adds.
static size_t bytes_of(size_t n) {
  return ((size_t)1 << 20) + n * 16384;
}

static vb_status write_copy(const char *path, const char *copy, new_gates *to, bool *own,
                            vb_error *error) {
  int file = -1;
  vb_status status = copy_file(path, copy, &file, own, error);
  if (status)
    return status;
  status = vb_h5_change(copy, file, bytes_of(to->n), *own, replace_gates, to, error);
  if (close(file) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", copy, strerror(errno));
  return status;
}

// The file has its final name already, so the gates are put into a copy that then takes its place.
vb_status vb_results_write_gates(const char *path, const char *key, const vb_gate_record *gates,
                                 size_t n, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  if (has_gates(&h5, key))
    return VB_OK;
  if (h5.status)
    return h5.status;
  bool own = false;
  char *partial_path = vb_results_path(path, ".gates.part", false);
  if (!partial_path)
    return vb_error_memory(error);
  vb_status status = write_copy(path, partial_path, &(new_gates){key, gates, n}, &own, error);
  if (!status)
    status = vb_file_publish(partial_path, path, error);
  if (status)
    unlink(partial_path);
  else if (own)
    vb_h5_note_own(path);
  free(partial_path);
  return status;
}
