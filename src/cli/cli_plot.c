// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "plot": draws the figures of index files.
#include "base/names.h"
#include "base/nearest_word.h"
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

/// VB_BAD_INPUT: the study of that name was not run, or there is none.
static vb_status refuse(const char *folder, const char *name, vb_error *error) {
  vb_study_info *list = NULL;
  size_t n = 0, i = 0;
  vb_status status = vb_study_list(&list, &n, error);
  const char **names = status ? NULL : calloc(n + 1, sizeof *names);
  for (i = 0; names && i < n; i++)
    names[i] = list[i].name;
  const char *near = names ? vb_nearest_word(name, names, n) : NULL;
  if (!status && near && strcmp(near, name) == 0)
    status = vb_bad_input(error, "study %s has no results in %s; run it first: viperbench run %s",
                          name, folder, name);
  else if (!status)
    status = vb_bad_input(error, "there is no file or study \"%.200s\"%s%s%s", name,
                          near ? "; did you mean \"" : "; list shows the studies", near ? near : "",
                          near ? "\"?" : "");
  free(names);
  vb_study_list_destroy(list, n);
  return status;
}

/// Draws what one argument means.
static vb_status plot(const char *folder, const char *argument, size_t *drawn, vb_error *error) {
  char *index = find_index(folder, argument);
  vb_status status = index ? VB_OK : vb_error_memory(error);
  if (!status && access(index, F_OK) != 0 && vb_name_is_valid(argument) && !strchr(argument, '.'))
    status = refuse(folder, argument, error);
  if (!status)
    status = vb_plot_index(index, INFINITY, drawn, error);
  free(index);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_status worst = VB_OK;
  for (size_t i = 0; i < cli->n_arguments && worst != VB_INTERRUPTED; i++) {
    size_t drawn = 0;
    vb_error failure = {0};
    vb_status status = plot(s->out, cli->arguments[i], &drawn, &failure);
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
        VB_SETTINGS(.out = "results"), .ends_in_order = true,
        .examples = "viperbench plot cantilever\n"
                    "viperbench plot results/cantilever.h5\n");
