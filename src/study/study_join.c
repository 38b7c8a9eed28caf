// SPDX-License-Identifier: GPL-3.0-or-later
/// Indexes: of a study, of what is recorded of it, and of one that is made of others.
#include "study/study_execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Runs and gates of all parts in one study. Names and lists of runs are its own, all else is
/// borrowed from the parts.
typedef struct joint {
  vb_study study;
  vb_verdict *verdicts;
} joint;

static void joint_free(joint *j) {
  for (size_t i = 0; i < j->study.n_runs; i++)
    free(j->study.runs[i].name);
  for (size_t g = 0; g < j->study.n_gates; g++) {
    for (size_t i = 0; j->study.gates[g].runs && i < j->study.gates[g].n_runs; i++)
      free(j->study.gates[g].runs[i]);
    free(j->study.gates[g].runs);
  }
  free(j->study.runs);
  free(j->study.gates);
  free(j->verdicts);
}

/// "part-run"; null for want of memory.
static char *join(const char *part, const char *run) {
  char *name = NULL;
  return asprintf(&name, "%s-%s", part, run) < 0 ? NULL : name;
}

static bool add_gate(joint *j, const char *part, const vb_gate *from, const vb_verdict *verdict) {
  vb_gate *gate = &j->study.gates[j->study.n_gates];
  j->verdicts[j->study.n_gates++] = *verdict;
  *gate = *from;
  gate->runs = calloc(from->n_runs + 1, sizeof *gate->runs);
  bool whole = gate->runs != NULL;
  for (size_t i = 0; whole && i < from->n_runs; i++)
    whole = (gate->runs[i] = join(part, from->runs[i])) != NULL;
  return whole;
}

static bool add_included(joint *j, const vb_study_outcome *part) {
  const vb_study *study = part->study;
  bool whole = true;
  for (size_t i = 0; whole && i < study->n_runs; i++) {
    vb_run_plan *run = &j->study.runs[j->study.n_runs++];
    whole = (run->name = join(study->name, study->runs[i].name)) != NULL;
  }
  for (size_t g = 0; whole && g < study->n_gates; g++)
    whole = add_gate(j, study->name, &study->gates[g], &part->verdicts[g]);
  return whole;
}

vb_status vb_study_join(const vb_study *whole, const vb_study_outcome *const *included, size_t n,
                        const char *path, vb_error *error) {
  joint j = {.study = *whole};
  size_t n_runs = 0, n_gates = 0;
  for (size_t i = 0; i < n; i++) {
    n_runs += included[i]->study->n_runs;
    n_gates += included[i]->study->n_gates;
  }
  j.study.n_runs = j.study.n_gates = 0;
  j.study.runs = calloc(n_runs + 1, sizeof *j.study.runs);
  j.study.gates = calloc(n_gates + 1, sizeof *j.study.gates);
  j.verdicts = calloc(n_gates + 1, sizeof *j.verdicts);
  bool good = j.study.runs && j.study.gates && j.verdicts;
  for (size_t i = 0; good && i < n; i++)
    good = add_included(&j, included[i]);
  vb_status status =
      good ? vb_index_write(path, &j.study, j.verdicts, error) : vb_error_memory(error);
  joint_free(&j);
  return status;
}

/// Fills in the runs and gates of an outcome that belong in an index of a part of them; the arrays
/// are borrowed from `part`, which has room.
static void select_subset(const vb_study_outcome *outcome, vb_study *part, vb_verdict *verdicts,
                          const char **missing, size_t *n_missing) {
  const vb_study *study = outcome->study;
  part->n_runs = part->n_gates = *n_missing = 0;
  for (size_t i = 0; i < study->n_runs; i++)
    if (outcome->runs[i].recorded)
      part->runs[part->n_runs++] = study->runs[i];
    else
      missing[(*n_missing)++] = study->runs[i].name;
  for (size_t g = 0; g < study->n_gates; g++)
    if (outcome->evaluated[g]) {
      verdicts[part->n_gates] = outcome->verdicts[g];
      part->gates[part->n_gates++] = study->gates[g];
    }
}

vb_status vb_study_write_index(const vb_study_outcome *outcome, vb_shard shard, vb_error *error) {
  const vb_study *study = outcome->study;
  if (vb_study_missing(outcome) == 0)
    return vb_index_write(outcome->index, study, outcome->verdicts, error);
  vb_study part = *study;
  vb_index_subset about = {0};
  const char **missing = calloc(study->n_runs + 1, sizeof *missing);
  vb_verdict *verdicts = calloc(study->n_gates + 1, sizeof *verdicts);
  part.runs = calloc(study->n_runs + 1, sizeof *part.runs);
  part.gates = calloc(study->n_gates + 1, sizeof *part.gates);
  vb_status status = VB_OK;
  if (missing && verdicts && part.runs && part.gates) {
    select_subset(outcome, &part, verdicts, missing, &about.n_missing);
    about.missing = missing;
    if (shard.count)
      snprintf(about.shard, sizeof about.shard, "%d/%d", shard.number, shard.count);
    status = vb_index_write_subset(outcome->index, &part, verdicts, &about, error);
  } else {
    status = vb_error_memory(error);
  }
  free(part.gates);
  free(part.runs);
  free(verdicts);
  free(missing);
  return status;
}
