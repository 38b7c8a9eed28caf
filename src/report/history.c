// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/history.h"

#include "report/report_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The line of a gate or speed; made where there is none. Null for want of memory.
static vb_history_line *line_of(vb_history *h, bool speed, const char *study, const char *name,
                                const char *runs) {
  for (size_t i = 0; i < h->n_lines; i++) {
    vb_history_line *l = &h->lines[i];
    if (l->speed == speed && strcmp(l->study, study) == 0 && strcmp(l->name, name) == 0 &&
        strcmp(l->runs, runs) == 0)
      return l;
  }
  vb_history_line *l = VB_APPEND(h->lines, h->n_lines);
  if (!l)
    return NULL;
  l->speed = speed;
  l->study = vb_arena_text(&h->memory, study);
  l->name = vb_arena_text(&h->memory, name);
  l->runs = vb_arena_text(&h->memory, runs);
  VB_TAKE(&h->memory, l->points, h->n_records);
  return h->memory.failed ? NULL : l;
}

static vb_status add_gate(vb_history *h, size_t k, const char *study, const vb_gate_record *g,
                          vb_error *error) {
  vb_history_line *l = line_of(h, false, study, g->name, g->runs);
  if (!l)
    return vb_error_memory(error);
  l->reference = g->reference;
  l->tolerance = g->relative ? g->tolerance * fabs(g->reference) : g->tolerance;
  l->points[k] = (vb_history_point){
      .there = true, .passed = g->passed, .value = g->value, .low = NAN, .high = NAN};
  return VB_OK;
}

static vb_status add_speed(vb_history *h, size_t k, const vb_report_study *s,
                           const vb_report_run *run, vb_error *error) {
  if (isnan(run->step_time))
    return VB_OK;
  char name[400]; // by another method a step is another one
  snprintf(name, sizeof name, "%s step, %s", s->speeds ? "measured" : "noted", run->solver);
  vb_history_line *l = line_of(h, true, s->name, name, run->name);
  if (!l)
    return vb_error_memory(error);
  l->points[k] = (vb_history_point){.there = true,
                                    .passed = true,
                                    .value = run->step_time,
                                    .low = run->step_time_low,
                                    .high = run->step_time_high,
                                    .residual = run->residual};
  return VB_OK;
}

static void note_origin(vb_history *h, size_t k, char *path, const vb_report_study *s) {
  char commit[16];
  snprintf(commit, sizeof commit, "%.8s%s", vb_report_provenance(s, "commit"),
           strcmp(vb_report_provenance(s, "dirty"), "1") == 0 ? "+" : "");
  h->records[k] =
      (vb_history_record){.path = vb_arena_text(&h->memory, path),
                          .commit = vb_arena_text(&h->memory, commit),
                          .host = vb_arena_text(&h->memory, vb_report_provenance(s, "host")),
                          .cpu = vb_arena_text(&h->memory, vb_report_provenance(s, "cpu")),
                          .date = vb_arena_text(&h->memory, vb_report_provenance(s, "date"))};
}

static vb_status add_record(vb_history *h, size_t k, char *path, vb_error *error) {
  vb_report_results r;
  vb_status status = vb_report_results_read(&path, 1, &r, error);
  if (status)
    return status;
  vb_report_complain(stderr, &r);
  note_origin(h, k, path, &r.studies[0]);
  for (size_t i = 0; i < r.n_studies; i++) {
    const vb_report_study *s = &r.studies[i];
    for (size_t g = 0; !status && g < s->n_gates; g++)
      status = add_gate(h, k, s->name, &s->gates[g], error);
    for (size_t n = 0; !status && n < s->n_runs; n++)
      status = add_speed(h, k, s, &s->runs[n], error);
  }
  vb_report_results_free(&r);
  return status;
}

static bool same_machine(const vb_history *h, size_t a, size_t b) {
  return strcmp(h->records[a].host, h->records[b].host) == 0 &&
         strcmp(h->records[a].cpu, h->records[b].cpu) == 0;
}

static vb_history_change judge_gate(const vb_history_line *l, const vb_history_point *before,
                                    const vb_history_point *now) {
  double size = fmax(fabs(l->reference), l->tolerance);
  size = fmax(size, fmax(fabs(before->value), fabs(now->value)));
  if (before->passed != now->passed)
    return now->passed ? VB_HISTORY_BETTER : VB_HISTORY_WORSE;
  return fabs(now->value - before->value) <= VB_HISTORY_NOISE * size ? VB_HISTORY_SAME
                                                                     : VB_HISTORY_MOVED;
}

static vb_history_change judge_speed(const vb_history_point *before, const vb_history_point *now) {
  return now->high < before->low   ? VB_HISTORY_BETTER
         : now->low > before->high ? VB_HISTORY_WORSE
                                   : VB_HISTORY_SAME;
}

/// Compares each point with the latest one before it that says something about it.
static void find_changes(const vb_history *h, vb_history_line *l) {
  for (size_t k = 1; k < h->n_records; k++) {
    size_t before = k;
    while (before-- > 0)
      if (l->points[before].there && (!l->speed || same_machine(h, before, k)))
        break;
    if (before < k && l->points[k].there)
      l->points[k].change = l->speed ? judge_speed(&l->points[before], &l->points[k])
                                     : judge_gate(l, &l->points[before], &l->points[k]);
  }
}

vb_status vb_history_read(char *const *path, size_t n, vb_history *out, vb_error *error) {
  vb_history h = {.n_records = n};
  vb_status status = VB_TAKE(&h.memory, h.records, n) ? VB_OK : vb_error_memory(error);
  for (size_t k = 0; !status && k < n; k++)
    status = add_record(&h, k, path[k], error);
  if (!status)
    status = vb_arena_status(&h.memory, error);
  for (size_t i = 0; !status && i < h.n_lines; i++)
    find_changes(&h, &h.lines[i]);
  if (status)
    vb_history_free(&h);
  else
    *out = h;
  return status;
}

void vb_history_free(vb_history *h) {
  free(h->lines);
  vb_arena_clear(&h->memory);
  *h = (vb_history){0};
}

const char *vb_history_word(const vb_history_line *line, vb_history_change change) {
  static const char *const WORDS[][2] = {[VB_HISTORY_SAME] = {"", ""},
                                         [VB_HISTORY_MOVED] = {"moved", "moved"},
                                         [VB_HISTORY_BETTER] = {"passes", "faster"},
                                         [VB_HISTORY_WORSE] = {"FAILS", "slower"}};
  return WORDS[change][line->speed];
}
