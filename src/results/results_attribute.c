// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_attribute.h"

#include "base/printable.h"
#include "results/results_file.h"

#include <string.h>

/// Reads an attribute of any of the three kinds that are written; false where there is none.
static bool read_any(vb_h5 *h5, hid_t group, const char *name, vb_attribute *out) {
  vb_error error = {0};
  vb_h5 trial = {h5->path, h5->kind, &error, VB_OK}; // another kind is no failure yet
  int64_t whole;
  out->is_text = vb_h5_read_attribute(group, name, out->text, sizeof out->text);
  if (out->is_text) {
    vb_printable_text(out->text);
    return true;
  }
  if (!vb_h5_read_integer(&trial, group, name, &whole))
    return vb_h5_read_number(h5, group, name, &out->number);
  out->number = (double)whole;
  return true;
}

vb_status vb_run_attribute(vb_run_location place, const char *group, const char *name,
                           vb_attribute *out, vb_error *error) {
  vb_h5 h5 = {place.path, VB_BAD_INPUT, error, VB_OK};
  hid_t root = vb_results_open(&h5, NULL);
  if (!h5.status && place.run) {
    hid_t run = vb_results_open_run(&h5, root, place.run);
    vb_h5_release(root);
    root = run;
  }
  hid_t from = h5.status ? -1 : vb_h5_open_group(&h5, root, group);
  if (!h5.status && (from < 0 || !read_any(&h5, from, name, out)) && !h5.status)
    h5.status =
        vb_bad_input(error, "%s: %s%s has no attribute \"%.100s\" of \"%.100s\"", place.path,
                     place.run ? "run " : "the file", place.run ? place.run : "", name, group);
  vb_h5_release(from);
  vb_h5_release(root);
  return h5.status;
}

bool vb_results_is_shared(vb_h5 *h5, hid_t root) {
  char shared[8] = "no";
  hid_t timing = vb_h5_open_group(h5, root, "timing");
  if (timing >= 0)
    vb_h5_read_attribute(timing, "shared", shared, sizeof shared);
  vb_h5_release(timing);
  return strcmp(shared, "yes") == 0;
}
