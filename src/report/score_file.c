// SPDX-License-Identifier: GPL-3.0-or-later
// All scores in one results file, from which figure and page are made.
#include "base/file.h"
#include "report/score.h"
#include "results/results_file.h"

#include <stddef.h>
#include <stdlib.h>

#define AT(member)    offsetof(vb_score, member)
#define TRIAL(member) offsetof(vb_score_trial, member)

static const vb_h5_column score_columns[] = {
    {"entry", VB_H5_TEXT, AT(entry), "1", "the solver and its settings", 1},
    {"problem", VB_H5_NAME, AT(problem), "1", "problem and case", 1},
    {"best_run", VB_H5_TEXT, AT(best_run), "1", "run of the least error", 1},
    {"best", VB_H5_REAL, AT(best), "1", "least error over the length", 1},
    {"best_time", VB_H5_REAL, AT(best_time), "s", "steps of that run on one thread", 1},
    {"all_error", VB_H5_REAL, AT(all_error), "1", "error of the run on all processors", 1},
    {"all_time", VB_H5_REAL, AT(all_time), "s", "steps of that run", 1},
    {"order", VB_H5_REAL, AT(order), "1", "observed order in the number of segments", 1},
    {"time", VB_H5_REAL, AT(time), "s", "least time to an error of 0.1, 0.01, 1e-3, 1e-4, 1e-6",
     VB_SCORE_LEVELS},
    {"range", VB_H5_REAL, AT(range), "1", "least and greatest number of segments below 10 %", 2},
    {"range_settings", VB_H5_NAME, AT(range_settings), "1", "settings with a run below 10 %", 1},
    {"reason", VB_H5_TEXT, AT(reason), "1", "what is said of a failure, or of what is not taken",
     1},
};

static const vb_h5_column trial_columns[] = {
    {"entry", VB_H5_TEXT, TRIAL(entry), "1", "the solver and its settings", 1},
    {"problem", VB_H5_NAME, TRIAL(problem), "1", "problem and case", 1},
    {"run", VB_H5_TEXT, TRIAL(run), "1", "name of the run, in the file ENTRY-RUN.h5", 1},
    {"settings", VB_H5_NAME, TRIAL(settings), "1", "name of its settings", 1},
    {"segments", VB_H5_REAL, TRIAL(segments), "1", "number of segments", 1},
    {"error", VB_H5_REAL, TRIAL(error), "1", "greatest error over the length", 1},
    {"time", VB_H5_REAL, TRIAL(time), "s", "wall time of the steps", 1},
    {"all", VB_H5_FLAG, TRIAL(all), "1", "1 where it may use all processors", 1},
    {"shared", VB_H5_FLAG, TRIAL(shared), "1",
     "1 where other runs were executed beside it, so that its time is not known", 1},
    {"front", VB_H5_FLAG, TRIAL(front), "1", "1 where no quicker run on one thread is as good", 1},
    {"score", VB_H5_INT64, TRIAL(score), "1", "row of its score", 1},
    {"reason", VB_H5_TEXT, TRIAL(reason), "1", "what is said of its failure", 1},
};

#define WRITE(h5, group, columns, list, n)                                                         \
  for (size_t i = 0; i < sizeof(columns) / sizeof *(columns); i++)                                 \
  vb_h5_column_write(h5, group, &(columns)[i], list, sizeof *(list), n)

/// What makes the file an index: a study without runs of its own.
static void write_scenario(vb_h5 *h5, hid_t file) {
  hid_t group = vb_h5_group(h5, file, "scenario");
  vb_h5_text(h5, group, "study", "scores", "name of the study");
  vb_h5_text(h5, group, "title", "Scores of entries on problems", "what the study asks");
  vb_h5_text(h5, group, "tier", "quick", "size of the study");
  vb_h5_text(h5, group, "settings", "", "settings of the command line");
  vb_h5_text(h5, group, "script", "", "Lua text of the study");
  vb_h5_texts(h5, group, "runs", 0, NULL, "names of the runs, in their order");
  vb_h5_release(group);
  vb_h5_release(vb_h5_group(h5, file, "runs"));
}

static vb_status write_file(const vb_scores *s, const char *path, vb_error *error) {
  vb_h5 h5 = {path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_create_file(&h5);
  vb_h5_reserve(&h5, file, ((size_t)1 << 20) + 4096 * (s->n + s->n_trials));
  vb_results_write_schema(&h5, file, VB_INDEX_SCHEMA);
  vb_h5_attribute_text(&h5, file, "figure", "scores");
  vb_results_write_provenance(&h5, file, NULL, NULL);
  write_scenario(&h5, file);
  vb_results_write_gate_group(&h5, file, NULL, 0);
  hid_t scores = vb_h5_group(&h5, file, "scores");
  WRITE(&h5, scores, score_columns, s->scores, s->n);
  hid_t trials = vb_h5_group(&h5, scores, "trials");
  WRITE(&h5, trials, trial_columns, s->trials, s->n_trials);
  vb_h5_release(trials);
  vb_h5_release(scores);
  return vb_h5_end_file(&h5, file);
}

vb_status vb_scores_write(const vb_scores *scores, const char *path, vb_error *error) {
  char *unfinished = vb_results_path(path, ".part", false);
  vb_status status = unfinished ? write_file(scores, unfinished, error) : vb_error_memory(error);
  if (!status)
    status = vb_file_publish(unfinished, path, error);
  free(unfinished);
  return status;
}
