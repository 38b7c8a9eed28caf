// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_report.h"

#include "base/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Columns of a case's name.
#define NAME_WIDTH 24

/// Prints a number in `width` columns, or a dash where there is none.
static void cell(FILE *stream, const char *format, int width, double value) {
  char text[32] = "-";
  if (isfinite(value))
    snprintf(text, sizeof text, format, value);
  fprintf(stream, " %*s", width, text);
}

void vb_bench_warn_of_others(FILE *stream, double busy) {
  if (busy > VB_MAX_BUSY)
    fprintf(stream,
            "WARNING: others keep %.0f %% of the processors busy; no speed is to be trusted\n",
            100 * busy);
}

void vb_bench_report_machine(FILE *stream, const vb_machine *machine) {
  const vb_provenance *p = &machine->origin;
  fprintf(stream, "%.40s: %.60s\n", p->host, p->cpu);
  fprintf(stream, "%d cores, %d processors at hand, %.60s\n", p->cores, p->threads, p->system);
  fprintf(stream, "commit %.12s%s, %.40s, %s\n", p->commit, p->dirty ? " with changes" : "",
          p->compiler, p->date);
  vb_bench_warn_of_others(stream, machine->busy);
}

static void print_device_rate(FILE *stream, const vb_machine_rate *r) {
  if (r->bytes > 0)
    fprintf(stream, "  copies within %.3g MiB of the device: %.4g GB/s read and written\n",
            r->bytes / (1 << 20), 1e-9 * r->rate);
  else
    fprintf(stream, "  %s, device, %s: %.4g Gflop/s\n", r->precision,
            strcmp(r->arithmetic, "fast") == 0 ? "fused" : "not fused", 1e-9 * r->rate);
}

void vb_bench_report_rates(FILE *stream, const vb_machine *machine) {
  if (machine->n_rates > 0)
    fprintf(stream, "\n  what this machine does at best\n");
  for (size_t i = 0; i < machine->n_rates; i++) {
    const vb_machine_rate *r = &machine->rate[i];
    if (strcmp(r->instructions, "device") == 0)
      print_device_rate(stream, r);
    else if (r->bytes > 0)
      fprintf(stream, "  copies within %.3g MiB, %d thread%s: %.3g GB/s read and written\n",
              r->bytes / (1 << 20), r->threads, r->threads == 1 ? "" : "s", 1e-9 * r->rate);
    else
      fprintf(stream, "  %s, %s, %s, %d thread%s: %.3g Gflop/s\n", r->precision, r->instructions,
              strcmp(r->arithmetic, "fast") == 0 ? "fused" : "not fused", r->threads,
              r->threads == 1 ? "" : "s", 1e-9 * r->rate);
  }
}

static void print_name(FILE *stream, const vb_bench_case *c) {
  vb_report_cell(stream, "  ", c->run->name, NAME_WIDTH);
}

static void print_speed(FILE *stream, const vb_bench_case *c) {
  static const double levels[] = {0.5, 0.95, 0.99};
  bool timed = vb_bench_has_time(c);
  double ms = timed ? 1e3 * c->step_s.median : NAN, rate = vb_bench_dof_hz(c);
  double sweeps = (double)(c->settings.iterations * c->settings.substeps);
  double real = vb_bench_real_time(c);
  const char *remark = vb_bench_remark(c);
  print_name(stream, c);
  cell(stream, "%.4g", 8, ms);
  cell(stream, "%.1f", 5, timed ? 100 * vb_relative_width(&c->step_s) : NAN);
  for (int k = 0; k < 3; k++) {
    double quantile =
        timed && c->n_single ? 1e3 * vb_quantile(c->single_s, c->n_single, levels[k]) : NAN;
    cell(stream, quantile < 99 ? "%.2g" : "%.0f", 6, quantile);
  }
  cell(stream, "%.3g", 8, rate);
  cell(stream, "%.3g", 9, rate * sweeps);
  cell(stream, real < 100 ? "%.3g" : "%.0f", 6, real);
  cell(stream, "%.1e", 7, c->residual);
  fprintf(stream, "  %s\n", remark[0] ? remark : vb_stop_word(c->stop));
  if (c->divergence.diverged)
    fprintf(stream, "      step %" PRId64 ": %.90s\n", c->divergence.step, c->divergence.what);
}

static void print_missed_gates(FILE *stream, const vb_study *study, const vb_bench_case *c) {
  static const char *const WORDS[] = {
      [VB_CLOSE_TO] = "near", [VB_AT_MOST] = "at most", [VB_AT_LEAST] = "at least"};
  for (size_t g = 0; c->evaluated && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    if (!c->evaluated[g] || c->verdicts[g].passed)
      continue;
    fprintf(stream, "      %s%.60s: %.4g, not %s %.4g\n", gate->finding ? "finding: " : "",
            gate->name, c->verdicts[g].value, WORDS[gate->comparator], gate->reference);
    if (c->verdicts[g].note[0])
      fprintf(stream, "      %.100s\n", c->verdicts[g].note);
  }
}

static void print_speeds(FILE *stream, const vb_bench *bench) {
  fprintf(stream, "  %-*s %8s %5s %6s %6s %6s %8s %9s %6s %7s  %s\n", NAME_WIDTH, "case", "ms/step",
          "+-%", "p50", "p95", "p99", "DOF Hz", "DOF it Hz", "x real", "resid.", "stopped");
  for (size_t i = 0; i < bench->n_cases; i++) {
    print_speed(stream, &bench->cases[i]);
    print_missed_gates(stream, bench->study, &bench->cases[i]);
  }
  fprintf(stream,
          "  (p50, p95, p99 are of single steps, ms. The paper: %.3g DOF Hz on a GTX 1080)\n",
          VB_PAPER_DOF_HZ);
}

static const char *or_dash(const char *text) {
  return text[0] ? text : "-";
}

static void print_settings(FILE *stream, const vb_bench *bench) {
  fprintf(stream, "\n  %-*s %8s %9s  %-16s %-6s %-6s %-9s %3s %9s\n", NAME_WIDTH, "case", "DOFs",
          "byte/node", "method", "prec.", "arith.", "instr.", "th.", "it x sub");
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    const vb_bench_settings *s = &c->settings;
    char sweeps[64];
    snprintf(sweeps, sizeof sweeps, "%" PRId64 " x %" PRId64, s->iterations, s->substeps);
    print_name(stream, c);
    fprintf(stream, " %8" PRId64, c->dofs);
    cell(stream, "%.0f", 9, c->memory > 0 ? c->memory / (double)c->nodes : NAN);
    fprintf(stream, "  %-16s %-6s %-6s %-9s %3" PRId64 " %9s\n", or_dash(s->method),
            or_dash(s->precision), or_dash(s->arithmetic), or_dash(s->instructions), s->threads,
            sweeps);
  }
}

/// Whether any case has a time to accuracy, or a floor.
static bool has_limits(const vb_bench *bench) {
  for (size_t i = 0; i < bench->n_cases; i++)
    if (bench->cases[i].accuracy.n > 0 || bench->cases[i].floor.known)
      return true;
  return false;
}

static void print_limits(FILE *stream, const vb_bench *bench) {
  if (!has_limits(bench))
    return;
  fprintf(stream, "\n  %-*s  ms to residual %.0e    %.0e    %.0e %10s %9s %9s %6s\n", NAME_WIDTH,
          "case", vb_bench_target[0], vb_bench_target[1], vb_bench_target[2], "floor: MB", "Mflop",
          "ms", "times");
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    const vb_bench_floor *f = &c->floor;
    print_name(stream, c);
    for (int k = 0; k < VB_BENCH_TARGETS; k++)
      cell(stream, "%.3g", k ? 8 : 21, 1e3 * c->accuracy.time_s[k]);
    cell(stream, "%.3g", 10, f->known ? 1e-6 * f->bytes : NAN);
    cell(stream, "%.3g", 9, f->known ? 1e-6 * f->operations : NAN);
    cell(stream, "%.3g", 9, f->known ? 1e3 * f->time_s : NAN);
    cell(stream, "%.3g", 6, f->known && vb_bench_has_speed(c) ? c->step_s.median / f->time_s : NAN);
    fputc('\n', stream);
  }
}

static void print_device(FILE *stream, const vb_bench_case *c) {
  const vb_bench_device *d = &c->device;
  bool timed = vb_bench_has_time(c);
  char words[120], other[32] = "-";
  double energy = timed && d->energy_by ? d->energy_j : NAN;
  print_name(stream, c);
  fprintf(stream, " %-6s", or_dash(d->launch));
  cell(stream, "%.4g", 8, timed ? 1e3 * d->step_s.median : NAN);
  cell(stream, "%.1f", 5, timed ? 100 * vb_relative_width(&d->step_s) : NAN);
  if (d->other_launch[0])
    snprintf(other, sizeof other, "%s %.4g", d->other_launch, 1e3 * d->other_step_s.median);
  fprintf(stream, " %15s%s", other, d->other_launch[0] && !d->other_repeated ? "!" : " ");
  cell(stream, "%.0f", 6, 1e-6 * d->sm_clock);
  cell(stream, "%.0f", 5, 100 * vb_bench_marked(c));
  cell(stream, "%.3g", 8, 1e3 * energy);
  cell(stream, "%.3g", 8, 1e9 * energy / (double)c->dofs);
  vb_throttle_words(d->throttle, words, sizeof words);
  fprintf(stream, "  %.20s\n", words[0] ? words : "-");
}

/// What devices say, where any case ran on one.
static void print_devices(FILE *stream, const vb_bench *bench) {
  bool any = false;
  for (size_t i = 0; i < bench->n_cases; i++) {
    if (!bench->cases[i].device.there)
      continue;
    if (!any)
      fprintf(stream, "\n  %-*s %-6s %8s %5s %15s  %6s %5s %8s %8s  %s\n", NAME_WIDTH, "device",
              "launch", "ms/step", "+-%", "other mode", "MHz", "% mk.", "mJ/step", "nJ/DOF",
              "throttled");
    any = true;
    print_device(stream, &bench->cases[i]);
  }
}

void vb_bench_report_device(FILE *stream, const vb_machine *machine) {
  const vb_gpu *gpu = &machine->gpu;
  if (!machine->has_gpu)
    return;
  if (!machine->nvml) {
    fprintf(stream, "\n  clocks and power of the device are not available: %.80s\n",
            machine->nvml_missing);
    return;
  }
  fprintf(stream, "\n  %.40s, driver %.20s, ECC %s", gpu->name, or_dash(gpu->driver),
          or_dash(gpu->ecc));
  if (isfinite(gpu->power_limit_w))
    fprintf(stream, ", %.0f W at most", gpu->power_limit_w);
  if (isfinite(gpu->most_sm_clock))
    fprintf(stream, ", %.0f MHz at most", 1e-6 * gpu->most_sm_clock);
  fputc('\n', stream);
}

void vb_bench_report_cases(FILE *stream, const vb_bench *bench) {
  fprintf(stream, "\n%s: %.80s (tier %s)\n", bench->study->name, bench->study->title,
          bench->study->tier);
  print_speeds(stream, bench);
  print_settings(stream, bench);
  print_limits(stream, bench);
  print_devices(stream, bench);
}

void vb_bench_report_scaling(FILE *stream, const vb_bench *bench) {
  if (bench->n_scaling == 0)
    return;
  fprintf(stream, "\n  %-*s %12s %9s %9s %9s %10s\n", 36, "time of a step = t0 + DOFs / r",
          "largest", "DOFs", "t0 [ms]", "r [DOF/s]", "deviation");
  for (size_t i = 0; i < bench->n_scaling; i++) {
    const vb_bench_scaling *s = &bench->scaling[i];
    vb_report_cell(stream, "  ", s->name, 36);
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
      if (scenes == 0)
        continue;
      vb_report_cell(stream, "  ", setting, NAME_WIDTH);
      cell(stream, "%.3f", 8, ratio);
      fprintf(stream, "  %zu scene%s\n", scenes, scenes == 1 ? "" : "s");
    }
}
