// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "score": runs entries on problems, and tells their errors over wall time.
#include "base/home.h"
#include "base/home_files.h"
#include "base/report_text.h"
#include "cli/cli.h"
#include "report/score.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  vb_cli_results results;
  const char *problem; ///< in the names of those that are asked for, or null
} settings;

static const vb_cli_option options[] = {{VB_OPTION_OUT, VB_AT(results.out)},
                                        {"problem", "PATTERN",
                                         "score: only problems with this in their names", 5,
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
    return vb_bad_input(error, "there are no entries: no file is like %s", pattern);
  return vb_arena_status(&cli->memory, error);
}

static void print_number(const char *format, double value) {
  if (isnan(value))
    printf(" %8s", "-");
  else
    printf(format, value);
}

static void print_table(const vb_score *scores, size_t n) {
  printf("error: greatest of the answers over the length; time: of the steps, on this machine [s]\n"
         "%-16s %-26s %9s %8s %8s %8s %8s %8s %8s %6s\n",
         "entry", "problem", "best", "in", "order", "10 %", "1 %", "1e-3", "1e-4", "failed");
  for (size_t i = 0; i < n; i++) {
    const vb_score *s = &scores[i];
    printf("%-16s %-26s ", s->entry, s->problem);
    print_number(" %8.1e", s->best);
    print_number(" %8.2g", s->best_time);
    print_number(" %8.2f", s->order);
    for (int k = 0; k < VB_SCORE_LEVELS; k++)
      print_number(" %8.2g", s->time[k]);
    printf(" %6zu\n", s->n_failed);
  }
}

static vb_status print_json(const vb_score *scores, size_t n, vb_error *error) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    const vb_score *s = &scores[i];
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "entry", s->entry, "problem",
                        s->problem, "runs", (json_int_t)s->n_runs, "failed",
                        (json_int_t)s->n_failed, "best", vb_report_number(s->best), "best_time",
                        vb_report_number(s->best_time), "order", vb_report_number(s->order), "time",
                        vb_report_numbers(s->time, VB_SCORE_LEVELS)));
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

/// Keeps the scores of problems with `text` in their names; all where it is null. Returns their
/// number.
static size_t keep_named(vb_score *scores, size_t n, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!text || strstr(scores[i].problem, text))
      scores[kept++] = scores[i];
  return kept;
}

/// Prints what the entries' kept results come to.
static vb_status tell(vb_cli *cli, const settings *s, vb_error *error) {
  vb_report_results results;
  vb_score *scores = NULL;
  size_t n = 0;
  char **index;
  VB_TAKE(&cli->memory, index, cli->n_arguments);
  for (size_t i = 0; index && i < cli->n_arguments; i++)
    index[i] = index_path(cli, s->results.out, cli->arguments[i]);
  vb_status status = vb_arena_status(&cli->memory, error);
  if (!status)
    status = vb_report_results_read(index, cli->n_arguments, &results, error);
  if (status)
    return status;
  status = vb_scores_find(&results, &scores, &n, error);
  n = status ? 0 : keep_named(scores, n, s->problem);
  if (!status && s->results.json)
    status = print_json(scores, n, error);
  else if (!status)
    print_table(scores, n);
  free(scores);
  vb_report_results_free(&results);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  char home[4096];
  vb_error failure = {0};
  vb_cli_results asked = s->results;
  asked.quiet = true;
  asked.json = false;
  vb_status status = vb_home(home, sizeof home, error);
  if (!status)
    status = find_entries(cli, home, error);
  if (status)
    return status;
  // A run that fails is told, and is a part of the score.
  vb_status of_runs =
      vb_cli_run_studies(cli, &asked, (vb_study_run_plan){.jobs = 1, .only = s->problem}, &failure);
  if (of_runs == VB_BAD_INPUT || of_runs == VB_INTERRUPTED || of_runs == VB_CANNOT_WRITE)
    return failure.message[0] ? vb_error_set(error, of_runs, "%s", failure.message) : of_runs;
  return tell(cli, s, error);
}

VB_VERB(score, "[ENTRY...]",
        "errors of solvers on problems over wall time (all of scenarios/entries/)",
        .options = options,
        VB_SETTINGS(.results = {.study = {VB_STUDY_DEFAULTS}, .out = "results/score"}),
        .ends_in_order = true,
        .examples = "viperbench score\n"
                    "viperbench score cosserat --problem elastica\n"
                    "viperbench score ./mine.lua --json\n");
