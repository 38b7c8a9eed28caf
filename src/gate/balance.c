// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/balance.h"

#include "base/arena.h"
#include "gate/quantity_run.h"
#include "results/energy_gain.h"
#include "results/results_array.h"
#include "results/results_list.h"
#include "results/results_locate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char UNACCOUNTED[] = "balance/unaccounted", GAIN[] = "balance/energy_gain";

static bool is_gain(const char *quantity) {
  return strcmp(quantity + vb_results_prefix(quantity), GAIN) == 0;
}

bool vb_is_balance(const char *quantity) {
  return is_gain(quantity) || strcmp(quantity + vb_results_prefix(quantity), UNACCOUNTED) == 0;
}

/// Sums over a run's works, by row; `failed` holds the first failure.
typedef struct works {
  vb_run_location place;
  size_t n;      ///< rows
  double *sum;   ///< J
  double *sizes; ///< sum of magnitudes, J
  bool any;
  bool has_gravity; ///< whether there is an energy of gravity
  vb_status failed;
  vb_error *error;
} works;

/// Adds a dataset, if it is one of work.
static void add_work(const vb_dataset_info *dataset, void *context) {
  works *w = context;
  const char *path = dataset->path + vb_results_prefix(dataset->path);
  vb_array value = {0};
  char name[512];
  w->has_gravity |= strcmp(path, "energy/gravity") == 0;
  if (w->failed || strncmp(path, "work/", 5) != 0 ||
      snprintf(name, sizeof name, "run/%s", path) >= (int)sizeof name)
    return;
  w->failed = vb_run_array(w->place, name, VB_NO_FRAME, &value, w->error);
  if (!w->failed && (value.n < w->n || value.width != 1))
    w->failed = vb_bad_input(w->error, "%s: %s does not fit its time", w->place.path, name);
  for (size_t i = 0; !w->failed && i < w->n; i++) {
    w->sum[i] += value.values[i];
    w->sizes[i] += fabs(value.values[i]);
  }
  w->any = true;
  vb_array_free(&value);
}

static vb_status read_row_values(vb_run_location place, const char *dataset, size_t n,
                                 vb_array *out, vb_error *error) {
  vb_status status = vb_run_array(place, dataset, VB_NO_FRAME, out, error);
  if (!status && (out->n < n || out->width != 1))
    status = vb_bad_input(error, "%s: %s does not fit its time", place.path, dataset);
  return status;
}

/// The largest sum of magnitudes, by which all is divided.
static double greatest(const works *w) {
  double most = 0;
  for (size_t i = 0; i < w->n; i++)
    most = fmax(most, w->sizes[i]);
  return most;
}

static vb_status read_works(vb_run_location place, works *w, vb_error *error) {
  vb_status status = vb_results_list(place.path, place.run, add_work, w, error);
  return status ? status : w->failed;
}

static vb_status fill_gain(vb_run_location place, works *w, const vb_column *out, vb_error *error) {
  vb_array total = {0}, gravity = {0};
  vb_energy_gain gain = {0};
  vb_status status = read_row_values(place, "run/energy/total", w->n, &total, error);
  if (!status)
    status = read_works(place, w, error);
  if (!status && w->has_gravity)
    status = read_row_values(place, "run/energy/gravity", w->n, &gravity, error);
  for (size_t i = 0; !status && i < w->n; i++) {
    vb_energy_gain_add(&gain, total.values[i], w->has_gravity ? gravity.values[i] : 0, w->sum[i]);
    out->y[i] = gain.now;
  }
  vb_array_free(&total);
  vb_array_free(&gravity);
  return status;
}

static vb_status fill_unaccounted(vb_run_location place, works *w, const vb_column *out,
                                  vb_error *error) {
  vb_array total = {0}, kinetic = {0}, damping = {0};
  vb_status status = read_row_values(place, "run/energy/total", w->n, &total, error);
  if (!status)
    status = read_row_values(place, "run/energy/kinetic", w->n, &kinetic, error);
  if (!status)
    status = read_row_values(place, "scenario/damping", 1, &damping, error);
  if (!status)
    status = read_works(place, w, error);
  if (!status && (!w->any || greatest(w) == 0))
    status = vb_bad_input(error, "%s records no work, so there is no balance", place.path);
  double taken = 0;
  for (size_t i = 0; !status && i < w->n; i++) {
    if (i > 0)
      taken += damping.values[0] * (out->x[i] - out->x[i - 1]) *
               (kinetic.values[i] + kinetic.values[i - 1]);
    out->y[i] = (w->sum[i] - (total.values[i] - total.values[0]) - taken) / greatest(w);
  }
  vb_array_free(&total);
  vb_array_free(&kinetic);
  vb_array_free(&damping);
  return status;
}

static vb_status read_series(vb_run_location place, bool gain, vb_column *out, vb_error *error) {
  vb_array time = {0};
  vb_arena memory = {0};
  vb_status status = vb_run_array(place, "run/time", VB_NO_FRAME, &time, error);
  if (status)
    return status;
  works w = {.place = place, .n = time.n, .error = error};
  *out = (vb_column){.n = time.n, .x = time.values};
  out->y = reallocarray(NULL, out->n + 1, sizeof *out->y);
  VB_TAKE(&memory, w.sum, w.n + 1);
  VB_TAKE(&memory, w.sizes, w.n + 1);
  status = out->y ? vb_arena_status(&memory, error) : vb_error_memory(error);
  if (!status)
    status = gain ? fill_gain(place, &w, out, error) : fill_unaccounted(place, &w, out, error);
  vb_arena_clear(&memory);
  if (status)
    vb_column_free(out);
  return status;
}

vb_status vb_balance_column(const char *path, const char *quantity, vb_column *out,
                            vb_error *error) {
  char run[256];
  vb_run_location place;
  vb_column column = {0};
  vb_status status = vb_quantity_run(path, quantity, run, &place, error);
  if (!status)
    status = read_series(place, is_gain(quantity), &column, error);
  if (!status)
    *out = column;
  return status;
}
