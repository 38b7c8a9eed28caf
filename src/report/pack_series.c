// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pack_parts.h"

#include "results/results.h"
#include "results/results_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Points of a series at most; the eye sees no more.
#define MOST_POINTS 400

/// Series at most: energies, works and errors; all.
#define MOST_ENERGIES 40
#define MOST_SERIES   70

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

/// The path of a quantity of the run, as gates name it.
static void name_quantity(vb_run_location place, const char *name, char *out, size_t size) {
  snprintf(out, size, "%s%s%s%s", place.run ? "runs/" : "", place.run ? place.run : "",
           place.run ? "/" : "", name);
}

/// A series of the run as JSON; null where there is none of that kind.
static json_t *read_series(vb_run_location place, const char *quantity, int64_t row, int component,
                           const char *name) {
  char path[512], dataset[600], unit[32] = "";
  json_t *series = NULL;
  vb_column column;
  name_quantity(place, quantity, path, sizeof path);
  snprintf(dataset, sizeof dataset, "%s%s/run/%s", place.run ? "/runs/" : "",
           place.run ? place.run : "", quantity);
  if (vb_results_column(place.path, path, row, component, &column, NULL))
    return NULL;
  vb_results_unit(place.path, dataset, unit, sizeof unit, NULL);
  if (column.n > 1)
    series = json_pack("{s:s, s:s, s:o, s:o}", "name", name, "unit", unit, "x",
                       thinned(column.x, column.n), "y", thinned(column.y, column.n));
  vb_column_free(&column);
  return series;
}

/// Adds quantity `name` of the run, which must be one number per row.
static void add(const listing *l, const char *name) {
  json_t *series = read_series(l->place, name, -1, -1, name);
  if (series)
    json_array_append_new(l->series, series);
}

static bool note(const char *path, vb_h5_kind kind, void *data) {
  const listing *l = data;
  char name[256];
  int length = snprintf(name, sizeof name, "%s/%s", l->group, path);
  if (kind == VB_H5_NUMBERS && length < (int)sizeof name &&
      json_array_size(l->series) < MOST_ENERGIES)
    add(l, name);
  return true;
}

/// The gates of a file, as far as plots need them.
typedef struct gate_lists {
  vb_texts name, runs, quantity, combination, comparator;
  vb_array row, component, reference, tolerance, relative;
} gate_lists;

static bool read_gates(const char *path, gate_lists *g) {
  static const char *const TEXTS[] = {"name", "runs", "quantity", "combination", "comparator"};
  static const char *const NUMBERS[] = {"row", "component", "reference", "tolerance", "relative"};
  vb_texts *const texts[] = {&g->name, &g->runs, &g->quantity, &g->combination, &g->comparator};
  vb_array *const numbers[] = {&g->row, &g->component, &g->reference, &g->tolerance, &g->relative};
  bool there = false, good = !vb_results_has(path, "/gates/name", &there, NULL) && there;
  for (size_t i = 0; i < 5 && good; i++) {
    char dataset[64];
    snprintf(dataset, sizeof dataset, "/gates/%s", TEXTS[i]);
    good = !vb_results_texts(path, dataset, texts[i], NULL) && texts[i]->n == g->name.n;
    snprintf(dataset, sizeof dataset, "/gates/%s", NUMBERS[i]);
    good = good && !vb_results_array(path, dataset, VB_NO_FRAME, numbers[i], NULL) &&
           numbers[i]->n == g->name.n && numbers[i]->width == 1;
  }
  return good;
}

static void free_gates(gate_lists *g) {
  vb_texts *const texts[] = {&g->name, &g->runs, &g->quantity, &g->combination, &g->comparator};
  vb_array *const numbers[] = {&g->row, &g->component, &g->reference, &g->tolerance, &g->relative};
  for (size_t i = 0; i < 5; i++) {
    vb_texts_free(texts[i]);
    vb_array_free(numbers[i]);
  }
}

/// What gate `i` looks at, with its reference and what is allowed about it.
static void add_gate(const listing *l, const gate_lists *g, size_t i) {
  char name[300];
  double row = g->row.values[i], component = g->component.values[i];
  bool near = strcmp(g->comparator.texts[i], "near") == 0;
  double reference = g->reference.values[i], tolerance = near ? g->tolerance.values[i] : 0;
  bool mine = strcmp(g->combination.texts[i], "single") == 0 &&
              (!l->place.run || strcmp(g->runs.texts[i], l->place.run) == 0);
  if (!mine || !(fabs(row) < 1e9) || !(fabs(component) < 1e6))
    return;
  snprintf(name, sizeof name, "gate: %.280s", g->name.texts[i]);
  json_t *series = read_series(l->place, g->quantity.texts[i], (int64_t)row, (int)component, name);
  if (!series)
    return;
  json_object_set_new(series, "reference", rounded(reference));
  json_object_set_new(
      series, "tolerance",
      rounded(g->relative.values[i] != 0 ? tolerance * fabs(reference) : tolerance));
  json_array_append_new(l->series, series);
}

static void add_gates(const listing *l) {
  gate_lists g = {0};
  if (read_gates(l->place.path, &g))
    for (size_t i = 0; i < g.name.n && json_array_size(l->series) < MOST_SERIES; i++)
      add_gate(l, &g, i);
  free_gates(&g);
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
  if (l.series)
    add_gates(&l);
  if (place.run)
    vb_h5_release(root);
  vb_h5_release(file);
  return l.series;
}
