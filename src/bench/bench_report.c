// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_report.h"

#include "harness/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Columns of a case's name.
#define NAME_WIDTH 28

/// Prints a number in `width` columns, or a dash where there is none.
static void cell(FILE *stream, const char *format, int width, double value) {
  char text[32] = "-";
  if (isfinite(value))
    snprintf(text, sizeof text, format, value);
  fprintf(stream, " %*s", width, text);
}

void vb_bench_report_machine(FILE *stream, const vb_machine *machine) {
  const vb_provenance *p = &machine->origin;
  fprintf(stream, "%s: %s, %d cores, %d processors at hand, %s\n", p->host, p->cpu, p->cores,
          p->threads, p->system);
  fprintf(stream, "commit %.12s%s, %s, %s\n", p->commit, p->dirty ? " with changes" : "",
          p->compiler, p->date);
  if (machine->busy > VB_MOST_BUSY)
    fprintf(stream,
            "WARNING: others keep %.0f %% of the processors busy; speeds below are not to be "
            "trusted\n",
            100 * machine->busy);
}

void vb_bench_report_rates(FILE *stream, const vb_machine *machine) {
  if (machine->n_rates > 0)
    fprintf(stream, "\n  what this machine does at best\n");
  for (size_t i = 0; i < machine->n_rates; i++) {
    const vb_machine_rate *r = &machine->rate[i];
    if (r->bytes > 0)
      fprintf(stream, "  copies within %.3g MiB, %d thread%s: %.3g GB/s read and written\n",
              r->bytes / (1 << 20), r->threads, r->threads == 1 ? "" : "s", 1e-9 * r->rate);
    else
      fprintf(stream, "  %s, %s, %s, %d thread%s: %.3g Gflop/s\n", r->precision, r->instructions,
              strcmp(r->arithmetic, "fast") == 0 ? "fused" : "not fused", r->threads,
              r->threads == 1 ? "" : "s", 1e-9 * r->rate);
  }
}

static void print_speed(FILE *stream, const vb_bench_case *c) {
  bool speed = vb_bench_has_speed(c);
  double ms = speed ? 1e3 * c->step_s.median : NAN, rate = vb_bench_dof_hz(c);
  double sweeps = (double)(c->settings.iterations * c->settings.substeps);
  double width = speed ? 100 * vb_relative_width(&c->step_s) : NAN;
  fputs("  ", stream);
  vb_report_cell(stream, c->run->name, NAME_WIDTH);
  cell(stream, "%.4g", 8, ms);
  cell(stream, "%.1f", 5, width);
  for (int k = 0; k < 3; k++) {
    static const double part[] = {0.5, 0.95, 0.99};
    cell(stream, "%.4g", 8,
         speed && c->n_single ? 1e3 * vb_quantile(c->single_s, c->n_single, part[k]) : NAN);
  }
  cell(stream, "%.3g", 9, rate);
  cell(stream, "%.3g", 9, rate * sweeps);
  cell(stream, "%.3g", 9, vb_scene_world(c->run->scene)->step / (1e-3 * ms));
  cell(stream, "%.2e", 9, c->residual);
  fprintf(stream, "  %-8s %s\n", vb_stop_word(c->stop), vb_bench_remark(c));
  if (c->divergence.diverged)
    fprintf(stream, "      step %" PRId64 ": %s\n", c->divergence.step, c->divergence.what);
}

static void print_failed_gates(FILE *stream, const vb_study *study, const vb_bench_case *c) {
  for (size_t g = 0; c->judged && g < study->n_gates; g++) {
    const vb_verdict *v = &c->verdicts[g];
    if (!c->judged[g] || v->passed)
      continue;
    fprintf(stream, "      %s: %.4g, not %s %.4g %s\n", study->gates[g].name, v->value,
            study->gates[g].comparator == VB_AT_MOST    ? "at most"
            : study->gates[g].comparator == VB_AT_LEAST ? "at least"
                                                        : "near",
            study->gates[g].reference, v->note);
  }
}

static void print_setting(FILE *stream, const vb_bench_case *c) {
  const vb_bench_settings *s = &c->settings;
  fputs("  ", stream);
  vb_report_cell(stream, c->run->name, NAME_WIDTH);
  fprintf(stream, " %9" PRId64, c->dofs);
  cell(stream, "%.0f", 9, c->memory > 0 ? c->memory / (double)c->nodes : NAN);
  fprintf(stream, "  %-17s %-6s %-6s %-9s %2" PRId64 " %3" PRId64 "x%-3" PRId64, s->method,
          s->precision, s->arithmetic[0] ? s->arithmetic : "-",
          s->instructions[0] ? s->instructions : "-", s->threads, s->iterations, s->substeps);
  for (int k = 0; k < VB_BENCH_TARGETS; k++)
    cell(stream, "%.3g", 8, 1e3 * c->accuracy.time_s[k]);
  cell(stream, "%.3g", 8, c->floor.known ? 1e3 * c->floor.time_s : NAN);
  cell(stream, "%.3g", 7,
       c->floor.known && vb_bench_has_speed(c) ? c->step_s.median / c->floor.time_s : NAN);
  fputc('\n', stream);
}

void vb_bench_report_cases(FILE *stream, const vb_bench *bench) {
  fprintf(stream, "\n%s: %s (tier %s)\n", bench->study->name, bench->study->title,
          bench->study->tier);
  fprintf(stream, "  %-*s %8s %5s %8s %8s %8s %9s %9s %9s %9s  %s\n", NAME_WIDTH, "case", "ms/step",
          "+-%", "p50", "p95", "p99", "DOF Hz", "DOF it Hz", "real time", "residual", "stopped");
  for (size_t i = 0; i < bench->n_cases; i++) {
    print_speed(stream, &bench->cases[i]);
    print_failed_gates(stream, bench->study, &bench->cases[i]);
  }
  fprintf(stream, "  (p50, p95, p99: single steps [ms]. The paper: %.3g DOF Hz on a GTX 1080)\n\n",
          VB_PAPER_DOF_HZ);
  fprintf(stream, "  %-*s %9s %9s  %-17s %-6s %-6s %-9s %2s %7s %8s %8s %8s %8s %7s\n", NAME_WIDTH,
          "case", "DOFs", "byte/node", "method", "prec.", "arith.", "instr.", "th", "it x sub",
          "ms to", "residual", "", "floor ms", "times");
  fprintf(stream, "  %-*s %*s %8.0e %8.0e %8.0e\n", NAME_WIDTH, "", 73, "", vb_bench_target[0],
          vb_bench_target[1], vb_bench_target[2]);
  for (size_t i = 0; i < bench->n_cases; i++)
    print_setting(stream, &bench->cases[i]);
}

void vb_bench_report_scaling(FILE *stream, const vb_bench_scaling *list, size_t n) {
  if (n == 0)
    return;
  fprintf(stream, "\n  %-*s %12s %9s %9s %9s %10s\n", 36, "time of a step = t0 + DOFs / r",
          "largest", "DOFs", "t0 [ms]", "r [DOF/s]", "deviation");
  for (size_t i = 0; i < n; i++) {
    const vb_bench_scaling *s = &list[i];
    fputs("  ", stream);
    vb_report_cell(stream, s->name, 36);
    fprintf(stream, " %5g %-6s", s->size[s->n - 1], s->over_bodies ? "bodies" : "nodes");
    cell(stream, "%.3g", 9, s->dofs[s->n - 1]);
    cell(stream, "%.3g", 9, s->fitted ? 1e3 * s->cost.offset : NAN);
    cell(stream, "%.3g", 9, s->fitted ? s->cost.rate : NAN);
    cell(stream, "%.1f %%", 10, s->fitted ? 100 * s->cost.deviation : NAN);
    fputc('\n', stream);
  }
}

/// Whether an earlier case, in this study or one before, has that setting.
static bool seen(const vb_bench *benches, size_t b, size_t i, const char *setting) {
  char name[128];
  for (size_t k = 0; k <= b; k++)
    for (size_t j = 0; j < (k < b ? benches[k].n_cases : i); j++) {
      vb_bench_setting_name(benches[k].cases[j].run->name, name, sizeof name);
      if (strcmp(name, setting) == 0)
        return true;
    }
  return false;
}

void vb_bench_report_ratios(FILE *stream, const vb_bench *benches, size_t n, const char *baseline) {
  char setting[128];
  size_t scenes;
  fprintf(stream, "\n  speed over that of %s, geometric mean over scenes\n", baseline);
  for (size_t b = 0; b < n; b++)
    for (size_t i = 0; i < benches[b].n_cases; i++) {
      vb_bench_setting_name(benches[b].cases[i].run->name, setting, sizeof setting);
      if (seen(benches, b, i, setting))
        continue;
      double ratio = vb_bench_ratio(benches, n, setting, baseline, &scenes);
      fputs("  ", stream);
      vb_report_cell(stream, setting, NAME_WIDTH);
      cell(stream, "%.3f", 8, ratio);
      fprintf(stream, "  %zu scene%s\n", scenes, scenes == 1 ? "" : "s");
    }
}
