// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "table": columns of a results file as text, for gnuplot, other programs and eyes.
#include "base/report_text.h"
#include "base/text.h"
#include "cli/cli.h"
#include "figure/columns.h"
#include "results/results_list.h"
#include "results/run_summary.h"
#include "table/listing.h"

#include <math.h>
#include <stdio.h>

typedef struct settings {
  bool csv;
  bool json;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_CSV, VB_AT(csv)}, {VB_OPTION_JSON, VB_AT(json)}, {0}};

/// Writes the axes of a dataset: "201 x 33 x 3".
static void write_axes(const vb_dataset_info *d, char *out, size_t size) {
  snprintf(out, size, "%s", d->rank ? "" : "1");
  for (int k = 0; k < d->rank && k < 3; k++)
    vb_text_add(out, size, "%s%zu", k ? " x " : "", d->extent[k]);
}

/// What a listing is made of.
typedef struct listing {
  const char *column; ///< what a column's name is called: in JSON as that of all else
  vb_listing table;
} listing;

static void list_one(const vb_dataset_info *d, void *context) {
  listing *l = context;
  char axes[80];
  write_axes(d, axes, sizeof axes);
  vb_listing_row(&l->table);
  vb_listing_text(&l->table, l->column, d->path);
  vb_listing_text(&l->table, "unit", d->unit);
  vb_listing_text(&l->table, "axes", axes);
  vb_listing_text(&l->table, "what", d->what);
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

static vb_status print_list(const char *path, const char *run, size_t n_runs, vb_listing *table,
                            vb_error *error) {
  static const vb_text_column COLUMNS[] = {
      {.cell = "column", .head = "column", .before = "  ", .width = -34},
      {.cell = "unit", .head = "unit", .width = -7},
      {.cell = "axes", .head = "axes", .width = -13},
      {.cell = "what"}};
  vb_status status =
      vb_listing_write_text(stdout, table, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, error);
  if (status)
    return status;
  tell_end(path);
  if (run)
    printf("Of runs/NAME/... those of the first of %zu runs are listed.\n", n_runs);
  puts("The first axis of a series is rows in time, then elements, then components. "
       "COLUMN[element]"
       "\nand COLUMN[element,component] choose one for all rows, COLUMN[frame=K] all of one row\n"
       "(-1: the last).");
  return VB_OK;
}

static vb_status list_columns(const char *path, const settings *s, vb_error *error) {
  listing l = {.column = s->json ? "name" : "column"};
  vb_texts names = {0};
  const char *run;
  vb_status status = first_run(path, &names, &run, error);
  if (!status)
    status = vb_results_list(path, run, list_one, &l, error);
  if (!status && s->json)
    status = vb_report_document(
        stdout, json_pack("{s:o}", "columns", vb_listing_take_json(&l.table)), error);
  else if (!status && s->csv)
    status = vb_listing_write_csv(stdout, &l.table, "column,unit,axes", error);
  else if (!status)
    status = print_list(path, run, names.n, &l.table, error);
  vb_listing_free(&l.table);
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
