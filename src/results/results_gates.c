// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_gates.h"

#include "base/file.h"
#include "results/results_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// How a member of a gate's record is stored.
typedef enum kind { TEXT, REAL, INTEGER, FLAG } kind;

/// A dataset: one member of all records.
typedef struct column {
  const char *name;
  kind kind;
  size_t offset; ///< of the member in the record
  const char *long_name;
} column;

#define AT(member) offsetof(vb_gate_record, member)

static const column columns[] = {
    {"name", TEXT, AT(name), "name of the gate"},
    {"runs", TEXT, AT(runs), "names of the runs of the gate, separated by spaces"},
    {"quantity", TEXT, AT(quantity), "series that is measured"},
    {"row", INTEGER, AT(row), "element of the series, or -1"},
    {"component", INTEGER, AT(component), "component of the series, or -1"},
    {"other_row", INTEGER, AT(other_row),
     "the element from which the row's distance is taken, or -1"},
    {"measure", TEXT, AT(measure), "how a number is made of the series"},
    {"from", REAL, AT(from), "begin of the window measured"},
    {"to", REAL, AT(to), "end of the window measured"},
    {"combination", TEXT, AT(combination), "how the runs' numbers are combined"},
    {"value", REAL, AT(value), "measured value, in the unit of the quantity"},
    {"comparator", TEXT, AT(comparator), "what is asked of the value"},
    {"reference", REAL, AT(reference), "what the value is compared with"},
    {"tolerance", REAL, AT(tolerance), "difference allowed"},
    {"relative", FLAG, AT(relative), "1 where the tolerance is relative"},
    {"passed", FLAG, AT(passed), "1 where the gate is passed"},
    {"finding", FLAG, AT(finding),
     "1 where a miss is a finding about the model, and fails nothing"},
    {"reason", TEXT, AT(reason), "reason of the reference and the tolerance"},
    {"note", TEXT, AT(note), "why the value could not be measured, or empty"},
};

/// Stores one member of all records; `buffer` has room for it.
static void write_column(vb_h5 *h5, hid_t group, const column *c, const vb_gate_record *gates,
                         size_t n, void *buffer) {
  const size_t size[] = {[TEXT] = sizeof(char *),
                         [REAL] = sizeof(double),
                         [INTEGER] = sizeof(int64_t),
                         [FLAG] = sizeof(bool)};
  const hid_t in_file[] = {
      [REAL] = H5T_IEEE_F64LE, [INTEGER] = H5T_STD_I64LE, [FLAG] = H5T_STD_U8LE};
  const hid_t in_memory[] = {
      [REAL] = H5T_NATIVE_DOUBLE, [INTEGER] = H5T_NATIVE_INT64, [FLAG] = H5T_NATIVE_UINT8};
  for (size_t i = 0; i < n; i++)
    memcpy((char *)buffer + i * size[c->kind], (const char *)&gates[i] + c->offset, size[c->kind]);
  if (c->kind == TEXT)
    vb_h5_texts(h5, group, c->name, n, buffer, c->long_name);
  else
    vb_h5_write(h5, group,
                &(vb_h5_array){.name = c->name,
                               .rank = 1,
                               .extent = {n},
                               .file_type = in_file[c->kind],
                               .memory_type = in_memory[c->kind],
                               .data = buffer,
                               .unit = "1",
                               .long_name = c->long_name});
}

void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate_record *gates, size_t n) {
  void *buffer = calloc(n + 1, sizeof(int64_t)); // no member is larger
  if (!buffer) {
    vb_h5_out_of_memory(h5);
    return;
  }
  hid_t group = vb_h5_group(h5, file, "gates");
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    write_column(h5, group, &columns[i], gates, n, buffer);
  vb_h5_release(group);
  free(buffer);
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

static vb_status copy_file(const char *from, const char *to, vb_error *error) {
  const char *why;
  int in = vb_file_open(from, O_RDONLY, &why);
  if (in < 0)
    return vb_error_set(error, VB_BAD_INPUT, "cannot read %s: %s", from, why);
  int out = vb_file_create(to, &why), code = 0;
  if (out >= 0) {
    code = vb_file_copy(in, out);
    if (close(out) < 0 && !code)
      code = errno;
    why = strerror(code);
  }
  close(in);
  return out >= 0 && !code ? VB_OK
                           : vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", to, why);
}

/// Replaces the gates of the file.
static vb_status replace_gates(const char *path, const char *key, const vb_gate_record *gates,
                               size_t n, vb_error *error) {
  vb_h5 h5 = {path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_open_file(&h5, true);
  if (h5.status)
    return h5.status;
  vb_h5_reserve(&h5, file, ((size_t)1 << 20) + n * 16384);
  if (!h5.status && H5Lexists(file, "gates", H5P_DEFAULT) > 0)
    VB_H5(&h5, H5Ldelete(file, "gates", H5P_DEFAULT));
  vb_results_write_gate_group(&h5, file, gates, n);
  hid_t group = VB_H5(&h5, H5Gopen2(file, "gates", H5P_DEFAULT));
  vb_h5_attribute_text(&h5, group, "gates_key", key);
  vb_h5_release(group);
  vb_h5_flush(&h5, file);
  if (h5.status)
    vb_h5_divert(file);
  VB_H5(&h5, H5Fclose(file));
  if (h5.status)
    vb_h5_release(file);
  return h5.status;
}

// The file has its final name already, so the gates are put into a copy that then takes its place.
vb_status vb_results_write_gates(const char *path, const char *key, const vb_gate_record *gates,
                                 size_t n, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  if (has_gates(&h5, key))
    return VB_OK;
  if (h5.status)
    return h5.status;
  char *partial_path = vb_results_path(path, ".gates.part", false);
  if (!partial_path)
    return vb_error_memory(error);
  vb_status status = copy_file(path, partial_path, error);
  if (!status)
    status = replace_gates(partial_path, key, gates, n, error);
  if (!status)
    status = vb_file_publish(partial_path, path, error);
  if (status)
    unlink(partial_path);
  free(partial_path);
  return status;
}
