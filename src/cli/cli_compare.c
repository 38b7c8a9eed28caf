// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "compare": what changed between two records, or between the speeds of two programs.
#include "base/nearest_word.h"
#include "base/report_text.h"
#include "bench/bench_report.h"
#include "cli/cli.h"
#include "compare/compare_launch.h"
#include "compare/compare_report.h"
#include "results/provenance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(VB_NAN_EQUAL == 0 && VB_NAN_NEVER == 1, "policies are in the order of --nan");

typedef struct settings {
  vb_compare_request request; ///< but for has_nan
  const char *figure;         ///< path without its ending, or null
  bool json;
  bool quiet;
  char *launch; ///< the command A, or null
  int time;     ///< 0: of processes, 1: reported
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
      return vb_bad_input(
          error, "--allow takes scene, solver, options, arithmetic and hardware, not \"%s\"%s%s%s",
          text, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
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
    return vb_bad_input(error, "compare wants two results files, indexes or folders; there %s %zu",
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

/// Two commands that are compared, and what of them.
typedef struct rivals {
  char *command[2];
  bool reported; ///< the number that they print, and not their whole process
  double busy;   ///< part of the processors that others kept busy before the first launch
} rivals;

static vb_status launch(void *context, int which, double *seconds, vb_error *error) {
  const rivals *r = context;
  char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, r->command[which], NULL};
  if (!r->reported)
    return vb_launch_command(r->command[which], seconds, error);
  vb_status status = vb_launch_program(arguments, seconds, error);
  if (status == VB_FAILED)
    status = vb_bad_input(error,
                          "\"%s\" must print its time in seconds, a positive number and nothing "
                          "else, and end with 0",
                          r->command[which]);
  return status;
}

static double percent(double log_ratio) {
  return 100 * expm1(log_ratio);
}

static void print_session(const rivals *r, const vb_launch_session *s) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  printf("\ncompare A = %s\n        B = %s\n", r->command[0], r->command[1]);
  printf("  on %s (%s), %d processors; %d launches in turn\n", origin.host, origin.cpu,
         origin.threads, VB_SESSION_LAUNCHES);
  vb_bench_warn_of_others(stdout, r->busy);
  printf("  what is timed            %s\n",
         r->reported ? "the seconds that each launch prints"
                     : "each launch's whole process, from its start to its end");
  printf("  median of A, of B        %.6g s, %.6g s\n",
         vb_quantile(s->time[0], VB_LAUNCH_PAIRS, 0.5),
         vb_quantile(s->time[1], VB_LAUNCH_PAIRS, 0.5));
  printf("  margin, A against A      %.2f %%, of %d pairs\n", percent(s->margin), VB_LAUNCH_PAIRS);
  printf("  B against A              %+.2f %% [%+.2f, %+.2f], of %d pairs\n",
         percent(s->interval.median), percent(s->interval.low), percent(s->interval.high),
         VB_LAUNCH_PAIRS);
  if (s->verdict == VB_COMPARED_INCONCLUSIVE)
    printf("INCONCLUSIVE: within this machine's margin of %.2f %% nothing can be told%s\n",
           percent(s->margin),
           s->margin > log1p(VB_MAX_MARGIN) ? "; above 2 % it is too restless" : "");
  else
    printf("%s\n", vb_comparison_word(s->verdict));
}

static vb_status print_json(const rivals *r, const vb_launch_session *s, int code,
                            vb_error *error) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  json_t *document = json_pack(
      "{s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:s, s:i}", "a",
      r->command[0], "b", r->command[1], "timed", r->reported ? "reported" : "process", "host",
      origin.host, "cpu", origin.cpu, "threads", origin.threads, "busy", r->busy, "seconds_a",
      vb_report_numbers(s->time[0], VB_LAUNCH_PAIRS), "seconds_b",
      vb_report_numbers(s->time[1], VB_LAUNCH_PAIRS), "log_ratio_equal",
      vb_report_numbers(s->equal, VB_LAUNCH_PAIRS), "log_ratio",
      vb_report_numbers(s->log_ratio, VB_LAUNCH_PAIRS), "margin", expm1(s->margin), "change",
      expm1(s->interval.median), "change_low", expm1(s->interval.low), "change_high",
      expm1(s->interval.high), "verdict", vb_comparison_word(s->verdict), "exit_code", code);
  return vb_report_document(stdout, document, error);
}

static vb_status compare_launches(const vb_cli *cli, const settings *s, vb_error *error) {
  vb_launch_session session;
  vb_progress progress;
  if (vb_cli_find(cli, "allow") || vb_cli_find(cli, "nan") || s->figure)
    return vb_bad_input(error, "--allow, --nan and --figure are for records, not for --launch");
  if (cli->n_arguments != 1)
    return vb_bad_input(
        error, "compare --launch wants two commands, each between quotes: --launch 'A' 'B'");
  rivals r = {{s->launch, cli->arguments[0]}, s->time == 1, vb_machine_busy()};
  vb_progress_init(&progress, !s->quiet);
  vb_progress_begin(&progress, "launches", 0);
  vb_status status = vb_launch_session_run(launch, &r, &progress, &session, error);
  vb_progress_end(&progress);
  if (status)
    return status;
  vb_status verdict = session.verdict == VB_COMPARED_SLOWER         ? VB_FAILED
                      : session.verdict == VB_COMPARED_INCONCLUSIVE ? VB_INCONCLUSIVE
                                                                    : VB_OK;
  if (s->json)
    status = print_json(&r, &session, (int)verdict, error);
  else
    print_session(&r, &session);
  return status ? status : verdict;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  if (!s->launch && vb_cli_find(cli, "time"))
    return vb_bad_input(error, "--time goes with --launch");
  return s->launch ? compare_launches(cli, s, error) : compare_records(cli, s, error);
}

VB_VERB(compare, "A B", "tell what changed between two results files, indexes or folders",
        .help[1] = {"compare --launch 'A' 'B'",
                    "launch two commands in turn and tell which is faster"},
        .least = 1, .wants = "two results files or folders, or commands", .options = options,
        VB_SETTINGS(.figure = NULL), .ends_in_order = true,
        .examples = "viperbench compare before/helix.h5 results/helix.h5\n"
                    "viperbench compare --launch 'old/viperbench run helix --fresh' "
                    "'bin/viperbench run helix --fresh'\n");
