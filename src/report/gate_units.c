// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/gate_units.h"

#include "results/results_locate.h"

#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0)
      return true;
  return false;
}

/// Whether the gate's number is in the unit of its quantity.
static bool keeps_unit(const vb_gate_record *g) {
  static const char *const MEASURES[] = {"first",       "final", "value", "minimum", "maximum",
                                         "maximum_abs", "mean",  "drift", NULL};
  static const char *const COMBINATIONS[] = {"single", "difference", NULL};
  return is_one_of(g->measure, MEASURES) && is_one_of(g->combination, COMBINATIONS);
}

static bool is_of_surfaces(const vb_gate_record *g) {
  static const char *const COMBINATIONS[] = {"surface_rms", "surface_hausdorff", NULL};
  return is_one_of(g->combination, COMBINATIONS);
}

/// The first of the gate's runs; the first of the study where none of that name is here.
static const vb_report_run *run_of(const vb_report_study *s, const vb_gate_record *g) {
  size_t n = strcspn(g->runs, " ");
  for (size_t i = 0; i < s->n_runs; i++)
    if (strlen(s->runs[i].name) == n && strncmp(s->runs[i].name, g->runs, n) == 0)
      return &s->runs[i];
  return s->n_runs ? s->runs : NULL;
}

static void read_unit(const vb_report_study *s, const vb_gate_record *g, char *out) {
  char path[700];
  vb_array a;
  bool there = false;
  const vb_report_run *run = run_of(s, g);
  if (!run || !vb_results_locate(g->quantity, path, sizeof path))
    return;
  // Of frames one is enough, for the unit is that of all.
  int64_t frame = strncmp(path, "/run/frames/", strlen("/run/frames/")) == 0 ? 0 : VB_NO_FRAME;
  if (vb_run_has(run->place, path + 1, &there, NULL) || !there ||
      vb_run_array(run->place, path + 1, frame, &a, NULL))
    return;
  if (strcmp(a.unit, "1") != 0)
    snprintf(out, VB_GATE_UNIT, "%s", a.unit);
  vb_array_free(&a);
}

void vb_report_gate_units(const vb_report_study *s, char (*units)[VB_GATE_UNIT]) {
  for (size_t i = 0; i < s->n_gates; i++) {
    const vb_gate_record *g = &s->gates[i];
    size_t same = 0;
    units[i][0] = '\0';
    if (is_of_surfaces(g) && strcmp(g->measure, "slope") != 0)
      snprintf(units[i], VB_GATE_UNIT, "m");
    if (!keeps_unit(g) || s->speeds)
      continue;
    while (same < i && !(keeps_unit(&s->gates[same]) && units[same][0] &&
                         strcmp(s->gates[same].quantity, g->quantity) == 0))
      same++;
    if (same < i)
      memcpy(units[i], units[same], VB_GATE_UNIT);
    else
      read_unit(s, g, units[i]);
  }
}
