// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "score": runs entries on problems, and tells their errors over wall time.
#include "base/home.h"
#include "base/home_files.h"
#include "base/nearest_word.h"
#include "base/report_text.h"
#include "cli/cli.h"
#include "cli/results_place.h"
#include "figure/plot.h"
#include "report/score.h"
#include "table/listing.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  vb_cli_results results;
  const char *problem; ///< in the names of those that are asked for, or null
  int jobs;            ///< runs at a time; 0: one, so that times count
} settings;

static const vb_cli_option options[] = {
    {.shared = vb_study_options, VB_AT(results.study)},
    {VB_OPTION_OUT, VB_AT(results.out)},
    {"problem", "PATTERN", "score: only problems with this in their name", 5, vb_take_text,
     VB_AT(problem)},
    {"jobs", "N", "score: execute N runs at a time, and tell errors without times", 2, vb_take_jobs,
     VB_AT(jobs)},
    {VB_OPTION_JSON, VB_AT(results.json)},
    {0}};

/// The entries of the program, by name.
typedef struct entries {
  const char **name;
  size_t n;
} entries;

static vb_status list_entries(vb_cli *cli, const char *home, entries *out, vb_error *error) {
  char pattern[4200];
  glob_t found = {0};
  snprintf(pattern, sizeof pattern, "%.4096s/scenarios/entries/*.lua", home);
  glob(pattern, 0, NULL, &found);
  VB_TAKE(&cli->memory, out->name, found.gl_pathc);
  for (size_t i = 0; out->name && i < found.gl_pathc; i++) {
    char *name = vb_home_is_page(found.gl_pathv[i])
                     ? NULL
                     : vb_arena_text(&cli->memory, strrchr(found.gl_pathv[i], '/') + 1);
    if (!name)
      continue;
    *strrchr(name, '.') = '\0';
    out->name[out->n++] = name;
  }
  globfree(&found);
  return vb_arena_status(&cli->memory, error);
}

/// The path of the script of the entry of that name; what is a path stays one.
static vb_status find_entry(vb_cli *cli, const char *home, const entries *all, const char *name,
                            char **out, vb_error *error) {
  char path[4400];
  size_t k = 0;
  while (k < all->n && strcmp(all->name[k], name) != 0)
    k++;
  snprintf(path, sizeof path, "%.4000s/scenarios/entries/%.200s.lua", home, name);
  bool is_path = strchr(name, '/') || strstr(name, ".lua");
  if (is_path || k < all->n) {
    *out = vb_arena_text(&cli->memory, is_path ? name : path);
    return VB_OK;
  }
  const char *near = vb_nearest_word(name, all->name, all->n);
  return near
             ? vb_bad_input(error, "there is no entry \"%.100s\"; did you mean \"%s\"?", name, near)
             : vb_bad_input(error,
                            "there is no entry \"%.100s\"; entries are the scripts in "
                            "scenarios/entries and, by their paths, your own",
                            name);
}

/// Puts the paths of the entries in the place of their names; of all where none is named.
static vb_status find_entries(vb_cli *cli, const char *home, vb_error *error) {
  entries all = {0};
  char **path;
  vb_status status = list_entries(cli, home, &all, error);
  size_t n = cli->n_arguments ? cli->n_arguments : all.n;
  VB_TAKE(&cli->memory, path, n);
  for (size_t i = 0; !status && path && i < n; i++)
    status = find_entry(cli, home, &all, cli->n_arguments ? cli->arguments[i] : all.name[i],
                        &path[i], error);
  cli->arguments = path;
  cli->n_arguments = n;
  if (!status && n == 0)
    return vb_bad_input(error, "there are no entries in %s/scenarios/entries", home);
  return status ? status : vb_arena_status(&cli->memory, error);
}

static const char *const LEVELS[VB_SCORE_LEVELS] = {"10 %", "1 %", "1e-3", "1e-4", "1e-6"};

static void collect(vb_listing *table, const vb_score *s) {
  vb_listing_row(table);
  vb_listing_text(table, "entry", s->entry);
  vb_listing_text(table, "problem", s->problem);
  vb_listing_text(table, "best_run", s->best_run);
  vb_listing_integer(table, "runs", (int64_t)s->n_runs);
  vb_listing_integer(table, "failed", (int64_t)s->n_failed);
  vb_listing_integer(table, "shared", (int64_t)s->n_shared);
  vb_listing_real(table, "best", s->best);
  vb_listing_real(table, "best_time", s->best_time);
  vb_listing_real(table, "all_time", s->all_time);
  vb_listing_real(table, "order", s->order);
  vb_listing_json(table, "time", vb_report_numbers(s->time, VB_SCORE_LEVELS));
  vb_listing_json(table, "segments", vb_report_numbers(s->range, 2));
  vb_listing_text(table, "settings", s->range_settings);
  vb_listing_text(table, "reason", s->reason);
}

/// Adds what stands in a text alone: the times one by one, and the range in a word.
static void collect_words(vb_listing *table, const vb_score *s) {
  char range[32] = "-";
  if (!isnan(s->range[0]))
    snprintf(range, sizeof range, "%.0f..%.0f", s->range[0], s->range[1]);
  for (int k = 0; k < VB_SCORE_LEVELS; k++)
    vb_listing_real(table, LEVELS[k], s->time[k]);
  vb_listing_text(table, "range", range);
}

static vb_status print_text(vb_listing *table, vb_error *error) {
  const vb_text_column columns[] = {
      {.cell = "entry",
       .head = "entry",
       .before = "",
       .width = -vb_listing_longest(table, "entry", 8)},
      {.cell = "problem", .head = "problem", .width = -vb_listing_longest(table, "problem", 8)},
      {.cell = "best", .head = "best", .format = "%.1e", .width = 8},
      {.cell = "best_time", .head = "in", .format = "%.2g", .width = 8},
      {.cell = "all_time", .head = "all cpus", .format = "%.2g", .width = 8},
      {.cell = "order", .head = "order", .format = "%.2f", .width = 8},
      {.cell = LEVELS[0], .head = LEVELS[0], .format = "%.2g", .width = 8},
      {.cell = LEVELS[1], .head = LEVELS[1], .format = "%.2g", .width = 8},
      {.cell = LEVELS[2], .head = LEVELS[2], .format = "%.2g", .width = 8},
      {.cell = LEVELS[3], .head = LEVELS[3], .format = "%.2g", .width = 8},
      {.cell = LEVELS[4], .head = LEVELS[4], .format = "%.2g", .width = 8},
      {.cell = "range", .head = "segments", .width = 9},
      {.cell = "failed", .head = "failed", .width = 6},
      {.cell = "reason", .before = "  "}};
  puts("error: maximum over the answers, relative to the length; time: of the steps on this "
       "machine [s]");
  return vb_listing_write_text(stdout, table, columns, sizeof columns / sizeof *columns, error);
}

static vb_status print_scores(const vb_scores *all, bool json, vb_error *error) {
  vb_listing table = {0};
  size_t n_shared = 0;
  for (size_t i = 0; i < all->n; i++) {
    n_shared += all->scores[i].n_shared;
    collect(&table, &all->scores[i]);
    if (!json)
      collect_words(&table, &all->scores[i]);
  }
  if (json)
    return vb_report_document(stdout,
                              json_pack("{s:o, s:o}", "levels",
                                        vb_report_numbers(vb_score_level, VB_SCORE_LEVELS),
                                        "scores", vb_listing_take_json(&table)),
                              error);
  vb_status status = print_text(&table, error);
  if (!status && n_shared > 0)
    printf("%zu runs have no time, since others were executed beside them; score without --jobs "
           "executes them again, one at a time\n",
           n_shared);
  return status;
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
  if (!status)
    status = print_scores(&scores, s->results.json, error);
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
    status = vb_plot_index(path, NULL, INFINITY, VB_PLOT_ALL, &drawn, error);
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
  asked.problems = true;
  // A run that fails is told, and is a part of the score. Runs are timed, and so run alone; several
  // at a time have no times, and those on all processors, "-all", are there for nothing else.
  vb_study_run_plan plan = {.jobs = 1, .only = s->problem, .alone = true};
  if (s->jobs > 1)
    plan = (vb_study_run_plan){.jobs = s->jobs, .only = s->problem, .excluded = "*-all"};
  vb_status of_runs = vb_cli_run_studies(cli, &asked, plan, &failure);
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
                "viperbench score --jobs 4                   # errors alone, sooner\n"
                "viperbench score ./mine.lua --solver ./mine.py\n");
