// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reading.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/// Numbers of a list that must have `n`; all NaN after a failure.
static void read_numbers(const vb_reading *r, const char *path, size_t n, double *out) {
  vb_h5_dataset d;
  for (size_t i = 0; i < n; i++)
    out[i] = NAN;
  bool there = vb_h5_open_dataset(r->h5, r->from, path, &d);
  if (there)
    vb_h5_expect(r->h5, &d, VB_H5_NUMBERS, 1, 1);
  if (!r->h5->status && (!there || d.extent[0] != n))
    r->h5->status = vb_bad_input(r->h5->error, "%s: /gates is damaged (%s)", r->h5->path, path);
  if (n > 0)
    vb_h5_read_numbers(r->h5, &d, &(vb_h5_block){.count = {n, 1, 1}}, out);
  vb_h5_release(d.id);
}

static void set_text(vb_gate_record *gate, size_t offset, char *text) {
  memcpy((char *)gate + offset, &text, sizeof text);
}

/// Files before schema 2.2 have none.
#define FINDING_VERDICT "gates/finding_verdict"

static void read_gate_texts(const vb_reading *r, vb_report_study *s) {
  static const struct {
    const char *path;
    size_t offset;
  } TEXTS[] = {{"gates/runs", offsetof(vb_gate_record, runs)},
               {"gates/quantity", offsetof(vb_gate_record, quantity)},
               {"gates/measure", offsetof(vb_gate_record, measure)},
               {"gates/combination", offsetof(vb_gate_record, combination)},
               {"gates/comparator", offsetof(vb_gate_record, comparator)},
               {"gates/reason", offsetof(vb_gate_record, reason)},
               {"gates/note", offsetof(vb_gate_record, note)},
               {"gates/name", offsetof(vb_gate_record, name)},
               {FINDING_VERDICT, offsetof(vb_gate_record, finding_verdict)}};
  for (size_t k = 0; k < sizeof TEXTS / sizeof *TEXTS && !r->h5->status; k++) {
    size_t n;
    if (!vb_h5_has(r->h5, r->from, TEXTS[k].path) && strcmp(TEXTS[k].path, FINDING_VERDICT) == 0) {
      for (size_t i = 0; i < s->n_gates; i++)
        s->gates[i].finding_verdict = "";
      continue;
    }
    char **texts = vb_reading_texts(r, TEXTS[k].path, &n);
    if (!r->h5->status && (!texts || n != s->n_gates))
      r->h5->status =
          vb_bad_input(r->h5->error, "%s: /gates is damaged (%s)", r->h5->path, TEXTS[k].path);
    for (size_t i = 0; i < s->n_gates && !r->h5->status; i++)
      set_text(&s->gates[i], TEXTS[k].offset, texts[i]);
  }
}

static void fill(double *out, size_t n, double value) {
  for (size_t i = 0; i < n; i++)
    out[i] = value;
}

static void read_gate_numbers(const vb_reading *r, vb_report_study *s) {
  static const char *const PATHS[] = {"gates/value",    "gates/reference", "gates/tolerance",
                                      "gates/relative", "gates/passed",    "gates/finding",
                                      "gates/timed",    "gates/band_low",  "gates/band_high"};
  enum { N = sizeof PATHS / sizeof *PATHS, FIRST_NEW = 6 }; // those since schema 2.2
  size_t n = s->n_gates;
  double *v;
  if (!VB_TAKE(r->memory, v, N * n + 1)) {
    vb_h5_out_of_memory(r->h5);
    return;
  }
  for (size_t k = 0; k < N; k++)
    if (k < FIRST_NEW || vb_h5_has(r->h5, r->from, PATHS[k]))
      read_numbers(r, PATHS[k], n, v + k * n);
    else
      fill(v + k * n, n, NAN);
  for (size_t i = 0; i < n; i++) {
    vb_gate_record *g = &s->gates[i];
    g->value = v[i];
    g->reference = v[n + i];
    g->tolerance = v[2 * n + i];
    g->relative = v[3 * n + i] != 0;
    g->passed = v[4 * n + i] == 1;
    g->finding = v[5 * n + i] == 1;
    g->timed = v[6 * n + i] == 1;
    g->band_low = v[7 * n + i];
    g->band_high = v[8 * n + i];
  }
}

void vb_reading_gates(const vb_reading *r, vb_report_study *s) {
  if (!vb_h5_has(r->h5, r->from, "gates") || r->h5->status)
    return;
  vb_reading_texts(r, "gates/name", &s->n_gates);
  if (!VB_TAKE(r->memory, s->gates, s->n_gates + 1))
    vb_h5_out_of_memory(r->h5);
  if (!r->h5->status)
    read_gate_texts(r, s);
  if (!r->h5->status)
    read_gate_numbers(r, s);
}
