// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_execute.h"

#include "base/file.h"
#include "base/file_lock.h"
#include "base/signals.h"
#include "gate/finding.h"
#include "gate/gate_record.h"
#include "results/h5.h"
#include "results/h5_own.h"
#include "results/results_trial.h"
#include "solver/table.h"
#include "study/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The run named `name`; `study->n_runs` where there is none.
static size_t find_run(const vb_study *study, const char *name) {
  size_t i = 0;
  while (i < study->n_runs && strcmp(study->runs[i].name, name) != 0)
    i++;
  return i;
}

bool vb_study_can_evaluate(const vb_study_outcome *outcome, size_t g) {
  const vb_gate *gate = &outcome->study->gates[g];
  for (size_t i = 0; i < gate->n_runs; i++) {
    size_t r = find_run(outcome->study, gate->runs[i]);
    if (r < outcome->study->n_runs && !outcome->runs[r].recorded)
      return false;
  }
  return true;
}

// A gate that speaks of a diverged run fails by that; otherwise its record is evaluated.
void vb_study_evaluate_gate(vb_study_outcome *outcome, size_t g) {
  const vb_gate *gate = &outcome->study->gates[g];
  vb_verdict *verdict = &outcome->verdicts[g];
  char note[VB_NOTE_SIZE];
  const char **paths = calloc(gate->n_runs + 1, sizeof *paths);
  const char *problem = paths ? NULL : "out of memory";
  for (size_t i = 0; !problem && i < gate->n_runs; i++) {
    size_t r = find_run(outcome->study, gate->runs[i]);
    if (r == outcome->study->n_runs)
      problem = "the gate names a run that the study does not have";
    else if (outcome->runs[r].summary.diverged) {
      snprintf(note, sizeof note, "run %.40s diverged", gate->runs[i]);
      problem = note;
    } else
      paths[i] = outcome->runs[r].path;
  }
  if (problem)
    vb_gate_fail(verdict, problem);
  else
    vb_gate_evaluate(gate, paths, verdict);
  verdict->finding = vb_finding_evaluate(gate, verdict->value);
  free(paths);
  outcome->evaluated[g] = !vb_signal_caught(); // which may have ended what is measured
}

/// Whether a gate is of run `i` alone.
static bool is_of(const vb_study *study, size_t g, size_t i) {
  const vb_gate *gate = &study->gates[g];
  return gate->n_runs == 1 && strcmp(gate->runs[0], study->runs[i].name) == 0;
}

/// Judges the gates of run `i` alone and writes them into its file.
static vb_status evaluate_run_gates(vb_study_outcome *outcome, size_t i, vb_error *error) {
  const vb_study *study = outcome->study;
  size_t n = 0;
  vb_gate *gates = calloc(study->n_gates + 1, sizeof *gates);
  vb_verdict *verdicts = calloc(study->n_gates + 1, sizeof *verdicts);
  vb_status status = gates && verdicts ? VB_OK : vb_error_memory(error);
  for (size_t g = 0; !status && g < study->n_gates; g++) {
    if (!is_of(study, g, i))
      continue;
    vb_study_evaluate_gate(outcome, g);
    if (!outcome->evaluated[g])
      status = vb_error_set(error, VB_INTERRUPTED,
                            "stopped by signal %d; run %s of %s is recorded, its gates are not "
                            "evaluated",
                            vb_signal_caught(), study->runs[i].name, study->name);
    gates[n] = study->gates[g];
    verdicts[n++] = outcome->verdicts[g];
  }
  if (!status)
    status = vb_gates_write(outcome->runs[i].path, gates, verdicts, n, error);
  free(verdicts);
  free(gates);
  return status;
}

/// Executes run `i`, whose lock is held.
static vb_status execute(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan,
                         int threads, vb_error *error) {
  const vb_study *study = outcome->study;
  const vb_run_plan *run = &study->runs[i];
  const vb_run_outcome *o = &outcome->runs[i];
  const vb_solver *solver;
  vb_run_result result = {0};
  char label[128];
  vb_status status = vb_solver_find(run->solver, &solver, error);
  if (status)
    return status;
  vb_run_watcher watcher = {.report_progress = vb_progress_update,
                            .context = plan->progress,
                            .threads = threads,
                            .describe_gpu = plan->describe_gpu,
                            .viewer = plan->viewer};
  snprintf(label, sizeof label, "%s-%s", study->name, run->name);
  vb_progress_begin(plan->progress, label, vb_run_cost(run));
  status = vb_run_execute(study, run, solver, o->path, &watcher, &result, error);
  vb_progress_end(plan->progress);
  if (!status && result.status == VB_RUN_INTERRUPTED)
    status = vb_error_set(error, VB_INTERRUPTED,
                          "stopped by signal %d; what was recorded is kept in %s.part",
                          vb_signal_caught(), o->path);
  else if (status)
    vb_error_prefix(error, "%s, run %s", study->name, run->name);
  else
    vb_h5_note_own(o->path);
  return status;
}

/// Takes in run `i`, which is recorded. VB_BAD_INPUT where its file cannot be read; VB_INTERRUPTED
/// where its gates were not evaluated.
static vb_status collect(vb_study_outcome *outcome, size_t i, vb_error *error) {
  vb_run_outcome *o = &outcome->runs[i];
  vb_status status = vb_run_summary_read(o->path, &o->summary, error);
  if (!status)
    status = evaluate_run_gates(outcome, i, error);
  o->recorded = !status || status == VB_INTERRUPTED;
  return status;
}

/// Puts a damaged file aside, where another run does not replace it.
static vb_status put_aside(const char *path, vb_error *error) {
  char *aside = NULL;
  if (asprintf(&aside, "%s" VB_DAMAGED, path) < 0)
    return vb_error_memory(error);
  vb_status status = vb_file_rename(path, aside, error);
  free(aside);
  return status;
}

/// Takes in run `i`, whose file may stand for a new run; false where that turns out to be damaged,
/// or to have been executed beside others, and `alone` is asked for.
static bool keep(vb_study_outcome *outcome, size_t i, bool alone, vb_error *error) {
  const vb_study *study = outcome->study;
  vb_run_outcome *o = &outcome->runs[i];
  o->kept = true;
  bool good = !collect(outcome, i, error);
  for (size_t g = 0; g < study->n_gates; g++)
    good = good && !(is_of(study, g, i) && outcome->verdicts[g].note[0]);
  bool damaged = !good && vb_results_is_damaged(o->path);
  if (!damaged && !(alone && o->recorded && o->summary.shared))
    return true;
  for (size_t g = 0; g < study->n_gates; g++)
    if (is_of(study, g, i))
      outcome->evaluated[g] = false;
  o->kept = o->recorded = false;
  o->found = damaged ? VB_RECORD_DAMAGED : VB_RECORD_OLD;
  return false;
}

/// What vb_study_execute_run does under the run's lock.
static vb_status bring_forward(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan,
                               vb_run_effort effort, int threads, vb_error *error) {
  const vb_study *study = outcome->study;
  vb_run_outcome *o = &outcome->runs[i];
  bool fresh = plan->fresh && effort != VB_EFFORT_NONE;
  vb_status status = VB_OK;
  o->found = vb_run_find_record(o->path, study, &study->runs[i], error);
  o->kept = false;
  if (!fresh && o->found == VB_RECORD_CURRENT && keep(outcome, i, plan->alone && o->mine, error))
    return error->status;
  if (o->found == VB_RECORD_OUT_OF_REACH && (!fresh || vb_h5_is_written(o->path)))
    return vb_error_prefix(error, "%s, run %s", study->name, study->runs[i].name);
  *error = (vb_error){0};
  if (effort == VB_EFFORT_NONE)
    return VB_OK;
  if (o->found == VB_RECORD_DAMAGED)
    status = put_aside(o->path, error);
  if (!status)
    status = execute(outcome, i, plan, threads, error);
  return status ? status : collect(outcome, i, error);
}

void vb_study_execute_run(vb_study_outcome *outcome, size_t i, const vb_study_run_plan *plan,
                          vb_run_effort effort, int threads) {
  const vb_study *study = outcome->study;
  vb_run_outcome *o = &outcome->runs[i];
  vb_file_lock lock = {0};
  vb_error error = {0};
  vb_status status = VB_OK;
  o->busy = o->recorded = false;
  if (vb_signal_caught())
    status = vb_error_set(&error, VB_INTERRUPTED, "stopped by signal %d before run %s of %s",
                          vb_signal_caught(), study->runs[i].name, study->name);
  if (!status)
    status = vb_file_lock_take(o->path, effort == VB_EFFORT_WAIT, &lock, &error);
  if (!status && !lock.held)
    o->busy = true;
  else if (!status)
    bring_forward(outcome, i, plan, effort, threads, &error);
  vb_file_lock_release(&lock);
  o->error = error;
}
