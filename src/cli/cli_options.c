// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli.h"

#include "base/output_policy.h"
#include "base/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

vb_status vb_cli_refuse(const vb_cli_given *given, const char *what, vb_error *error) {
  return vb_bad_input(error, "--%s needs %s, not \"%s\"", given->name, what, given->text);
}

vb_status vb_take_text(const vb_cli_given *given, void *place, vb_error *error) {
  (void)error;
  *(const char **)place = given->text;
  return VB_OK;
}

vb_status vb_take_switch(const vb_cli_given *given, void *place, vb_error *error) {
  (void)given, (void)error;
  *(bool *)place = true;
  return VB_OK;
}

vb_status vb_take_word(const vb_cli_given *given, void *place, vb_error *error) {
  char list[256] = "";
  int k = 0;
  for (const char *word = given->value; *word; k++) {
    size_t length = strcspn(word, "|"), used = strlen(list);
    const char *rest = word + length + (word[length] == '|');
    if (strlen(given->text) == length && strncmp(word, given->text, length) == 0) {
      *(int *)place = k;
      return VB_OK;
    }
    snprintf(list + used, sizeof list - used, "%s%.*s",
             !used   ? ""
             : *rest ? ", "
                     : " or ",
             (int)length, word);
    word = rest;
  }
  return vb_cli_refuse(given, list, error);
}

vb_status vb_take_whole(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  long long value = strtoll(given->text, &end, 10);
  if (end == given->text || *end)
    return vb_cli_refuse(given, "a whole number", error);
  *(int64_t *)place = value;
  return VB_OK;
}

vb_status vb_take_jobs(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  long jobs = strtol(given->text, &end, 10);
  if (end == given->text || *end || jobs < 1 || jobs > 1024)
    return vb_cli_refuse(given, "a whole number from 1 to 1024", error);
  *(int *)place = (int)jobs;
  return VB_OK;
}

static vb_status take_tier(const vb_cli_given *given, void *place, vb_error *error) {
  if (!vb_is_tier(given->text))
    return vb_bad_input(error, "unknown tier \"%s\"; use quick, full, gold or show", given->text);
  ((vb_study_request *)place)->tier = given->text;
  return VB_OK;
}

static vb_status take_seconds(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  double seconds = strtod(given->text, &end);
  if (end == given->text || *end || !(seconds > 0) || !isfinite(seconds))
    return vb_cli_refuse(given, "a positive number of seconds", error);
  *(double *)place = seconds;
  return VB_OK;
}

/// Splits "NAME=VALUE" in place; null where it is none.
static char *split(const vb_cli_given *given, vb_error *error) {
  char *equals = strchr(given->text, '=');
  if (!equals || equals == given->text) {
    vb_cli_refuse(given, "NAME=VALUE", error);
    return NULL;
  }
  *equals = '\0';
  return equals + 1;
}

static vb_status take_parameter(const vb_cli_given *given, void *place, vb_error *error) {
  vb_study_request *request = place;
  char *value = split(given, error);
  if (!value)
    return VB_BAD_INPUT;
  given->cli->parameters[request->n_parameters++] =
      (vb_setting){.name = given->text, .value = value};
  request->parameters = given->cli->parameters;
  return VB_OK;
}

/// An option of the solver: of that name (--method xpbd), or any (--option method=xpbd).
static vb_status take_option(const vb_cli_given *given, void *place, vb_error *error) {
  vb_study_request *request = place;
  vb_option *out = &given->cli->options[request->n_options];
  bool any = strcmp(given->name, "option") == 0;
  *out = (vb_option){given->name, any ? split(given, error) : given->text};
  if (!out->value)
    return VB_BAD_INPUT;
  if (any)
    out->name = given->text;
  if (strcmp(out->name, "backend") == 0 && strcmp(out->value, "gpu") == 0)
    return vb_bad_input(
        error, "unknown backend \"gpu\"; use auto, cpu or cuda, which runs on NVIDIA GPUs");
  request->n_options++;
  request->options = given->cli->options;
  return VB_OK;
}

/// Solvers in Python print the tracebacks of exceptions if the environment variable is set.
static vb_status take_verbose(const vb_cli_given *given, void *place, vb_error *error) {
  setenv("VIPERBENCH_TRACEBACK", "1", true);
  return vb_take_switch(given, place, error);
}

const vb_cli_option vb_results_options[] = {
    {VB_OPTION_OUT, .place = offsetof(vb_cli_results, out)},
    {VB_OPTION_QUIET, .place = offsetof(vb_cli_results, quiet)},
    {VB_OPTION_CSV, .place = offsetof(vb_cli_results, csv)},
    {VB_OPTION_JSON, .place = offsetof(vb_cli_results, json)},
    {"verbose", NULL, "also print long tables, and tracebacks of solvers in Python", 2,
     take_verbose, .place = offsetof(vb_cli_results, verbose)},
    {0}};

bool vb_cli_wants_tables(const vb_cli_results *asked) {
  return !asked->quiet && !asked->csv && !asked->json;
}

const vb_cli_option vb_study_options[] = {
    {"solver", "NAME", "run with this solver", 1, vb_take_text,
     .place = offsetof(vb_study_request, solver)},
    {"method", "NAME", "method of the solver", 1, .take = take_option},
    {"backend", "NAME", "backend of the solver (auto, cpu, cuda)", 1, .take = take_option},
    {"precision", "NAME", "precision of the solver (double, float)", 1, .take = take_option},
    {"arithmetic", "NAME", "floating-point mode of the solver (strict, fast)", 1,
     .take = take_option},
    {"tolerance", "X", "residual at which iterations end", 1, .take = take_option},
    {"instructions", "NAME", "instruction set of the solver (auto, x86-64-v3, ...)", 1,
     .take = take_option},
    {"threads", "N", "threads of the solver", 1, .take = take_option},
    {"iterations", "N", "maximum number of iterations per substep", 1, .take = take_option},
    {"substeps", "N", "substeps per step", 1, .take = take_option},
    {"option", "NAME=VALUE", "any option of the solver", 1, .take = take_option},
    {"set", "NAME=VALUE", "a parameter of the study", 2, .take = take_parameter},
    {"script-time", "SECONDS", "processor time limit of a study's script (60)", 2, take_seconds,
     .place = offsetof(vb_study_request, script_time)},
    {"tier", "quick|full|gold|show", "size of the studies (quick); show: their runs for movies", 2,
     .take = take_tier},
    {0}};

vb_status vb_cli_name_studies(vb_cli *cli, const char *folder, vb_error *error) {
  size_t n = 0;
  if (cli->n_arguments > 1 || (cli->n_arguments == 1 && strcmp(cli->arguments[0], "all") != 0))
    return VB_OK;
  vb_status status = vb_study_list(false, &cli->studies, &cli->n_studies, error);
  if (status)
    return status;
  char **names;
  if (!VB_TAKE(&cli->memory, names, cli->n_studies))
    return vb_error_memory(error);
  for (size_t i = 0; i < cli->n_studies; i++)
    if (!folder || strcmp(cli->studies[i].folder, folder) == 0)
      names[n++] = cli->studies[i].name;
  cli->arguments = names;
  cli->n_arguments = n;
  return VB_OK;
}

vb_status vb_cli_name_reduced(vb_cli *cli, bool show, vb_error *error) {
  size_t n = 0;
  if (cli->n_arguments > 1 || (cli->n_arguments == 1 && strcmp(cli->arguments[0], "all") != 0))
    return VB_OK;
  char **names;
  vb_status status = vb_study_list(true, &cli->studies, &cli->n_studies, error);
  if (status)
    return status;
  if (!VB_TAKE(&cli->memory, names, cli->n_studies))
    return vb_error_memory(error);
  for (size_t i = 0; i < cli->n_studies; i++)
    if (show ? cli->studies[i].has_show : !cli->studies[i].without_gold)
      names[n++] = cli->studies[i].name;
  cli->arguments = names;
  cli->n_arguments = n;
  return n > 0 ? VB_OK : vb_bad_input(error, "no study names runs for show");
}

vb_status vb_cli_check_output(const vb_cli *cli, const char *path, bool force, vb_error *error) {
  const vb_output_policy policy = {cli->arguments, cli->n_arguments, .force = force};
  return path ? vb_output_check(&policy, path, error) : VB_OK;
}

void vb_cli_list_missing(const vb_study *study, const char *solver) {
  if (study->n_missing)
    fprintf(stderr, "viperbench: %s: ignoring settings that solver %s does not have: ", study->name,
            solver);
  for (size_t i = 0; i < study->n_missing; i++)
    fprintf(stderr, "%s%s", study->missing[i], i + 1 < study->n_missing ? ", " : "\n");
}

void vb_cli_complain(const vb_error *error) {
  fprintf(stderr, "viperbench: %s\n", error->message);
}

int vb_cli_exit_code(vb_status status) {
  return status == VB_INTERRUPTED ? 128 + vb_signal_caught() : (int)status;
}

vb_status vb_cli_check_new(const vb_cli *cli, const char *path, vb_error *error) {
  const vb_output_policy policy = {cli->arguments, cli->n_arguments, .no_force = true};
  return path ? vb_output_check(&policy, path, error) : VB_OK;
}

vb_status vb_cli_check_figure(const vb_cli *cli, const char *stem, vb_error *error) {
  char drawn[4096], other[4096];
  if (!stem)
    return VB_OK;
  snprintf(drawn, sizeof drawn, "%.4000s.svg", stem);
  snprintf(other, sizeof other, "%.4000s.png", stem);
  vb_status status = vb_cli_check_new(cli, drawn, error);
  // gnuplot leaves no mark in this one; it was drawn with the other.
  if (!status && access(drawn, F_OK))
    status = vb_cli_check_new(cli, other, error);
  return status;
}
