// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/run_summary.h"

#include "results/h5_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The last (or only) number of a dataset; `otherwise` where there is none that can be read.
static double last_number(const char *path, hid_t file, const char *name, double otherwise) {
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  double value;
  return vb_h5_last_number(&h5, file, name, &value) ? value : otherwise;
}

vb_status vb_run_summary_read(const char *path, vb_run_summary *out, vb_error *error) {
  vb_run_summary summary = {.status = "unknown"};
  vb_h5_quiet();
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_h5_open_file(&h5, false);
  if (h5.status)
    return h5.status;
  hid_t run = vb_h5_open_group(&h5, file, "run");
  if (h5.status) {
    vb_h5_release(file);
    return h5.status;
  }
  if (run < 0 || !vb_h5_read_attribute(run, "status", summary.status, sizeof summary.status)) {
    h5.status = vb_bad_input(error, "%s is not the results file of a run", path);
  } else {
    summary.diverged = strcmp(summary.status, "diverged") == 0;
    if (summary.diverged)
      vb_h5_read_attribute(run, "diverged_what", summary.what, sizeof summary.what);
    vb_h5_read_attribute(run, "warning", summary.warning, sizeof summary.warning);
    if (vb_h5_read_integer(&h5, run, "steps", &summary.steps) && summary.steps < 0)
      h5.status =
          vb_bad_input(error, "%s says that it has %lld steps", path, (long long)summary.steps);
    vb_h5_read_attribute(run, "convergence", summary.convergence, sizeof summary.convergence);
    vb_h5_read_integer(&h5, run, "convergence_missed", &summary.missed);
    vb_h5_read_number(&h5, run, "convergence_worst", &summary.worst);
    summary.wall_s = last_number(path, file, "timing/summary/total", 0);
    summary.residual = last_number(path, file, "run/residual", NAN);
    if (!h5.status)
      *out = summary;
  }
  vb_h5_release(run);
  vb_h5_release(file);
  return h5.status;
}
