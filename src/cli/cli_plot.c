// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "plot": draws the figures of index files.
#include "base/names.h"
#include "cli/cli.h"
#include "figure/plot.h"
#include "script/study/study_files.h"
#include "study/study_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  const char *out;
  bool quiet;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_OUT, VB_AT(out)}, {VB_OPTION_QUIET, VB_AT(quiet)}, {0}};

/// The index file that an argument means: itself, or that of the study it names; to be freed; null
/// for want of memory.
static char *find_index(const char *folder, const char *argument) {
  if (access(argument, F_OK) == 0 || !vb_name_is_valid(argument) || strchr(argument, '.'))
    return strdup(argument);
  return vb_study_results_path(folder, argument, NULL);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_status worst = VB_OK;
  for (size_t i = 0; i < cli->n_arguments && worst != VB_INTERRUPTED; i++) {
    size_t drawn = 0;
    vb_error failure = {0};
    char *index = find_index(s->out, cli->arguments[i]);
    vb_status status =
        index ? vb_plot_index(index, INFINITY, &drawn, &failure) : vb_error_memory(&failure);
    free(index);
    if (!status && drawn == 0 && !s->quiet)
      printf("%s: its study has no figure\n", cli->arguments[i]);
    if (!status)
      continue;
    // All other files are still drawn; the last message is left to the caller.
    if (worst)
      vb_cli_complain(error);
    *error = failure;
    worst = vb_status_worse(worst, status);
  }
  return worst;
}

VB_VERB(plot, "FILE|NAME...", "draw the figures of index files, or of studies that were run",
        .least = 1, .wants = "an index file or the name of a study", .options = options,
        VB_SETTINGS(.out = "results"), .ends_in_order = true);
