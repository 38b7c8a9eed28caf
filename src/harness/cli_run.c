// SPDX-License-Identifier: GPL-3.0-or-later
// The command "run": runs studies, tells the verdicts, draws the figures.
#include "harness/cli.h"
#include "harness/plot.h"
#include "harness/report.h"
#include "harness/signals.h"
#include "harness/study_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// The studies of one call.
typedef struct batch {
  const vb_cli *cli;
  vb_progress progress;
  vb_study **studies;
  vb_study_outcome *outcomes;
  size_t n; ///< of both
  vb_status worst;
  bool gnuplot_missing;
} batch;

static void complain(const vb_error *error) {
  fprintf(stderr, "viperbench: %s\n", error->message);
}

static vb_status cannot_make(const char *path, vb_error *error) {
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot make the folder %s: %s", path,
                      strerror(errno));
}

/// Makes the folder of the results and its parents.
static vb_status make_folder(const char *folder, vb_error *error) {
  struct stat found;
  char *path = strdup(folder);
  vb_status status = path ? VB_OK : vb_error_memory(error);
  for (char *slash = path; !status && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    if (mkdir(path, 0777) && errno != EEXIST)
      status = cannot_make(path, error);
    *slash = '/';
  }
  if (!status && mkdir(path, 0777) && errno != EEXIST)
    status = cannot_make(path, error);
  if (!status && (stat(path, &found) || !S_ISDIR(found.st_mode)))
    status = vb_error_set(error, VB_CANNOT_WRITE, "%s is not a folder", path);
  free(path);
  return status;
}

/// Draws the figure of a study unless it is younger than all recorded data; a gnuplot that is
/// missing is said once and is no failure here.
static void draw(batch *s, const vb_study_outcome *outcome) {
  size_t drawn = 0;
  vb_error error = {0};
  double since = -INFINITY;
  if (s->gnuplot_missing)
    return;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    since = fmax(since, vb_file_changed(outcome->runs[i].path));
  vb_status status = vb_plot_index(outcome->index, since, &drawn, &error);
  if (!status)
    return;
  complain(&error);
  if (status == VB_UNAVAILABLE)
    s->gnuplot_missing = true;
  else
    s->worst = vb_status_worse(s->worst, status);
}

static void run_study(batch *s, const char *name) {
  const vb_cli *cli = s->cli;
  vb_study_request request = {.name = name,
                              .tier = cli->tier,
                              .parameters = cli->parameters,
                              .n_parameters = cli->n_parameters,
                              .solver = cli->solver,
                              .options = cli->options,
                              .n_options = cli->n_options};
  vb_study_run_plan plan = {.folder = cli->folder, .fresh = cli->fresh, .progress = &s->progress};
  vb_error error = {0};
  vb_study **study = &s->studies[s->n];
  vb_study_outcome *outcome = &s->outcomes[s->n];
  vb_status status = vb_study_load(&request, study, &error);
  if (status) {
    complain(&error);
    s->worst = vb_status_worse(s->worst, status);
    return;
  }
  s->n++;
  status = vb_study_run(*study, &plan, outcome);
  s->worst = vb_status_worse(s->worst, status);
  if (status != VB_OK && status != VB_FAILED)
    complain(&outcome->error);
  if (outcome->indexed && (*study)->figure)
    draw(s, outcome);
}

/// Calls run_study for each name asked for.
static vb_status run_all(batch *s, char **names, size_t n, vb_error *error) {
  s->studies = calloc(n + 1, sizeof *s->studies);
  s->outcomes = calloc(n + 1, sizeof *s->outcomes);
  if (!s->studies || !s->outcomes)
    return vb_error_memory(error);
  for (size_t i = 0; i < n && !vb_signal_caught(); i++)
    run_study(s, names[i]);
  if (vb_signal_caught())
    s->worst = VB_INTERRUPTED;
  return VB_OK;
}

/// All studies of the folder scenarios.
static vb_status run_folder(batch *s, vb_error *error) {
  vb_study_info *list;
  size_t n, chosen = 0;
  vb_status status = vb_study_list(&list, &n, error);
  if (status)
    return status;
  char **names = calloc(n + 1, sizeof *names);
  for (size_t i = 0; names && i < n; i++)
    if (vb_study_in_folder(&list[i], "scenarios"))
      names[chosen++] = list[i].name;
  status = names ? run_all(s, names, chosen, error) : vb_error_memory(error);
  free(names);
  vb_study_list_destroy(list, n);
  return status;
}

static int exit_code(vb_status status) {
  return status == VB_INTERRUPTED ? 128 + vb_signal_caught() : (int)status;
}

static vb_status report(const batch *s, vb_error *error) {
  if (s->cli->json)
    return vb_report_json(stdout, s->outcomes, s->n, exit_code(s->worst), error);
  if (!s->cli->quiet) {
    vb_report_gates(stdout, s->outcomes, s->n);
    vb_report_timings(stdout, s->outcomes, s->n);
  }
  return VB_OK;
}

vb_status vb_cli_run(const vb_cli *cli, vb_error *error) {
  batch s = {.cli = cli};
  bool all =
      cli->n_arguments == 0 || (cli->n_arguments == 1 && strcmp(cli->arguments[0], "all") == 0);
  vb_progress_init(&s.progress, !cli->quiet);
  vb_status status = make_folder(cli->folder, error);
  if (!status)
    status = all ? run_folder(&s, error) : run_all(&s, cli->arguments, cli->n_arguments, error);
  if (!status)
    status = report(&s, error);
  for (size_t i = 0; i < s.n; i++) {
    vb_study_outcome_free(&s.outcomes[i]);
    vb_study_destroy(s.studies[i]);
  }
  free(s.outcomes);
  free(s.studies);
  return status ? status : s.worst;
}
