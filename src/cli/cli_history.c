// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "history": gates and speeds over several kept results.
#include "cli/cli.h"
#include "report/history.h"
#include "results/results_trial.h"

typedef struct settings {
  const char *figure; ///< path without its ending, or null
} settings;

static const vb_cli_option options[] = {
    {"figure", "NAME", "history: draw it as NAME.svg and NAME.png", 5, vb_take_text, VB_AT(figure)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_history history;
  vb_results_begin_trials();
  vb_status status = vb_history_read(cli->arguments, cli->n_arguments, &history, error);
  if (status)
    return status;
  vb_history_print(stdout, &history);
  if (s->figure)
    status = vb_history_figure(&history, s->figure, error);
  vb_history_free(&history);
  return status;
}

VB_VERB(history, "FOLDER...", "tell how gates and speeds changed from folder to folder", .least = 1,
        .wants = "folders of results, the oldest first", .options = options,
        VB_SETTINGS(.figure = NULL), .examples = "viperbench history before results\n",
        .ends_in_order = true);
