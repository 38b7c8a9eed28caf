// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness/gate.h"

#include "harness/fit.h"
#include "harness/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool vb_gate_compare(const vb_gate *gate, double value) {
  double scale = gate->relative ? fabs(gate->reference) : 1;
  switch (gate->comparator) {
  case VB_NEAR:
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
  double *error = malloc(n * sizeof *error);
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
  size_t wanted = gate->combination == VB_SINGLE ? 1 : 2;
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
  }
  return refuse(note, "unknown combination");
}

/// The number of one run: its series, read, shifted and measured.
static bool measure_run(const vb_gate *gate, const char *path, double *out, char *note) {
  vb_column column = {0};
  vb_error error = {0};
  if (vb_results_column(path, gate->quantity, gate->row, gate->component, &column, &error))
    return refuse(note, error.message);
  for (size_t i = 0; i < column.n; i++)
    column.y[i] -= gate->origin;
  bool good = vb_measure_series(column.x, column.y, column.n, gate->measure, gate->from, gate->to,
                                out, note);
  vb_column_free(&column);
  return good;
}

void vb_gate_fail(vb_verdict *out, const char *note) {
  *out = (vb_verdict){.value = NAN};
  snprintf(out->note, sizeof out->note, "%s", note);
}

void vb_gate_judge(const vb_gate *gate, const char *const *paths, vb_verdict *out) {
  char note[VB_NOTE_SIZE] = "";
  double value = NAN;
  double *values = calloc(gate->n_runs + 1, sizeof *values);
  bool good = values || refuse(note, "out of memory");
  for (size_t i = 0; good && i < gate->n_runs; i++)
    good = measure_run(gate, paths[i], &values[i], note);
  good = good && vb_gate_combine(gate, values, &value, note);
  free(values);
  if (!good) {
    vb_gate_fail(out, note);
    return;
  }
  *out = (vb_verdict){.value = value, .passed = vb_gate_compare(gate, value)};
  if (isnan(value))
    snprintf(out->note, sizeof out->note, "the value is not a number");
}
