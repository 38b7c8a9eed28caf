// SPDX-License-Identifier: GPL-3.0-or-later
// What "run" and "join" have in common: loads studies, runs them, draws the figures.
#include "base/clock.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/report_text.h"
#include "base/signals.h"
#include "bench/nvml.h"
#include "cli/cli.h"
#include "cli/conclusion.h"
#include "cli/live_view.h"
#include "cli/results_place.h"
#include "cli/study_figures.h"
#include "cli/summary.h"
#include "figure/plot.h"
#include "gate/band_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The studies of one call.
typedef struct batch {
  const vb_cli_results *asked;
  char *settings;         ///< of the command line, as a name; "" for none
  char *folder;           ///< of the results
  vb_study_run_plan plan; ///< how to run each
  vb_progress progress;
  vb_study **studies;  ///< (n_studies) those with runs, in the order in which they run
  vb_study **includes; ///< (n_includes) those that are made of others
  size_t n_studies, n_includes;
  vb_study_outcome *outcomes;
  size_t n;                 ///< of outcomes: of the first studies
  vb_study_figures figures; ///< those that wait to be drawn
  bool drawn;               ///< whether one was
  vb_live_view view;
  vb_status worst;
} batch;

/// When the last of a study's runs was recorded.
static double recorded_at(const vb_study_outcome *outcome) {
  double since = -INFINITY;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    since = fmax(since, vb_file_changed(outcome->runs[i].path));
  return since;
}

/// Draws the figures that wait, as many at a time as there may be runs.
static void draw_waiting(batch *s) {
  vb_status status = vb_study_figures_draw(&s->figures, s->plan.jobs);
  if (!s->asked->study.solver) // another solver may not offer what a figure shows
    s->worst = vb_status_worse(s->worst, status);
}

/// Draws the figure of a study: at once where it is the first or the study is alone, so that there
/// is something to look at; otherwise together with others.
static void draw(batch *s, const vb_study *study, const char *index, double since) {
  bool full = vb_study_figures_add(&s->figures, study, index, since);
  if (full || s->plan.jobs == 0 || !s->drawn)
    draw_waiting(s);
  s->drawn = true;
}

/// The outcome of the study of that name in this call, or null.
static const vb_study_outcome *find_outcome(const batch *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->studies[i]->name, name) == 0)
      return &s->outcomes[i];
  return NULL;
}

static bool has_study(const batch *s, const char *name) {
  for (size_t i = 0; i < s->n_studies; i++)
    if (strcmp(s->studies[i]->name, name) == 0)
      return true;
  return false;
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
  vb_status status = vb_study_load(&request, &study, &error);
  if (!status && *s->settings && !(study->settings = strdup(s->settings)))
    status = vb_error_memory(&error);
  if (status)
    fail(s, &error);
  else
    vb_cli_list_missing(study, request.solver);
  return study;
}

/// What ends the message of a file that a full disk did not take.
static const char *disk_is_full(void) {
  return strerror(ENOSPC);
}

static bool is_disk_full(const vb_error *error) {
  size_t n = strlen(error->message), m = strlen(disk_is_full());
  return error->status == VB_CANNOT_WRITE && n > m &&
         strcmp(error->message + n - m, disk_is_full()) == 0;
}

/// Whether a run's error is that of another before it in the study: a device that is missing is
/// missing for all, and a disk is full for all. Messages begin with the names of study and run.
static bool is_told(const vb_study_outcome *outcome, size_t i) {
  const vb_error *e = &outcome->runs[i].error;
  const char *what = strstr(e->message, ": ");
  for (size_t k = 0; k < i; k++) {
    const vb_error *other = &outcome->runs[k].error;
    const char *same = strstr(other->message, ": ");
    if (is_disk_full(e) && is_disk_full(other))
      return true;
    if (e->status == VB_UNAVAILABLE && other->status == e->status && what && same &&
        strcmp(same, what) == 0)
      return true;
  }
  return false;
}

/// Whether the disk was full for a run: then it is for those that follow.
static bool has_full_disk(const vb_study_outcome *outcome) {
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    if (is_disk_full(&outcome->runs[i].error))
      return true;
  return is_disk_full(&outcome->error);
}

static void tell_damage(const vb_run_outcome *o) {
  if (o->recorded)
    fprintf(stderr,
            "viperbench: %s was damaged, and its run was executed again; the damaged file is kept "
            "in %s" VB_DAMAGED "\n",
            o->path, o->path);
  else if (!o->error.status)
    fprintf(stderr, "viperbench: %s is damaged, and is left out\n", o->path);
}

/// Tells what went wrong with single runs, and with the study as a whole. A run that was not begun
/// when a signal came is not worth a word.
static void complain_of(const vb_study_outcome *outcome) {
  bool reported = false;
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    if (outcome->runs[i].found == VB_RECORD_DAMAGED)
      tell_damage(&outcome->runs[i]);
  for (size_t i = 0; i < outcome->study->n_runs; i++)
    if (outcome->runs[i].error.status) {
      if (!is_told(outcome, i))
        vb_cli_complain(&outcome->runs[i].error);
      reported = true;
    }
  if (outcome->error.status && !(reported && outcome->error.status == VB_INTERRUPTED))
    vb_cli_complain(&outcome->error);
}

/// Makes what the findings of a study measured their bands, and judges them again by these: what is
/// recorded is kept.
static vb_status write_bands(const batch *s, vb_study *study, vb_study_outcome *outcome) {
  const vb_band_source source = {.tier = study->tier,
                                 .gates = study->gates,
                                 .verdicts = outcome->verdicts,
                                 .evaluated = outcome->evaluated,
                                 .n = study->n_gates};
  vb_study_run_plan plan = s->plan;
  vb_progress none; // these runs are counted already
  vb_error error = {0};
  bool changed = false;
  vb_status status = vb_bands_write(study->bands, &source, &changed, &error);
  if (!status && changed)
    status = vb_bands_read(study->bands, study->tier, study->gates, study->n_gates, &error);
  if (status)
    vb_cli_complain(&error);
  if (status || !changed)
    return vb_status_worse(outcome->status, status);
  if (vb_cli_wants_tables(s->asked))
    printf("wrote %s\n", study->bands);
  vb_progress_init(&none, false);
  plan.progress = &none;
  plan.fresh = false;
  vb_study_outcome_free(outcome);
  return vb_study_run(study, &plan, outcome);
}

/// Runs the first study that was not run yet.
static void run_study(batch *s) {
  vb_study *study = s->studies[s->n];
  vb_study_outcome *outcome = &s->outcomes[s->n];
  vb_status status = vb_study_run(study, &s->plan, outcome);
  if (s->asked->write_bands && outcome->study && study->bands && status != VB_INTERRUPTED)
    status = write_bands(s, study, outcome);
  s->worst = vb_status_worse(s->worst, status);
  if (!outcome->study) {
    vb_cli_complain(&outcome->error);
    s->n_studies--;
    memmove(&s->studies[s->n], &s->studies[s->n + 1], (s->n_studies - s->n) * sizeof *s->studies);
    vb_study_destroy(study);
    return;
  }
  s->n++;
  complain_of(outcome);
  if (outcome->indexed && outcome->whole && (study->figure || !study->reduced))
    draw(s, study, outcome->index, recorded_at(outcome));
}

/// Adds a study to one of the two lists, which has room for one more, or frees it.
static void keep(batch *s, vb_study *study) {
  vb_study ***list = study->n_includes ? &s->includes : &s->studies;
  size_t *n = study->n_includes ? &s->n_includes : &s->n_studies;
  vb_error error = {0};
  vb_study **place = VB_APPEND(*list, *n);
  if (place) {
    *place = study;
    return;
  }
  vb_study_destroy(study);
  vb_error_memory(&error);
  fail(s, &error);
}

/// Loads those parts of a study that are not loaded.
static void load_included(batch *s, const vb_study *whole) {
  for (size_t i = 0; i < whole->n_includes; i++) {
    vb_study *included = has_study(s, whole->includes[i]) ? NULL : load(s, whole->includes[i]);
    if (included && included->n_includes) {
      vb_error error = {0};
      vb_error_write(&error, VB_BAD_INPUT,
                     "study %s includes other studies, so it cannot be included itself",
                     included->name);
      fail(s, &error);
      vb_study_destroy(included);
    } else if (included) {
      keep(s, included);
    }
  }
}

/// Loads each study asked for, but for what another among them included before.
static void load_all(batch *s, char **names, size_t n) {
  for (size_t i = 0; i < n && !vb_signal_caught(); i++) {
    vb_study *study = has_study(s, names[i]) ? NULL : load(s, names[i]);
    if (!study)
      continue;
    if (study->n_includes)
      load_included(s, study);
    keep(s, study);
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
  else if (all && whole->figure) {
    draw(s, whole, path, since);
    draw_waiting(s); // while the path lasts
  }
  free(path);
  free(outcomes_included);
}

/// Announces the runs of this process; their number.
static size_t plan_progress(batch *s) {
  size_t n = 0;
  double cost = 0;
  for (size_t i = 0; i < s->n_studies; i++)
    for (size_t r = 0; r < s->studies[i]->n_runs; r++)
      if (vb_study_is_chosen(s->studies[i], r, s->plan.only)) {
        n++;
        cost += vb_run_cost(&s->studies[i]->runs[r]);
      }
  bool counted = !s->plan.keep && !s->plan.shard.count;
  vb_progress_plan(&s->progress, counted ? n : 0, cost, vb_cli_wants_tables(s->asked));
  return n;
}

/// Whether a GPU does the steps: what a process has begun there its children cannot go on with, and
/// runs side by side would wait for each other.
static bool wants_gpu(const vb_study_request *request) {
  for (size_t i = 0; i < request->n_options; i++)
    if (strcmp(request->options[i].name, "backend") == 0)
      return strcmp(request->options[i].value, "cpu") != 0;
  return false;
}

/// Where the command line does not say how many runs to execute at a time: runs of another than the
/// full size as many as there are processors, where there are several of both.
static void choose_jobs(batch *s, size_t n_runs) {
  if (s->plan.jobs > 0 || s->plan.keep || n_runs < 2 || strcmp(s->asked->study.tier, "full") == 0 ||
      wants_gpu(&s->asked->study))
    return;
  int processors = vb_study_most_jobs();
  s->plan.jobs = processors > 1 ? processors : 0;
}

/// Begins the page that shows the runs, where one is asked for.
static vb_status begin_view(batch *s, vb_error *error) {
  const char *page = s->asked->live;
  vb_status status =
      page ? vb_live_view_begin(page, s->studies, s->n_studies, &s->plan, &s->view, error) : VB_OK;
  if (!status && page && vb_cli_wants_tables(s->asked))
    printf("open %s in a browser to see the motion\n", page);
  fflush(stdout);
  return status;
}

/// Ends it. A page that could not be written fails no run.
static void end_view(batch *s) {
  vb_error error = {0};
  if (vb_live_view_end(&s->view, vb_signal_caught() != 0, &error))
    fail(s, &error);
}

static vb_status run_all(batch *s, vb_error *error) {
  s->outcomes = calloc(s->n_studies + 1, sizeof *s->outcomes);
  if (!s->outcomes)
    return vb_error_memory(error);
  vb_status status = begin_view(s, error);
  if (status)
    return status;
  choose_jobs(s, plan_progress(s));
  while (s->n < s->n_studies && !vb_signal_caught() &&
         !(s->n > 0 && has_full_disk(&s->outcomes[s->n - 1])))
    run_study(s);
  end_view(s);
  draw_waiting(s);
  for (size_t i = 0; i < s->n_includes && !vb_signal_caught(); i++)
    if (!s->includes[i]->reduced) // nothing of its own for a gold result or for show
      join_included(s, s->includes[i]);
  draw_waiting(s);
  if (vb_signal_caught())
    s->worst = VB_INTERRUPTED;
  return VB_OK;
}

/// Tells of which studies runs are missing that were not chosen.
static void report_chosen(const batch *s) {
  for (size_t i = 0; i < s->n; i++) {
    size_t missing = vb_study_missing(&s->outcomes[i]), n = s->studies[i]->n_runs;
    if (missing)
      printf("%s: %zu of %zu runs are recorded; gates of missing runs are not evaluated\n",
             s->studies[i]->name, n - missing, n);
  }
}

static vb_status report(const batch *s, double begun, vb_error *error) {
  const vb_conclusion conclusion = {.outcomes = s->outcomes,
                                    .n = s->n,
                                    .studies = (const vb_study *const *)s->studies,
                                    .n_studies = s->n_studies,
                                    .only = s->plan.only,
                                    .stopped = vb_signal_caught() != 0,
                                    .includes = (const vb_study *const *)s->includes,
                                    .n_includes = s->n_includes,
                                    .folder = s->folder,
                                    .seconds = vb_clock() - begun};
  if (s->asked->quiet)
    vb_report_failures(stderr, s->outcomes, s->n);
  if (conclusion.stopped && !vb_cli_wants_tables(s->asked)) {
    fputs("viperbench: ", stderr);
    vb_conclude_missing(stderr, &conclusion);
    fputc('\n', stderr);
  }
  if (s->asked->json)
    return vb_report_json(stdout, s->outcomes, s->n, vb_cli_exit_code(s->worst), error);
  if (s->asked->csv)
    return vb_report_csv(stdout, s->outcomes, s->n, error);
  if (!vb_cli_wants_tables(s->asked))
    return VB_OK;
  if (s->plan.shard.count)
    vb_report_shards(stdout, s->outcomes, s->n);
  else if (s->plan.only)
    report_chosen(s);
  if (s->n > 0 && *s->settings && strcmp(s->folder, s->asked->out) != 0)
    printf("with %s: results are in %s, beside those of the unmodified study\n", s->settings,
           s->folder);
  vb_status status = VB_OK;
  if (s->asked->verbose || vb_report_is_short(s->outcomes, s->n))
    status = vb_report_tables(s->outcomes, s->n, error);
  else
    vb_report_studies(s->outcomes, s->n);
  if (!status)
    vb_conclude(&conclusion);
  return status;
}

/// Removes what has no run that is chosen. VB_BAD_INPUT where nothing is left.
static vb_status choose(batch *s, const char *only, vb_error *error) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_studies; i++) {
    size_t r = 0;
    while (r < s->studies[i]->n_runs && !vb_study_is_chosen(s->studies[i], r, only))
      r++;
    if (r < s->studies[i]->n_runs)
      s->studies[n++] = s->studies[i];
    else
      vb_study_destroy(s->studies[i]);
  }
  s->n_studies = n;
  if (n || s->worst || !only)
    return VB_OK;
  if (s->asked->problems)
    return vb_bad_input(error,
                        "no problem of these entries has \"%.100s\" in its name; \"problem\" "
                        "lists all problems",
                        only);
  return vb_bad_input(error,
                      "no run has \"%.100s\" in its own or its study's name, or as a keyword; run "
                      "--list shows all runs whose options agree with the command line",
                      only);
}

/// Tells who names no study that it is all of them, before that takes minutes.
static void tell_extent(const batch *s, size_t n) {
  if (!s->plan.progress || s->plan.only || n < 2 || !vb_cli_wants_tables(s->asked))
    return;
  printf("all %zu studies; Ctrl-C stops, and the same command goes on; \"list\" names them\n", n);
  fflush(stdout);
}

/// Loads what is asked for.
static vb_status prepare(batch *s, vb_cli *cli, vb_error *error) {
  bool gold = strcmp(s->asked->study.tier, "gold") == 0; // those of the folder bench have it, too
  bool show = strcmp(s->asked->study.tier, "show") == 0;
  bool unnamed = cli->n_arguments == 0;
  vb_status status = show || gold ? vb_cli_name_reduced(cli, show, error)
                                  : vb_cli_name_studies(cli, "scenarios", error);
  if (status)
    return status;
  if (unnamed)
    tell_extent(s, cli->n_arguments);
  load_all(s, cli->arguments, cli->n_arguments);
  return choose(s, s->plan.only, error);
}

static vb_status name_settings(batch *s, vb_error *error) {
  s->settings = vb_cli_settings_name(&s->asked->study);
  return s->settings ? VB_OK : vb_error_memory(error);
}

static void free_batch(batch *s) {
  for (size_t i = 0; i < s->n; i++)
    vb_study_outcome_free(&s->outcomes[i]);
  for (size_t i = 0; i < s->n_studies; i++)
    vb_study_destroy(s->studies[i]);
  for (size_t i = 0; i < s->n_includes; i++)
    vb_study_destroy(s->includes[i]);
  free(s->settings);
  free(s->folder);
  free(s->outcomes);
  free(s->studies);
  free(s->includes);
}

/// Finds and makes the folder of the results.
static vb_status place_results(batch *s, const vb_cli *cli, vb_error *error) {
  vb_status status = name_settings(s, error);
  if (!status)
    status = vb_cli_place_results(cli, s->asked, s->settings, &s->folder, error);
  s->plan.folder = s->folder;
  return status;
}

vb_status vb_cli_run_studies(vb_cli *cli, const vb_cli_results *asked, vb_study_run_plan plan,
                             vb_error *error) {
  batch s = {.asked = asked, .plan = plan};
  double begun = vb_clock();
  vb_progress_init(&s.progress, !asked->quiet);
  s.plan.progress = &s.progress;
  s.plan.describe_gpu = vb_nvml_record;
  vb_status status = place_results(&s, cli, error);
  if (!status)
    status = prepare(&s, cli, error);
  if (!status && !asked->quiet)
    vb_cli_note_options(&asked->study, s.studies, s.n_studies);
  if (!status)
    status = run_all(&s, error);
  if (!status)
    status = report(&s, begun, error);
  free_batch(&s);
  return status ? status : s.worst;
}

/// Adds the names of the chosen runs of study `i`.
static void list_chosen(const batch *s, size_t i, vb_listing *list) {
  const vb_study *study = s->studies[i];
  for (size_t r = 0; r < study->n_runs; r++) {
    const char *run = study->runs[r].name;
    if (!vb_study_is_chosen(study, r, s->plan.only))
      continue;
    vb_listing_row(list);
    vb_listing_text(list, "study", study->name);
    vb_listing_text(list, "run", run);
  }
}

vb_status vb_cli_list_runs(vb_cli *cli, const vb_cli_results *asked, const vb_study_run_plan *plan,
                           vb_error *error) {
  batch s = {.asked = asked, .plan = *plan};
  vb_status status = name_settings(&s, error);
  if (!status)
    status = prepare(&s, cli, error);
  static const vb_text_column columns[] = {{.cell = "study", .before = ""}, {.cell = "run"}};
  vb_listing list = {0};
  for (size_t i = 0; !status && i < s.n_studies; i++)
    list_chosen(&s, i, &list);
  if (!status && asked->json)
    status =
        vb_report_document(stdout, json_pack("{s:o}", "runs", vb_listing_take_json(&list)), error);
  else if (!status && asked->csv)
    status = vb_listing_write_csv(stdout, &list, "study,run", error);
  else if (!status)
    status = vb_listing_write_text(stdout, &list, columns, 2, error);
  vb_listing_free(&list);
  free_batch(&s);
  return status ? status : s.worst;
}
