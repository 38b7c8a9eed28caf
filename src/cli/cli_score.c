// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "score": runs entries on problems, and tells their errors over wall time.
#include "base/home.h"
#include "base/home_files.h"
#include "base/report_text.h"
#include "cli/cli.h"
#include "cli/results_place.h"
#include "figure/plot.h"
#include "report/score.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  vb_cli_results results;
  const char *problem; ///< in the names of those that are asked for, or null
} settings;

static const vb_cli_option options[] = {{.shared = vb_study_options, VB_AT(results.study)},
                                        {VB_OPTION_OUT, VB_AT(results.out)},
                                        {"problem", "PATTERN",
                                         "score: only problems with this in their name", 5,
                                         vb_take_text, VB_AT(problem)},
                                        {VB_OPTION_JSON, VB_AT(results.json)},
                                        {0}};

/// The path of an entry's script below the home folder; what is a path stays one.
static char *entry_path(vb_cli *cli, const char *home, const char *name) {
  char path[4400];
  bool is_path = strchr(name, '/') || strstr(name, ".lua");
  if (is_path)
    return vb_arena_text(&cli->memory, name);
  snprintf(path, sizeof path, "%.4000s/scenarios/entries/%.200s.lua", home, name);
  return vb_arena_text(&cli->memory, path);
}

/// Puts the paths of the entries in the place of their names; of all where none is named.
static vb_status find_entries(vb_cli *cli, const char *home, vb_error *error) {
  char pattern[4200];
  glob_t found = {0};
  char **path;
  size_t n = cli->n_arguments;
  snprintf(pattern, sizeof pattern, "%.4096s/scenarios/entries/*.lua", home);
  if (n == 0 && glob(pattern, 0, NULL, &found) == 0)
    n = found.gl_pathc;
  VB_TAKE(&cli->memory, path, n);
  char **names = cli->n_arguments ? cli->arguments : found.gl_pathv;
  size_t kept = 0;
  for (size_t i = 0; path && names && i < n; i++)
    if (!vb_home_is_page(names[i]))
      path[kept++] = entry_path(cli, home, names[i]);
  globfree(&found);
  cli->arguments = path;
  cli->n_arguments = n = kept;
  if (n == 0)
    return vb_bad_input(error, "there are no entries: no file matches %s", pattern);
  return vb_arena_status(&cli->memory, error);
}

static void print_number(const char *format, double value) {
  if (isnan(value))
    printf(" %8s", "-");
  else
    printf(format, value);
}

/// Widths of the columns of names.
static void measure(const vb_scores *s, int *entry, int *problem) {
  *entry = *problem = 8;
  for (size_t i = 0; i < s->n; i++) {
    *entry = (int)fmax(*entry, (double)strlen(s->scores[i].entry));
    *problem = (int)fmax(*problem, (double)strlen(s->scores[i].problem));
  }
}

static void print_table(const vb_scores *all) {
  int entry, problem;
  measure(all, &entry, &problem);
  printf("error: maximum over the answers, relative to the length; time: of the steps on this "
         "machine [s]\n"
         "%-*s %-*s %8s %8s %8s %8s %8s %8s %8s %8s %9s %6s\n",
         entry, "entry", problem, "problem", "best", "in", "all cpus", "order", "10 %", "1 %",
         "1e-3", "1e-4", "segments", "failed");
  for (size_t i = 0; i < all->n; i++) {
    const vb_score *s = &all->scores[i];
    char range[32] = "-";
    if (!isnan(s->range[0]))
      snprintf(range, sizeof range, "%.0f..%.0f", s->range[0], s->range[1]);
    printf("%-*s %-*s", entry, s->entry, problem, s->problem);
    print_number(" %8.1e", s->best);
    print_number(" %8.2g", s->best_time);
    print_number(" %8.2g", s->all_time);
    print_number(" %8.2f", s->order);
    for (int k = 0; k < VB_SCORE_LEVELS; k++)
      print_number(" %8.2g", s->time[k]);
    printf(" %9s %6zu", range, s->n_failed);
    printf("%s%s\n", s->reason[0] ? "  " : "", s->reason);
  }
}

static vb_status print_json(const vb_scores *all, vb_error *error) {
  json_t *list = json_array();
  for (size_t i = 0; i < all->n; i++) {
    const vb_score *s = &all->scores[i];
    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "entry",
                  s->entry, "problem", s->problem, "best_run", s->best_run, "runs",
                  (json_int_t)s->n_runs, "failed", (json_int_t)s->n_failed, "best",
                  vb_report_number(s->best), "best_time", vb_report_number(s->best_time),
                  "all_time", vb_report_number(s->all_time), "order", vb_report_number(s->order),
                  "time", vb_report_numbers(s->time, VB_SCORE_LEVELS), "segments",
                  vb_report_numbers(s->range, 2), "settings", s->range_settings, "reason",
                  s->reason));
  }
  return vb_report_document(stdout,
                            json_pack("{s:o, s:o}", "levels",
                                      vb_report_numbers(vb_score_level, VB_SCORE_LEVELS), "scores",
                                      list),
                            error);
}

/// The index of the study of an entry's script in the folder of the results.
static char *index_path(vb_cli *cli, const char *folder, const char *script) {
  const char *slash = strrchr(script, '/'), *base = slash ? slash + 1 : script;
  size_t size = strlen(folder) + strlen(base) + 5;
  char *path;
  VB_TAKE(&cli->memory, path, size);
  if (path)
    snprintf(path, size, "%s/%.*s.h5", folder, (int)(strlen(base) - strlen(".lua")), base);
  return path;
}

/// Prints what the entries' kept results come to.
static vb_status tell(vb_cli *cli, const settings *s, const char *folder, vb_error *error) {
  vb_report_results results = {0};
  vb_scores scores = {0};
  char **index;
  VB_TAKE(&cli->memory, index, cli->n_arguments);
  for (size_t i = 0; index && i < cli->n_arguments; i++)
    index[i] = index_path(cli, folder, cli->arguments[i]);
  vb_status status = vb_arena_status(&cli->memory, error);
  if (!status)
    status = vb_report_results_read(index, cli->n_arguments, &results, error);
  if (status)
    return status;
  status = vb_scores_find(&results, s->problem, &scores, error);
  if (!status && s->results.json)
    status = print_json(&scores, error);
  else if (!status)
    print_table(&scores);
  vb_scores_free(&scores);
  vb_report_results_free(&results);
  return status;
}

/// Writes the scores of all entries that the folder keeps to its scores.h5, and draws them. A
/// gnuplot that is missing has been told by then.
static vb_status write_all(const char *folder, vb_error *error) {
  vb_report_results results = {0};
  vb_scores scores = {0};
  char path[4200], *of = path;
  size_t drawn = 0;
  snprintf(path, sizeof path, "%.4096s", folder);
  vb_status status = vb_report_results_read(&of, 1, &results, error);
  if (status)
    return status;
  snprintf(path, sizeof path, "%.4096s/scores.h5", folder);
  status = vb_scores_find(&results, NULL, &scores, error);
  if (!status)
    status = vb_scores_write(&scores, path, error);
  if (!status)
    status = vb_plot_index(path, NULL, INFINITY, &drawn, error);
  vb_scores_free(&scores);
  vb_report_results_free(&results);
  return status == VB_UNAVAILABLE ? VB_OK : status;
}

/// Runs what is not kept, and tells the scores. Only a call for all problems replaces scores.h5,
/// for runs that it leaves out would count as failed.
static vb_status score(vb_cli *cli, const settings *s, const char *folder, vb_error *error) {
  vb_error failure = {0};
  vb_cli_results asked = s->results;
  asked.quiet = true;
  asked.json = false;
  // A run that fails is told, and is a part of the score. Runs are timed, and so run alone.
  vb_status of_runs =
      vb_cli_run_studies(cli, &asked, (vb_study_run_plan){.jobs = 1, .only = s->problem}, &failure);
  if (of_runs == VB_BAD_INPUT || of_runs == VB_INTERRUPTED || of_runs == VB_CANNOT_WRITE)
    return failure.message[0] ? vb_error_set(error, of_runs, "%s", failure.message) : of_runs;
  vb_status status = tell(cli, s, folder, error);
  if (!status && !s->problem)
    status = write_all(folder, error);
  if (!status && !s->problem && !s->results.json)
    printf("comparison of all entries: %s/scores.md\n", folder);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  char home[4096], *folder = NULL;
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = find_entries(cli, home, error);
  char *name = status ? NULL : vb_cli_settings_name(&s->results.study);
  if (!status && !name)
    status = vb_error_memory(error);
  if (!status)
    status = vb_cli_place_results(cli, &s->results, name, &folder, error);
  if (!status)
    status = score(cli, s, folder, error);
  free(name);
  free(folder);
  return status;
}

VB_VERB(
    score, "[ENTRY...]",
    "measure errors of solvers on problems over wall time (by default all of scenarios/entries/)",
    .options = options,
    VB_SETTINGS(.results = {.study = {VB_STUDY_DEFAULTS}, .out = "results/score"}),
    .ends_in_order = true,
    .examples = "viperbench score\n"
                "viperbench score cosserat --problem elastica\n"
                "viperbench score ./mine.lua --solver ./mine.py\n");
