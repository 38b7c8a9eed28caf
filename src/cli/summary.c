// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/summary.h"

#include "base/printable.h"
#include "base/report_text.h"
#include "cli/conclusion.h"
#include "gate/finding.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/// Columns of the names of tables: as wide as the longest, so that piped ones can be told apart; on
/// a terminal as wide as that leaves room.
typedef struct layout {
  bool narrow; ///< without the columns that are needed least
  int name, run;
} layout;

enum {
  WIDE = 100,         ///< columns of a terminal below which a table is narrow
  GATE_REST = 63,     ///< what follows the names of a gate and its run
  GATE_NARROW = 46,   ///< likewise, without tolerance and run
  TIMING_REST = 77,   ///< what follows the name of a run
  TIMING_NARROW = 39, ///< likewise, of a narrow table
  LEAST_NAME = 17,
  NARROW_RUN = 14 ///< most columns of a run's name in a narrow table
};

static int clip(int wanted, int most) {
  return wanted < most ? wanted : most < LEAST_NAME ? LEAST_NAME : most;
}

static int longer(int a, int b) {
  return a > b ? a : b;
}

static layout lay_out(int name, int run, int rest, int rest_narrow) {
  int columns = vb_terminal_columns(STDOUT_FILENO);
  if (columns == 0)
    return (layout){false, name, run};
  if (columns < WIDE) {
    // Runs tell rows of one gate apart.
    int room = columns - 1 - rest_narrow, short_run = run < NARROW_RUN ? run : NARROW_RUN;
    bool both = run > 0 && room - short_run - 1 >= LEAST_NAME;
    return (layout){true, clip(name, room - (both ? short_run + 1 : 0)), both ? short_run : 0};
  }
  int room = columns - 1 - rest;
  int run_width = clip(run, room / 3);
  return (layout){false, clip(name, room - run_width), run_width};
}

static layout lay_out_gates(const vb_study_outcome *outcomes, size_t n) {
  int name = 4, run = 3;
  char runs[256];
  for (size_t i = 0; i < n; i++)
    for (size_t g = 0; g < outcomes[i].study->n_gates; g++)
      if (outcomes[i].evaluated[g]) {
        vb_report_name_runs(&outcomes[i].study->gates[g], runs, sizeof runs);
        name = longer(name, vb_report_columns(outcomes[i].study->gates[g].name));
        run = longer(run, vb_report_columns(runs));
      }
  return lay_out(name, run, GATE_REST, GATE_NARROW);
}

static vb_color verdict_color(const vb_gate *gate, const vb_verdict *verdict) {
  return vb_verdict_failed(gate, verdict) ? VB_RED : verdict->passed ? VB_GREEN : VB_YELLOW;
}

static void print_gate(layout at, const vb_gate *gate, const vb_verdict *verdict) {
  static const char *const SIGN[] = {
      [VB_CLOSE_TO] = " =", [VB_AT_MOST] = "<=", [VB_AT_LEAST] = ">="};
  char runs[256], tolerance[32] = "";
  vb_report_name_runs(gate, runs, sizeof runs);
  if (gate->comparator == VB_CLOSE_TO)
    snprintf(tolerance, sizeof tolerance, "%.2g%s", gate->tolerance, gate->relative ? " rel" : "");
  vb_report_name(stdout, "  ", gate->name, at.name);
  if (at.narrow) {
    if (at.run > 0)
      vb_report_name(stdout, " ", runs, at.run);
    printf(" %10.4g %s %-10.4g ", verdict->value, SIGN[gate->comparator], gate->reference);
  } else {
    vb_report_name(stdout, " ", runs, at.run);
    printf("  %13.7g %s %-13.7g ", verdict->value, SIGN[gate->comparator], gate->reference);
    vb_report_cell(stdout, "", tolerance, 9);
    putchar(' ');
  }
  vb_terminal_print_word(vb_verdict_word(gate, verdict), verdict_color(gate, verdict));
  putchar('\n');
  if (verdict->note[0])
    vb_report_end(stdout, "      ", verdict->note, vb_terminal_width(stdout) - 6);
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

void vb_report_gates(const vb_study_outcome *outcomes, size_t n) {
  layout at = lay_out_gates(outcomes, n);
  bool headed = false;
  for (size_t i = 0; i < n; i++) {
    const vb_study *study = outcomes[i].study;
    bool titled = false;
    for (size_t g = 0; g < study->n_gates; g++) {
      if (!outcomes[i].evaluated[g])
        continue;
      if (!headed && at.narrow)
        printf("  %-*s%s%-*s %10s    %-10s verdict\n", at.name, "gate", at.run ? " " : "", at.run,
               at.run ? "run" : "", "value", "reference");
      else if (!headed)
        printf("  %-*s %-*s %14s    %-13s %-9s verdict\n", at.name, "gate", at.run, "run", "value",
               "reference", "tolerance");
      headed = true;
      if (!titled) {
        vb_report_cell(stdout, "", study->name, vb_report_columns(study->name));
        vb_report_end(stdout, ": ", study->title,
                      vb_terminal_width(stdout) - 2 - vb_report_columns(study->name));
        titled = true;
      }
      print_gate(at, &study->gates[g], &outcomes[i].verdicts[g]);
    }
  }
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
  if (run->summary.shared)
    return NAN;
  if (!(run->summary.wall_s > 0))
    return 0;
  return (double)run->dofs * (double)run->summary.steps / run->summary.wall_s;
}

static void name_run(const vb_study *study, size_t run, char *out, size_t size) {
  snprintf(out, size, "%s %s", study->name, study->runs[run].name);
}

static void print_timing(layout at, const vb_study_outcome *outcome, size_t run) {
  const vb_study *study = outcome->study;
  const vb_run_outcome *o = &outcome->runs[run];
  const vb_run_summary *s = &o->summary;
  char label[260], residual[32] = "-", rate[32] = "-", status[160];
  name_run(study, run, label, sizeof label);
  if (!isnan(s->residual))
    snprintf(residual, sizeof residual, "%.2e", s->residual);
  if (!isnan(vb_dof_rate(o)))
    snprintf(rate, sizeof rate, "%.3g", vb_dof_rate(o));
  bool missed = strcmp(s->convergence, "no") == 0 || vb_report_lacks_balance(outcome, run);
  snprintf(status, sizeof status, "%s%s%s", s->status, missed ? ", not converged" : "",
           o->kept ? ", kept" : "");
  double step_ms = s->steps ? 1e3 * s->wall_s / (double)s->steps : 0;
  vb_report_name(stdout, "  ", label, at.name);
  if (at.narrow)
    printf(" %9.3f %9.4g  ", s->wall_s, step_ms);
  else
    printf(" %8" PRId64 " %8" PRId64 " %9.3f %9.4g %9s %9s  ", o->dofs, s->steps, s->wall_s,
           step_ms, rate, residual);
  vb_terminal_print_word(status, s->diverged ? VB_RED : missed ? VB_YELLOW : VB_PLAIN);
  putchar('\n');
  if (s->diverged)
    vb_report_end(stdout, "      ", s->what, vb_terminal_width(stdout) - 6);
  if (s->warning[0])
    printf("      warning: %s\n", s->warning);
}

static layout lay_out_timings(const vb_study_outcome *outcomes, size_t n) {
  int name = 3;
  char label[260];
  for (size_t i = 0; i < n; i++)
    for (size_t r = 0; r < outcomes[i].study->n_runs; r++)
      if (outcomes[i].runs[r].recorded) {
        name_run(outcomes[i].study, r, label, sizeof label);
        name = longer(name, vb_report_columns(label));
      }
  return lay_out(name, 0, TIMING_REST, TIMING_NARROW);
}

void vb_report_timings(const vb_study_outcome *outcomes, size_t n) {
  layout at = lay_out_timings(outcomes, n);
  bool headed = false, shared = false;
  for (size_t i = 0; i < n; i++) {
    const vb_study *study = outcomes[i].study;
    for (size_t r = 0; r < study->n_runs; r++) {
      if (!outcomes[i].runs[r].recorded)
        continue;
      if (!headed && at.narrow)
        printf("\n  %-*s %9s %9s  status\n", at.name, "run", "wall s", "ms/step");
      else if (!headed)
        printf("\n  %-*s %8s %8s %9s %9s %9s %9s  status\n", at.name, "run", "DOFs", "steps",
               "wall s", "ms/step", "DOF Hz", "residual");
      headed = true;
      shared |= outcomes[i].runs[r].summary.shared;
      print_timing(at, &outcomes[i], r);
    }
  }
  if (shared)
    puts("  (Parallel runs: times are not comparable; see --jobs.)");
}
