// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_gates.h"

#include "base/file.h"
#include "results/h5_change.h"
#include "results/h5_own.h"
#include "results/results_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) offsetof(vb_gate_record, member), "1"

/// A dataset for each member of the records.
static const vb_h5_column columns[] = {
    {"name", VB_H5_TEXT, AT(name), "name of the gate", 1},
    {"runs", VB_H5_TEXT, AT(runs), "names of the runs of the gate, separated by spaces", 1},
    {"quantity", VB_H5_TEXT, AT(quantity), "series that is measured", 1},
    {"row", VB_H5_INT64, AT(row), "element of the series, or -1", 1},
    {"component", VB_H5_INT64, AT(component), "component of the series, or -1", 1},
    {"other_row", VB_H5_INT64, AT(other_row),
     "the element from which the row's distance is taken, or -1", 1},
    {"measure", VB_H5_TEXT, AT(measure), "how a number is made of the series", 1},
    {"from", VB_H5_REAL, AT(from), "begin of the window measured", 1},
    {"to", VB_H5_REAL, AT(to), "end of the window measured", 1},
    {"combination", VB_H5_TEXT, AT(combination), "how the runs' numbers are combined", 1},
    {"value", VB_H5_REAL, AT(value), "measured value, in the unit of the quantity", 1},
    {"comparator", VB_H5_TEXT, AT(comparator), "what is asked of the value", 1},
    {"reference", VB_H5_REAL, AT(reference), "what the value is compared with", 1},
    {"tolerance", VB_H5_REAL, AT(tolerance), "difference allowed", 1},
    {"relative", VB_H5_FLAG, AT(relative), "1 where the tolerance is relative", 1},
    {"passed", VB_H5_FLAG, AT(passed), "1 where the gate is passed", 1},
    {"finding", VB_H5_FLAG, AT(finding),
     "1 where a miss is a finding about the model, and fails nothing", 1},
    {"timed", VB_H5_FLAG, AT(timed), "1 where a finding depends on wall time", 1},
    {"finding_verdict", VB_H5_TEXT, AT(finding_verdict),
     "of a finding held against its band: as expected, worse, better, unmeasured, no band, not "
     "judged; or empty",
     1},
    {"band_low", VB_H5_REAL, AT(band_low), "least value expected of a finding, or NaN", 1},
    {"band_high", VB_H5_REAL, AT(band_high), "greatest value expected of a finding, or NaN", 1},
    {"reason", VB_H5_TEXT, AT(reason), "reason of the reference and the tolerance", 1},
    {"note", VB_H5_TEXT, AT(note), "why the value could not be measured, or empty", 1},
};

/// Of no gates, makes the empty dataset of column `i`: the same for all columns of its kind, as
/// most runs have none and headers take room.
static void write_none(vb_h5 *h5, hid_t group, size_t i) {
  size_t first = 0;
  while (columns[first].storage != columns[i].storage)
    first++;
  vb_h5_column none = columns[i];
  none.long_name = "there are no gates";
  if (first == i)
    vb_h5_column_write(h5, group, &none, NULL, 0, 0);
  else
    VB_H5(h5, H5Lcreate_hard(group, columns[first].name, group, columns[i].name, H5P_DEFAULT,
                             H5P_DEFAULT));
}

void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate_record *gates, size_t n) {
  enum { N = sizeof columns / sizeof *columns };
  vb_h5_links links = {.n = N};
  for (size_t i = 0; i < N; i++)
    links.letters += strlen(columns[i].name);
  hid_t group = vb_h5_group_of(h5, file, "gates", &links);
  for (size_t i = 0; i < N; i++)
    if (n > 0)
      vb_h5_column_write(h5, group, &columns[i], gates, sizeof *gates, n);
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
