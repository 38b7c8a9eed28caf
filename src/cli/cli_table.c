// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "table": columns of a results file as text, for gnuplot and eyes.
#include "cli/cli.h"
#include "figure/columns.h"

static vb_status run(vb_cli *cli, vb_error *error) {
  vb_columns columns;
  vb_status status =
      vb_columns_read(cli->arguments[0], cli->arguments + 1, cli->n_arguments - 1, &columns, error);
  if (status)
    return status;
  vb_columns_print(stdout, &columns);
  vb_columns_free(&columns);
  return VB_OK;
}

VB_VERB(table, "FILE COLUMN...", "print columns of a results or index file", .least = 2,
        .wants = "a results file and a column");
