// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "distance": how far the surfaces of two runs are apart, as text for gnuplot and eyes.
#include "cli/cli.h"
#include "gate/surface_series.h"

#include <stdio.h>

static vb_status run(vb_cli *cli, vb_error *error) {
  if (cli->n_arguments != 3)
    return vb_bad_input(
        error, "distance takes the index file of a study and the names of two of its runs");
  vb_run_location a = {cli->arguments[0], cli->arguments[1]};
  vb_run_location b = {cli->arguments[0], cli->arguments[2]};
  vb_surface_series series = {0};
  vb_status status = vb_surface_series_read(a, b, &series, error);
  if (status)
    return status;
  vb_surface_series_print(stdout, &series);
  vb_surface_series_free(&series);
  return VB_OK;
}

VB_VERB(distance, "FILE RUN RUN", "print the distance between the surfaces of two runs", .least = 3,
        .wants = "the index file of a study and two of its runs",
        .examples = "viperbench distance results/fem_band.h5 fem rods\n");
