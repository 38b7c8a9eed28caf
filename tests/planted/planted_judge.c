// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs the quick size of a study with planted solvers, and tells which of its gates fail.
///
///   planted_judge [--all] STUDY KIND...
///
/// For each kind that the study must see or exempts, the cheapest runs go first, and none follows
/// the first gate that fails. With --all, every kind is tried in all runs. Prints a line of JSON
/// for each kind: study, kind, must, exempt (the reason, or null), gates (how many can fail),
/// failed (their names), diverged (runs), runs, of, seconds, error (or null). Exit code: 0, or 2
/// where the study cannot be loaded or the kind is unknown.
#include "base/clock.h"
#include "base/scratch.h"
#include "planted/planted.h"
#include "results/h5.h"
#include "script/study/study_script.h"
#include "study/study_execute.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A study with one kind of planted solver.
typedef struct trial {
  const vb_study *study;
  bool all;
  vb_study_outcome outcome;
  size_t *order; ///< of its runs, the cheapest last
  json_t *failed;
  json_t *diverged;
  size_t n_done; ///< runs
  vb_error error;
} trial;

static vb_status prepare(trial *t, const char *folder) {
  const vb_study *study = t->study;
  vb_study_outcome *o = &t->outcome;
  o->study = study;
  o->runs = calloc(study->n_runs + 1, sizeof *o->runs);
  o->verdicts = calloc(study->n_gates + 1, sizeof *o->verdicts);
  o->evaluated = calloc(study->n_gates + 1, sizeof *o->evaluated);
  t->order = calloc(study->n_runs + 1, sizeof *t->order);
  t->failed = json_array();
  t->diverged = json_array();
  bool whole = o->runs && o->verdicts && o->evaluated && t->order && t->failed && t->diverged;
  for (size_t i = 0; whole && i < study->n_runs; i++)
    whole = (o->runs[i].path = vb_study_results_path(folder, study->name, study->runs[i].name));
  return whole ? vb_study_order(study, t->order, &t->error) : vb_error_memory(&t->error);
}

static void clear(trial *t) {
  for (size_t i = 0; t->outcome.runs && i < t->study->n_runs; i++)
    free(t->outcome.runs[i].path);
  free(t->outcome.runs);
  free(t->outcome.verdicts);
  free(t->outcome.evaluated);
  free(t->order);
}

/// Whether a gate can fail: a finding fails nothing, a number that was found is not measured.
static bool can_fail(const vb_gate *gate) {
  return !gate->finding && !gate->found;
}

/// Executes a run and judges the gates that then have all of theirs.
static void try_run(trial *t, size_t i, vb_progress *progress, const char *folder) {
  const vb_study *study = t->study;
  vb_study_outcome *o = &t->outcome;
  vb_study_run_plan plan = {.folder = folder, .progress = progress};
  vb_study_execute_run(o, i, &plan, VB_EFFORT_TRY, 1);
  t->n_done++;
  t->error = o->runs[i].error;
  if (t->error.status)
    return;
  if (o->runs[i].summary.diverged)
    json_array_append_new(t->diverged, json_string(study->runs[i].name));
  for (size_t g = 0; g < study->n_gates; g++) {
    bool mine = false;
    for (size_t k = 0; k < study->gates[g].n_runs; k++)
      mine = mine || strcmp(study->gates[g].runs[k], study->runs[i].name) == 0;
    if (!mine || !vb_study_can_evaluate(o, g))
      continue;
    if (!o->evaluated[g])
      vb_study_evaluate_gate(o, g);
    if (!o->verdicts[g].passed && can_fail(&study->gates[g]))
      json_array_append_new(t->failed, json_string(study->gates[g].name));
  }
}

static void try_all(trial *t, const char *folder) {
  vb_progress progress = {0};
  size_t i = t->study->n_runs;
  while (i > 0 && !t->error.status &&
         (t->all || json_array_size(t->failed) + json_array_size(t->diverged) == 0))
    try_run(t, t->order[--i], &progress, folder);
}

static void print(trial *t, int kind, double seconds) {
  const vb_planted_plan *plan = &t->study->planted;
  bool known = kind < PLANTED_NONE;
  json_int_t n = 0;
  for (size_t g = 0; g < t->study->n_gates; g++)
    n += can_fail(&t->study->gates[g]);
  json_t *line = json_pack("{s:s, s:s, s:b, s:s?, s:I, s:o, s:o, s:I, s:I, s:f, s:s?}", "study",
                           t->study->name, "kind", planted_word(kind), "must",
                           known && plan->must[kind], "exempt", known ? plan->exempt[kind] : NULL,
                           "gates", n, "failed", t->failed, "diverged", t->diverged, "runs",
                           (json_int_t)t->n_done, "of", (json_int_t)t->study->n_runs, "seconds",
                           seconds, "error", t->error.status ? t->error.message : NULL);
  char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
  puts(text ? text : "out of memory");
  fflush(stdout);
  free(text);
  json_decref(line);
}

static void judge(const vb_study *study, int kind, bool all) {
  char folder[VB_SCRATCH_PATH];
  trial t = {.study = study, .all = all};
  double begun = vb_clock();
  planted_choose(kind);
  vb_status status = vb_scratch_make(folder, &t.error);
  if (!status) {
    if (!prepare(&t, folder))
      try_all(&t, folder);
    vb_scratch_remove(folder);
  }
  print(&t, kind, vb_clock() - begun);
  clear(&t);
}

/// Whether the study says anything about a kind; of a sound solver there is nothing to say.
static bool is_planned(const vb_study *study, int kind) {
  return kind == PLANTED_NONE || study->planted.must[kind] || study->planted.exempt[kind];
}

int main(int argc, char **argv) {
  bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
  vb_study_request request = {.tier = "quick"};
  vb_study *study = NULL;
  vb_error error;
  gsl_set_error_handler_off();
  vb_h5_quiet();
  argv += 1 + all;
  for (char **word = argv; *word; word++)
    if (word > argv && planted_find(*word) < 0) {
      fprintf(stderr, "planted_judge: unknown kind \"%s\"\n", *word);
      return 2;
    }
  request.name = *argv;
  if (!request.name) {
    fprintf(stderr, "planted_judge: wants a study and kinds of planted solvers\n");
    return 2;
  }
  planted_choose(PLANTED_NONE);
  if (vb_study_load(&request, &study, &error)) {
    fprintf(stderr, "planted_judge: %s\n", error.message);
    return 2;
  }
  for (char **word = argv + 1; *word && !study->n_includes; word++)
    if (all || is_planned(study, planted_find(*word)))
      judge(study, planted_find(*word), all);
  vb_study_destroy(study);
  return 0;
}
