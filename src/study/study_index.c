// SPDX-License-Identifier: GPL-3.0-or-later
/// Indexes: of a study, of what is recorded of it, and of one that is made of others.
#include "gate/gate_record.h"
#include "results/h5_own.h"
#include "results/results_index.h"
#include "study/study_execute.h"

#include <stdio.h>
#include <stdlib.h>

static void release(vb_index *index) {
  for (size_t i = 0; i < index->n_runs; i++) {
    free(index->runs[i].name);
    free(index->runs[i].file);
  }
  free(index->runs);
  vb_gate_records_destroy(index->gates, index->n_gates);
  free(index->missing);
}

/// Starts the index of `study` with room for what is in `outcomes`. To be released in any case.
static vb_status begin(vb_index *index, const vb_study *study,
                       const vb_study_outcome *const *outcomes, size_t n, vb_error *error) {
  size_t n_runs = 0, n_gates = 0;
  for (size_t i = 0; i < n; i++) {
    n_runs += outcomes[i]->study->n_runs;
    n_gates += outcomes[i]->study->n_gates;
  }
  *index = (vb_index){.study = study->name,
                      .title = study->title,
                      .tier = study->tier,
                      .settings = study->settings,
                      .script = study->script,
                      .figure = study->figure,
                      .shown = study->shown,
                      .n_shown = study->n_shown,
                      .runs = calloc(n_runs + 1, sizeof *index->runs),
                      .gates = calloc(n_gates + 1, sizeof *index->gates),
                      .missing = calloc(n_runs + 1, sizeof *index->missing)};
  return index->runs && index->gates && index->missing ? VB_OK : vb_error_memory(error);
}

/// Adds the runs of an outcome that are recorded, and the gates that are evaluated. In the index of
/// a study that is made of others a run has the name of its file, PART-RUN, and no place in a
/// sweep.
static vb_status add(vb_index *index, const vb_study_outcome *outcome, bool is_part,
                     vb_error *error) {
  const vb_study *study = outcome->study;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < study->n_runs; i++) {
    const vb_run_plan *plan = &study->runs[i];
    if (!outcome->runs[i].recorded) {
      index->missing[index->n_missing++] = plan->name;
      continue;
    }
    vb_index_run *run = &index->runs[index->n_runs++];
    if (asprintf(&run->file, "%s-%s.h5", study->name, plan->name) < 0)
      run->file = NULL;
    if (asprintf(&run->name, "%s%s%s", is_part ? study->name : "", is_part ? "-" : "", plan->name) <
        0)
      run->name = NULL;
    status = run->file && run->name ? VB_OK : vb_error_memory(error);
    run->sweep = plan->sweep;
    run->n_sweep = is_part ? 0 : plan->n_sweep;
  }
  for (size_t g = 0; !status && g < study->n_gates; g++)
    if (outcome->evaluated[g])
      status =
          vb_gate_record_make(&study->gates[g], &outcome->verdicts[g], is_part ? study->name : NULL,
                              &index->gates[index->n_gates++], error);
  return status;
}

vb_status vb_study_join(const vb_study *whole, const vb_study_outcome *const *included, size_t n,
                        const char *path, vb_error *error) {
  vb_index index;
  vb_status status = begin(&index, whole, included, n, error);
  for (size_t i = 0; !status && i < n; i++)
    status = add(&index, included[i], true, error);
  if (!status)
    status = vb_index_write(path, &index, error);
  release(&index);
  return status;
}

vb_status vb_study_write_index(const vb_study_outcome *outcome, vb_shard shard, vb_error *error) {
  vb_index index;
  vb_status status = begin(&index, outcome->study, &outcome, 1, error);
  if (!status)
    status = add(&index, outcome, false, error);
  if (!status && shard.count && index.n_missing)
    snprintf(index.shard, sizeof index.shard, "%d/%d", shard.number, shard.count);
  if (!status)
    status = vb_index_write(outcome->index, &index, error);
  if (!status)
    vb_h5_note_own(outcome->index);
  release(&index);
  return status;
}
