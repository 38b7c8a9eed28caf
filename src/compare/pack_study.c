// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/pack_study.h"

#include "base/file.h"
#include "compare/record.h"
#include "results/results_array.h"
#include "results/results_file.h"
#include "results/results_locate.h"

#include <stdlib.h>
#include <string.h>

/// Bytes from which on it pays to compress.
#define COMPRESSED 512

/// Texts that say what was run. Descriptions and scripts are left out: they are large.
static const char *const TEXTS[] = {"scenario/parameters",   "scenario/compare",
                                    "scenario/scene_sha256", "solver/name",
                                    "solver/precision",      "solver/options"};

/// Of the steps of a run: kept once, and again where a run has another than the first.
#define FLOATING_POINT "provenance/floating_point"

/// By what: the same for all runs, and kept once.
static const char *const PROVENANCE[] = {"provenance/commit", "provenance/compiler",
                                         "provenance/flags",  "provenance/cpu",
                                         "provenance/system", "provenance/libraries"};

enum { N_PROVENANCE = sizeof PROVENANCE / sizeof *PROVENANCE };

/// What of the topology makes the forces; the rest follows from it or from the script.
static const char *const TOPOLOGY[] = {
    "topology/rest_position",    "topology/rest_radius", "topology/rest_length",
    "topology/density",          "topology/stiffness",   "topology/surface_stiffness",
    "topology/volume_stiffness", "topology/young",       "topology/poisson"};

static bool is_kept(const char *quantity) {
  if (strncmp(quantity, "topology/", strlen("topology/")) != 0)
    return true;
  for (size_t i = 0; i < sizeof TOPOLOGY / sizeof *TOPOLOGY; i++)
    if (strcmp(quantity, TOPOLOGY[i]) == 0)
      return true;
  return false;
}

/// A dataset by its path, whose groups are made on the way. Labels but units are left out.
static void write_small(vb_h5 *h5, hid_t parent, const char *path, hid_t type, hid_t space,
                        size_t bytes, const void *data, const char *unit) {
  hsize_t extent[VB_RECORD_RANK];
  hid_t link = vb_h5_link_plist(h5), plist = vb_h5_dataset_plist(h5);
  if (bytes >= COMPRESSED) {
    int rank = (int)VB_H5(h5, H5Sget_simple_extent_dims(space, extent, NULL));
    VB_H5(h5, H5Pset_chunk(plist, rank, extent));
    VB_H5(h5, H5Pset_shuffle(plist));
    VB_H5(h5, H5Pset_deflate(plist, 9));
  } else if (bytes > 0) {
    VB_H5(h5, H5Pset_layout(plist, H5D_COMPACT));
  }
  hid_t dataset = VB_H5(h5, H5Dcreate2(parent, path, type, space, link, plist, H5P_DEFAULT));
  VB_H5(h5, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  vb_h5_unit(h5, dataset, unit);
  vb_h5_release(dataset);
  vb_h5_release(plist);
  vb_h5_release(link);
}

static void write_numbers(vb_h5 *h5, hid_t parent, const char *path, const vb_record_shape *shape,
                          const double *values) {
  hid_t space = shape->rank ? VB_H5(h5, H5Screate_simple(shape->rank, shape->extent, NULL))
                            : VB_H5(h5, H5Screate(H5S_SCALAR));
  size_t bytes = shape->rows * shape->width * sizeof *values;
  write_small(h5, parent, path, H5T_NATIVE_DOUBLE, space, bytes, values, shape->unit);
  vb_h5_release(space);
}

static void copy_quantity(vb_h5 *h5, const vb_record *record, const char *quantity, hid_t run) {
  vb_record_shape shape;
  char path[700];
  if (h5->status || !vb_record_find(record, quantity, &shape) ||
      !vb_results_locate(quantity, path, sizeof path))
    return;
  size_t n = shape.rows * shape.width; // no more than the file can hold
  double *values = reallocarray(NULL, n + 1, sizeof *values);
  h5->status = values ? vb_record_read(record, quantity, 0, shape.rows, values, h5->error)
                      : vb_error_memory(h5->error);
  if (!h5->status)
    write_numbers(h5, run, path + 1, &shape, values);
  free(values);
}

static void copy_text(vb_h5 *h5, const vb_record *record, const char *dataset, hid_t to) {
  char *text = vb_record_text(record, dataset);
  if (text)
    vb_h5_text(h5, to, dataset, text, NULL);
  free(text);
}

static void copy_number(vb_h5 *h5, const vb_record *record, const char *dataset, const char *unit,
                        hid_t to) {
  vb_record_shape one = {.extent = {1, 1, 1}, .rows = 1, .width = 1};
  double value = vb_record_number(record, dataset, 0);
  snprintf(one.unit, sizeof one.unit, "%s", unit);
  write_numbers(h5, to, dataset, &one, &value);
}

/// Whether a run has another text than the file has for all runs.
static bool has_other_text(const vb_record *record, const char *dataset, hid_t file) {
  vb_record kept = {.file = file, .root = file};
  char *a = vb_record_text(&kept, dataset), *b = vb_record_text(record, dataset);
  bool other = strcmp(a ? a : "", b ? b : "") != 0;
  free(a);
  free(b);
  return other;
}

/// Keeps where the first run comes from; another run must come from there, too.
static void copy_provenance(vb_h5 *h5, const vb_record *record, hid_t file, hid_t run, bool first) {
  if (first)
    copy_text(h5, record, FLOATING_POINT, file);
  else if (!h5->status && has_other_text(record, FLOATING_POINT, file))
    copy_text(h5, record, FLOATING_POINT, run);
  for (size_t i = 0; !h5->status && i < N_PROVENANCE; i++) {
    if (first)
      copy_text(h5, record, PROVENANCE[i], file);
    else if (has_other_text(record, PROVENANCE[i], file))
      h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                                "%s: its runs are not all of one program and machine (%s); run the "
                                "study with --fresh",
                                record->path, PROVENANCE[i]);
  }
  if (first)
    copy_number(h5, record, "provenance/dirty", "1", file);
}

static void copy_status(vb_h5 *h5, const vb_record *record, hid_t run) {
  char status[32] = "";
  hid_t from = vb_h5_open_group(h5, record->root, "run");
  hid_t to = vb_h5_open_group(h5, run, "run");
  if (from >= 0 && to >= 0 && vb_h5_read_attribute(from, "status", status, sizeof status))
    vb_h5_attribute_text(h5, to, "status", status);
  vb_h5_release(to);
  vb_h5_release(from);
}

static void copy_run(vb_h5 *h5, hid_t file, const char *index, const char *name, bool first) {
  vb_record record;
  char path[300];
  if (h5->status)
    return;
  h5->status = vb_record_open(index, name, &record, h5->error);
  if (h5->status)
    return;
  snprintf(path, sizeof path, "runs/%s", name);
  hid_t run = vb_h5_group(h5, file, path);
  copy_provenance(h5, &record, file, run, first);
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    copy_text(h5, &record, TEXTS[i], run);
  copy_number(h5, &record, "scenario/step", "s", run);
  for (size_t i = 0; i < record.n; i++)
    if (is_kept(record.names[i]))
      copy_quantity(h5, &record, record.names[i], run);
  copy_status(h5, &record, run);
  vb_h5_release(run);
  vb_record_close(&record);
}

/// Names and title of the study.
static void copy_head(vb_h5 *h5, hid_t file, const char *index, const vb_texts *runs) {
  static const char *const HEAD[] = {"study", "title", "tier"};
  hid_t group = vb_h5_group(h5, file, "scenario");
  for (size_t i = 0; !h5->status && i < sizeof HEAD / sizeof *HEAD; i++) {
    char dataset[64];
    vb_texts text = {0};
    snprintf(dataset, sizeof dataset, "/scenario/%s", HEAD[i]);
    h5->status = vb_results_texts(index, dataset, &text, h5->error);
    vb_h5_text(h5, group, HEAD[i], text.n ? text.texts[0] : "", "");
    vb_texts_free(&text);
  }
  vb_h5_texts(h5, group, "runs", runs->n, (const char *const *)runs->texts,
              "names of the runs, in their order");
  vb_h5_release(group);
}

static vb_status write_pack(const char *index, const char *partial_path, const vb_texts *runs,
                            vb_error *error) {
  vb_h5 h5 = {partial_path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_create_small_file(&h5);
  vb_results_write_schema(&h5, file, VB_INDEX_SCHEMA);
  copy_head(&h5, file, index, runs);
  for (size_t i = 0; i < runs->n; i++)
    copy_run(&h5, file, index, runs->texts[i], i == 0);
  return vb_h5_end_file(&h5, file);
}

vb_status vb_pack_study(const char *index, const char *path, vb_error *error) {
  vb_texts runs = {0};
  char *partial_path = vb_results_path(path, ".part", false);
  vb_status status = partial_path ? VB_OK : vb_error_memory(error);
  if (!status)
    status = vb_results_texts(index, "/scenario/runs", &runs, error);
  if (!status)
    status = write_pack(index, partial_path, &runs, error);
  if (!status)
    status = vb_file_publish(partial_path, path, error);
  vb_texts_free(&runs);
  free(partial_path);
  return status;
}
