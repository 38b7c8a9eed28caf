// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "history": gates and speeds over several kept results.
#include "base/home.h"
#include "cli/cli.h"
#include "cli/commit_order.h"
#include "report/history.h"

#include <string.h>

typedef struct settings {
  const char *figure; ///< path without its ending, or null
} settings;

static const vb_cli_option options[] = {
    {"figure", "NAME", "history: draw it as NAME.svg and NAME.png", 5, vb_take_text, VB_AT(figure)},
    {0}};

/// Puts the folders in the order of their commits, where the clone of the source knows them;
/// whether that changed anything.
static bool order_folders(vb_cli *cli, const vb_history *history) {
  size_t n = history->n_records, *order;
  const char **commits;
  char **sorted, home[4096];
  bool changed = false;
  if (n != cli->n_arguments || vb_home(home, sizeof home, NULL) ||
      !VB_TAKE(&cli->memory, order, n) || !VB_TAKE(&cli->memory, commits, n) ||
      !VB_TAKE(&cli->memory, sorted, n))
    return false;
  for (size_t i = 0; i < n; i++)
    commits[i] = history->records[i].commit;
  if (!vb_cli_commit_order(home, commits, n, order))
    return false;
  for (size_t i = 0; i < n; i++) {
    sorted[i] = cli->arguments[order[i]];
    changed |= order[i] != i;
  }
  memcpy(cli->arguments, sorted, n * sizeof *sorted);
  return changed;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_history history;
  vb_status status = vb_cli_check_figure(cli, s->figure, error);
  if (!status)
    status = vb_history_read(cli->arguments, cli->n_arguments, &history, error);
  if (!status && order_folders(cli, &history)) {
    vb_history_free(&history);
    status = vb_history_read(cli->arguments, cli->n_arguments, &history, error);
  }
  if (status)
    return status;
  vb_history_print(stdout, &history);
  if (s->figure)
    status = vb_history_figure(&history, s->figure, error);
  vb_history_free(&history);
  return status;
}

VB_VERB(history, "FOLDER...", "report changes of gates and speeds from commit to commit",
        .least = 1, .wants = "folders of results", .options = options, VB_SETTINGS(.figure = NULL),
        .examples = "viperbench history before results\n", .ends_in_order = true);
