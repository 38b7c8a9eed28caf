// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/summary.h"

#include "base/printable.h"
#include "base/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The runs a gate speaks of: its one run, or how several are combined.
static void name_runs(const vb_gate *gate, char *out, size_t size) {
  static const char *const FORMAT[] = {[VB_SINGLE] = "%s%.0s",
                                       [VB_DIFFERENCE] = "%s - %s",
                                       [VB_RATIO] = "%s / %s",
                                       [VB_SURFACE_RMS] = "%s to %s",
                                       [VB_SURFACE_HAUSDORFF] = "%s to %s",
                                       [VB_OVER_DISTANCE] = "%s to %s",
                                       [VB_ORDER] = "%s .. %s"};
  snprintf(out, size, FORMAT[gate->combination], gate->n_runs ? gate->runs[0] : "",
           gate->n_runs ? gate->runs[gate->n_runs - 1] : "");
}

static void print_gate(FILE *stream, const vb_gate *gate, const vb_verdict *verdict) {
  static const char *const SIGN[] = {
      [VB_CLOSE_TO] = " =", [VB_AT_MOST] = "<=", [VB_AT_LEAST] = ">="};
  char runs[128], tolerance[32] = "";
  name_runs(gate, runs, sizeof runs);
  if (gate->comparator == VB_CLOSE_TO)
    snprintf(tolerance, sizeof tolerance, "%.2g%s", gate->tolerance, gate->relative ? " rel" : "");
  vb_report_cell(stream, "  ", gate->name, 38);
  vb_report_cell(stream, " ", runs, 19);
  fprintf(stream, "  %13.7g %s %-13.7g ", verdict->value, SIGN[gate->comparator], gate->reference);
  vb_report_cell(stream, "", tolerance, 9);
  fprintf(stream, " %s\n", verdict->passed ? "passed" : gate->finding ? "finding" : "FAILED");
  if (verdict->note[0]) {
    vb_report_end(stream, "      ", verdict->note, VB_REPORT_WIDTH - 6);
  }
}

void vb_report_shards(FILE *stream, const vb_study_outcome *outcomes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const vb_study_outcome *o = &outcomes[i];
    size_t mine = 0, recorded = 0;
    for (size_t r = 0; r < o->study->n_runs; r++) {
      mine += o->runs[r].mine;
      recorded += o->runs[r].mine && o->runs[r].recorded;
    }
    if (mine < o->study->n_runs && !o->whole)
      fprintf(
          stream,
          "%s: %zu of this shard's %zu runs are recorded; the study has %zu, and the last shard "
          "joins them\n",
          o->study->name, recorded, mine, o->study->n_runs);
  }
}

void vb_report_gates(FILE *stream, const vb_study_outcome *outcomes, size_t n) {
  size_t evaluated = 0, passed = 0, findings = 0;
  for (size_t i = 0; i < n; i++) {
    const vb_study *study = outcomes[i].study;
    bool titled = false;
    for (size_t g = 0; g < study->n_gates; g++) {
      if (!outcomes[i].evaluated[g])
        continue;
      if (evaluated == 0)
        fprintf(stream, "  %-38s %-19s %14s    %-13s %-9s verdict\n", "gate", "run", "value",
                "reference", "tolerance");
      if (!titled) {
        vb_report_cell(stream, "", study->name, vb_report_columns(study->name));
        vb_report_end(stream, ": ", study->title,
                      VB_REPORT_WIDTH - 2 - vb_report_columns(study->name));
        titled = true;
      }
      print_gate(stream, &study->gates[g], &outcomes[i].verdicts[g]);
      passed += outcomes[i].verdicts[g].passed;
      findings += study->gates[g].finding && !outcomes[i].verdicts[g].passed;
      evaluated++;
    }
  }
  if (evaluated)
    fprintf(stream, "%zu of %zu gates passed", passed, evaluated);
  if (findings)
    fprintf(stream, "; %zu other%s about the model, not %s", findings,
            findings > 1 ? "s are findings" : " is a finding",
            findings > 1 ? "failures" : "a failure");
  if (evaluated)
    fputc('\n', stream);
}

void vb_report_missed(FILE *stream, const vb_gate *gate, const vb_verdict *verdict) {
  static const char *const WORDS[] = {
      [VB_CLOSE_TO] = "near", [VB_AT_MOST] = "at most", [VB_AT_LEAST] = "at least"};
  vb_printable_print(stream, "gate \"%s\" failed: %.7g is not %s %.7g%s%s\n", gate->name,
                     verdict->value, WORDS[gate->comparator], gate->reference,
                     verdict->note[0] ? "; " : "", verdict->note);
}

void vb_report_failures(FILE *stream, const vb_study_outcome *outcomes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const vb_study_outcome *o = &outcomes[i];
    for (size_t r = 0; r < o->study->n_runs; r++)
      if (o->runs[r].recorded && o->runs[r].summary.diverged)
        vb_printable_print(stream, "viperbench: %s, run %s: diverged: %s\n", o->study->name,
                           o->study->runs[r].name, o->runs[r].summary.what);
    for (size_t g = 0; g < o->study->n_gates; g++) {
      char runs[128];
      if (!o->evaluated[g] || o->verdicts[g].passed || o->study->gates[g].finding)
        continue;
      name_runs(&o->study->gates[g], runs, sizeof runs);
      fprintf(stream, "viperbench: %s, run %s: ", o->study->name, runs);
      vb_report_missed(stream, &o->study->gates[g], &o->verdicts[g]);
    }
  }
}

double vb_dof_rate(const vb_run_outcome *run) {
  if (!(run->summary.wall_s > 0))
    return 0;
  return (double)run->dofs * (double)run->summary.steps / run->summary.wall_s;
}

static void print_timing(FILE *stream, const char *study, const char *name,
                         const vb_run_outcome *run) {
  const vb_run_summary *s = &run->summary;
  char label[160], residual[32] = "-", status[160];
  snprintf(label, sizeof label, "%.64s %.64s", study, name);
  if (!isnan(s->residual))
    snprintf(residual, sizeof residual, "%.2e", s->residual);
  snprintf(status, sizeof status, "%s%s", s->status, run->kept ? ", kept" : "");
  vb_report_cell(stream, "  ", label, 32);
  fprintf(stream, " %8" PRId64 " %8" PRId64 " %9.3f %9.4g %9.3g %9s  ", run->dofs, s->steps,
          s->wall_s, s->steps ? 1e3 * s->wall_s / (double)s->steps : 0, vb_dof_rate(run), residual);
  vb_report_end(stream, "", status, 15);
  if (s->diverged) {
    vb_report_end(stream, "      ", s->what, VB_REPORT_WIDTH - 6);
  }
  if (s->warning[0])
    fprintf(stream, "      warning: %s\n", s->warning);
}

void vb_report_timings(FILE *stream, const vb_study_outcome *outcomes, size_t n) {
  bool headed = false;
  for (size_t i = 0; i < n; i++) {
    const vb_study *study = outcomes[i].study;
    for (size_t r = 0; r < study->n_runs; r++) {
      if (!outcomes[i].runs[r].recorded)
        continue;
      if (!headed) {
        fprintf(stream, "\n  %-32s %8s %8s %9s %9s %9s %9s  %s\n", "run", "DOFs", "steps", "wall s",
                "ms/step", "DOF Hz", "residual", "status");
        headed = true;
      }
      print_timing(stream, study->name, study->runs[r].name, &outcomes[i].runs[r]);
    }
  }
}
