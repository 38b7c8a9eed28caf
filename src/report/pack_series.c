// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pack_parts.h"

#include "results/results.h"
#include "results/results_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Series at most: energies, works and errors; all.
#define MOST_ENERGIES 40
#define MOST_SERIES   70

/// What is being listed.
typedef struct listing {
  vb_packing *packing;
  const char *group;
  size_t points; ///< of a series at most
  json_t *series;
  double *x;      ///< (n_x) times of the series before: most have the same
  size_t n_x, at; ///< number of their part
} listing;

static json_t *rounded(double value) {
  char text[32];
  if (!isfinite(value))
    return json_null();
  snprintf(text, sizeof text, "%.5g", value);
  return json_real(strtod(text, NULL));
}

/// Adds part "series/NUMBER" of some of `n` numbers, evenly; NaN where one is none. False without
/// memory.
static bool add_part(const listing *l, const double *values, size_t n, size_t number) {
  char name[32];
  size_t points = n < l->points ? n : l->points;
  double *some = points < 2 ? NULL : calloc(points, sizeof *some);
  for (size_t i = 0; some && i < points; i++) {
    double value = values[i * (n - 1) / (points - 1)];
    some[i] = fabs(value) <= FLT_MAX ? value : NAN;
  }
  snprintf(name, sizeof name, "series/%zu", number);
  bool good = some && !vb_pack_constant(l->packing, name, some, points, 1, false, NULL);
  free(some);
  return good;
}

/// Adds the times of a series where those before are others.
static bool add_times(listing *l, const vb_column *column, size_t number) {
  size_t bytes = column->n * sizeof *l->x;
  if (l->n_x == column->n && memcmp(l->x, column->x, bytes) == 0)
    return true;
  double *x = reallocarray(l->x, column->n, sizeof *x);
  if (!x)
    return false;
  memcpy(x, column->x, bytes);
  l->x = x;
  l->n_x = column->n;
  l->at = number;
  return add_part(l, x, column->n, number);
}

/// The path of a quantity of the run, as gates name it.
static void name_quantity(vb_run_location place, const char *name, char *out, size_t size) {
  snprintf(out, size, "%s%s%s%s", place.run ? "runs/" : "", place.run ? place.run : "",
           place.run ? "/" : "", name);
}

/// Adds a series and returns it as JSON, borrowed; null where there is none of that kind.
static json_t *add_series(listing *l, const char *quantity, int64_t row, int component,
                          const char *name) {
  char path[512], dataset[600], unit[32] = "", x[32], y[32];
  vb_run_location place = l->packing->place;
  size_t number = json_array_size(l->packing->parts);
  json_t *series = NULL;
  vb_column column;
  name_quantity(place, quantity, path, sizeof path);
  snprintf(dataset, sizeof dataset, "%s%s/run/%s", place.run ? "/runs/" : "",
           place.run ? place.run : "", quantity);
  if (vb_results_column(place.path, path, row, component, &column, NULL))
    return NULL;
  vb_results_unit(place.path, dataset, unit, sizeof unit, NULL);
  if (column.n > 1 && add_times(l, &column, number) &&
      add_part(l, column.y, column.n, number + 1)) {
    snprintf(x, sizeof x, "series/%zu", l->at);
    snprintf(y, sizeof y, "series/%zu", number + 1);
    series = json_pack("{s:s, s:s, s:s, s:s}", "name", name, "unit", unit, "x", x, "y", y);
  }
  vb_column_free(&column);
  return series && !json_array_append_new(l->series, series) ? series : NULL;
}

static bool note(const char *path, vb_h5_kind kind, void *data) {
  listing *l = data;
  char name[256];
  int length = snprintf(name, sizeof name, "%s/%s", l->group, path);
  if (kind == VB_H5_NUMBERS && length < (int)sizeof name &&
      json_array_size(l->series) < MOST_ENERGIES)
    add_series(l, name, -1, -1, name);
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
static void add_gate(listing *l, const gate_lists *g, size_t i) {
  char name[300];
  double row = g->row.values[i], component = g->component.values[i];
  bool near = strcmp(g->comparator.texts[i], "near") == 0;
  double reference = g->reference.values[i], tolerance = near ? g->tolerance.values[i] : 0;
  bool mine = strcmp(g->combination.texts[i], "single") == 0 &&
              (!l->packing->place.run || strcmp(g->runs.texts[i], l->packing->place.run) == 0);
  if (!mine || !(fabs(row) < 1e9) || !(fabs(component) < 1e6))
    return;
  snprintf(name, sizeof name, "gate: %.280s", g->name.texts[i]);
  json_t *series = add_series(l, g->quantity.texts[i], (int64_t)row, (int)component, name);
  if (!series)
    return;
  json_object_set_new(series, "reference", rounded(reference));
  json_object_set_new(
      series, "tolerance",
      rounded(g->relative.values[i] != 0 ? tolerance * fabs(reference) : tolerance));
}

static void add_gates(listing *l) {
  gate_lists g = {0};
  if (read_gates(l->packing->place.path, &g))
    for (size_t i = 0; i < g.name.n && json_array_size(l->series) < MOST_SERIES; i++)
      add_gate(l, &g, i);
  free_gates(&g);
}

json_t *vb_pack_series(vb_packing *p, size_t points) {
  static const char *const GROUPS[] = {"energy", "work", "volume_error", "stretch_error"};
  vb_run_location place = p->place;
  listing l = {.packing = p, .points = points, .series = json_array()};
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
    add_series(&l, "residual", -1, -1, "residual");
  if (l.series)
    add_gates(&l);
  free(l.x);
  if (place.run)
    vb_h5_release(root);
  vb_h5_release(file);
  return l.series;
}
