// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/gate_record.h"

#include "gate/finding.h"

#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The names of the runs of a gate, separated by spaces; the caller frees it. Null for want of
/// memory.
static char *join_runs(const vb_gate *gate, const char *part) {
  size_t length = 1, more = part ? strlen(part) + 1 : 0;
  for (size_t i = 0; i < gate->n_runs; i++)
    length += more + strlen(gate->runs[i]) + 1;
  char *out = calloc(length, 1), *end = out;
  for (size_t i = 0; out && i < gate->n_runs; i++)
    end += sprintf(end, "%s%s%s%s", i ? " " : "", part ? part : "", part ? "-" : "", gate->runs[i]);
  return out;
}

vb_status vb_gate_record_make(const vb_gate *gate, const vb_verdict *verdict, const char *part,
                              vb_gate_record *out, vb_error *error) {
  char *runs = join_runs(gate, part);
  bool has_range = gate->finding && gate->band.kind == VB_BAND_RANGE;
  if (!runs)
    return vb_error_memory(error);
  *out = (vb_gate_record){.name = gate->name,
                          .runs = runs,
                          .quantity = gate->quantity,
                          .row = gate->row,
                          .component = gate->component,
                          .other_row = gate->apart ? gate->other_row : -1,
                          .measure = vb_measure_words[gate->measure],
                          .from = gate->from,
                          .to = gate->to,
                          .combination = vb_combination_words[gate->combination],
                          .value = verdict->value,
                          .comparator = vb_comparator_words[gate->comparator],
                          .reference = gate->reference,
                          .tolerance = gate->tolerance,
                          .relative = gate->relative,
                          .passed = verdict->passed,
                          .finding = gate->finding,
                          .timed = gate->timed,
                          .finding_verdict = vb_finding_words[verdict->finding],
                          .band_low = has_range ? gate->band.low : NAN,
                          .band_high = has_range ? gate->band.high : NAN,
                          .reason = gate->reason,
                          .note = verdict->note};
  return VB_OK;
}

void vb_gate_records_destroy(vb_gate_record *records, size_t n) {
  for (size_t i = 0; records && i < n; i++)
    free(records[i].runs);
  free(records);
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
                        (double)g->timed,
                        (double)g->band.kind,
                        g->band.low,
                        g->band.high,
                        (double)verdicts[i].finding,
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

vb_status vb_gates_write(const char *path, const vb_gate *gates, const vb_verdict *verdicts,
                         size_t n, vb_error *error) {
  char key[65];
  gates_key(gates, verdicts, n, key);
  vb_gate_record *records = calloc(n + 1, sizeof *records);
  vb_status status = records ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++)
    status = vb_gate_record_make(&gates[i], &verdicts[i], NULL, &records[i], error);
  if (!status)
    status = vb_results_write_gates(path, key, records, n, error);
  vb_gate_records_destroy(records, n);
  return status;
}
