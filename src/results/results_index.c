// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_index.h"

#include "base/file.h"
#include "results/results_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The place of a run on an axis; null where it has none.
static const vb_sweep_value *find_sweep_value(const vb_index_run *run, const char *axis) {
  for (size_t i = 0; i < run->n_sweep; i++)
    if (strcmp(run->sweep[i].axis, axis) == 0)
      return &run->sweep[i];
  return NULL;
}

/// The places of all runs on one axis: numbers where all are; NaN or an empty text for a run that
/// is not of the sweep.
static void write_axis(vb_h5 *h5, hid_t group, const vb_index *index, const char *axis) {
  const char **texts = calloc(index->n_runs + 1, sizeof *texts);
  double *numbers = calloc(index->n_runs + 1, sizeof *numbers);
  bool numeric = true;
  if (!texts || !numbers)
    vb_h5_out_of_memory(h5);
  for (size_t i = 0; texts && numbers && i < index->n_runs; i++) {
    const vb_sweep_value *place = find_sweep_value(&index->runs[i], axis);
    texts[i] = place ? place->text : "";
    numbers[i] = place && place->is_number ? place->number : NAN;
    numeric = numeric && (!place || place->is_number);
  }
  if (!h5->status && numeric)
    vb_h5_numbers(h5, group, axis, index->n_runs, numbers, "1", NULL);
  else if (!h5->status)
    vb_h5_texts(h5, group, axis, index->n_runs, texts, NULL);
  free(numbers);
  free(texts);
}

static void write_sweep(vb_h5 *h5, hid_t scenario, const vb_index *index) {
  size_t i = 0;
  while (i < index->n_runs && index->runs[i].n_sweep == 0)
    i++;
  if (i == index->n_runs)
    return;
  hid_t group = vb_h5_group(h5, scenario, "grid");
  for (size_t k = 0; k < index->runs[i].n_sweep; k++)
    write_axis(h5, group, index, index->runs[i].sweep[k].axis);
  vb_h5_release(group);
}

static void write_scenario(vb_h5 *h5, hid_t file, const vb_index *index) {
  static const vb_h5_column runs = {"runs", VB_H5_TEXT, offsetof(vb_index_run, name), "1", NULL, 1};
  hid_t group = vb_h5_group(h5, file, "scenario");
  vb_h5_text(h5, group, "study", index->study, NULL);
  vb_h5_text(h5, group, "title", index->title, NULL);
  vb_h5_text(h5, group, "tier", index->tier, NULL);
  vb_h5_text(h5, group, "settings", index->settings, NULL);
  vb_h5_long_text(h5, group, "script", index->script, NULL);
  // Links are kept in the order of the alphabet; the names, in the study's.
  vb_h5_column_write(h5, group, &runs, index->runs, sizeof *index->runs, index->n_runs);
  write_sweep(h5, group, index);
  if (index->n_shown)
    vb_h5_texts(h5, group, "show", index->n_shown, (const char *const *)index->shown, NULL);
  if (index->shard[0])
    vb_h5_text(h5, group, "shard", index->shard, NULL);
  if (index->n_missing)
    vb_h5_texts(h5, group, "missing", index->n_missing, index->missing, NULL);
  vb_h5_release(group);
}

/// One link per run, to the file of that run in the same folder.
static void write_links(vb_h5 *h5, hid_t file, const vb_index *index) {
  hid_t group = vb_h5_group(h5, file, "runs");
  for (size_t i = 0; i < index->n_runs; i++)
    VB_H5(h5, H5Lcreate_external(index->runs[i].file, "/", group, index->runs[i].name, H5P_DEFAULT,
                                 H5P_DEFAULT));
  vb_h5_release(group);
}

static vb_status write_index(const char *path, const vb_index *index, vb_error *error) {
  vb_h5 h5 = {path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_create_small_file(&h5);
  vb_h5_reserve(&h5, file,
                ((size_t)1 << 20) + 2 * strlen(index->script) + 16384 * index->n_gates +
                    1024 * (index->n_runs + index->n_missing));
  vb_results_write_schema(&h5, file, VB_INDEX_SCHEMA);
  vb_h5_attribute_text(&h5, file, "figure", index->figure);
  vb_results_write_provenance(&h5, file, NULL, NULL);
  write_scenario(&h5, file, index);
  write_links(&h5, file, index);
  vb_results_write_gate_group(&h5, file, index->gates, index->n_gates);
  return vb_h5_end_file(&h5, file);
}

vb_status vb_index_write(const char *path, const vb_index *index, vb_error *error) {
  char *unfinished = vb_results_path(path, ".part", false);
  if (!unfinished)
    return vb_error_memory(error);
  if (vb_h5_is_written(path)) {
    free(unfinished);
    return vb_error_set(error, VB_CANNOT_WRITE,
                        "cannot write %s: it is in use by another process; wait for its end", path);
  }
  vb_status status = write_index(unfinished, index, error);
  if (!status)
    status = vb_file_publish(unfinished, path, error);
  free(unfinished);
  return status;
}
