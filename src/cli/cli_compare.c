// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "compare": what changed between two records, or between the speeds of two programs.
#include "base/clock.h"
#include "base/nearest_word.h"
#include "base/report_text.h"
#include "bench/bench_report.h"
#include "cli/cli.h"
#include "compare/compare_launch.h"
#include "compare/compare_report.h"
#include "results/provenance.h"
#include "table/listing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(VB_NAN_EQUAL == 0 && VB_NAN_NEVER == 1, "policies are in the order of --nan");

typedef struct settings {
  vb_compare_request request; ///< but for has_nan
  const char *figure;         ///< path without its ending, or null
  bool csv;
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
    {"allow", "WHAT,..", "compare: accept different scene, solver, options, arithmetic or hardware",
     5, take_allow, VB_AT(request)},
    {"nan", "equal|never", "compare: whether two NaNs count as equal (as the study declares)", 5,
     vb_take_word, VB_AT(request.nan)},
    {"figure", "NAME", "compare: draw the largest difference as NAME.svg and NAME.png", 5,
     vb_take_text, VB_AT(figure)},
    {"launch", "CASE", "compare: the command A, with B as argument", 4, vb_take_text,
     VB_AT(launch)},
    {"time", "process|reported",
     "compare --launch: time whole processes, or use the seconds that they print (process)", 5,
     vb_take_word, VB_AT(time)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {VB_OPTION_CSV, VB_AT(csv)},
    {VB_OPTION_JSON, VB_AT(json)},
    {0}};

static vb_status compare_records(const vb_cli *cli, const settings *s, vb_error *error) {
  vb_compare_request request = s->request;
  vb_compare_result result = {0};
  request.has_nan = vb_cli_find(cli, "nan");
  if (cli->n_arguments != 2)
    return vb_bad_input(error, "compare needs two results files, indexes or folders; there %s %zu",
                        cli->n_arguments == 1 ? "is" : "are", cli->n_arguments);
  vb_compared compared = {cli->arguments[0], cli->arguments[1], &request, &result};
  vb_status status = vb_cli_check_figure(cli, s->figure, error);
  if (!status)
    status = vb_compare_paths(compared.a, compared.b, &request, &result, error);
  if (status)
    return status;
  if (s->json)
    status = vb_compare_json(stdout, &compared, error);
  else if (s->csv)
    status = vb_compare_csv(stdout, &compared, error);
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
  bool reported;         ///< the number that they print, and not their whole process
  double busy;           ///< part of the processors that others kept busy before the first launch
  bool told;             ///< whether to tell how long it will take, after a launch of each
  vb_progress *progress; ///< whose bar is in the way then
  int n;                 ///< launches so far
  double taken_s[2];     ///< by the last launch of each, from its start to its end
} rivals;

/// Tells how long all will take. Pairs of A and A make it the more frequent one.
static void tell_duration(const rivals *r) {
  enum { OF_B = 1 + VB_LAUNCH_PAIRS };
  char text[160];
  vb_progress_end(r->progress);
  double all = (VB_SESSION_LAUNCHES - OF_B) * r->taken_s[0] + OF_B * r->taken_s[1];
  snprintf(text, sizeof text,
           "%d alternating launches; judging by the first two, of %.3g s and %.3g s, they take "
           "about %.3g %s",
           VB_SESSION_LAUNCHES, r->taken_s[0], r->taken_s[1], all < 120 ? all : all / 60,
           all < 120 ? "s" : "min");
  vb_report_words(stdout, "", text, 0, vb_terminal_width(stdout));
  fflush(stdout);
}

static vb_status launch(void *context, int which, double *seconds, vb_error *error) {
  rivals *r = context;
  char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, r->command[which], NULL};
  double begun = vb_clock();
  vb_status status = r->reported ? vb_launch_program(arguments, seconds, error)
                                 : vb_launch_command(r->command[which], seconds, error);
  if (r->reported && status == VB_FAILED)
    status = vb_bad_input(error,
                          "\"%s\" must print its time in seconds, a positive number and nothing "
                          "else, and end with 0",
                          r->command[which]);
  r->taken_s[which] = vb_clock() - begun;
  if (!status && ++r->n == 2 && r->told)
    tell_duration(r);
  return status;
}

static double percent(double log_ratio) {
  return 100 * expm1(log_ratio);
}

/// Prints what a number is of, and the number.
static void print_fact(const char *what, const char *text) {
  char before[40];
  snprintf(before, sizeof before, "  %-25s", what);
  vb_report_words(stdout, before, text, 27, vb_terminal_width(stdout));
}

static void print_verdict(const vb_launch_session *s) {
  if (s->verdict == VB_COMPARED_INCONCLUSIVE) {
    char text[160];
    vb_report_word(stdout, "INCONCLUSIVE", VB_YELLOW);
    snprintf(text, sizeof text, "the difference is within this machine's margin of %.2f %%%s",
             percent(s->margin),
             s->margin > log1p(VB_MAX_MARGIN) ? "; above 2 % it is too noisy" : "");
    vb_report_words(stdout, ": ", text, 14, vb_terminal_width(stdout));
    return;
  }
  vb_report_word(stdout, vb_comparison_word(s->verdict),
                 s->verdict == VB_COMPARED_SLOWER ? VB_RED : VB_GREEN);
  putchar('\n');
}

static void print_session(const rivals *r, const vb_launch_session *s) {
  vb_provenance origin;
  char text[256];
  vb_provenance_collect(&origin);
  printf("\ncompare A = %s\n        B = %s\n", r->command[0], r->command[1]);
  snprintf(text, sizeof text, "%.60s (%.80s), %d processors; %d alternating launches", origin.host,
           origin.cpu, origin.threads, VB_SESSION_LAUNCHES);
  vb_report_words(stdout, "  on ", text, 5, vb_terminal_width(stdout));
  vb_bench_warn_of_others(stdout, r->busy);
  print_fact("what is timed", r->reported
                                  ? "the seconds that each launch prints"
                                  : "each launch's whole process, from its start to its end");
  snprintf(text, sizeof text, "%.6g s, %.6g s", vb_quantile(s->time[0], VB_LAUNCH_PAIRS, 0.5),
           vb_quantile(s->time[1], VB_LAUNCH_PAIRS, 0.5));
  print_fact("median of A, of B", text);
  snprintf(text, sizeof text, "%.2f %%, of %d pairs", percent(s->margin), VB_LAUNCH_PAIRS);
  print_fact("margin, A against A", text);
  snprintf(text, sizeof text, "%+.2f %% [%+.2f, %+.2f], of %d pairs", percent(s->interval.median),
           percent(s->interval.low), percent(s->interval.high), VB_LAUNCH_PAIRS);
  print_fact("B against A", text);
  print_verdict(s);
}

/// Puts the session into a row. Launches one by one are in JSON alone.
static void collect(vb_listing *table, const rivals *r, const vb_launch_session *s) {
  vb_provenance origin;
  vb_provenance_collect(&origin);
  vb_listing_row(table);
  vb_listing_text(table, "a", r->command[0]);
  vb_listing_text(table, "b", r->command[1]);
  vb_listing_text(table, "timed", r->reported ? "reported" : "process");
  vb_listing_text(table, "host", origin.host);
  vb_listing_text(table, "cpu", origin.cpu);
  vb_listing_integer(table, "threads", origin.threads);
  vb_listing_real(table, "busy", r->busy);
  vb_listing_json(table, "seconds_a", vb_report_numbers(s->time[0], VB_LAUNCH_PAIRS));
  vb_listing_json(table, "seconds_b", vb_report_numbers(s->time[1], VB_LAUNCH_PAIRS));
  vb_listing_json(table, "log_ratio_equal", vb_report_numbers(s->equal, VB_LAUNCH_PAIRS));
  vb_listing_json(table, "log_ratio", vb_report_numbers(s->log_ratio, VB_LAUNCH_PAIRS));
  vb_listing_real(table, "margin", expm1(s->margin));
  vb_listing_real(table, "change", expm1(s->interval.median));
  vb_listing_real(table, "change_low", expm1(s->interval.low));
  vb_listing_real(table, "change_high", expm1(s->interval.high));
  vb_listing_text(table, "verdict", vb_comparison_word(s->verdict));
}

static vb_status print_csv(const rivals *r, const vb_launch_session *s, vb_error *error) {
  vb_listing table = {0};
  collect(&table, r, s);
  vb_listing_integer(&table, "pairs", VB_LAUNCH_PAIRS);
  vb_listing_real(&table, "median_a", vb_quantile(s->time[0], VB_LAUNCH_PAIRS, 0.5));
  vb_listing_real(&table, "median_b", vb_quantile(s->time[1], VB_LAUNCH_PAIRS, 0.5));
  return vb_listing_write_csv(stdout, &table,
                              "a,b,timed,pairs,median_a,median_b,margin,change,change_low,"
                              "change_high,busy,verdict",
                              error);
}

static vb_status print_json(const rivals *r, const vb_launch_session *s, int code,
                            vb_error *error) {
  vb_listing table = {0};
  collect(&table, r, s);
  vb_listing_integer(&table, "exit_code", code);
  return vb_report_document(stdout, vb_listing_take_object(&table), error);
}

static vb_status compare_launches(const vb_cli *cli, const settings *s, vb_error *error) {
  vb_launch_session session;
  vb_progress progress;
  if (vb_cli_find(cli, "allow") || vb_cli_find(cli, "nan") || s->figure)
    return vb_bad_input(error, "--allow, --nan and --figure do not apply to --launch");
  if (cli->n_arguments != 1)
    return vb_bad_input(
        error, "compare --launch needs two commands, each between quotes: --launch 'A' 'B'");
  bool tables = !s->quiet && !s->csv && !s->json;
  rivals r = {.command = {s->launch, cli->arguments[0]},
              .reported = s->time == 1,
              .busy = vb_machine_busy(),
              .told = tables,
              .progress = &progress};
  vb_progress_init(&progress, !s->quiet);
  vb_progress_plan(&progress, VB_SESSION_ROUNDS, VB_SESSION_LAUNCHES, tables);
  vb_status status = vb_launch_session_run(launch, &r, &progress, &session, error);
  vb_progress_end(&progress);
  if (status)
    return status;
  vb_status verdict = session.verdict == VB_COMPARED_SLOWER         ? VB_FAILED
                      : session.verdict == VB_COMPARED_INCONCLUSIVE ? VB_INCONCLUSIVE
                                                                    : VB_OK;
  if (s->json)
    status = print_json(&r, &session, (int)verdict, error);
  else if (s->csv)
    status = print_csv(&r, &session, error);
  else
    print_session(&r, &session);
  return status ? status : verdict;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  if (!s->launch && vb_cli_find(cli, "time"))
    return vb_bad_input(error, "--time needs --launch");
  return s->launch ? compare_launches(cli, s, error) : compare_records(cli, s, error);
}

VB_VERB(compare, "A B", "report differences between two results files, indexes or folders",
        .help[1] = {"compare --launch 'A' 'B'",
                    "launch two commands alternately and report which is faster"},
        .least = 1, .wants = "two results files or folders, or commands", .options = options,
        VB_SETTINGS(.figure = NULL), .ends_in_order = true,
        .examples = "viperbench compare before/helix.h5 results/helix.h5\n"
                    "viperbench compare before results --csv\n"
                    "viperbench compare --launch 'old/viperbench run helix --fresh' "
                    "'bin/viperbench run helix --fresh'\n");
