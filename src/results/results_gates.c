// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "gate/gate_words.h"
#include "results/results_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The names of the runs of a gate, separated by spaces; the caller frees it. Null for want of
/// memory.
static char *join_runs(const vb_gate *gate) {
  size_t length = 1;
  for (size_t i = 0; i < gate->n_runs; i++)
    length += strlen(gate->runs[i]) + 1;
  char *out = calloc(length, 1), *end = out;
  for (size_t i = 0; out && i < gate->n_runs; i++)
    end += sprintf(end, "%s%s", i ? " " : "", gate->runs[i]);
  return out;
}

/// Gates turned from rows into columns.
typedef struct gate_columns {
  size_t n;
  const char **text; ///< (n) one column at a time
  char **runs;       ///< (n) owned
  double *number;    ///< (n) one column at a time
} gate_columns;

static bool allocate(gate_columns *c, const vb_gate *gates, size_t n) {
  *c = (gate_columns){.n = n,
                      .text = calloc(n + 1, sizeof *c->text),
                      .runs = calloc(n + 1, sizeof *c->runs),
                      .number = calloc(n + 1, sizeof *c->number)};
  bool good = c->text && c->runs && c->number;
  for (size_t i = 0; good && i < n; i++)
    good = (c->runs[i] = join_runs(&gates[i])) != NULL;
  return good;
}

static void release(gate_columns *c) {
  for (size_t i = 0; c->runs && i < c->n; i++)
    free(c->runs[i]);
  free(c->runs);
  free(c->text);
  free(c->number);
}

static void write_numbers(vb_h5 *h5, hid_t group, const char *name, const gate_columns *c,
                          hid_t file_type, const char *long_name) {
  vb_h5_write(h5, group,
              &(vb_h5_array){.name = name,
                             .rank = 1,
                             .extent = {c->n},
                             .file_type = file_type,
                             .memory_type = H5T_NATIVE_DOUBLE,
                             .data = c->number,
                             .unit = "1",
                             .long_name = long_name});
}

// Each fills one column and stores it; `expression` speaks of gate g and verdict v.
#define TEXTS(name, expression, long_name)                                                         \
  do {                                                                                             \
    for (size_t i = 0; i < n; i++) {                                                               \
      const vb_gate *g = &gates[i];                                                                \
      const vb_verdict *v = &verdicts[i];                                                          \
      (void)g, (void)v;                                                                            \
      c.text[i] = (expression);                                                                    \
    }                                                                                              \
    vb_h5_texts(h5, group, name, n, c.text, long_name);                                            \
  } while (0)
#define NUMBERS(name, type, expression, long_name)                                                 \
  do {                                                                                             \
    for (size_t i = 0; i < n; i++) {                                                               \
      const vb_gate *g = &gates[i];                                                                \
      const vb_verdict *v = &verdicts[i];                                                          \
      (void)g, (void)v;                                                                            \
      c.number[i] = (double)(expression);                                                          \
    }                                                                                              \
    write_numbers(h5, group, name, &c, type, long_name);                                           \
  } while (0)

// One line per column. NOLINTNEXTLINE(readability-function-size)
void vb_results_write_gate_group(vb_h5 *h5, hid_t file, const vb_gate *gates,
                                 const vb_verdict *verdicts, size_t n) {
  gate_columns c;
  if (!allocate(&c, gates, n)) {
    h5->status = h5->status ? h5->status : vb_error_memory(h5->error);
    release(&c);
    return;
  }
  hid_t group = vb_h5_group(h5, file, "gates");
  TEXTS("name", g->name, "name of the gate");
  TEXTS("runs", c.runs[i], "names of the runs it speaks of, separated by spaces");
  TEXTS("quantity", g->quantity, "series that is measured");
  NUMBERS("row", H5T_STD_I64LE, g->row, "element of the series, or -1");
  NUMBERS("component", H5T_STD_I64LE, g->component, "component of the series, or -1");
  NUMBERS("other_row", H5T_STD_I64LE, g->apart ? g->other_row : -1,
          "the element from which the row's distance is taken, or -1");
  TEXTS("measure", vb_measure_words[g->measure], "how a number is made of the series");
  NUMBERS("from", H5T_IEEE_F64LE, g->from, "begin of the window measured");
  NUMBERS("to", H5T_IEEE_F64LE, g->to, "end of the window measured");
  TEXTS("combination", vb_combination_words[g->combination], "how the runs' numbers are combined");
  NUMBERS("value", H5T_IEEE_F64LE, v->value, "measured value, in the unit of the quantity");
  TEXTS("comparator", vb_comparator_words[g->comparator], "what is asked of the value");
  NUMBERS("reference", H5T_IEEE_F64LE, g->reference, "what the value is compared with");
  NUMBERS("tolerance", H5T_IEEE_F64LE, g->tolerance, "difference allowed");
  NUMBERS("relative", H5T_STD_U8LE, g->relative, "1 where the tolerance is relative");
  NUMBERS("passed", H5T_STD_U8LE, v->passed, "1 where the gate is passed");
  NUMBERS("finding", H5T_STD_U8LE, g->finding,
          "1 where a miss is a finding about the model, and fails nothing");
  TEXTS("reason", g->reason, "reason of the reference and the tolerance");
  TEXTS("note", v->note, "why the value could not be measured, or empty");
  vb_h5_release(group);
  release(&c);
}

/// A hash over the gates and their verdicts, 64 digits and a zero.
static void gates_key(const vb_gate *gates, const vb_verdict *verdicts, size_t n, char hex[65]) {
  SHA2_CTX hash;
  char digest[SHA256_DIGEST_STRING_LENGTH];
  SHA256Init(&hash);
  for (size_t i = 0; i < n; i++) {
    const vb_gate *g = &gates[i];
    double numbers[] = {verdicts[i].value,
                        g->origin,
                        g->from,
                        g->to,
                        g->reference,
                        g->tolerance,
                        (double)g->row,
                        (double)g->component,
                        (double)g->apart,
                        (double)g->other_row,
                        (double)g->finding,
                        (double)g->measure,
                        (double)g->combination,
                        (double)g->comparator,
                        (double)g->relative,
                        (double)verdicts[i].passed};
    const char *texts[] = {g->name, g->quantity, g->reason, verdicts[i].note};
    SHA256Update(&hash, (const uint8_t *)numbers, sizeof numbers);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      SHA256Update(&hash, (const uint8_t *)texts[k], strlen(texts[k]) + 1);
    for (size_t k = 0; k < g->n_runs; k++)
      SHA256Update(&hash, (const uint8_t *)g->runs[k], strlen(g->runs[k]) + 1);
  }
  SHA256End(&hash, digest);
  memcpy(hex, digest, 65);
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

static vb_status copy_failed(const char *path, vb_error *error) {
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(errno));
}

static vb_status copy_file(const char *from, const char *to, vb_error *error) {
  vb_status status = VB_OK;
  const char *why;
  int in = vb_file_open(from, O_RDONLY, &why);
  if (in < 0)
    return vb_error_set(error, VB_BAD_INPUT, "cannot read %s: %s", from, why);
  int out = vb_file_create(to, &why);
  char buffer[1 << 16];
  ssize_t n = 0;
  if (out < 0)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", to, why);
  while (!status && (n = read(in, buffer, sizeof buffer)) > 0)
    for (ssize_t done = 0, wrote = 0; done < n && !status; done += wrote)
      if ((wrote = write(out, buffer + done, (size_t)(n - done))) < 0)
        status = copy_failed(to, error);
  if (!status && n < 0)
    status = vb_error_set(error, VB_BAD_INPUT, "cannot read %s: %s", from, strerror(errno));
  if (out >= 0 && close(out) < 0 && !status)
    status = copy_failed(to, error);
  close(in);
  return status;
}

/// Replaces the gates of the file.
static vb_status replace_gates(const char *path, const char *key, const vb_gate *gates,
                               const vb_verdict *verdicts, size_t n, vb_error *error) {
  vb_h5 h5 = {path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_open_file(&h5, true);
  if (h5.status)
    return h5.status;
  vb_h5_reserve(&h5, file, ((size_t)1 << 20) + n * 16384);
  if (!h5.status && H5Lexists(file, "gates", H5P_DEFAULT) > 0)
    VB_H5(&h5, H5Ldelete(file, "gates", H5P_DEFAULT));
  vb_results_write_gate_group(&h5, file, gates, verdicts, n);
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
vb_status vb_results_write_gates(const char *path, const vb_gate *gates, const vb_verdict *verdicts,
                                 size_t n, vb_error *error) {
  char key[65];
  gates_key(gates, verdicts, n, key);
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
    status = replace_gates(partial_path, key, gates, verdicts, n, error);
  if (!status)
    status = vb_file_publish(partial_path, path, error);
  if (status)
    unlink(partial_path);
  free(partial_path);
  return status;
}
