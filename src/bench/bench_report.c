// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_report.h"

#include "base/report_text.h"
#include "scene/material.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// How a table is laid out: with all columns, or those that are needed most.
typedef struct layout {
  bool narrow;
  int name; ///< columns of the names of cases
} layout;

/// Columns of a terminal below which tables are narrow.
enum { WIDE = 110 };

/// The layout of a table whose names are followed by so many columns, `narrow` of them on a narrow
/// terminal.
static layout lay_out(FILE *stream, int longest, int rest, int narrow) {
  bool is_narrow = vb_terminal_width(stream) < WIDE - 1;
  return (layout){is_narrow,
                  vb_report_name_width(stream, longest, 2 + (is_narrow ? narrow : rest))};
}

static int longer(int a, int b) {
  return a > b ? a : b;
}

/// Columns of the longest name of a case.
static int longest_name(const vb_bench *bench) {
  int longest = 6;
  for (size_t i = 0; i < bench->n_cases; i++)
    longest = longer(longest, vb_report_columns(bench->cases[i].run->name));
  return longest;
}

/// Prints a number in `width` columns, or a dash where there is none.
static void cell(FILE *stream, const char *format, int width, double value) {
  char text[32] = "-";
  if (isfinite(value))
    snprintf(text, sizeof text, format, value);
  fprintf(stream, " %*s", width, text);
}

static void print_name(FILE *stream, layout at, const vb_bench_case *c) {
  vb_report_name(stream, "  ", c->run->name, at.name);
}

/// What ended the case, or what is wrong with it.
static void print_end(FILE *stream, const vb_bench_case *c) {
  const char *remark = vb_bench_remark(c);
  fputs("  ", stream);
  vb_report_word(stream, remark[0] ? remark : vb_stop_word(c->stop),
                 !remark[0]                        ? VB_PLAIN
                 : strcmp(remark, "UNSTABLE") == 0 ? VB_YELLOW
                                                   : VB_RED);
  fputc('\n', stream);
}

static void print_quantiles(FILE *stream, const vb_bench_case *c, bool timed) {
  static const double levels[] = {0.5, 0.95, 0.99};
  for (int k = 0; k < 3; k++) {
    double quantile =
        timed && c->n_single ? 1e3 * vb_quantile(c->single_s, c->n_single, levels[k]) : NAN;
    cell(stream, quantile < 99 ? "%.2g" : "%.0f", 6, quantile);
  }
}

static void print_speed(FILE *stream, layout at, const vb_bench_case *c) {
  bool timed = vb_bench_has_time(c);
  double ms = timed ? 1e3 * c->step_s.median : NAN, rate = vb_bench_dof_hz(c);
  double sweeps = (double)(c->settings.iterations * c->settings.substeps);
  double real = vb_bench_real_time(c);
  print_name(stream, at, c);
  cell(stream, "%.4g", 8, ms);
  if (!at.narrow) {
    cell(stream, "%.1f", 5, timed ? 100 * vb_relative_width(&c->step_s) : NAN);
    print_quantiles(stream, c, timed);
  }
  cell(stream, "%.3g", 8, rate);
  if (!at.narrow) {
    cell(stream, "%.3g", 9, rate * sweeps);
    cell(stream, real < 100 ? "%.3g" : "%.0f", 6, real);
  }
  cell(stream, "%.1e", 7, c->residual);
  print_end(stream, c);
  if (c->divergence.diverged) {
    char text[240];
    snprintf(text, sizeof text, "step %" PRId64 ": %.200s", c->divergence.step, c->divergence.what);
    vb_report_words(stream, "      ", text, 6, vb_terminal_width(stream));
  }
}

static void print_missed_gates(FILE *stream, const vb_study *study, const vb_bench_case *c) {
  static const char *const WORDS[] = {
      [VB_CLOSE_TO] = "near", [VB_AT_MOST] = "at most", [VB_AT_LEAST] = "at least"};
  int width = vb_terminal_width(stream);
  for (size_t g = 0; c->evaluated && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    char text[400];
    if (!c->evaluated[g] || c->verdicts[g].passed)
      continue;
    snprintf(text, sizeof text, "%s%.250s: %.4g, not %s %.4g", gate->finding ? "finding: " : "",
             gate->name, c->verdicts[g].value, WORDS[gate->comparator], gate->reference);
    vb_report_words(stream, "      ", text, 6, width);
    if (c->verdicts[g].note[0])
      vb_report_words(stream, "      ", c->verdicts[g].note, 6, width);
  }
}

static void print_speeds(FILE *stream, const vb_bench *bench) {
  char text[160];
  layout at = lay_out(stream, longest_name(bench), 84, 40);
  if (at.narrow)
    fprintf(stream, "  %-*s %8s %8s %7s  %s\n", at.name, "case", "ms/step", "DOF Hz", "resid.",
            "stopped");
  else
    fprintf(stream, "  %-*s %8s %5s %6s %6s %6s %8s %9s %6s %7s  %s\n", at.name, "case", "ms/step",
            "+-%", "p50", "p95", "p99", "DOF Hz", "DOF it Hz", "x real", "resid.", "stopped");
  for (size_t i = 0; i < bench->n_cases; i++) {
    print_speed(stream, at, &bench->cases[i]);
    print_missed_gates(stream, bench->study, &bench->cases[i]);
  }
  if (!at.narrow)
    fprintf(stream, "  (p50, p95, p99 are of single steps, ms)\n");
  if (strcmp(bench->study->name, "contact_crowd") != 0)
    return;
  snprintf(text, sizeof text,
           "(The paper reports %.3g DOF Hz on a GTX 1080 for such a crowd, without an iteration "
           "count; compare the case with moving skins)",
           VB_PAPER_DOF_HZ);
  vb_report_words(stream, "  ", text, 2, vb_terminal_width(stream));
}

static const char *or_dash(const char *text) {
  return text[0] ? text : "-";
}

/// Says which cases are of rods of the material model solid, whole or in part.
static void print_models(FILE *stream, const vb_bench *bench) {
  bool any = false;
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_run_plan *run = bench->cases[i].run;
    if (!strstr(vb_material_models_of(run->scene), "solid"))
      continue;
    fprintf(stream, "%s%s", any ? ", " : "  material model solid: ", run->name);
    any = true;
  }
  if (any)
    fputs("; published: the others\n", stream);
}

static void print_settings(FILE *stream, const vb_bench *bench) {
  layout at = lay_out(stream, longest_name(bench), 78, 39);
  if (at.narrow)
    fprintf(stream, "\n  %-*s %8s  %-16s %-6s %3s\n", at.name, "case", "DOFs", "method", "prec.",
            "th.");
  else
    fprintf(stream, "\n  %-*s %8s %9s  %-16s %-6s %-6s %-9s %3s %9s\n", at.name, "case", "DOFs",
            "byte/node", "method", "prec.", "arith.", "instr.", "th.", "it x sub");
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    const vb_bench_settings *s = &c->settings;
    print_name(stream, at, c);
    fprintf(stream, " %8" PRId64, c->dofs);
    if (!at.narrow)
      cell(stream, "%.0f", 9, c->memory > 0 ? c->memory / (double)c->nodes : NAN);
    fprintf(stream, "  %-16s %-6s", or_dash(s->method), or_dash(s->precision));
    if (!at.narrow)
      fprintf(stream, " %-6s %-9s", or_dash(s->arithmetic), or_dash(s->instructions));
    fprintf(stream, " %3" PRId64, s->threads);
    char sweeps[64] = "";
    if (!at.narrow)
      snprintf(sweeps, sizeof sweeps, " %5" PRId64 " x %" PRId64, s->iterations, s->substeps);
    fprintf(stream, "%s\n", sweeps);
  }
  print_models(stream, bench);
}

/// Whether any case has a time to accuracy, or a floor.
static bool has_limits(const vb_bench *bench) {
  for (size_t i = 0; i < bench->n_cases; i++)
    if (bench->cases[i].accuracy.n > 0 || bench->cases[i].floor.known)
      return true;
  return false;
}

static void print_floor(FILE *stream, const vb_bench_case *c) {
  const vb_bench_floor *f = &c->floor;
  cell(stream, "%.3g", 10, f->known ? 1e-6 * f->bytes : NAN);
  cell(stream, "%.3g", 9, f->known ? 1e-6 * f->operations : NAN);
  cell(stream, "%.3g", 9, f->known ? 1e3 * f->time_s : NAN);
  cell(stream, "%.3g", 6, f->known && vb_bench_has_speed(c) ? c->step_s.median / f->time_s : NAN);
}

static void print_limits(FILE *stream, const vb_bench *bench) {
  if (!has_limits(bench))
    return;
  layout at = lay_out(stream, longest_name(bench), 78, 40);
  fprintf(stream, "\n  %-*s  ms to residual %.0e    %.0e    %.0e", at.name, "case",
          vb_bench_target[0], vb_bench_target[1], vb_bench_target[2]);
  if (!at.narrow)
    fprintf(stream, " %10s %9s %9s %6s", "floor: MB", "Mflop", "ms", "times");
  fputc('\n', stream);
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    print_name(stream, at, c);
    for (int k = 0; k < VB_BENCH_TARGETS; k++)
      cell(stream, "%.3g", k ? 8 : 21, 1e3 * c->accuracy.time_s[k]);
    if (!at.narrow)
      print_floor(stream, c);
    fputc('\n', stream);
  }
}

/// The time of a step in the other launch mode, marked where it ended in another state; and what
/// the device used.
static void print_other_mode(FILE *stream, const vb_bench_case *c, double energy) {
  const vb_bench_device *d = &c->device;
  char words[120], other[32] = "-";
  if (d->other_launch[0])
    snprintf(other, sizeof other, "%s %.4g", d->other_launch, 1e3 * d->other_step_s.median);
  fprintf(stream, " %15s%s", other, d->other_launch[0] && !d->other_repeated ? "!" : " ");
  cell(stream, "%.0f", 6, 1e-6 * d->sm_clock);
  cell(stream, "%.0f", 5, 100 * vb_bench_marked(c));
  cell(stream, "%.3g", 8, 1e3 * energy);
  cell(stream, "%.3g", 8, 1e9 * energy / (double)c->dofs);
  vb_throttle_words(d->throttle, words, sizeof words);
  fprintf(stream, "  %.20s", words[0] ? words : "-");
}

static void print_device(FILE *stream, layout at, const vb_bench_case *c) {
  const vb_bench_device *d = &c->device;
  bool timed = vb_bench_has_time(c);
  double energy = timed && d->energy_by ? d->energy_j : NAN;
  print_name(stream, at, c);
  fprintf(stream, " %-6s", or_dash(d->launch));
  cell(stream, "%.4g", 8, timed ? 1e3 * d->step_s.median : NAN);
  cell(stream, "%.1f", 5, timed ? 100 * vb_relative_width(&d->step_s) : NAN);
  if (at.narrow)
    cell(stream, "%.3g", 8, 1e3 * energy);
  else
    print_other_mode(stream, c, energy);
  fputc('\n', stream);
}

/// What devices say, where any case ran on one.
static void print_devices(FILE *stream, const vb_bench *bench) {
  bool any = false;
  layout at = lay_out(stream, longest_name(bench), 93, 31);
  for (size_t i = 0; i < bench->n_cases; i++) {
    if (!bench->cases[i].device.there)
      continue;
    if (!any && at.narrow)
      fprintf(stream, "\n  %-*s %-6s %8s %5s %8s\n", at.name, "device", "launch", "ms/step", "+-%",
              "mJ/step");
    else if (!any)
      fprintf(stream, "\n  %-*s %-6s %8s %5s %15s  %6s %5s %8s %8s  %s\n", at.name, "device",
              "launch", "ms/step", "+-%", "other mode", "MHz", "% mk.", "mJ/step", "nJ/DOF",
              "throttled");
    any = true;
    print_device(stream, at, &bench->cases[i]);
  }
}

void vb_bench_report_cases(FILE *stream, const vb_bench *bench) {
  char text[400];
  snprintf(text, sizeof text, "%.100s: %.250s (tier %s)", bench->study->name, bench->study->title,
           bench->study->tier);
  vb_report_words(stream, "\n", text, 0, vb_terminal_width(stream));
  print_speeds(stream, bench);
  print_settings(stream, bench);
  print_limits(stream, bench);
  print_devices(stream, bench);
}

static void print_scaling(FILE *stream, layout at, const vb_bench_scaling *s) {
  vb_report_name(stream, "  ", s->name, at.name);
  fprintf(stream, " %5g %-6s", s->size[s->n - 1], s->over_bodies ? "bodies" : "nodes");
  if (!at.narrow)
    cell(stream, "%.3g", 9, s->dofs[s->n - 1]);
  cell(stream, "%.3g", 9, s->fitted ? 1e3 * s->cost.offset : NAN);
  cell(stream, "%.3g", 9, s->fitted ? s->cost.rate : NAN);
  if (!at.narrow)
    cell(stream, "%.1f %%", 10, s->fitted ? 100 * s->cost.deviation : NAN);
  fputc('\n', stream);
}

void vb_bench_report_scaling(FILE *stream, const vb_bench *bench) {
  static const char TITLE[] = "time of a step = t0 + DOFs / r";
  int longest = (int)sizeof TITLE - 1;
  if (bench->n_scaling == 0)
    return;
  for (size_t i = 0; i < bench->n_scaling; i++)
    longest = longer(longest, vb_report_columns(bench->scaling[i].name));
  layout at = lay_out(stream, longest, 54, 33);
  vb_report_cell(stream, "\n  ", TITLE, at.name);
  if (at.narrow)
    fprintf(stream, " %12s %9s %9s\n", "largest", "t0 [ms]", "r [DOF/s]");
  else
    fprintf(stream, " %12s %9s %9s %9s %10s\n", "largest", "DOFs", "t0 [ms]", "r [DOF/s]",
            "deviation");
  for (size_t i = 0; i < bench->n_scaling; i++)
    print_scaling(stream, at, &bench->scaling[i]);
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

static int longest_setting(const vb_bench *bench) {
  char name[128];
  int longest = 0;
  for (size_t i = 0; i < bench->n_cases; i++) {
    vb_bench_setting_name(bench->cases[i].run->name, name, sizeof name);
    longest = longer(longest, vb_report_columns(name));
  }
  return longest;
}

void vb_bench_report_ratios(FILE *stream, const vb_bench *benches, size_t n, const char *baseline) {
  char setting[128];
  size_t scenes;
  int longest = 6;
  for (size_t b = 0; b < n; b++)
    longest = longer(longest, longest_setting(&benches[b]));
  layout at = lay_out(stream, longest, 20, 20);
  fprintf(stream, "\n  speed over that of %s, geometric mean over scenes\n", baseline);
  for (size_t b = 0; b < n; b++)
    for (size_t i = 0; i < benches[b].n_cases; i++) {
      vb_bench_setting_name(benches[b].cases[i].run->name, setting, sizeof setting);
      if (seen(benches, b, i, setting))
        continue;
      double ratio = vb_bench_ratio(benches, n, setting, baseline, &scenes);
      if (scenes == 0)
        continue;
      vb_report_name(stream, "  ", setting, at.name);
      cell(stream, "%.3f", 8, ratio);
      fprintf(stream, "  %zu scene%s\n", scenes, scenes == 1 ? "" : "s");
    }
}
