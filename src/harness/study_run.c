// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/study_run.h"

#include "harness/gate.h"
#include "harness/measure.h"
#include "harness/run.h"
#include "harness/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vb_status vb_status_worse(vb_status a, vb_status b) {
  static const int RANK[] = {
      [VB_OK] = 0,        [VB_INCONCLUSIVE] = 1, [VB_FAILED] = 2,     [VB_UNAVAILABLE] = 3,
      [VB_BAD_INPUT] = 4, [VB_CANNOT_WRITE] = 5, [VB_INTERRUPTED] = 6};
  return RANK[a] >= RANK[b] ? a : b;
}

/// The run named `name`; `study->n_runs` where there is none.
static size_t find_run(const vb_study *study, const char *name) {
  size_t i = 0;
  while (i < study->n_runs && strcmp(study->runs[i].name, name) != 0)
    i++;
  return i;
}

/// Executes run `i` unless its data is there already.
static vb_status execute(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan) {
  const vb_study *study = outcome->study;
  const vb_run_plan *run = &study->runs[i];
  vb_run_outcome *o = &outcome->runs[i];
  const vb_solver *solver;
  vb_run_result result = {0};
  char label[128];
  if (vb_signal_caught())
    return vb_error_set(&outcome->error, VB_INTERRUPTED, "stopped by signal %d before run %s of %s",
                        vb_signal_caught(), run->name, study->name);
  if (!plan->fresh && vb_results_is_current(o->path, study, run)) {
    o->kept = true;
    return VB_OK;
  }
  vb_status status = vb_solver_find(run->solver, &solver, &outcome->error);
  if (status)
    return status;
  vb_run_watcher watcher = {.tell = vb_progress_tell, .context = plan->progress};
  snprintf(label, sizeof label, "%s-%s", study->name, run->name);
  vb_progress_begin(plan->progress, label);
  status = vb_run_execute(study, run, solver, o->path, &watcher, &result, &outcome->error);
  vb_progress_end(plan->progress);
  if (!status && result.status == VB_RUN_INTERRUPTED)
    status = vb_error_set(&outcome->error, VB_INTERRUPTED,
                          "stopped by signal %d; what was recorded is kept in %s.part",
                          vb_signal_caught(), o->path);
  else if (status)
    vb_error_prefix(&outcome->error, "%s, run %s", study->name, run->name);
  return status;
}

/// A gate that speaks of a diverged run fails by that; otherwise its record is judged.
static void judge(vb_study_outcome *outcome, size_t g, vb_verdict *verdict) {
  const vb_gate *gate = &outcome->study->gates[g];
  char note[VB_NOTE_SIZE];
  const char **paths = calloc(gate->n_runs + 1, sizeof *paths);
  const char *trouble = paths ? NULL : "out of memory";
  for (size_t i = 0; !trouble && i < gate->n_runs; i++) {
    size_t r = find_run(outcome->study, gate->runs[i]);
    if (r == outcome->study->n_runs)
      trouble = "the gate names a run that the study does not have";
    else if (outcome->runs[r].summary.diverged) {
      snprintf(note, sizeof note, "run %.40s diverged", gate->runs[i]);
      trouble = note;
    } else
      paths[i] = outcome->runs[r].path;
  }
  if (trouble)
    vb_gate_fail(verdict, trouble);
  else
    vb_gate_judge(gate, paths, verdict);
  free(paths);
  outcome->judged[g] = true;
}

/// Judges the gates of run `i` alone and writes them into its file.
static vb_status judge_run(vb_study_outcome *outcome, size_t i) {
  const vb_study *study = outcome->study;
  size_t n = 0;
  vb_gate *gates = calloc(study->n_gates + 1, sizeof *gates);
  vb_verdict *verdicts = calloc(study->n_gates + 1, sizeof *verdicts);
  vb_status status = gates && verdicts ? VB_OK : vb_error_memory(&outcome->error);
  for (size_t g = 0; !status && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    if (gate->n_runs != 1 || strcmp(gate->runs[0], study->runs[i].name) != 0)
      continue;
    judge(outcome, g, &outcome->verdicts[g]);
    gates[n] = *gate;
    verdicts[n++] = outcome->verdicts[g];
  }
  if (!status)
    status = vb_results_write_gates(outcome->runs[i].path, gates, verdicts, n, &outcome->error);
  free(verdicts);
  free(gates);
  return status;
}

static vb_status run_one(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan) {
  vb_run_outcome *o = &outcome->runs[i];
  vb_status status = execute(outcome, i, plan);
  if (!status)
    status = vb_run_summary_read(o->path, &o->summary, &outcome->error);
  if (!status)
    status = judge_run(outcome, i);
  o->recorded = !status;
  if (!status && o->summary.diverged)
    outcome->status = VB_FAILED;
  return status;
}

char *vb_study_results_path(const char *folder, const char *study, const char *run) {
  char *path = NULL;
  int length = run ? asprintf(&path, "%s/%s-%s.h5", folder, study, run)
                   : asprintf(&path, "%s/%s.h5", folder, study);
  return length < 0 ? NULL : path;
}

static vb_status prepare(const vb_study *study, const char *folder, vb_study_outcome *out) {
  *out = (vb_study_outcome){.study = study,
                            .index = vb_study_results_path(folder, study->name, NULL),
                            .runs = calloc(study->n_runs + 1, sizeof *out->runs),
                            .verdicts = calloc(study->n_gates + 1, sizeof *out->verdicts),
                            .judged = calloc(study->n_gates + 1, sizeof *out->judged)};
  bool whole = out->index && out->runs && out->verdicts && out->judged;
  for (size_t i = 0; whole && i < study->n_runs; i++) {
    out->runs[i].dofs = vb_scene_dofs(study->runs[i].scene);
    out->runs[i].path = vb_study_results_path(folder, study->name, study->runs[i].name);
    whole = out->runs[i].path != NULL;
  }
  return whole ? VB_OK : vb_error_memory(&out->error);
}

/// Judges the gates over several runs and writes the index.
static vb_status conclude(vb_study_outcome *outcome) {
  const vb_study *study = outcome->study;
  for (size_t g = 0; g < study->n_gates; g++) {
    if (!outcome->judged[g])
      judge(outcome, g, &outcome->verdicts[g]);
    if (!outcome->verdicts[g].passed && !study->gates[g].finding)
      outcome->status = VB_FAILED;
  }
  vb_status status = vb_index_write(outcome->index, study, outcome->verdicts, &outcome->error);
  outcome->indexed = !status;
  return status;
}

vb_status vb_study_run(const vb_study *study, const vb_study_run_plan *plan,
                       vb_study_outcome *out) {
  vb_status status = prepare(study, plan->folder, out);
  for (size_t i = 0; !status && i < study->n_runs; i++)
    status = run_one(out, i, plan);
  if (!status)
    status = conclude(out);
  if (status)
    out->status = status;
  return out->status;
}

void vb_study_outcome_free(vb_study_outcome *outcome) {
  for (size_t i = 0; outcome->runs && i < outcome->study->n_runs; i++)
    free(outcome->runs[i].path);
  free(outcome->runs);
  free(outcome->verdicts);
  free(outcome->judged);
  free(outcome->index);
  *outcome = (vb_study_outcome){0};
}
