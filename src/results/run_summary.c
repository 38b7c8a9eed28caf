// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/run_summary.h"

#include "results/h5_reader.h"
#include "results/results_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The last (or only) number of a dataset; `otherwise` where there is none that can be read.
static double last_number(const char *path, hid_t file, const char *name, double otherwise) {
  vb_h5 h5 = {path, VB_BAD_INPUT, NULL, VB_OK};
  double value;
  return vb_h5_last_number(&h5, file, name, &value) ? value : otherwise;
}

/// Reads what the attributes of a run say.
static void read_attributes(vb_h5 *h5, hid_t run, vb_run_summary *out) {
  out->diverged = strcmp(out->status, "diverged") == 0;
  if (out->diverged)
    vb_h5_read_attribute(run, "diverged_what", out->what, sizeof out->what);
  vb_h5_read_attribute(run, "warning", out->warning, sizeof out->warning);
  if (vb_h5_read_integer(h5, run, "steps", &out->steps) && out->steps < 0)
    h5->status =
        vb_bad_input(h5->error, "%s says that it has %lld steps", h5->path, (long long)out->steps);
  vb_h5_read_attribute(run, "convergence", out->convergence, sizeof out->convergence);
  vb_h5_read_integer(h5, run, "convergence_missed", &out->missed);
  vb_h5_read_number(h5, run, "convergence_worst", &out->worst);
  vb_h5_read_number(h5, run, "energy_gain", &out->energy_gain);
}

/// Reads the summary of an open file, and the key of its run (65 bytes).
static void read_summary(vb_h5 *h5, hid_t file, vb_run_summary *out, char *key) {
  vb_run_summary summary = {.status = "unknown", .energy_gain = NAN};
  double last = NAN; // of a run whose rows have no residual
  hid_t run = vb_h5_open_group(h5, file, "run");
  if (!h5->status &&
      (run < 0 || !vb_h5_read_attribute(run, "status", summary.status, sizeof summary.status)))
    h5->status = vb_bad_input(h5->error, "%s is not the results file of a run", h5->path);
  if (!h5->status) {
    read_attributes(h5, run, &summary);
    vb_h5_read_number(h5, run, "convergence_last", &last);
    summary.shared = vb_results_is_shared(h5, file);
    summary.wall_s = last_number(h5->path, file, "timing/summary/total", 0);
    summary.residual = last_number(h5->path, file, "run/residual", last);
    if (!vb_h5_read_attribute(run, "run_key", key, 65))
      key[0] = '\0';
    vb_reader_check(h5, run);
  }
  if (!h5->status)
    *out = summary;
  vb_h5_release(run);
}

/// Reads all from one open file: what opens once may not open again.
static void open_record(vb_h5 *h5, vb_run_summary *out, char *key, vb_h5_fault *fault) {
  hid_t file = vb_results_open_by(h5, NULL, fault);
  if (!h5->status)
    read_summary(h5, file, out, key);
  vb_h5_release(file);
}

vb_status vb_run_summary_read(const char *path, vb_run_summary *out, vb_error *error) {
  char key[65];
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  open_record(&h5, out, key, NULL);
  return h5.status;
}

vb_record_state vb_run_record_examine(const char *path, const char *key, vb_error *error) {
  char stored[65] = "";
  vb_run_summary summary = {.status = ""};
  vb_h5_fault fault = VB_H5_DAMAGED;
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  open_record(&h5, &summary, stored, &fault);
  if (h5.status)
    return h5.status != VB_BAD_INPUT ? VB_RECORD_OUT_OF_REACH
           : fault == VB_H5_MISSING  ? VB_RECORD_MISSING
           : fault == VB_H5_DAMAGED  ? VB_RECORD_DAMAGED
                                     : VB_RECORD_OUT_OF_REACH;
  bool finished = strcmp(summary.status, "complete") == 0 || summary.diverged;
  return finished && strcmp(key, stored) == 0 ? VB_RECORD_CURRENT : VB_RECORD_OLD;
}
