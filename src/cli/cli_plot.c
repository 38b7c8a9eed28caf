// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "plot": draws the figures of index files.
#include "base/home.h"
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
  int width; ///< a number of `widths`
} settings;

/// Of a figure [mm]; 0 for the page.
static const double widths[] = {0, 85, 180};

static const vb_cli_option options[] = {
    {VB_OPTION_OUT, VB_AT(out)},
    {VB_OPTION_QUIET, VB_AT(quiet)},
    {"width", "page|85|180", "plot: for a column of a paper, in mm, with text of 8 points (page)",
     2, vb_take_word, VB_AT(width)},
    {0}};

/// Draws the figures of an index beside it, and names the first.
static vb_status draw(const settings *s, const char *index, const char *folder, size_t *drawn,
                      vb_error *error) {
  size_t n = strlen(index), end = n > 3 && strcmp(index + n - 3, ".h5") == 0 ? 3 : 0;
  char width[16] = "";
  if (s->width)
    snprintf(width, sizeof width, "-%gmm", widths[s->width]);
  vb_status status = s->width
                         ? vb_plot_paper(index, folder, widths[s->width], !s->quiet, drawn, error)
                         : vb_plot_index(index, folder, INFINITY, VB_PLOT_ALL, drawn, error);
  if (!status && *drawn > 0 && !s->quiet)
    printf("%.*s%s.svg, .png and .pdf\n", (int)(n - end), index, width);
  if (!status && *drawn > 1 && !s->quiet)
    printf("and %zu more of its figures beside it\n", *drawn - 1);
  return status;
}

/// Whether an argument names a file that is no script of a study: an index.
static bool is_index(const char *argument) {
  size_t n = strlen(argument);
  bool script = n > 4 && strcmp(argument + n - 4, ".lua") == 0;
  return !script &&
         (access(argument, F_OK) == 0 || !vb_name_is_valid(argument) || strchr(argument, '.'));
}

/// VB_BAD_INPUT: there is neither such a file nor such a study.
static vb_status refuse(const char *home, const char *name, vb_error *error) {
  vb_home_file *files = NULL;
  size_t n = 0;
  vb_status status = vb_home_files(home, VB_HOME_STUDY, &files, &n, error);
  const char **names = calloc(n + 1, sizeof *names);
  for (size_t i = 0; names && i < n; i++)
    names[i] = files[i].name;
  const char *near = names ? vb_nearest_word(name, names, n) : NULL;
  if (!status)
    status = vb_bad_input(error, "there is no file or study \"%.200s\"%s%s%s", name,
                          near ? "; did you mean \"" : "; list shows the studies", near ? near : "",
                          near ? "\"?" : "");
  free(names);
  free(files);
  return status;
}

/// Draws the figure of a study that was run, called by its name or the path of its script, beside
/// which its own figure may lie. A study whose results are all that is left has no script.
static vb_status plot_study(const settings *s, const char *argument, size_t *drawn,
                            vb_error *error) {
  const char *results = s->out;
  char home[4096];
  vb_home_file file;
  vb_status status = vb_home(home, sizeof home, error);
  bool found = !status && vb_study_find(home, argument, &file, error) == VB_OK;
  char *index = vb_study_results_path(results, found ? file.name : argument, NULL);
  char *slash = found ? strrchr(file.path, '/') : NULL;
  if (slash)
    *slash = '\0';
  if (!index)
    status = vb_error_memory(error);
  if (!status && access(index, F_OK) != 0)
    status = found ? vb_bad_input(error,
                                  "study %s has no results in %s; run it first: viperbench run %s",
                                  file.name, results, argument)
                   : refuse(home, argument, error);
  if (!status)
    status = draw(s, index, slash ? file.path : found ? "." : NULL, drawn, error);
  free(index);
  return status;
}

/// Draws what one argument means.
static vb_status plot(const settings *s, const char *argument, size_t *drawn, vb_error *error) {
  return is_index(argument) ? draw(s, argument, NULL, drawn, error)
                            : plot_study(s, argument, drawn, error);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_status worst = VB_OK;
  for (size_t i = 0; vb_cli_find(cli, "out") && i < cli->n_arguments; i++)
    if (is_index(cli->arguments[i]))
      return vb_bad_input(error,
                          "plot draws the figures of %s beside it; --out is the folder of the "
                          "results of studies that are called by name",
                          cli->arguments[i]);
  for (size_t i = 0; i < cli->n_arguments && worst != VB_INTERRUPTED; i++) {
    size_t drawn = 0;
    vb_error failure = {0};
    vb_status status = plot(s, cli->arguments[i], &drawn, &failure);
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

VB_VERB(plot, "FILE|NAME...", "draw the figures of index files or recorded studies", .least = 1,
        .wants = "an index file or the name of a study", .options = options,
        VB_SETTINGS(.out = "results"), .ends_in_order = true,
        .examples = "viperbench plot cantilever\n"
                    "viperbench plot results/cantilever.h5\n"
                    "viperbench plot cantilever --width 85\n");
