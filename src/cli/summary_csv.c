// SPDX-License-Identifier: GPL-3.0-or-later
// The report as comma-separated values: a row for each run and each gate.
#include "cli/summary.h"
#include "gate/finding.h"

#include <math.h>
#include <stdlib.h>

/// Fields of a run that a gate does not have, behind the note.
enum { RUN_FIELDS = 12 };

/// Texts that are written one after the other, as a field.
static void put_joined(vb_csv *csv, char *joined) {
  vb_csv_text(csv, joined ? joined : "");
  free(joined);
}

void vb_csv_runs(vb_csv *csv, const vb_gate *gate) {
  char *joined = NULL;
  size_t size;
  FILE *stream = open_memstream(&joined, &size);
  for (size_t i = 0; stream && i < gate->n_runs; i++)
    fprintf(stream, "%s%s", i ? " " : "", gate->runs[i]);
  if (stream)
    fclose(stream);
  put_joined(csv, joined);
}

void vb_csv_options(vb_csv *csv, const vb_run_plan *run) {
  char *joined = NULL;
  size_t size;
  FILE *stream = open_memstream(&joined, &size);
  for (size_t i = 0; stream && i < run->n_options; i++)
    fprintf(stream, "%s%s=%s", i ? " " : "", run->options[i].name, run->options[i].value);
  if (stream)
    fclose(stream);
  put_joined(csv, joined);
}

static void put_bool(vb_csv *csv, bool value) {
  vb_csv_text(csv, value ? "true" : "false");
}

void vb_csv_gate(vb_csv *csv, const vb_gate *gate) {
  vb_csv_text(csv, gate->quantity);
  vb_csv_text(csv, vb_measure_words[gate->measure]);
  vb_csv_text(csv, vb_comparator_words[gate->comparator]);
  vb_csv_number(csv, gate->reference);
  vb_csv_number(csv, gate->comparator == VB_CLOSE_TO ? gate->tolerance : NAN);
  put_bool(csv, gate->relative);
  put_bool(csv, gate->finding);
  put_bool(csv, gate->timed);
  bool has_range = gate->band.kind == VB_BAND_RANGE;
  vb_csv_number(csv, has_range ? gate->band.low : NAN);
  vb_csv_number(csv, has_range ? gate->band.high : NAN);
  vb_csv_text(csv, gate->reason);
}

static void put_run(vb_csv *csv, const vb_study *study, const vb_run_plan *run,
                    const vb_run_outcome *o) {
  const vb_run_summary *s = &o->summary;
  vb_csv_text(csv, "run");
  vb_csv_text(csv, study->name);
  vb_csv_text(csv, run->name);
  vb_csv_text(csv, run->name);
  vb_csv_text(csv, o->recorded ? s->status : "missing");
  vb_csv_gap(csv, 1 + VB_CSV_GATE);
  vb_csv_text(csv, o->error.status              ? o->error.message
                   : o->recorded && s->diverged ? s->what
                   : o->recorded                ? s->warning
                                                : NULL);
  vb_csv_text(csv, run->scenario);
  vb_csv_text(csv, run->solver);
  vb_csv_options(csv, run);
  put_bool(csv, o->kept);
  vb_csv_integer(csv, o->dofs);
  if (o->recorded) {
    vb_csv_integer(csv, s->steps);
    vb_csv_number(csv, s->wall_s);
    vb_csv_number(csv, s->steps ? 1e3 * s->wall_s / (double)s->steps : NAN);
    vb_csv_number(csv, vb_dof_rate(o));
    vb_csv_number(csv, s->residual);
    vb_csv_text(csv, s->convergence);
  } else {
    vb_csv_gap(csv, 6);
  }
  vb_csv_text(csv, o->path);
  vb_csv_end(csv);
}

/// As in tables, in small letters.
static const char *verdict_status(const vb_gate *gate, const vb_verdict *verdict) {
  return gate->finding || verdict->passed ? vb_verdict_word(gate, verdict) : "failed";
}

static void put_gate(vb_csv *csv, const vb_study *study, const vb_gate *gate,
                     const vb_verdict *verdict) {
  vb_csv_text(csv, "gate");
  vb_csv_text(csv, study->name);
  vb_csv_text(csv, gate->name);
  vb_csv_runs(csv, gate);
  vb_csv_text(csv, verdict_status(gate, verdict));
  vb_csv_number(csv, verdict->value);
  vb_csv_gate(csv, gate);
  vb_csv_text(csv, verdict->note);
  vb_csv_gap(csv, RUN_FIELDS);
  vb_csv_end(csv);
}

void vb_report_csv(FILE *stream, const vb_study_outcome *outcomes, size_t n) {
  vb_csv csv = {stream, false};
  fputs("kind,study,name,runs,status,value," VB_CSV_GATE_NAMES
        ",note,scenario,solver,options,kept,dofs,steps,wall_s,step_ms,dof_hz,residual,convergence,"
        "file\n",
        stream);
  for (size_t i = 0; i < n; i++) {
    const vb_study_outcome *o = &outcomes[i];
    for (size_t r = 0; r < o->study->n_runs; r++)
      put_run(&csv, o->study, &o->study->runs[r], &o->runs[r]);
    for (size_t g = 0; g < o->study->n_gates; g++)
      if (o->evaluated[g])
        put_gate(&csv, o->study, &o->study->gates[g], &o->verdicts[g]);
  }
}
