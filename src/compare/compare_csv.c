// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison as comma-separated values.
#include "base/report_text.h"
#include "compare/compare_report.h"

#include <string.h>

/// Fields between the outcome and the note.
enum { NUMBERS = 9 };

static void put_names(vb_csv *csv, const char *kind, const vb_run_comparison *run) {
  vb_csv_text(csv, kind);
  vb_csv_text(csv, run->study);
  vb_csv_text(csv, run->run);
  vb_csv_text(csv, run->other);
}

static void put_quantity(vb_csv *csv, const vb_run_comparison *run, const vb_quantity_result *q) {
  const vb_difference *d = &q->difference;
  put_names(csv, "quantity", run);
  vb_csv_text(csv, q->name);
  vb_csv_text(csv, q->unit);
  vb_csv_text(csv, vb_outcome_words[q->outcome]);
  if (q->outcome <= VB_DIFFERS) {
    vb_csv_number(csv, d->greatest);
    vb_csv_number(csv, d->relative);
    vb_csv_number(csv, vb_difference_rms(d));
    vb_csv_number(csv, d->allowed);
    vb_csv_integer(csv, (int64_t)d->n);
    vb_csv_integer(csv, (int64_t)d->n_bad);
  } else {
    vb_csv_gap(csv, 6);
  }
  if (q->outcome == VB_DIFFERS) {
    vb_csv_text(csv, q->first);
    vb_csv_number(csv, d->first_a);
    vb_csv_number(csv, d->first_b);
  } else {
    vb_csv_gap(csv, 3);
  }
  vb_csv_text(csv, q->outcome == VB_OTHER_SHAPE ? q->note : NULL);
  vb_csv_end(csv);
}

/// A row of a run itself: that it was refused, and why.
static void put_run(vb_csv *csv, const vb_run_comparison *run, const char *outcome,
                    const char *note) {
  put_names(csv, "run", run);
  vb_csv_gap(csv, 2);
  vb_csv_text(csv, outcome);
  vb_csv_gap(csv, NUMBERS);
  vb_csv_text(csv, note);
  vb_csv_end(csv);
}

static void put_property(vb_csv *csv, const vb_run_comparison *run, vb_run_property k,
                         bool allowed) {
  char note[256];
  snprintf(note, sizeof note, "another %s: %s", vb_run_property_word(k), run->difference_text[k]);
  put_run(csv, run, allowed ? "allowed" : "refused", note);
}

static void put_comparison(vb_csv *csv, const vb_run_comparison *run,
                           const vb_compare_request *request) {
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    if (run->differs[k] && k != VB_PROPERTY_HARDWARE)
      put_property(csv, run, k, request->allow[k]);
  if (strcmp(run->status[0], run->status[1]) != 0) {
    char note[64];
    snprintf(note, sizeof note, "A ended %s, B ended %s", run->status[0], run->status[1]);
    put_run(csv, run, "differs", note);
  }
  for (size_t i = 0; i < run->n_quantities; i++)
    put_quantity(csv, run, &run->quantities[i]);
}

static void put_missing(vb_csv *csv, const vb_source *source) {
  vb_csv_text(csv, "run");
  vb_csv_text(csv, source->study);
  vb_csv_text(csv, source->run);
  vb_csv_gap(csv, 3);
  vb_csv_text(csv, source->inside ? "missing in B" : "missing in A");
  vb_csv_gap(csv, NUMBERS + 1);
  vb_csv_end(csv);
}

static void put_gate(vb_csv *csv, const vb_gate_change *g) {
  vb_csv_text(csv, "gate");
  vb_csv_text(csv, g->study);
  vb_csv_text(csv, g->runs);
  vb_csv_gap(csv, 1);
  vb_csv_text(csv, g->name);
  vb_csv_gap(csv, 1);
  vb_csv_text(csv, !g->has[0] ? "missing in A" : !g->has[1] ? "missing in B" : "differs");
  vb_csv_gap(csv, NUMBERS - 2);
  for (int side = 0; side < 2; side++)
    if (g->has[side])
      vb_csv_number(csv, g->value[side]);
    else
      vb_csv_gap(csv, 1);
  vb_csv_text(csv, g->has[0] && g->has[1] ? g->passed[1] ? "failed in A" : "failed in B" : NULL);
  vb_csv_end(csv);
}

void vb_compare_csv(FILE *stream, const vb_compared *compared) {
  const vb_compare_result *r = compared->result;
  vb_csv csv = {stream, false};
  fputs("kind,study,run,other_run,name,unit,outcome,max_abs,max_rel,rms,allowed,numbers,bad,first,"
        "a,b,note\n",
        stream);
  for (size_t i = 0; i < r->n_runs; i++)
    put_comparison(&csv, &r->runs[i], compared->request);
  for (size_t i = 0; i < r->n_missing; i++)
    put_missing(&csv, &r->missing[i]);
  for (size_t i = 0; i < r->n_gates; i++)
    put_gate(&csv, &r->gates[i]);
}
