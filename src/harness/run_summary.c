// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/run_summary.h"

#include "harness/h5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The last (or only) number of a dataset; `otherwise` where there is none.
static double last_number(hid_t file, const char *name, double otherwise) {
  double value = otherwise;
  hsize_t size = 0, one = 1, start;
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (dataset < 0)
    return otherwise;
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &one, NULL);
  int rank = H5Sget_simple_extent_ndims(space);
  if (rank == 1)
    H5Sget_simple_extent_dims(space, &size, NULL);
  start = size - 1;
  if (rank == 0 || (rank == 1 && size > 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL) >= 0))
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) < 0)
      value = otherwise;
  vb_h5_release(memory);
  vb_h5_release(space);
  vb_h5_release(dataset);
  return value;
}

static int64_t read_steps(hid_t run) {
  int64_t steps = 0;
  hid_t attribute = H5Aopen(run, "steps", H5P_DEFAULT);
  if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT64, &steps) < 0)
    steps = 0;
  vb_h5_release(attribute);
  return steps;
}

vb_status vb_run_summary_read(const char *path, vb_run_summary *out, vb_error *error) {
  vb_run_summary summary = {.status = "unknown"};
  vb_h5_quiet();
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_h5_open_file(&h5, false);
  if (h5.status)
    return h5.status;
  hid_t run = H5Gopen2(file, "run", H5P_DEFAULT);
  if (run < 0 || !vb_h5_read_attribute(run, "status", summary.status, sizeof summary.status)) {
    h5.status = vb_error_set(error, VB_BAD_INPUT, "%s is not the results file of a run", path);
  } else {
    summary.diverged = strcmp(summary.status, "diverged") == 0;
    if (summary.diverged)
      vb_h5_read_attribute(run, "diverged_what", summary.what, sizeof summary.what);
    vb_h5_read_attribute(run, "warning", summary.warning, sizeof summary.warning);
    summary.steps = read_steps(run);
    summary.wall_s = last_number(file, "timing/summary/total", 0);
    summary.residual = last_number(file, "run/residual", NAN);
    *out = summary;
  }
  vb_h5_release(run);
  vb_h5_release(file);
  return h5.status;
}
