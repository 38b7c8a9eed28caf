// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "report": kept results as one page that opens anywhere.
#include "cli/cli.h"
#include "report/page.h"
#include "report/report.h"
#include "results/results_trial.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
  vb_report_plan plan;
  bool quiet;
  bool force;
} settings;

static vb_status take_megabytes(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  double megabytes = strtod(given->text, &end);
  if (end == given->text || *end || !(megabytes >= 0.1 && megabytes <= 1000))
    return vb_cli_refuse(given, "a number of megabytes from 0.1 to 1000", error);
  ((vb_report_plan *)place)->most_bytes = (size_t)(1e6 * megabytes);
  return VB_OK;
}

static const vb_cli_option options[] = {
    {"out", "DIR", "report: the page (report.html)", 2, vb_take_text, VB_AT(plan.out)},
    {"against", "PATH", "report: results to compare with", 5, vb_take_text, VB_AT(plan.against)},
    {"history", "PATH,..", "report: earlier results to show the history of, oldest first", 5,
     vb_take_text, VB_AT(plan.history)},
    {"size", "SIZE",
     "report: maximum size of the page in megabytes; frames are thinned to fit (20)", 6,
     take_megabytes, VB_AT(plan)},
    {"plain", NULL, "report: no player and no pictures of motion", 6, vb_take_switch,
     VB_AT(plan.plain)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {VB_OPTION_FORCE, VB_AT(force)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_report_plan plan = s->plan;
  plan.path = cli->arguments;
  plan.n = cli->n_arguments;
  plan.force = s->force;
  vb_results_begin_trials();
  vb_status status = vb_cli_check_output(cli, plan.out, s->force, error);
  if (!status)
    status = vb_report_write(&plan, error);
  if (status == VB_INTERRUPTED)
    vb_error_write(error, status, "stopped: %s is not written; the same command begins again",
                   plan.out);
  if (!status && !s->quiet)
    printf("%s\n", plan.out);
  return status;
}

VB_VERB(report, "RESULTS...", "write results files or folders as one page with a player",
        .least = 1, .wants = "results files or folders", .options = options,
        VB_SETTINGS(.plan = {.out = "report.html", .most_bytes = VB_PAGE_BYTES}),
        .examples = "viperbench report results -o report.html\n"
                    "viperbench report results --against before -o report.html\n",
        .ends_in_order = true);
