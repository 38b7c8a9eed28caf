// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "problem": statements by which solvers of rods are judged, with certified references.
#include "base/home.h"
#include "base/report_text.h"
#include "cli/cli.h"
#include "cli/problem_report.h"

#include <string.h>

typedef struct settings {
  bool json;
  const char *certify; ///< file to be written, or null
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_JSON, VB_AT(json)},
    {"certify", "FILE", "problem: recompute all references, and write them to FILE", 5,
     vb_take_text, VB_AT(certify)},
    {0}};

static void print_list(const vb_problems *problems) {
  int width = 0;
  for (size_t i = 0; i < problems->n; i++) {
    int columns = vb_report_columns(problems->list[i].name);
    width = columns > width ? columns : width;
  }
  printf("problems " VB_PROBLEMS_VERSION "\n");
  for (size_t i = 0; i < problems->n; i++) {
    vb_report_name(stdout, "  ", problems->list[i].name, width);
    printf("  %s\n", problems->list[i].title);
  }
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  char home[4096];
  vb_problems problems = {0};
  if (s->certify && (s->json || cli->n_arguments > 0))
    return vb_bad_input(error, "--certify computes all problems; leave out names and --json");
  vb_status status = vb_cli_check_new(cli, s->certify, error);
  if (!status)
    status = vb_home(home, sizeof home, error);
  if (!status)
    status = vb_problems_read(home, cli->arguments, cli->n_arguments, s->certify != NULL, &problems,
                              error);
  if (!status && s->certify)
    status = vb_problems_certify(&problems, s->certify, error);
  else if (!status && s->json)
    status = vb_problems_print_json(stdout, &problems, error);
  else if (!status && cli->n_arguments == 0)
    print_list(&problems);
  else if (!status)
    for (size_t i = 0; i < problems.n; i++)
      vb_problem_print(stdout, &problems.list[i]);
  vb_problems_free(&problems);
  return status;
}

VB_VERB(problem, "[NAME...]", "print problems that judge solvers, with certified references",
        .options = options, VB_SETTINGS(.json = false),
        .examples = "viperbench problem\n"
                    "viperbench problem elastica\n"
                    "viperbench problem bend_45 --json\n");
