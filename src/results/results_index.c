// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "results/results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The names of the runs in the study's order; links are kept in the order of the alphabet.
static void write_run_names(vb_h5 *h5, hid_t group, const vb_study *study) {
  const char **names = calloc(study->n_runs + 1, sizeof *names);
  if (!names) {
    h5->status = h5->status ? h5->status : vb_error_memory(h5->error);
    return;
  }
  for (size_t i = 0; i < study->n_runs; i++)
    names[i] = study->runs[i].name;
  vb_h5_texts(h5, group, "runs", study->n_runs, names, "names of the runs, in their order");
  free(names);
}

/// The place of a run on an axis; null where it has none.
static const vb_sweep_value *find_sweep_value(const vb_run_plan *run, const char *axis) {
  for (size_t i = 0; i < run->n_sweep; i++)
    if (strcmp(run->sweep[i].axis, axis) == 0)
      return &run->sweep[i];
  return NULL;
}

/// The places of all runs on one axis: numbers where all are; NaN or an empty text for a run that
/// is not of the sweep.
static void write_axis(vb_h5 *h5, hid_t group, const vb_study *study, const char *axis) {
  static const char meaning[] = "place of each run on this axis of the grid";
  const char **texts = calloc(study->n_runs + 1, sizeof *texts);
  double *numbers = calloc(study->n_runs + 1, sizeof *numbers);
  bool numeric = true;
  if (!texts || !numbers)
    h5->status = h5->status ? h5->status : vb_error_memory(h5->error);
  for (size_t i = 0; texts && numbers && i < study->n_runs; i++) {
    const vb_sweep_value *place = find_sweep_value(&study->runs[i], axis);
    texts[i] = place ? place->text : "";
    numbers[i] = place && place->is_number ? place->number : NAN;
    numeric = numeric && (!place || place->is_number);
  }
  if (!h5->status && numeric)
    vb_h5_write(h5, group,
                &(vb_h5_array){.name = axis,
                               .rank = 1,
                               .extent = {study->n_runs},
                               .file_type = H5T_IEEE_F64LE,
                               .memory_type = H5T_NATIVE_DOUBLE,
                               .data = numbers,
                               .unit = "1",
                               .long_name = meaning});
  else if (!h5->status)
    vb_h5_texts(h5, group, axis, study->n_runs, texts, meaning);
  free(numbers);
  free(texts);
}

static void write_sweep(vb_h5 *h5, hid_t scenario, const vb_study *study) {
  size_t i = 0;
  while (i < study->n_runs && study->runs[i].n_sweep == 0)
    i++;
  if (i == study->n_runs)
    return;
  hid_t group = vb_h5_group(h5, scenario, "grid");
  for (size_t k = 0; k < study->runs[i].n_sweep; k++)
    write_axis(h5, group, study, study->runs[i].sweep[k].axis);
  vb_h5_release(group);
}

static void write_scenario(vb_h5 *h5, hid_t file, const vb_study *study,
                           const vb_index_subset *subset) {
  hid_t group = vb_h5_group(h5, file, "scenario");
  vb_h5_text(h5, group, "study", study->name, "name of the study");
  vb_h5_text(h5, group, "title", study->title, "what the study asks");
  vb_h5_text(h5, group, "tier", study->tier, "size of the study: quick, full or gold");
  vb_h5_text(h5, group, "script", study->script, "Lua text of the study");
  write_run_names(h5, group, study);
  write_sweep(h5, group, study);
  if (subset && subset->shard[0])
    vb_h5_text(h5, group, "shard", subset->shard,
               "which shard of the study this is, and of how many");
  if (subset)
    vb_h5_texts(h5, group, "missing", subset->n_missing, subset->missing,
                "names of the runs that are not recorded here");
  vb_h5_release(group);
}

/// One link per run, to the file of that run in the same folder. The runs of a study made of others
/// have the names of their files.
static void write_links(vb_h5 *h5, hid_t file, const vb_study *study) {
  hid_t group = vb_h5_group(h5, file, "runs");
  for (size_t i = 0; i < study->n_runs && !h5->status; i++) {
    size_t size = strlen(study->name) + strlen(study->runs[i].name) + sizeof "-.h5";
    char *target = malloc(size);
    if (!target) {
      h5->status = vb_error_memory(h5->error);
      break;
    }
    if (study->n_includes)
      snprintf(target, size, "%s.h5", study->runs[i].name);
    else
      snprintf(target, size, "%s-%s.h5", study->name, study->runs[i].name);
    VB_H5(h5,
          H5Lcreate_external(target, "/", group, study->runs[i].name, H5P_DEFAULT, H5P_DEFAULT));
    free(target);
  }
  vb_h5_release(group);
}

static vb_status write_index(const char *path, const vb_study *study, const vb_verdict *verdicts,
                             const vb_index_subset *subset, vb_error *error) {
  vb_h5 h5 = {path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_create_file(&h5);
  vb_h5_reserve(&h5, file,
                ((size_t)1 << 20) + 2 * strlen(study->script) + 16384 * study->n_gates +
                    1024 * (study->n_runs + (subset ? subset->n_missing : 0)));
  vb_results_write_schema(&h5, file, VB_INDEX_SCHEMA);
  vb_h5_attribute_text(&h5, file, "figure", study->figure);
  vb_results_write_provenance(&h5, file);
  write_scenario(&h5, file, study, subset);
  write_links(&h5, file, study);
  vb_results_write_gate_group(&h5, file, study->gates, verdicts, study->n_gates);
  vb_h5_flush(&h5, file);
  if (file >= 0 && h5.status)
    vb_h5_divert(file);
  VB_H5(&h5, H5Fclose(file));
  vb_h5_show_file(&h5);
  if (file >= 0 && h5.status) {
    vb_h5_release(file);
    vb_h5_drop_file(&h5);
  }
  return h5.status;
}

vb_status vb_index_write_subset(const char *path, const vb_study *study, const vb_verdict *verdicts,
                                const vb_index_subset *subset, vb_error *error) {
  char *unfinished = vb_results_path(path, ".part", false);
  if (!unfinished)
    return vb_error_memory(error);
  vb_status status = write_index(unfinished, study, verdicts, subset, error);
  if (!status)
    status = vb_file_publish(unfinished, path, error);
  free(unfinished);
  return status;
}

vb_status vb_index_write(const char *path, const vb_study *study, const vb_verdict *verdicts,
                         vb_error *error) {
  return vb_index_write_subset(path, study, verdicts, NULL, error);
}
