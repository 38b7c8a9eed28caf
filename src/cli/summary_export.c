// SPDX-License-Identifier: GPL-3.0-or-later
// The report for other programs: a row for each run and each gate, in CSV or in JSON.
#include "base/report_text.h"
#include "base/version.h"
#include "cli/summary.h"
#include "gate/finding.h"
#include "results/provenance.h"

#include <math.h>

void vb_report_add_options(vb_listing *table, const vb_run_plan *run) {
  json_t *options = json_object();
  for (size_t i = 0; i < run->n_options; i++)
    json_object_set_new(options, run->options[i].name, json_string(run->options[i].value));
  vb_listing_json(table, "options", options);
}

void vb_report_add_gate(vb_listing *table, const vb_gate *gate) {
  bool has_range = gate->band.kind == VB_BAND_RANGE;
  vb_listing_text(table, "name", gate->name);
  vb_listing_json(table, "runs", vb_report_texts(gate->runs, gate->n_runs));
  vb_listing_text(table, "quantity", gate->quantity);
  vb_listing_text(table, "measure", vb_measure_words[gate->measure]);
  vb_listing_text(table, "combination", vb_combination_words[gate->combination]);
  vb_listing_text(table, "comparator", vb_comparator_words[gate->comparator]);
  vb_listing_real(table, "reference", gate->reference);
  vb_listing_real(table, "tolerance", gate->comparator == VB_CLOSE_TO ? gate->tolerance : NAN);
  vb_listing_flag(table, "relative", gate->relative);
  vb_listing_flag(table, "finding", gate->finding);
  vb_listing_flag(table, "timed", gate->timed);
  vb_listing_real(table, "band_low", has_range ? gate->band.low : NAN);
  vb_listing_real(table, "band_high", has_range ? gate->band.high : NAN);
  vb_listing_text(table, "reason", gate->reason);
}

void vb_report_begin_row(vb_listing *table, const char *kind, const char *study) {
  vb_listing_row(table);
  vb_listing_text(table, "kind", kind);
  vb_listing_text(table, "study", study);
}

static void add_run(vb_listing *table, const vb_run_plan *run, const vb_run_outcome *outcome) {
  const vb_run_summary *s = &outcome->summary;
  vb_listing_text(table, "name", run->name);
  vb_listing_text(table, "label", run->label ? run->label : run->name);
  vb_listing_text(table, "scenario", run->scenario);
  vb_listing_text(table, "solver", run->solver);
  vb_report_add_options(table, run);
  vb_listing_text(table, "file", outcome->path);
  vb_listing_flag(table, "kept", outcome->kept);
  vb_listing_integer(table, "dofs", outcome->dofs);
  vb_listing_text(table, "status", outcome->recorded ? s->status : "missing");
  if (outcome->error.status)
    vb_listing_text(table, "error", outcome->error.message);
  if (!outcome->recorded)
    return;
  vb_listing_text(table, "diverged", s->diverged ? s->what : NULL);
  vb_listing_text(table, "warning", s->warning[0] ? s->warning : NULL);
  vb_listing_integer(table, "steps", s->steps);
  if (s->convergence[0])
    vb_listing_text(table, "convergence", s->convergence);
  vb_listing_real(table, "wall_s", s->wall_s);
  vb_listing_real(table, "step_ms", s->steps ? 1e3 * s->wall_s / (double)s->steps : NAN);
  vb_listing_real(table, "dof_hz", vb_dof_rate(outcome));
  vb_listing_real(table, "residual", s->residual);
}

static json_t *describe_study(const vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  vb_listing runs = {0}, gates = {0};
  for (size_t i = 0; i < study->n_runs; i++) {
    vb_listing_row(&runs);
    add_run(&runs, &study->runs[i], &outcome->runs[i]);
  }
  for (size_t g = 0; g < study->n_gates; g++) {
    const vb_verdict *verdict = &outcome->verdicts[g];
    if (!outcome->evaluated[g])
      continue;
    vb_listing_row(&gates);
    vb_report_add_gate(&gates, &study->gates[g]);
    vb_listing_real(&gates, "value", verdict->value);
    vb_listing_flag(&gates, "passed", verdict->passed);
    vb_listing_text(&gates, "verdict", vb_verdict_word(&study->gates[g], verdict));
    vb_listing_text(&gates, "note", verdict->note);
  }
  const vb_error *stopped = vb_study_error(outcome);
  return json_pack("{s:s, s:s, s:s, s:i, s:s?, s:s?, s:o, s:o}", "name", study->name, "title",
                   study->title, "tier", study->tier, "status", (int)outcome->status, "message",
                   stopped ? stopped->message : NULL, "index",
                   outcome->indexed ? outcome->index : NULL, "runs", vb_listing_take_json(&runs),
                   "gates", vb_listing_take_json(&gates));
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

static void add_run_row(vb_listing *table, const vb_study *study, const vb_run_plan *run,
                        const vb_run_outcome *o) {
  const vb_run_summary *s = &o->summary;
  vb_report_begin_row(table, "run", study->name);
  vb_listing_text(table, "runs", run->name);
  vb_listing_text(table, "note",
                  o->error.status              ? o->error.message
                  : o->recorded && s->diverged ? s->what
                  : o->recorded                ? s->warning
                                               : NULL);
  add_run(table, run, o);
}

static void add_gate_row(vb_listing *table, const vb_study *study, const vb_gate *gate,
                         const vb_verdict *verdict) {
  vb_report_begin_row(table, "gate", study->name);
  vb_listing_text(table, "status", // as in tables, in small letters
                  gate->finding || verdict->passed ? vb_verdict_word(gate, verdict) : "failed");
  vb_listing_real(table, "value", verdict->value);
  vb_listing_text(table, "note", verdict->note);
  vb_report_add_gate(table, gate);
}

vb_status vb_report_csv(FILE *stream, const vb_study_outcome *outcomes, size_t n, vb_error *error) {
  vb_listing table = {0};
  for (size_t i = 0; i < n; i++) {
    const vb_study_outcome *o = &outcomes[i];
    for (size_t r = 0; r < o->study->n_runs; r++)
      add_run_row(&table, o->study, &o->study->runs[r], &o->runs[r]);
    for (size_t g = 0; g < o->study->n_gates; g++)
      if (o->evaluated[g])
        add_gate_row(&table, o->study, &o->study->gates[g], &o->verdicts[g]);
  }
  return vb_listing_write_csv(
      stream, &table,
      "kind,study,name,runs,status,value," VB_CSV_GATE_NAMES
      ",note,scenario,solver,options,kept,dofs,steps,wall_s,step_ms,dof_hz,residual,convergence,"
      "file",
      error);
}
