// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double vb_score_level[VB_SCORE_LEVELS] = {0.1, 0.01, 1e-3, 1e-4};

/// The gates of entries allow a millionth of the length.
static const double lengths_per_tolerance = 1e6;

/// What of a run counts.
typedef struct trial {
  double segments, error, time;
} trial;

/// Scores that are being found.
typedef struct list {
  vb_score *scores; ///< (n)
  size_t n;
} list;

/// Splits "PROBLEM-CASE-nN"; the number of segments, 0 where a name is none of an entry.
static double split_name(const char *run, char *problem, size_t size) {
  const char *n = strstr(run, "-n");
  for (const char *next; n && (next = strstr(n + 1, "-n"));)
    n = next;
  double segments = n ? strtod(n + 2, NULL) : 0;
  if (segments > 0)
    snprintf(problem, size, "%.*s", (int)(n - run), run);
  return segments;
}

/// The greatest error of a run's answers; NaN where one is missing or there is none.
static double error_of(const vb_report_study *study, const char *run) {
  double worst = NAN;
  for (size_t g = 0; g < study->n_gates; g++) {
    const vb_gate_record *gate = &study->gates[g];
    if (strcmp(gate->runs, run) != 0)
      continue;
    double error = fabs(gate->value - gate->reference) / (lengths_per_tolerance * gate->tolerance);
    if (isnan(error))
      return NAN;
    worst = fmax(worst, error); // the number where the other is NaN
  }
  return worst;
}

/// Takes a run into the score of its problem; `last` are the two runs of the most segments.
static void take(const trial *t, vb_score *score, trial last[2]) {
  if (isnan(t->error)) {
    score->n_failed++;
    return;
  }
  score->n_runs++;
  if (!(t->error >= score->best)) {
    score->best = t->error;
    score->best_time = t->time;
  }
  for (int k = 0; k < VB_SCORE_LEVELS; k++)
    if (t->error <= vb_score_level[k] && !(t->time >= score->time[k]))
      score->time[k] = t->time;
  if (t->segments > last[1].segments) {
    last[0] = last[1];
    last[1] = *t;
  } else if (t->segments > last[0].segments) {
    last[0] = *t;
  }
  if (last[0].segments > 0 && last[1].error > 0)
    score->order = log(last[0].error / last[1].error) / log(last[1].segments / last[0].segments);
}

/// The score of a problem among those of a study, which begin at `first`; a new one where there is
/// none. Null for want of memory.
static vb_score *find(list *all, size_t first, const char *entry, const char *problem) {
  for (size_t i = first; i < all->n; i++)
    if (strcmp(all->scores[i].problem, problem) == 0)
      return &all->scores[i];
  vb_score *added = VB_APPEND(all->scores, all->n);
  if (!added)
    return NULL;
  *added = (vb_score){.entry = entry, .best = NAN, .best_time = NAN, .order = NAN};
  snprintf(added->problem, sizeof added->problem, "%s", problem);
  for (int k = 0; k < VB_SCORE_LEVELS; k++)
    added->time[k] = NAN;
  return added;
}

/// Counts a run that is not recorded. False for want of memory.
static bool add_missing(const vb_report_study *study, size_t first, const char *run, list *all) {
  char problem[sizeof all->scores->problem];
  if (split_name(run, problem, sizeof problem) == 0)
    return true;
  vb_score *score = find(all, first, study->name, problem);
  if (score)
    score->n_failed++;
  return score != NULL;
}

/// Adds the scores of a study, in which runs of a problem stand side by side. False for want of
/// memory.
static bool add_study(const vb_report_study *study, list *all) {
  trial last[2] = {{0}};
  size_t first = all->n;
  bool good = true;
  for (size_t r = 0; good && r < study->n_runs; r++) {
    const vb_report_run *run = &study->runs[r];
    char problem[sizeof all->scores->problem];
    size_t before = all->n;
    trial t = {.segments = split_name(run->name, problem, sizeof problem)};
    if (t.segments == 0)
      continue;
    t.error = strcmp(run->status, "complete") == 0 ? error_of(study, run->name) : NAN;
    t.time = run->step_time * run->steps;
    vb_score *score = find(all, first, study->name, problem);
    good = score != NULL;
    if (all->n > before)
      last[0] = last[1] = (trial){0};
    if (good)
      take(&t, score, last);
  }
  for (size_t r = 0; good && r < study->n_missing; r++)
    good = add_missing(study, first, study->missing[r], all);
  return good;
}

vb_status vb_scores_find(const vb_report_results *results, vb_score **out, size_t *n,
                         vb_error *error) {
  list all = {0};
  for (size_t i = 0; i < results->n_studies; i++)
    if (!results->studies[i].speeds && !add_study(&results->studies[i], &all)) {
      free(all.scores);
      return vb_error_memory(error);
    }
  *out = all.scores;
  *n = all.n;
  return VB_OK;
}
