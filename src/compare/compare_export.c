// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison for other programs: rows in CSV, or one JSON document.
#include "base/report_text.h"
#include "compare/compare_report.h"
#include "table/listing.h"

#include <string.h>

const char *const vb_outcome_words[] = {"agrees", "differs", "missing in A", "missing in B",
                                        "other shape"};

static void add_quantity(vb_listing *table, const vb_quantity_result *q) {
  const vb_difference *d = &q->difference;
  vb_listing_text(table, "name", q->name);
  vb_listing_text(table, "units", q->unit);
  vb_listing_text(table, "outcome", vb_outcome_words[q->outcome]);
  if (q->outcome == VB_OTHER_SHAPE)
    vb_listing_text(table, "note", q->note);
  if (q->outcome > VB_DIFFERS)
    return;
  vb_listing_integer(table, "numbers", (int64_t)d->n);
  vb_listing_integer(table, "bad", (int64_t)d->n_bad);
  vb_listing_real(table, "max_abs", d->greatest);
  vb_listing_real(table, "max_rel", d->relative);
  vb_listing_real(table, "rms", vb_difference_rms(d));
  vb_listing_real(table, "allowed", d->allowed);
  if (d->n_bad == 0)
    return;
  vb_listing_text(table, "first", q->first);
  vb_listing_real(table, "first_a", d->first_a);
  vb_listing_real(table, "first_b", d->first_b);
}

static json_t *describe_run(const vb_run_comparison *run) {
  vb_listing quantities = {0};
  json_t *differs = json_object();
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    if (run->differs[k])
      json_object_set_new(differs, vb_run_property_word(k), json_string(run->difference_text[k]));
  for (size_t i = 0; i < run->n_quantities; i++) {
    vb_listing_row(&quantities);
    add_quantity(&quantities, &run->quantities[i]);
  }
  return json_pack("{s:s, s:s, s:s, s:b, s:o, s:s, s:s, s:o, s:o, s:o}", "study", run->study, "run",
                   run->run, "other_run", run->other, "refused", run->refused, "unlike", differs,
                   "status_a", run->status[0], "status_b", run->status[1], "step_time_a",
                   vb_report_number(run->step_time[0]), "step_time_b",
                   vb_report_number(run->step_time[1]), "quantities",
                   vb_listing_take_json(&quantities));
}

static json_t *describe_side(const vb_gate_change *g, int side) {
  if (!g->has[side])
    return json_null();
  return json_pack("{s:b, s:o}", "passed", g->passed[side], "value",
                   vb_report_number(g->value[side]));
}

vb_status vb_compare_json(FILE *stream, const vb_compared *compared, vb_error *error) {
  const vb_compare_result *r = compared->result;
  json_t *runs = json_array(), *missing = json_array(), *gates = json_array();
  for (size_t i = 0; i < r->n_runs; i++)
    json_array_append_new(runs, describe_run(&r->runs[i]));
  for (size_t i = 0; i < r->n_missing; i++)
    json_array_append_new(missing,
                          json_pack("{s:s, s:s, s:s}", "study", r->missing[i].study, "run",
                                    r->missing[i].run, "in", r->missing[i].inside ? "B" : "A"));
  for (size_t i = 0; i < r->n_gates; i++)
    json_array_append_new(gates, json_pack("{s:s, s:s, s:s, s:o, s:o}", "study", r->gates[i].study,
                                           "name", r->gates[i].name, "runs", r->gates[i].runs, "a",
                                           describe_side(&r->gates[i], 0), "b",
                                           describe_side(&r->gates[i], 1)));
  vb_status verdict = vb_compare_verdict(r);
  json_t *document = json_pack(
      "{s:s, s:s, s:s, s:i, s:o, s:o, s:I, s:o}", "a", compared->a, "b", compared->b, "verdict",
      verdict == VB_OK       ? "SAME"
      : verdict == VB_FAILED ? "DIFFERENT"
                             : "REFUSED",
      "exit_code", (int)verdict, "runs", runs, "missing", missing, "gates_compared",
      (json_int_t)r->n_compared_gates, "gates_changed", gates);
  return vb_report_document(stream, document, error);
}

/// Begins a row of a quantity, a run or a gate, with the run that it is of.
static void begin_row(vb_listing *table, const char *kind, const char *study, const char *run) {
  vb_listing_row(table);
  vb_listing_text(table, "kind", kind);
  vb_listing_text(table, "study", study);
  vb_listing_text(table, "run", run);
}

/// A row of a run itself: that it was refused, and why.
static void add_note(vb_listing *table, const vb_run_comparison *run, const char *outcome,
                     const char *note) {
  begin_row(table, "run", run->study, run->run);
  vb_listing_text(table, "other_run", run->other);
  vb_listing_text(table, "outcome", outcome);
  vb_listing_text(table, "note", note);
}

static void add_comparison(vb_listing *table, const vb_run_comparison *run,
                           const vb_compare_request *request) {
  char note[256];
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    if (run->differs[k] && k != VB_PROPERTY_HARDWARE) {
      snprintf(note, sizeof note, "another %s: %s", vb_run_property_word(k),
               run->difference_text[k]);
      add_note(table, run, request->allow[k] ? "allowed" : "refused", note);
    }
  if (strcmp(run->status[0], run->status[1]) != 0) {
    snprintf(note, sizeof note, "A ended %s, B ended %s", run->status[0], run->status[1]);
    add_note(table, run, "differs", note);
  }
  for (size_t i = 0; i < run->n_quantities; i++) {
    const vb_quantity_result *q = &run->quantities[i];
    begin_row(table, "quantity", run->study, run->run);
    vb_listing_text(table, "other_run", run->other);
    vb_listing_text(table, "unit", q->unit);
    if (q->outcome == VB_DIFFERS) {
      vb_listing_real(table, "a", q->difference.first_a);
      vb_listing_real(table, "b", q->difference.first_b);
    }
    add_quantity(table, q);
  }
}

static void add_gate(vb_listing *table, const vb_gate_change *g) {
  begin_row(table, "gate", g->study, g->runs);
  vb_listing_text(table, "name", g->name);
  vb_listing_text(table, "outcome",
                  !g->has[0]   ? vb_outcome_words[VB_MISSING_A]
                  : !g->has[1] ? vb_outcome_words[VB_MISSING_B]
                               : vb_outcome_words[VB_DIFFERS]);
  for (int side = 0; side < 2; side++)
    if (g->has[side])
      vb_listing_real(table, side ? "b" : "a", g->value[side]);
  if (g->has[0] && g->has[1])
    vb_listing_text(table, "note", g->passed[1] ? "failed in A" : "failed in B");
}

vb_status vb_compare_csv(FILE *stream, const vb_compared *compared, vb_error *error) {
  const vb_compare_result *r = compared->result;
  vb_listing table = {0};
  for (size_t i = 0; i < r->n_runs; i++)
    add_comparison(&table, &r->runs[i], compared->request);
  for (size_t i = 0; i < r->n_missing; i++) {
    begin_row(&table, "run", r->missing[i].study, r->missing[i].run);
    vb_listing_text(&table, "outcome",
                    vb_outcome_words[r->missing[i].inside ? VB_MISSING_B : VB_MISSING_A]);
  }
  for (size_t i = 0; i < r->n_gates; i++)
    add_gate(&table, &r->gates[i]);
  return vb_listing_write_csv(stream, &table,
                              "kind,study,run,other_run,name,unit,outcome,max_abs,max_rel,rms,"
                              "allowed,numbers,bad,first,a,b,note",
                              error);
}
