// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison as one JSON document.
#include "base/report_text.h"
#include "compare/compare_report.h"

const char *const vb_outcome_words[] = {"agrees", "differs", "missing in A", "missing in B",
                                        "other shape"};

static json_t *describe_quantity(const vb_quantity_result *q) {
  const vb_difference *d = &q->difference;
  json_t *out = json_pack("{s:s, s:s, s:s}", "name", q->name, "units", q->unit, "outcome",
                          vb_outcome_words[q->outcome]);
  if (out && q->outcome == VB_OTHER_SHAPE)
    json_object_set_new(out, "note", json_string(q->note));
  if (!out || q->outcome > VB_DIFFERS)
    return out;
  json_object_set_new(out, "numbers", json_integer((json_int_t)d->n));
  json_object_set_new(out, "bad", json_integer((json_int_t)d->n_bad));
  json_object_set_new(out, "max_abs", vb_report_number(d->greatest));
  json_object_set_new(out, "max_rel", vb_report_number(d->relative));
  json_object_set_new(out, "rms", vb_report_number(vb_difference_rms(d)));
  json_object_set_new(out, "allowed", vb_report_number(d->allowed));
  if (d->n_bad == 0)
    return out;
  json_object_set_new(out, "first", json_string(q->first));
  json_object_set_new(out, "first_a", vb_report_number(d->first_a));
  json_object_set_new(out, "first_b", vb_report_number(d->first_b));
  return out;
}

static json_t *describe_run(const vb_run_comparison *run) {
  json_t *differs = json_object(), *quantities = json_array();
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    if (run->differs[k])
      json_object_set_new(differs, vb_run_property_word(k), json_string(run->difference_text[k]));
  for (size_t i = 0; i < run->n_quantities; i++)
    json_array_append_new(quantities, describe_quantity(&run->quantities[i]));
  return json_pack("{s:s, s:s, s:s, s:b, s:o, s:s, s:s, s:o, s:o, s:o}", "study", run->study, "run",
                   run->run, "other_run", run->other, "refused", run->refused, "unlike", differs,
                   "status_a", run->status[0], "status_b", run->status[1], "step_time_a",
                   vb_report_number(run->step_time[0]), "step_time_b",
                   vb_report_number(run->step_time[1]), "quantities", quantities);
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
