// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/gate.h"

#include "base/fit.h"
#include "base/nearest_word.h"
#include "gate/angular_momentum.h"
#include "gate/balance.h"
#include "gate/node_distance.h"
#include "gate/ribbon.h"
#include "gate/surface_column.h"
#include "gate/surface_series.h"
#include "results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const vb_measure_words[] = {
    [VB_MEASURE_FIRST] = "first",         [VB_MEASURE_FINAL] = "final",
    [VB_MEASURE_VALUE] = "value",         [VB_MEASURE_MINIMUM] = "minimum",
    [VB_MEASURE_MAXIMUM] = "maximum",     [VB_MEASURE_MAXIMUM_ABS] = "maximum_abs",
    [VB_MEASURE_MEAN] = "mean",           [VB_MEASURE_DRIFT] = "drift",
    [VB_MEASURE_FREQUENCY] = "frequency", [VB_MEASURE_DECAY] = "decay",
    [VB_MEASURE_ARRIVAL] = "arrival",     [VB_MEASURE_SLOPE] = "slope",
    [VB_MEASURE_POLE] = "pole",           [VB_MEASURE_POLE + 1] = NULL,
};

const char *const vb_combination_words[] = {
    [VB_SINGLE] = "single",
    [VB_DIFFERENCE] = "difference",
    [VB_RATIO] = "ratio",
    [VB_SURFACE_RMS] = "surface_rms",
    [VB_SURFACE_HAUSDORFF] = "surface_hausdorff",
    [VB_OVER_DISTANCE] = "over_distance",
    [VB_ORDER] = "order",
    [VB_ORDER + 1] = NULL,
};

const char *const vb_comparator_words[] = {
    [VB_CLOSE_TO] = "near",
    [VB_AT_MOST] = "at_most",
    [VB_AT_LEAST] = "at_least",
    [VB_AT_LEAST + 1] = NULL,
};

void vb_gate_clear(vb_gate *gate) {
  free(gate->name);
  free(gate->quantity);
  vb_texts_destroy(gate->runs, gate->n_runs);
  free(gate->sizes);
  free(gate->reason);
  *gate = (vb_gate){0};
}

bool vb_gate_compare(const vb_gate *gate, double value) {
  double scale = gate->relative ? fabs(gate->reference) : 1;
  switch (gate->comparator) {
  case VB_CLOSE_TO:
    return fabs(value - gate->reference) <= gate->tolerance * scale;
  case VB_AT_MOST:
    return value <= gate->reference;
  case VB_AT_LEAST:
    return value >= gate->reference;
  }
  return false;
}

static bool refuse(char *note, const char *text) {
  snprintf(note, VB_NOTE_SIZE, "%.*s", (int)VB_NOTE_SIZE - 1, text);
  return false;
}

/// The observed order: of the errors against the limit, or of the successive differences.
static bool order(const vb_gate *gate, const double *values, double *out, char *note) {
  bool known = !isnan(gate->limit);
  size_t n = known ? gate->n_runs : gate->n_runs - 1;
  double slope;
  if (gate->n_runs < (known ? 2 : 3))
    return refuse(note, known ? "an order needs 2 runs or more"
                              : "an order without a limit needs 3 runs or more");
  double *error = reallocarray(NULL, n, sizeof *error);
  if (!error)
    return refuse(note, "out of memory");
  for (size_t i = 0; i < n; i++)
    error[i] = values[i] - (known ? gate->limit : values[i + 1]);
  bool good = vb_fit_log_slope(gate->sizes, error, n, &slope);
  free(error);
  if (!good)
    return refuse(note, "no order: an error or a size is zero or not finite");
  *out = -slope;
  return true;
}

bool vb_gate_combine(const vb_gate *gate, const double *values, double *out, char *note) {
  size_t wanted = gate->combination == VB_SINGLE ? 1 : 2; // of runs
  if (gate->n_runs < wanted)
    return refuse(note, "the gate names too few runs");
  switch (gate->combination) {
  case VB_SINGLE:
    *out = values[0];
    return true;
  case VB_DIFFERENCE:
    *out = values[0] - values[1];
    return true;
  case VB_RATIO:
    if (values[1] == 0)
      return refuse(note, "the value to divide by is zero");
    *out = values[0] / values[1];
    return true;
  case VB_ORDER:
    return order(gate, values, out, note);
  case VB_SURFACE_RMS:
  case VB_SURFACE_HAUSDORFF:
  case VB_OVER_DISTANCE:
    break; // no number of each run: see vb_gate_evaluate
  }
  return refuse(note, "unknown combination");
}

/// Reads the distance of two rows of points over time.
static vb_status read_apart(const vb_gate *gate, const char *path, vb_column *out,
                            vb_error *error) {
  vb_column sum = {0}, at[2] = {{0}};
  vb_status status = VB_OK;
  for (int c = 0; !status && c < 3; c++) {
    status = vb_results_column(path, gate->quantity, gate->row, c, &at[0], error);
    if (!status)
      status = vb_results_column(path, gate->quantity, gate->other_row, c, &at[1], error);
    for (size_t i = 0; !status && i < at[0].n; i++) {
      double d = at[0].y[i] - at[1].y[i];
      at[0].y[i] = d * d + (c > 0 ? sum.y[i] : 0);
    }
    vb_column_free(&at[1]);
    vb_column_free(&sum);
    sum = at[0];
    at[0] = (vb_column){0};
  }
  for (size_t i = 0; !status && i < sum.n; i++)
    sum.y[i] = sqrt(sum.y[i]);
  if (status)
    vb_column_free(&sum);
  else
    *out = sum;
  return status;
}

/// Reads the series of one run: recorded, or made of what is recorded.
static vb_status read_series(const vb_gate *gate, const char *path, vb_column *out,
                             vb_error *error) {
  if (gate->apart)
    return read_apart(gate, path, out, error);
  if (vb_is_ribbon(gate->quantity))
    return vb_ribbon_column(path, gate->quantity, gate->row, out, error);
  if (vb_is_balance(gate->quantity))
    return vb_balance_column(path, gate->quantity, out, error);
  if (vb_is_surface_column(gate->quantity))
    return vb_surface_column(path, gate->quantity, out, error);
  if (vb_is_angular_momentum(gate->quantity))
    return vb_angular_momentum_column(path, gate->quantity, gate->component, out, error);
  return vb_results_column(path, gate->quantity, gate->row, gate->component, out, error);
}

/// The number of one run: its series, read, shifted and measured.
static bool measure_run(const vb_gate *gate, const char *path, double *out, char *note) {
  vb_column column = {0};
  vb_error error = {0};
  if (read_series(gate, path, &column, &error))
    return refuse(note, error.message);
  for (size_t i = 0; i < column.n; i++)
    column.y[i] -= gate->origin;
  bool good = vb_measure_series(column.x, column.y, column.n, gate->measure, gate->from, gate->to,
                                out, note);
  vb_column_free(&column);
  return good;
}

static bool is_of_surfaces(const vb_gate *gate) {
  return gate->combination == VB_SURFACE_RMS || gate->combination == VB_SURFACE_HAUSDORFF;
}

/// The number of two runs' surfaces: the series of their distance, measured.
static bool measure_surfaces(const vb_gate *gate, const char *const *paths, double *out,
                             char *note) {
  vb_surface_series series = {0};
  vb_error error = {0};
  if (gate->n_runs != 2)
    return refuse(note, "a distance of surfaces needs 2 runs");
  if (vb_surface_series_read((vb_run_location){paths[0], NULL}, (vb_run_location){paths[1], NULL},
                             &series, &error))
    return refuse(note, error.message);
  double *y = gate->combination == VB_SURFACE_RMS ? series.rms : series.hausdorff;
  for (size_t k = 0; k < series.n; k++)
    y[k] -= gate->origin;
  bool good =
      vb_measure_series(series.time, y, series.n, gate->measure, gate->from, gate->to, out, note);
  vb_surface_series_free(&series);
  return good;
}

/// The number of run 0 over how far its nodes are from those of run 1.
static bool measure_over_distance(const vb_gate *gate, const char *const *paths, double *out,
                                  char *note) {
  double value, distance;
  vb_error error = {0};
  if (gate->n_runs != 2)
    return refuse(note, "a distance of nodes needs 2 runs");
  if (!measure_run(gate, paths[0], &value, note))
    return false;
  if (vb_node_distance((vb_run_location){paths[0], NULL}, (vb_run_location){paths[1], NULL},
                       &distance, &error))
    return refuse(note, error.message);
  distance -= gate->origin;
  if (distance == 0)
    return refuse(note, "the distance to divide by is zero");
  *out = value >= gate->limit ? 1 : value / distance;
  return true;
}

/// The number of each run, and what they come to.
static bool measure_runs(const vb_gate *gate, const char *const *paths, double *out, char *note) {
  double *values = calloc(gate->n_runs + 1, sizeof *values);
  bool good = values || refuse(note, "out of memory");
  for (size_t i = 0; good && i < gate->n_runs; i++)
    good = measure_run(gate, paths[i], &values[i], note);
  good = good && vb_gate_combine(gate, values, out, note);
  free(values);
  return good;
}

void vb_gate_fail(vb_verdict *out, const char *note) {
  *out = (vb_verdict){.value = NAN};
  snprintf(out->note, sizeof out->note, "%s", note);
}

void vb_gate_evaluate(const vb_gate *gate, const char *const *paths, vb_verdict *out) {
  char note[VB_NOTE_SIZE] = "";
  double value = gate->number;
  bool good = gate->found            ? true
              : is_of_surfaces(gate) ? measure_surfaces(gate, paths, &value, note)
              : gate->combination == VB_OVER_DISTANCE
                  ? measure_over_distance(gate, paths, &value, note)
                  : measure_runs(gate, paths, &value, note);
  if (!good) {
    vb_gate_fail(out, note);
    return;
  }
  *out = (vb_verdict){.value = value, .passed = vb_gate_compare(gate, value)};
  if (isnan(value))
    snprintf(out->note, sizeof out->note, "the value is not a number");
}
