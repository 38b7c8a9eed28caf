// SPDX-License-Identifier: GPL-3.0-or-later
// The report as one JSON document.
#include "base/report_text.h"
#include "base/version.h"
#include "cli/summary.h"
#include "gate/finding.h"
#include "results/provenance.h"

#include <math.h>
#include <string.h>

json_t *vb_report_describe_options(const vb_run_plan *run) {
  json_t *options = json_object();
  for (size_t i = 0; i < run->n_options; i++)
    json_object_set_new(options, run->options[i].name, json_string(run->options[i].value));
  return options;
}

static json_t *describe_run(const vb_run_plan *run, const vb_run_outcome *outcome) {
  const vb_run_summary *s = &outcome->summary;
  json_t *out = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:b, s:I, s:s}", "name", run->name,
                          "label", run->label ? run->label : run->name, "scenario", run->scenario,
                          "solver", run->solver, "options", vb_report_describe_options(run), "file",
                          outcome->path, "kept", outcome->kept, "dofs", (json_int_t)outcome->dofs,
                          "status", outcome->recorded ? s->status : "missing");
  if (out && outcome->error.status)
    json_object_set_new(out, "error", json_string(outcome->error.message));
  if (!out || !outcome->recorded)
    return out;
  double step_ms = s->steps ? 1e3 * s->wall_s / (double)s->steps : NAN;
  json_object_set_new(out, "diverged", s->diverged ? json_string(s->what) : json_null());
  json_object_set_new(out, "warning", s->warning[0] ? json_string(s->warning) : json_null());
  json_object_set_new(out, "steps", json_integer(s->steps));
  if (s->convergence[0])
    json_object_set_new(out, "convergence", json_string(s->convergence));
  if (strcmp(s->convergence, "no") == 0) {
    json_object_set_new(out, "convergence_missed", json_integer(s->missed));
    json_object_set_new(out, "convergence_worst", vb_report_number(s->worst));
  }
  json_object_set_new(out, "wall_s", vb_report_number(s->wall_s));
  json_object_set_new(out, "step_ms", vb_report_number(step_ms));
  json_object_set_new(out, "dof_hz", vb_report_number(vb_dof_rate(outcome)));
  json_object_set_new(out, "residual", vb_report_number(s->residual));
  return out;
}

json_t *vb_report_describe_gate(const vb_gate *gate) {
  json_t *runs = json_array();
  for (size_t i = 0; i < gate->n_runs; i++)
    json_array_append_new(runs, json_string(gate->runs[i]));
  bool has_range = gate->band.kind == VB_BAND_RANGE;
  return json_pack(
      "{s:s, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:s}", "name", gate->name,
      "runs", runs, "quantity", gate->quantity, "measure", vb_measure_words[gate->measure],
      "combination", vb_combination_words[gate->combination], "comparator",
      vb_comparator_words[gate->comparator], "reference", vb_report_number(gate->reference),
      "tolerance",
      gate->comparator == VB_CLOSE_TO ? vb_report_number(gate->tolerance) : json_null(), "relative",
      gate->relative, "finding", gate->finding, "timed", gate->timed, "band_low",
      has_range ? vb_report_number(gate->band.low) : json_null(), "band_high",
      has_range ? vb_report_number(gate->band.high) : json_null(), "reason", gate->reason);
}

static json_t *describe_gate(const vb_gate *gate, const vb_verdict *verdict) {
  json_t *out = vb_report_describe_gate(gate);
  json_object_set_new(out, "value", vb_report_number(verdict->value));
  json_object_set_new(out, "passed", json_boolean(verdict->passed));
  json_object_set_new(out, "verdict", json_string(vb_verdict_word(gate, verdict)));
  json_object_set_new(out, "note", json_string(verdict->note));
  return out;
}

static json_t *describe_study(const vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  json_t *runs = json_array(), *gates = json_array();
  for (size_t i = 0; i < study->n_runs; i++)
    json_array_append_new(runs, describe_run(&study->runs[i], &outcome->runs[i]));
  for (size_t g = 0; g < study->n_gates; g++)
    if (outcome->evaluated[g])
      json_array_append_new(gates, describe_gate(&study->gates[g], &outcome->verdicts[g]));
  const vb_error *stopped = vb_study_error(outcome);
  return json_pack("{s:s, s:s, s:s, s:i, s:s?, s:s?, s:o, s:o}", "name", study->name, "title",
                   study->title, "tier", study->tier, "status", (int)outcome->status, "message",
                   stopped ? stopped->message : NULL, "index",
                   outcome->indexed ? outcome->index : NULL, "runs", runs, "gates", gates);
}

vb_status vb_report_json(FILE *stream, const vb_study_outcome *outcomes, size_t n, int exit_code,
                         vb_error *error) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  json_t *studies = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(studies, describe_study(&outcomes[i]));
  json_t *document =
      json_pack("{s:s, s:s, s:s, s:b, s:s, s:i, s:o}", "program", "viperbench", "version",
                VB_VERSION, "commit", origin.commit, "dirty", origin.dirty, "date", origin.date,
                "exit_code", exit_code, "studies", studies);
  return vb_report_document(stream, document, error);
}
