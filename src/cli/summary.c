// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/summary.h"

#include "base/printable.h"
#include "base/report_text.h"
#include "cli/conclusion.h"
#include "gate/finding.h"

#include <math.h>
#include <string.h>

void vb_report_name_runs(const vb_gate *gate, char *out, size_t size) {
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

enum {
  WIDE = 100,       ///< columns of a terminal below which tables lack those that are needed least
  GATE_REST = 63,   ///< what follows the names of a gate and its run
  GATE_NARROW = 46, ///< likewise, without tolerance and run
  LEAST_NAME = 17,
  NARROW_RUN = 14 ///< most columns of a run's name in a narrow table
};

/// Columns for the runs of gates, which tell rows of one gate apart; 0: there is no room.
static int run_columns(int longest) {
  int width = vb_terminal_width(stdout), least = longest < NARROW_RUN ? longest : NARROW_RUN;
  if (width >= WIDE - 1)
    return vb_report_name_width(stdout, longest, width - (width - GATE_REST) / 3);
  return width - GATE_NARROW - least - 1 >= LEAST_NAME ? least : 0;
}

static vb_color verdict_color(const vb_gate *gate, const vb_verdict *verdict) {
  return vb_verdict_failed(gate, verdict) ? VB_RED : verdict->passed ? VB_GREEN : VB_YELLOW;
}

static void add_gate(vb_listing *table, bool wide, const vb_gate *gate, const vb_verdict *verdict) {
  static const char *const SIGN[] = {
      [VB_CLOSE_TO] = "=", [VB_AT_MOST] = "<=", [VB_AT_LEAST] = ">="};
  const char *format = wide ? "%.7g" : "%.4g";
  char runs[256];
  vb_report_name_runs(gate, runs, sizeof runs);
  vb_listing_row(table);
  vb_listing_text(table, "gate", gate->name);
  vb_listing_text(table, "run", runs);
  vb_listing_print(table, "value", format, verdict->value);
  vb_listing_text(table, "sign", SIGN[gate->comparator]);
  vb_listing_print(table, "reference", format, gate->reference);
  if (gate->comparator == VB_CLOSE_TO)
    vb_listing_print(table, "tolerance", "%.2g%s", gate->tolerance, gate->relative ? " rel" : "");
  vb_listing_word(table, "verdict", vb_verdict_word(gate, verdict), verdict_color(gate, verdict));
  if (verdict->note[0])
    vb_listing_line(table, VB_FIT_END, "      ", "%s", verdict->note);
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

/// Adds the gates of a study that were evaluated below its title.
static void add_gates(vb_listing *table, bool wide, const vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  char name[256];
  bool titled = false;
  snprintf(name, sizeof name, "%s: ", study->name);
  for (size_t g = 0; g < study->n_gates; g++) {
    if (!outcome->evaluated[g])
      continue;
    if (!titled)
      vb_listing_line(table, VB_FIT_END, name, "%s", study->title);
    titled = true;
    add_gate(table, wide, &study->gates[g], &outcome->verdicts[g]);
  }
}

static vb_status report_gates(const vb_study_outcome *outcomes, size_t n, vb_error *error) {
  bool wide = vb_terminal_width(stdout) >= WIDE - 1;
  vb_listing table = {0};
  for (size_t i = 0; i < n; i++)
    add_gates(&table, wide, &outcomes[i]);
  int run = run_columns(vb_listing_longest(&table, "run", 3));
  const vb_text_column columns[] = {
      {"gate", "gate", .before = "  ", .fit = VB_FIT_NAME},
      {run ? "run" : NULL, "run", .width = -run, .fit = VB_FIT_MIDDLE},
      {"value", "value", .before = wide ? "  " : " ", .width = wide ? 13 : 10},
      {.cell = "sign", .width = 2},
      {"reference", "reference", .width = wide ? -13 : -10},
      {"tolerance", "tolerance", .width = -9, .fit = VB_FIT_END, .least = WIDE},
      {"verdict", "verdict", .room = wide ? 17 : 18}};
  size_t n_columns = table.n_rows ? sizeof columns / sizeof *columns : 0;
  return vb_listing_write_text(stdout, &table, columns, n_columns, error);
}

void vb_report_missed(FILE *stream, const vb_gate *gate, const vb_verdict *verdict) {
  static const char *const WORDS[] = {
      [VB_CLOSE_TO] = "near", [VB_AT_MOST] = "at most", [VB_AT_LEAST] = "at least"};
  char band[64];
  vb_band_write(gate, band, sizeof band);
  const char *note = verdict->note[0] ? "; " : "";
  if (gate->finding && verdict->passed)
    vb_printable_print(stream, "gate \"%s\": %.7g is %s %.7g", gate->name, verdict->value,
                       WORDS[gate->comparator], gate->reference);
  else
    vb_printable_print(stream, "gate \"%s\" missed: %.7g is not %s %.7g", gate->name,
                       verdict->value, WORDS[gate->comparator], gate->reference);
  fprintf(stream, "%s%s", *band ? "; band " : "", band);
  vb_printable_print(stream, "%s%s\n", note, verdict->note);
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
      if (!o->evaluated[g] || !vb_verdict_failed(&o->study->gates[g], &o->verdicts[g]))
        continue;
      vb_report_name_runs(&o->study->gates[g], runs, sizeof runs);
      fprintf(stream, "viperbench: %s, run %s: %s%s", o->study->name, runs,
              vb_finding_words[o->verdicts[g].finding], o->study->gates[g].finding ? ": " : "");
      vb_report_missed(stream, &o->study->gates[g], &o->verdicts[g]);
    }
  }
}

double vb_dof_rate(const vb_run_outcome *run) {
  if (run->summary.shared || isnan(run->summary.residual))
    return NAN;
  if (!(run->summary.wall_s > 0))
    return 0;
  return (double)run->dofs * (double)run->summary.steps / run->summary.wall_s;
}

static void add_timing(vb_listing *table, const vb_study_outcome *outcome, size_t run) {
  const vb_run_outcome *o = &outcome->runs[run];
  const vb_run_summary *s = &o->summary;
  char status[160];
  bool missed = strcmp(s->convergence, "no") == 0 || vb_report_lacks_balance(outcome, run);
  snprintf(status, sizeof status, "%s%s%s", s->status, missed ? ", not converged" : "",
           o->kept ? ", kept" : "");
  vb_listing_row(table);
  vb_listing_print(table, "run", "%s %s", outcome->study->name, outcome->study->runs[run].name);
  vb_listing_integer(table, "dofs", o->dofs);
  vb_listing_integer(table, "steps", s->steps);
  vb_listing_print(table, "wall", "%.3f", s->wall_s);
  vb_listing_print(table, "step", "%.4g", s->steps ? 1e3 * s->wall_s / (double)s->steps : 0);
  vb_listing_real(table, "rate", vb_dof_rate(o));
  if (!isnan(s->residual))
    vb_listing_print(table, "residual", "%.2e", s->residual);
  vb_listing_word(table, "status", status, s->diverged ? VB_RED : missed ? VB_YELLOW : VB_PLAIN);
  if (s->diverged)
    vb_listing_line(table, VB_FIT_END, "      ", "%s", s->what);
  if (s->warning[0])
    vb_listing_line(table, VB_FIT_WHOLE, "      ", "warning: %s", s->warning);
}

static vb_status report_timings(const vb_study_outcome *outcomes, size_t n, vb_error *error) {
  static const vb_text_column COLUMNS[] = {
      {"run", "run", .before = "  ", .fit = VB_FIT_NAME},
      {"dofs", "DOFs", .width = 8, .least = WIDE},
      {"steps", "steps", .width = 8, .least = WIDE},
      {"wall", "wall s", .width = 9},
      {"step", "ms/step", .width = 9},
      {"rate", "DOF Hz", "%.3g", .width = 9, .least = WIDE},
      {"residual", "residual", "%.2e", .width = 9, .least = WIDE},
      {"status", "status", .before = "  ", .room = 15}};
  vb_listing table = {0};
  bool shared = false;
  for (size_t i = 0; i < n; i++)
    for (size_t r = 0; r < outcomes[i].study->n_runs; r++)
      if (outcomes[i].runs[r].recorded) {
        shared |= outcomes[i].runs[r].summary.shared;
        add_timing(&table, &outcomes[i], r);
      }
  if (table.n_rows == 0)
    return VB_OK;
  putchar('\n');
  if (shared)
    vb_listing_line(&table, VB_FIT_WHOLE, "  ",
                    "(Parallel runs: times are not comparable; see --jobs.)");
  return vb_listing_write_text(stdout, &table, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, error);
}

vb_status vb_report_tables(const vb_study_outcome *outcomes, size_t n, vb_error *error) {
  vb_status status = report_gates(outcomes, n, error);
  return status ? status : report_timings(outcomes, n, error);
}
