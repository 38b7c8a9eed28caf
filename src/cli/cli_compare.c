// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "compare": what changed between two records, or between the speeds of two programs.
#include "base/nearest_word.h"
#include "cli/cli_launch.h"
#include "cli/cli_options.h"
#include "compare/compare_figure.h"
#include "compare/compare_report.h"

#include <string.h>

_Static_assert(VB_NAN_EQUAL == 0 && VB_NAN_NEVER == 1, "policies are in the order of --nan");

typedef struct settings {
  vb_compare_request request; ///< but for has_nan
  const char *figure;         ///< path without its ending, or null
  bool json;
  bool quiet;
  const char *launch; ///< the command A, or null
  int time;           ///< 0: of processes, 1: reported
} settings;

/// Words separated by commas.
static vb_status take_allow(const vb_cli_given *given, void *place, vb_error *error) {
  vb_compare_request *out = place;
  const char *known[VB_PROPERTY_COUNT];
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    known[k] = vb_run_property_word(k);
  for (const char *word = given->text; *word;) {
    char text[32];
    size_t length = strcspn(word, ",");
    vb_run_property k = 0;
    snprintf(text, sizeof text, "%.*s", (int)(length < 30 ? length : 30), word);
    while (k < VB_PROPERTY_COUNT && strcmp(known[k], text) != 0)
      k++;
    if (k == VB_PROPERTY_COUNT) {
      const char *near = vb_nearest_word(text, known, VB_PROPERTY_COUNT);
      return vb_error_set(
          error, VB_BAD_INPUT,
          "--allow takes scene, solver, options, arithmetic and hardware, not \"%s\"%s%s%s", text,
          near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    out->allow[k] = true;
    word += length + (word[length] == ',');
  }
  return VB_OK;
}

static const vb_cli_option options[] = {
    {"allow", "WHAT,..",
     "compare: though the scene, solver, options, arithmetic or hardware is another", 5, take_allow,
     VB_AT(request)},
    {"nan", "equal|never", "compare: whether two NaNs agree (as the study declares)", 5,
     vb_take_word, VB_AT(request.nan)},
    {"figure", "NAME", "compare: draw what differs most as NAME.svg and NAME.png", 5, vb_take_text,
     VB_AT(figure)},
    {"launch", "CASE", "compare: the command A, beside B", 4, vb_take_text, VB_AT(launch)},
    {"time", "process|reported",
     "compare --launch: time whole processes, or the seconds they print (process)", 5, vb_take_word,
     VB_AT(time)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {VB_OPTION_JSON, VB_AT(json)},
    {0}};

static vb_status compare_records(const vb_cli *cli, const settings *s, vb_error *error) {
  vb_compare_request request = s->request;
  vb_compare_result result = {0};
  request.has_nan = vb_cli_find(cli, "nan");
  if (cli->n_arguments != 2)
    return vb_error_set(error, VB_BAD_INPUT,
                        "compare wants two results files, indexes or folders; there %s %zu",
                        cli->n_arguments == 1 ? "is" : "are", cli->n_arguments);
  vb_compared compared = {cli->arguments[0], cli->arguments[1], &request, &result};
  vb_status status = vb_compare_paths(compared.a, compared.b, &request, &result, error);
  if (status)
    return status;
  if (s->json)
    status = vb_compare_json(stdout, &compared, error);
  else
    vb_compare_print(stdout, &compared, s->quiet);
  if (!status && s->figure)
    status = vb_compare_figure(&compared, s->figure, error);
  if (!status)
    status = vb_compare_verdict(&result);
  vb_compare_result_free(&result);
  return status;
}

static vb_status compare_launches(const vb_cli *cli, const settings *s, vb_error *error) {
  if (vb_cli_find(cli, "allow") || vb_cli_find(cli, "nan") || s->figure)
    return vb_error_set(error, VB_BAD_INPUT,
                        "--allow, --nan and --figure are for records, not for --launch");
  if (cli->n_arguments != 1)
    return vb_error_set(
        error, VB_BAD_INPUT,
        "compare --launch wants two commands, each between quotes: --launch 'A' 'B'");
  vb_launch_request request = {
      {(char *)s->launch, cli->arguments[0]}, s->time == 1, s->quiet, s->json};
  return vb_compare_launch(&request, error);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  if (!s->launch && vb_cli_find(cli, "time"))
    return vb_error_set(error, VB_BAD_INPUT, "--time goes with --launch");
  return s->launch ? compare_launches(cli, s, error) : compare_records(cli, s, error);
}

VB_VERB(compare, "A B", "tell what changed between two results files, indexes or folders",
        .help[1] = {"compare --launch 'A' 'B'",
                    "launch two commands in turn and tell which is faster"},
        .least = 1, .wants = "two results files or folders, or commands", .options = options,
        VB_SETTINGS(.figure = NULL), .ends_in_order = true);
