// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "run", and what "join" does likewise: runs studies, reports the verdicts, draws the
// figures.
#include "base/arena.h"
#include "cli/cli.h"

#include "base/file.h"
#include "base/file_lock.h"
#include "base/signals.h"
#include "bench/nvml.h"
#include "cli/summary.h"
#include "figure/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  vb_cli_results results;
  int jobs;
  vb_shard shard;
  bool fresh;
} settings;

static vb_status take_shard(const vb_cli_given *given, void *place, vb_error *error) {
  return vb_shard_parse(given->text, place, error);
}

static const vb_cli_option options[] = {
    {.shared = vb_study_options, VB_AT(results.study)},
    {.shared = vb_results_options, VB_AT(results)},
    {VB_OPTION_JOBS, VB_AT(jobs)},
    {"shard", "K/N", "run: the K-th of N parts of each study", 2, take_shard, VB_AT(shard)},
    {"fresh", NULL, "run again what is recorded already", 2, vb_take_switch, VB_AT(fresh)},
    {0}};

/// The studies of one call.
typedef struct batch {
  const vb_cli_results *asked;
  vb_study_run_plan plan; ///< how to run each
  vb_progress progress;
  vb_study **studies;
  vb_study_outcome *outcomes;
  size_t n; ///< of both
  vb_status worst;
  bool gnuplot_missing;
} batch;

/// When the last of a study's runs was recorded.
static double recorded_at(const vb_study_outcome *outcome) {
  double since = -INFINITY;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    since = fmax(since, vb_file_changed(outcome->runs[i].path));
  return since;
}

/// Draws the figure of an index unless it is younger than `since`, one process at a time; a gnuplot
/// that is missing is said once and is no failure here, nor is a figure of a solver that lacks what
/// is drawn.
static void draw(batch *s, const char *index, double since) {
  size_t drawn = 0;
  vb_error error = {0};
  vb_file_lock lock = {0};
  if (s->gnuplot_missing)
    return;
  vb_status status = vb_file_lock_take(index, true, &lock, &error);
  if (!status)
    status = vb_plot_index(index, since, &drawn, &error);
  vb_file_lock_release(&lock);
  if (!status)
    return;
  vb_cli_complain(&error);
  if (status == VB_UNAVAILABLE)
    s->gnuplot_missing = true;
  else if (!s->asked->study.solver) // another solver may not offer what a figure shows
    s->worst = vb_status_worse(s->worst, status);
}

/// Room for one study more.
static bool grow(batch *s) {
  size_t n = s->n;
  if (!VB_APPEND(s->studies, n))
    return false;
  n = s->n;
  return VB_APPEND(s->outcomes, n);
}

/// The outcome of the study of that name in this call, or null.
static const vb_study_outcome *find_outcome(const batch *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->studies[i]->name, name) == 0)
      return &s->outcomes[i];
  return NULL;
}

static void fail(batch *s, const vb_error *error) {
  vb_cli_complain(error);
  s->worst = vb_status_worse(s->worst, error->status);
}

/// Loads a study as the command line asks; null, with a message, where it cannot be.
static vb_study *load(batch *s, const char *name) {
  vb_study_request request = s->asked->study;
  vb_error error = {0};
  vb_study *study = NULL;
  request.name = name;
  if (vb_study_load(&request, &study, &error))
    fail(s, &error);
  return study;
}

/// Tells what went wrong with single runs, and with the study as a whole. A run that was not begun
/// when a signal came is not worth a word.
static void complain_of(const vb_study_outcome *outcome) {
  bool reported = false;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    if (outcome->runs[i].error.status) {
      vb_cli_complain(&outcome->runs[i].error);
      reported = true;
    }
  if (outcome->error.status && !(reported && outcome->error.status == VB_INTERRUPTED))
    vb_cli_complain(&outcome->error);
}

/// Runs a study that has runs of its own, and keeps it.
static void run_study(batch *s, vb_study *study) {
  vb_error error = {0};
  if (!grow(s)) {
    vb_study_destroy(study);
    vb_error_memory(&error);
    fail(s, &error);
    return;
  }
  vb_study_outcome *outcome = &s->outcomes[s->n];
  s->studies[s->n++] = study;
  s->worst = vb_status_worse(s->worst, vb_study_run(study, &s->plan, outcome));
  if (!outcome->study) {
    vb_cli_complain(&outcome->error);
    s->n--;
    vb_study_destroy(study);
    return;
  }
  complain_of(outcome);
  if (outcome->indexed && outcome->whole && study->figure)
    draw(s, outcome->index, recorded_at(outcome));
}

/// Runs those parts of a study that were not run before in this call.
static void run_included(batch *s, const vb_study *whole) {
  for (size_t i = 0; i < whole->n_includes && !vb_signal_caught(); i++) {
    vb_study *included = find_outcome(s, whole->includes[i]) ? NULL : load(s, whole->includes[i]);
    if (included && included->n_includes) {
      vb_error error = {0};
      vb_error_write(&error, VB_BAD_INPUT, "study %s includes others, so that none can include it",
                     included->name);
      fail(s, &error);
      vb_study_destroy(included);
    } else if (included) {
      run_study(s, included);
    }
  }
}

/// Writes the index of a study whose parts are all there, and draws its figure. A part that could
/// not be run has been told.
static void join_included(batch *s, const vb_study *whole) {
  vb_error error = {0};
  double since = -INFINITY;
  const vb_study_outcome **outcomes_included =
      calloc(whole->n_includes + 1, sizeof *outcomes_included);
  char *path = vb_study_results_path(s->plan.folder, whole->name, NULL);
  vb_status status = outcomes_included && path ? VB_OK : vb_error_memory(&error);
  size_t n = 0;
  for (; !status && n < whole->n_includes; n++) {
    outcomes_included[n] = find_outcome(s, whole->includes[n]);
    if (!outcomes_included[n] || !outcomes_included[n]->indexed || !outcomes_included[n]->whole)
      break;
    since = fmax(since, recorded_at(outcomes_included[n]));
  }
  bool all = n == whole->n_includes;
  vb_file_lock lock = {0};
  if (!status && all)
    status = vb_file_lock_take(path, true, &lock, &error);
  if (!status && all)
    status = vb_study_join(whole, outcomes_included, n, path, &error);
  vb_file_lock_release(&lock);
  if (status)
    fail(s, &error);
  else if (all && whole->figure)
    draw(s, path, since);
  free(path);
  free(outcomes_included);
}

static void run_named(batch *s, const char *name) {
  vb_study *study = load(s, name);
  if (!study)
    return;
  if (study->n_includes == 0) {
    run_study(s, study);
    return;
  }
  run_included(s, study);
  if (!vb_signal_caught() && !study->gold) // nothing of its own for a gold result
    join_included(s, study);
  vb_study_destroy(study);
}

/// Runs each study asked for, but for what another among them included before.
static void run_all(batch *s, char **names, size_t n) {
  for (size_t i = 0; i < n && !vb_signal_caught(); i++)
    if (!find_outcome(s, names[i]))
      run_named(s, names[i]);
  if (vb_signal_caught())
    s->worst = VB_INTERRUPTED;
}

static vb_status report(const batch *s, vb_error *error) {
  if (s->asked->quiet)
    vb_report_failures(stderr, s->outcomes, s->n);
  if (s->asked->json)
    return vb_report_json(stdout, s->outcomes, s->n, vb_cli_exit_code(s->worst), error);
  if (!s->asked->quiet) {
    vb_report_shards(stdout, s->outcomes, s->n);
    vb_report_gates(stdout, s->outcomes, s->n);
    vb_report_timings(stdout, s->outcomes, s->n);
  }
  return VB_OK;
}

vb_status vb_cli_run_studies(vb_cli *cli, const vb_cli_results *asked, vb_study_run_plan plan,
                             vb_error *error) {
  batch s = {.asked = asked, .plan = plan};
  bool gold = strcmp(asked->study.tier, "gold") == 0; // those of the folder bench have it, too
  vb_progress_init(&s.progress, !asked->quiet);
  s.plan.folder = asked->out;
  s.plan.progress = &s.progress;
  s.plan.describe_gpu = vb_nvml_record;
  vb_status status = vb_folder_make(asked->out, error);
  if (!status)
    status = vb_cli_name_studies(cli, gold ? NULL : "scenarios", error);
  if (!status) {
    run_all(&s, cli->arguments, cli->n_arguments);
    status = report(&s, error);
  }
  for (size_t i = 0; i < s.n; i++) {
    vb_study_outcome_free(&s.outcomes[i]);
    vb_study_destroy(s.studies[i]);
  }
  free(s.outcomes);
  free(s.studies);
  return status ? status : s.worst;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_run_plan plan = {.fresh = s->fresh, .jobs = s->jobs, .shard = s->shard};
  return vb_cli_run_studies(cli, &s->results, plan, error);
}

VB_VERB(run, "[all | NAME...]", "run studies (all of scenarios/ where none is named)",
        .options = options, VB_SETTINGS(.results = {VB_RESULTS_DEFAULTS}), .ends_in_order = true);
