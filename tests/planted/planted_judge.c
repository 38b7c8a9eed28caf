// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs the quick size of a study with planted solvers, and tells which of its gates fail.
///
///   planted_judge [--all | --limit SECONDS] STUDY KIND...
///
/// For each kind that the study must see or exempts, the gate whose runs cost least goes first, and
/// nothing follows the first gate that fails. No run is begun once so many seconds of a processor
/// are spent on the study: a kind is then undecided. With --all, every kind is tried in all runs.
/// Prints a line of JSON for each kind: study, kind, must, exempt (the reason, or null), gates (how
/// many can fail), failed (their names), diverged (runs), undecided, runs, of, seconds (of a
/// processor), error (or null). Exit code: 0, or 2 where the study cannot be loaded or the kind is
/// unknown.
#include "base/scratch.h"
#include "planted/planted.h"
#include "results/h5.h"
#include "script/study/study_script.h"
#include "study/study_execute.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// A study with one kind of planted solver.
typedef struct trial {
  const vb_study *study;
  bool all;
  double end;   ///< no run begins after this processor time, s
  double begun; ///< likewise
  vb_study_outcome outcome;
  double *cost; ///< (n_runs) of runs that are left; 0 of those that are done
  json_t *failed;
  json_t *diverged;
  size_t n_done; ///< runs
  bool undecided;
  vb_error error;
} trial;

/// Processor time of this process, s.
static double spent(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static vb_status prepare(trial *t, const char *folder) {
  const vb_study *study = t->study;
  vb_study_outcome *o = &t->outcome;
  o->study = study;
  o->runs = calloc(study->n_runs + 1, sizeof *o->runs);
  o->verdicts = calloc(study->n_gates + 1, sizeof *o->verdicts);
  o->evaluated = calloc(study->n_gates + 1, sizeof *o->evaluated);
  t->cost = calloc(study->n_runs + 1, sizeof *t->cost);
  t->failed = json_array();
  t->diverged = json_array();
  bool whole = o->runs && o->verdicts && o->evaluated && t->cost && t->failed && t->diverged;
  for (size_t i = 0; whole && i < study->n_runs; i++) {
    o->runs[i].path = vb_study_results_path(folder, study->name, study->runs[i].name);
    t->cost[i] = vb_run_cost(&study->runs[i]);
    whole = o->runs[i].path != NULL;
  }
  return whole ? VB_OK : vb_error_memory(&t->error);
}

static void clear(trial *t) {
  for (size_t i = 0; t->outcome.runs && i < t->study->n_runs; i++)
    free(t->outcome.runs[i].path);
  free(t->outcome.runs);
  free(t->outcome.verdicts);
  free(t->outcome.evaluated);
  free(t->cost);
}

/// Whether a gate can fail: a finding fails nothing, a number that was found is not measured.
static bool can_fail(const vb_gate *gate) {
  return !gate->finding && !gate->found;
}

/// Whether a gate speaks of a run.
static bool speaks_of(const vb_gate *gate, const vb_run_plan *run) {
  for (size_t k = 0; k < gate->n_runs; k++)
    if (strcmp(gate->runs[k], run->name) == 0)
      return true;
  return false;
}

/// Judges the gates of run `i` that now have all of theirs.
static void judge_gates(trial *t, size_t i) {
  vb_study_outcome *o = &t->outcome;
  for (size_t g = 0; g < t->study->n_gates; g++) {
    const vb_gate *gate = &t->study->gates[g];
    if (!speaks_of(gate, &t->study->runs[i]) || !vb_study_can_evaluate(o, g))
      continue;
    if (!o->evaluated[g])
      vb_study_evaluate_gate(o, g);
    if (!o->verdicts[g].passed && can_fail(gate))
      json_array_append_new(t->failed, json_string(gate->name));
  }
}

static void try_run(trial *t, size_t i, const char *folder) {
  vb_progress progress = {0};
  vb_study_run_plan plan = {.folder = folder, .progress = &progress};
  vb_run_outcome *run = &t->outcome.runs[i];
  vb_study_execute_run(&t->outcome, i, &plan, VB_EFFORT_TRY, 1);
  t->n_done++;
  t->cost[i] = 0;
  t->error = run->error;
  if (!t->error.status && run->summary.diverged)
    json_array_append_new(t->diverged, json_string(t->study->runs[i].name));
  if (!t->error.status)
    judge_gates(t, i);
}

/// What the runs of a gate cost that are left; infinite where the gate has been judged or cannot
/// fail.
static double cost_of_gate(const trial *t, size_t g) {
  const vb_gate *gate = &t->study->gates[g];
  double cost = 0;
  if (t->outcome.evaluated[g] || !can_fail(gate))
    return INFINITY;
  for (size_t i = 0; i < t->study->n_runs; i++)
    cost += t->cost[i] > 0 && speaks_of(gate, &t->study->runs[i]) ? t->cost[i] : 0;
  return cost > 0 ? cost : INFINITY;
}

/// The run to be tried next: the first that is left of the cheapest gate, or of all where no gate
/// is left; the number of runs where none is.
static size_t next_run(const trial *t) {
  const vb_study *study = t->study;
  size_t best = study->n_gates, i = 0;
  double least = INFINITY;
  for (size_t g = 0; g < study->n_gates; g++) {
    double cost = cost_of_gate(t, g);
    best = cost < least ? g : best;
    least = fmin(least, cost);
  }
  while (i < study->n_runs &&
         !(t->cost[i] > 0 &&
           (best == study->n_gates || speaks_of(&study->gates[best], &study->runs[i]))))
    i++;
  return i;
}

static void try_all(trial *t, const char *folder) {
  for (size_t i = next_run(t); i < t->study->n_runs && !t->error.status; i = next_run(t)) {
    if (!t->all && json_array_size(t->failed) + json_array_size(t->diverged) > 0)
      return;
    t->undecided = spent() > t->end;
    if (t->undecided)
      return;
    try_run(t, i, folder);
  }
}

static void print(trial *t, int kind) {
  const vb_planted_plan *plan = &t->study->planted;
  bool known = kind < PLANTED_NONE;
  json_int_t n = 0;
  for (size_t g = 0; g < t->study->n_gates; g++)
    n += can_fail(&t->study->gates[g]);
  json_t *line = json_pack(
      "{s:s, s:s, s:b, s:s?, s:I, s:o, s:o, s:b, s:I, s:I, s:f, s:s?}", "study", t->study->name,
      "kind", planted_word(kind), "must", known && plan->must[kind], "exempt",
      known ? plan->exempt[kind] : NULL, "gates", n, "failed", t->failed, "diverged", t->diverged,
      "undecided", t->undecided, "runs", (json_int_t)t->n_done, "of", (json_int_t)t->study->n_runs,
      "seconds", spent() - t->begun, "error", t->error.status ? t->error.message : NULL);
  char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
  puts(text ? text : "out of memory");
  fflush(stdout);
  free(text);
  json_decref(line);
}

static void judge(const vb_study *study, int kind, bool all, double end) {
  char folder[VB_SCRATCH_PATH];
  trial t = {.study = study, .all = all, .end = end, .begun = spent()};
  planted_choose(kind);
  vb_status status = vb_scratch_make(folder, &t.error);
  if (!status) {
    if (!prepare(&t, folder))
      try_all(&t, folder);
    vb_scratch_remove(folder);
  }
  print(&t, kind);
  clear(&t);
}

/// Whether the study says anything about a kind; of a sound solver there is nothing to say.
static bool is_planned(const vb_study *study, int kind) {
  return kind == PLANTED_NONE || study->planted.must[kind] || study->planted.exempt[kind];
}

static int fail(const char *format, const char *what) {
  fputs("planted_judge: ", stderr);
  fprintf(stderr, format, what);
  fputc('\n', stderr);
  return 2;
}

int main(int argc, char **argv) {
  bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
  bool limited = argc > 2 && strcmp(argv[1], "--limit") == 0;
  double limit = limited ? strtod(argv[2], NULL) : INFINITY;
  char **words = argv + 1 + all + 2 * limited;
  vb_study_request request = {.name = *words, .tier = "quick"};
  vb_study *study = NULL;
  vb_error error;
  gsl_set_error_handler_off();
  vb_h5_quiet();
  if (!request.name)
    return fail("%s", "wants a study and kinds of planted solvers");
  for (char **word = words + 1; *word; word++)
    if (planted_find(*word) < 0)
      return fail("unknown kind \"%s\"", *word);
  planted_choose(PLANTED_NONE);
  if (vb_study_load(&request, &study, &error))
    return fail("%s", error.message);
  const double end = spent() + limit;
  for (char **word = words + 1; *word && !study->n_includes; word++)
    if (all || is_planned(study, planted_find(*word)))
      judge(study, planted_find(*word), all, end);
  vb_study_destroy(study);
  return 0;
}
