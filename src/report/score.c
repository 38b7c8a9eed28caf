// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/score.h"

#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double vb_score_level[VB_SCORE_LEVELS] = {0.1, 0.01, 1e-3, 1e-4, 1e-6};

/// The gates of entries allow a millionth of the length.
static const double lengths_per_tolerance = 1e6;

/// Splits the name of a run; false where it is none of an entry.
static bool split_name(const char *run, vb_score_trial *out) {
  const char *n = strstr(run, "-n");
  for (const char *next; n && (next = strstr(n + 1, "-n"));)
    n = next;
  if (!n)
    return false;
  char *end;
  double segments = strtod(n + 2, &end);
  if (!(segments > 0) || (*end && *end != '-'))
    return false;
  size_t length = strlen(end);
  out->segments = segments;
  out->all = length >= 4 && strcmp(end + length - 4, "-all") == 0;
  length -= out->all ? 4 : 0;
  snprintf(out->problem, sizeof out->problem, "%.*s", (int)(n - run), run);
  snprintf(out->settings, sizeof out->settings, "%.*s", length ? (int)length - 1 : 0,
           end + (length > 0));
  return true;
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

/// Adds a run to the trials, one that is not recorded where `run` is null. False for want of
/// memory.
static bool add_trial(const vb_report_study *study, const char *name, const vb_report_run *run,
                      const char *only, vb_scores *all) {
  vb_score_trial t = {.entry = study->name, .run = name, .error = NAN, .time = NAN, .reason = ""};
  if (!split_name(name, &t) || (only && !strstr(t.problem, only)))
    return true;
  if (run) {
    bool complete = strcmp(run->status, "complete") == 0;
    t.error = complete ? error_of(study, name) : NAN;
    t.time = run->step_time * run->steps; // NaN where it is shared
    t.shared = run->shared;
    if (isnan(t.error))
      t.reason = run->what && run->what[0] ? run->what
                 : complete                ? "an answer is missing"
                                           : run->status;
  } else {
    t.reason = "not recorded: the run was refused, or has not been executed";
  }
  vb_score_trial *added = VB_APPEND(all->trials, all->n_trials);
  if (added)
    *added = t;
  return added != NULL;
}

/// The score of a problem among those from `first` on; a new one where there is none. Null for want
/// of memory.
static vb_score *find(vb_scores *all, size_t first, const char *entry, const char *problem) {
  for (size_t i = first; i < all->n; i++)
    if (strcmp(all->scores[i].problem, problem) == 0)
      return &all->scores[i];
  vb_score *added = VB_APPEND(all->scores, all->n);
  if (!added)
    return NULL;
  *added = (vb_score){.entry = entry,
                      .best_run = "",
                      .reason = "",
                      .best = NAN,
                      .best_time = NAN,
                      .all_time = NAN,
                      .all_error = NAN,
                      .order = NAN,
                      .range = {NAN, NAN}};
  snprintf(added->problem, sizeof added->problem, "%s", problem);
  for (int k = 0; k < VB_SCORE_LEVELS; k++)
    added->time[k] = NAN;
  return added;
}

/// Whether a list, separated by spaces, has a word.
static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

/// Takes settings into the list of those that come below 10 %.
static void note_settings(const char *settings, vb_score *score) {
  char *list = score->range_settings;
  if (settings[0] && !has_word(list, settings))
    vb_text_add(list, sizeof score->range_settings, list[0] ? " %s" : "%s", settings);
}

/// Takes a run into the score of its problem. The one on all processors repeats another.
static void take(const vb_score_trial *t, vb_score *score) {
  if (isnan(t->error)) {
    score->n_failed++;
    if (!score->reason[0])
      score->reason = t->reason;
    return;
  }
  score->n_runs++;
  score->n_shared += t->shared;
  if (t->all) {
    score->all_time = t->time;
    score->all_error = t->error;
    return;
  }
  if (!(t->error >= score->best)) {
    score->best = t->error;
    score->best_time = t->time;
    score->best_run = t->run;
  }
  for (int k = 0; k < VB_SCORE_LEVELS; k++)
    if (t->error <= vb_score_level[k] && !isnan(t->time) && !(t->time >= score->time[k]))
      score->time[k] = t->time;
  if (t->error <= vb_score_level[0]) {
    score->range[0] = fmin(t->segments, score->range[0]); // the number where the other is NaN
    score->range[1] = fmax(t->segments, score->range[1]);
    note_settings(t->settings, score);
  }
}

/// The least error of the trials of a score with the greatest number of segments below `below`, and
/// that number; 0 where there is none.
static double finest(const vb_scores *all, const vb_score *score, double below, double *error) {
  double segments = 0;
  *error = NAN;
  for (size_t i = 0; i < all->n_trials; i++) {
    const vb_score_trial *t = &all->trials[i];
    if (t->entry != score->entry || strcmp(t->problem, score->problem) != 0 || isnan(t->error) ||
        t->segments >= below || t->segments < segments)
      continue;
    *error = t->segments > segments ? t->error : fmin(t->error, *error);
    segments = t->segments;
  }
  return segments;
}

static double order_of(const vb_scores *all, const vb_score *score) {
  double fine = NAN, coarse = NAN, n = finest(all, score, INFINITY, &fine);
  double before = n > 0 ? finest(all, score, n, &coarse) : 0;
  return before > 0 && fine > 0 ? log(coarse / fine) / log(n / before) : NAN;
}

/// Adds scores of the problems that the entry does not take: the parameter "without" of its runs
/// lists them, "PROBLEM: WHY; ..". False for want of memory.
static bool add_without(const vb_report_study *study, const char *only, vb_scores *all) {
  json_t *parameters = study->n_runs ? json_loads(study->runs[0].parameters, 0, NULL) : NULL;
  const char *value = json_string_value(json_object_get(parameters, "without"));
  char *rest = vb_arena_text(&all->memory, value ? value : "");
  json_decref(parameters);
  bool good = rest != NULL;
  while (good && *rest) {
    char *part = rest, *end = strstr(rest, "; "), *reason = strstr(rest, ": ");
    rest = end ? end + 2 : rest + strlen(rest);
    if (end)
      *end = '\0';
    if (!reason || (end && reason > end))
      continue;
    *reason = '\0';
    if (only && !strstr(part, only))
      continue;
    vb_score *score = find(all, all->n, study->name, part);
    good = score != NULL;
    if (good)
      score->reason = reason + 2;
  }
  return good;
}

/// Whether a trial is on the front of its score: no quicker run is as good.
static bool is_front(const vb_scores *all, const vb_score_trial *t) {
  for (size_t i = 0; i < all->n_trials; i++) {
    const vb_score_trial *other = &all->trials[i];
    if (other->score == t->score && !other->all && other->time < t->time &&
        other->error <= t->error)
      return false;
  }
  return !t->all && !isnan(t->error) && !isnan(t->time);
}

/// Whether a run that is not recorded is left out: runs on all processors are there for their
/// times, and are not executed where those of others are not known either.
static bool is_left_out(const vb_report_study *study, const char *name) {
  vb_score_trial t;
  bool shared = false;
  for (size_t r = 0; r < study->n_runs; r++)
    shared |= study->runs[r].shared;
  return shared && split_name(name, &t) && t.all;
}

/// Adds the scores of a study. False for want of memory.
static bool add_study(const vb_report_study *study, const char *only, vb_scores *all) {
  size_t first = all->n, first_trial = all->n_trials;
  bool good = true;
  for (size_t r = 0; good && r < study->n_runs; r++)
    good = add_trial(study, study->runs[r].name, &study->runs[r], only, all);
  for (size_t r = 0; good && r < study->n_missing; r++)
    good = is_left_out(study, study->missing[r]) ||
           add_trial(study, study->missing[r], NULL, only, all);
  for (size_t i = first_trial; good && i < all->n_trials; i++) {
    vb_score *score = find(all, first, study->name, all->trials[i].problem);
    good = score != NULL;
    if (good) {
      all->trials[i].score = score - all->scores;
      take(&all->trials[i], score);
    }
  }
  for (size_t i = first_trial; good && i < all->n_trials; i++)
    all->trials[i].front = is_front(all, &all->trials[i]);
  for (size_t i = first; good && i < all->n; i++)
    all->scores[i].order = order_of(all, &all->scores[i]);
  return good && add_without(study, only, all);
}

vb_status vb_scores_find(const vb_report_results *results, const char *only, vb_scores *out,
                         vb_error *error) {
  *out = (vb_scores){0};
  for (size_t i = 0; i < results->n_studies; i++)
    if (!results->studies[i].speeds && !add_study(&results->studies[i], only, out))
      return vb_error_memory(error);
  return vb_arena_status(&out->memory, error);
}

void vb_scores_free(vb_scores *scores) {
  free(scores->scores);
  free(scores->trials);
  vb_arena_clear(&scores->memory);
  *scores = (vb_scores){0};
}
