// SPDX-License-Identifier: GPL-3.0-or-later
// What reports say of the machine: host, processors, device, best rates.
#include "base/report_text.h"
#include "bench/bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *or_dash(const char *text) {
  return text[0] ? text : "-";
}

void vb_bench_warn_of_others(FILE *stream, double busy) {
  char text[96];
  if (!(busy > VB_MAX_BUSY))
    return;
  snprintf(text, sizeof text,
           "other processes use %.0f %% of the processors; speeds are unreliable", 100 * busy);
  vb_report_word(stream, "WARNING: ", VB_YELLOW);
  vb_report_words(stream, "", text, 9, vb_terminal_width(stream));
}

void vb_bench_report_machine(FILE *stream, const vb_machine *machine) {
  const vb_provenance *p = &machine->origin;
  char text[256];
  int width = vb_terminal_width(stream);
  snprintf(text, sizeof text, "%.40s: %.60s", p->host, p->cpu);
  vb_report_words(stream, "", text, 0, width);
  snprintf(text, sizeof text, "%d cores, %d processors available, %.60s", p->cores, p->threads,
           p->system);
  vb_report_words(stream, "", text, 0, width);
  snprintf(text, sizeof text, "commit %.12s%s, %.40s, %.30s", p->commit,
           p->dirty ? " with changes" : "", p->compiler, p->date);
  vb_report_words(stream, "", text, 0, width);
  vb_bench_warn_of_others(stream, machine->busy);
}

static void describe_device_rate(const vb_machine_rate *r, char *out, size_t size) {
  if (r->bytes > 0)
    snprintf(out, size, "copies within %.3g MiB of the device: %.4g GB/s read and written",
             r->bytes / (1 << 20), 1e-9 * r->rate);
  else
    snprintf(out, size, "%s, device, %s: %.4g Gflop/s", r->precision,
             strcmp(r->arithmetic, "fast") == 0 ? "fused" : "not fused", 1e-9 * r->rate);
}

void vb_bench_report_rates(FILE *stream, const vb_machine *machine) {
  if (machine->n_rates > 0)
    fprintf(stream, "\n  peak rates of this machine\n");
  for (size_t i = 0; i < machine->n_rates; i++) {
    const vb_machine_rate *r = &machine->rate[i];
    const char *many = r->threads == 1 ? "" : "s";
    char text[160];
    if (strcmp(r->instructions, "device") == 0)
      describe_device_rate(r, text, sizeof text);
    else if (r->bytes > 0)
      snprintf(text, sizeof text, "copies within %.3g MiB, %d thread%s: %.3g GB/s read and written",
               r->bytes / (1 << 20), r->threads, many, 1e-9 * r->rate);
    else
      snprintf(text, sizeof text, "%s, %s, %s, %d thread%s: %.3g Gflop/s", r->precision,
               r->instructions, strcmp(r->arithmetic, "fast") == 0 ? "fused" : "not fused",
               r->threads, many, 1e-9 * r->rate);
    vb_report_words(stream, "  ", text, 4, vb_terminal_width(stream));
  }
}

void vb_bench_report_device(FILE *stream, const vb_machine *machine) {
  const vb_gpu *gpu = &machine->gpu;
  char text[256], power[48] = "", clock[48] = "";
  if (!machine->has_gpu)
    return;
  if (isfinite(gpu->power_limit_w))
    snprintf(power, sizeof power, ", %.0f W at most", gpu->power_limit_w);
  if (isfinite(gpu->most_sm_clock))
    snprintf(clock, sizeof clock, ", %.0f MHz at most", 1e-6 * gpu->most_sm_clock);
  if (machine->nvml)
    snprintf(text, sizeof text, "%.40s, driver %.20s, ECC %s%s%s", gpu->name, or_dash(gpu->driver),
             or_dash(gpu->ecc), power, clock);
  else
    snprintf(text, sizeof text, "clocks and power of the device are not available: %.80s",
             machine->nvml_missing);
  vb_report_words(stream, "\n  ", text, 2, vb_terminal_width(stream));
}
