// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pack_parts.h"

#include "results/results.h"
#include "results/results_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Points of a series at most; the eye sees no more.
#define MOST_POINTS 400

/// What is being listed.
typedef struct listing {
  vb_run_location place;
  const char *group;
  json_t *series;
} listing;

static json_t *rounded(double value) {
  char text[32];
  if (!isfinite(value))
    return json_null();
  snprintf(text, sizeof text, "%.5g", value);
  return json_real(strtod(text, NULL));
}

static json_t *thinned(const double *values, size_t n) {
  json_t *list = json_array();
  size_t points = n < MOST_POINTS ? n : MOST_POINTS;
  for (size_t i = 0; i < points; i++)
    json_array_append_new(list, rounded(values[points < 2 ? 0 : i * (n - 1) / (points - 1)]));
  return list;
}

/// Adds quantity `name` of the run, which must be one number per row.
static void add(const listing *l, const char *name) {
  char quantity[512], dataset[600], unit[32] = "";
  vb_column column;
  snprintf(quantity, sizeof quantity, "%s%s%s%s", l->place.run ? "runs/" : "",
           l->place.run ? l->place.run : "", l->place.run ? "/" : "", name);
  snprintf(dataset, sizeof dataset, "%s%s/run/%s", l->place.run ? "/runs/" : "",
           l->place.run ? l->place.run : "", name);
  // What is no such series is not shown.
  if (vb_results_column(l->place.path, quantity, -1, -1, &column, NULL))
    return;
  vb_results_unit(l->place.path, dataset, unit, sizeof unit, NULL);
  if (column.n > 1)
    json_array_append_new(l->series,
                          json_pack("{s:s, s:s, s:o, s:o}", "name", name, "unit", unit, "x",
                                    thinned(column.x, column.n), "y", thinned(column.y, column.n)));
  vb_column_free(&column);
}

static bool note(const char *path, vb_h5_kind kind, void *data) {
  const listing *l = data;
  char name[256];
  int length = snprintf(name, sizeof name, "%s/%s", l->group, path);
  if (kind == VB_H5_NUMBERS && length < (int)sizeof name && json_array_size(l->series) < 40)
    add(l, name);
  return true;
}

json_t *vb_pack_series(vb_run_location place) {
  static const char *const GROUPS[] = {"energy", "work", "volume_error", "stretch_error"};
  listing l = {place, NULL, json_array()};
  char path[512];
  vb_h5 h5 = {place.path, VB_BAD_INPUT, NULL, VB_OK};
  hid_t file = vb_results_open(&h5, NULL);
  hid_t root = place.run ? vb_results_open_run(&h5, file, place.run) : file;
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS && !h5.status && l.series; i++) {
    l.group = GROUPS[i];
    snprintf(path, sizeof path, "run/%s", GROUPS[i]);
    vb_h5_list_datasets(&h5, root, path, note, &l);
  }
  if (l.series)
    add(&l, "residual");
  if (place.run)
    vb_h5_release(root);
  vb_h5_release(file);
  return l.series;
}
