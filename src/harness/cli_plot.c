// SPDX-License-Identifier: GPL-3.0-or-later
// The command "plot": draws the figures of index files.
#include "harness/cli.h"
#include "harness/plot.h"
#include "harness/study_run.h"

#include <math.h>
#include <stdio.h>

vb_status vb_cli_plot(const vb_cli *cli, vb_error *error) {
  vb_status worst = VB_OK;
  for (size_t i = 0; i < cli->n_arguments; i++) {
    size_t drawn = 0;
    vb_error failure = {0};
    vb_status status = vb_plot_index(cli->arguments[i], INFINITY, &drawn, &failure);
    if (!status && drawn == 0 && !cli->quiet)
      printf("%s: its study has no figure\n", cli->arguments[i]);
    if (!status)
      continue;
    // All other files are still drawn; the last message is left to the caller.
    if (worst)
      fprintf(stderr, "viperbench: %s\n", error->message);
    *error = failure;
    worst = vb_status_worse(worst, status);
  }
  return worst;
}
