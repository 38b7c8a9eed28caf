// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "table": columns of a results file as text, for gnuplot, other programs and eyes.
#include "base/report_text.h"
#include "base/text.h"
#include "cli/cli.h"
#include "figure/columns.h"
#include "results/results_list.h"
#include "results/run_summary.h"

#include <math.h>
#include <stdio.h>

typedef struct settings {
  bool csv;
  bool json;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_CSV, VB_AT(csv)}, {VB_OPTION_JSON, VB_AT(json)}, {0}};

/// What a listing is made of.
typedef struct listing {
  const settings *asked;
  json_t *list; ///< where JSON is asked for
} listing;

/// Writes the axes of a dataset: "201 x 33 x 3".
static void write_axes(const vb_dataset_info *d, char *out, size_t size) {
  snprintf(out, size, "%s", d->rank ? "" : "1");
  for (int k = 0; k < d->rank && k < 3; k++)
    vb_text_add(out, size, "%s%zu", k ? " x " : "", d->extent[k]);
}

static void list_one(const vb_dataset_info *d, void *context) {
  const listing *l = context;
  char axes[80];
  write_axes(d, axes, sizeof axes);
  if (l->asked->json)
    json_array_append_new(l->list, json_pack("{s:s, s:s, s:s, s:s}", "name", d->path, "unit",
                                             d->unit, "axes", axes, "what", d->what));
  else if (l->asked->csv) {
    vb_csv csv = {stdout, false};
    vb_csv_text(&csv, d->path);
    vb_csv_text(&csv, d->unit);
    vb_csv_text(&csv, axes);
    vb_csv_end(&csv);
  } else {
    vb_report_cell(stdout, "  ", d->path, 34);
    printf(" %-7s %-13s %s\n", d->unit, axes, d->what);
  }
}

/// The first run of an index, and their number; null, and nothing in `names`, of a run's own file.
static vb_status first_run(const char *path, vb_texts *names, const char **run, vb_error *error) {
  bool index;
  *run = NULL;
  vb_status status = vb_results_has(path, "/scenario/runs", &index, error);
  if (!status && index)
    status = vb_results_texts(path, "/scenario/runs", names, error);
  if (!status && names->n)
    *run = names->texts[0];
  return status;
}

/// Tells how a run ended and whether its steps converged; of an index there is nothing to tell.
static void tell_end(const char *path) {
  vb_run_summary s;
  if (vb_run_summary_read(path, &s, NULL))
    return;
  printf("The run is %s; converged: %s", s.status, s.convergence[0] ? s.convergence : "not judged");
  if (!isnan(s.residual))
    printf(", residual of the last step %.3g", s.residual);
  puts(".");
}

static vb_status list_columns(const char *path, const settings *s, vb_error *error) {
  listing l = {.asked = s, .list = s->json ? json_array() : NULL};
  vb_texts names = {0};
  const char *run;
  vb_status status = first_run(path, &names, &run, error);
  if (!status && !s->json)
    puts(s->csv ? "column,unit,axes" : "  column                             unit    axes");
  if (!status)
    status = vb_results_list(path, run, list_one, &l, error);
  if (!status && s->json)
    status = vb_report_document(stdout, json_pack("{s:O}", "columns", l.list), error);
  json_decref(l.list);
  if (!status && !s->csv && !s->json) {
    tell_end(path);
    if (run)
      printf("Of runs/NAME/... those of the first of %zu runs are listed.\n", names.n);
    puts("The first axis of a series is rows in time, then elements, then components. "
         "COLUMN[element]"
         "\nand COLUMN[element,component] choose one for all rows, COLUMN[frame=K] all of one row\n"
         "(-1: the last).");
  }
  vb_texts_free(&names);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_columns columns;
  if (cli->n_arguments == 1)
    return list_columns(cli->arguments[0], s, error);
  vb_status status =
      vb_columns_read(cli->arguments[0], cli->arguments + 1, cli->n_arguments - 1, &columns, error);
  if (status)
    return status;
  if (s->json)
    status = vb_columns_print_json(stdout, &columns, error);
  else if (s->csv)
    vb_columns_print_csv(stdout, &columns);
  else
    vb_columns_print(stdout, &columns);
  vb_columns_free(&columns);
  return status;
}

VB_VERB(table, "FILE [COLUMN...]", "print columns of a results or index file, or list them",
        .least = 1, .wants = "a results file", .options = options, VB_SETTINGS(.csv = false),
        .examples = "viperbench table results/cantilever.h5\n"
                    "viperbench table results/cantilever.h5 runs/n8/energy/total --csv\n");
