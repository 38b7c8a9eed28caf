// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "site": kept results as a folder of pages.
#include "cli/cli.h"
#include "report/page.h"
#include "report/site.h"
#include "results/results_trial.h"

#include <stdio.h>

typedef struct settings {
  const char *out;
  bool quiet;
  bool force;
} settings;

static const vb_cli_option options[] = {
    {"out", "DIR", "site: folder of the pages (site)", 2, vb_take_text, VB_AT(out)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {VB_OPTION_FORCE, VB_AT(force)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  const vb_site_plan plan = {.path = cli->arguments,
                             .n = cli->n_arguments,
                             .out = s->out,
                             .most_bytes = VB_PAGE_BYTES,
                             .force = s->force};
  vb_results_begin_trials();
  vb_status status = vb_site_write(&plan, error);
  if (status == VB_INTERRUPTED)
    vb_error_write(error, status,
                   "stopped: %s/index.html is not written; the same command begins again", s->out);
  if (!status && !s->quiet)
    printf("%s/index.html\n", s->out);
  return status;
}

VB_VERB(site, "FOLDER...", "write results as a gallery of pages, with a report of each study",
        .least = 1, .wants = "folders of results", .options = options, VB_SETTINGS(.out = "site"),
        .examples = "viperbench site results -o site\n", .ends_in_order = true);
