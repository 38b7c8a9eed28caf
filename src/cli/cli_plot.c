// SPDX-License-Identifier: GPL-3.0-or-later
// The command "plot": draws the figures of index files.
#include "base/names.h"
#include "cli/cli.h"
#include "figure/plot.h"
#include "study/study_run.h"

#include "script/study/study_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The index file that an argument means: itself, or that of the study it names; to be freed; null
/// for want of memory.
static char *find_index(const vb_cli *cli, const char *argument) {
  if (access(argument, F_OK) == 0 || !vb_name_is_valid(argument) || strchr(argument, '.'))
    return strdup(argument);
  return vb_study_results_path(cli->folder, argument, NULL);
}

vb_status vb_cli_plot(const vb_cli *cli, vb_error *error) {
  vb_status worst = VB_OK;
  for (size_t i = 0; i < cli->n_arguments && worst != VB_INTERRUPTED; i++) {
    size_t drawn = 0;
    vb_error failure = {0};
    char *index = find_index(cli, cli->arguments[i]);
    vb_status status =
        index ? vb_plot_index(index, INFINITY, &drawn, &failure) : vb_error_memory(&failure);
    free(index);
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
