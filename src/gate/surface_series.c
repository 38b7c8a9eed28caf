// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/surface_series.h"

#include "mesh/surface_distance.h"
#include "results/surface_record.h"

#include <math.h>
#include <stdio.h>

/// Share of a record's length by which times that are sums of steps may differ.
static const double SLACK = 1e-9;

static vb_status measure(const vb_surface_record *a, const vb_surface_record *b, size_t k,
                         vb_surface_gap *out, vb_error *error) {
  vb_array at[2] = {{0}, {0}};
  vb_status status = vb_surface_record_vertices(a, k, &at[0], error);
  if (!status)
    status = vb_surface_record_vertices(b, k, &at[1], error);
  vb_surface of_a = {at[0].values, at[0].n, a->triangle, a->n_triangles};
  vb_surface of_b = {at[1].values, at[1].n, b->triangle, b->n_triangles};
  if (!status)
    status = vb_surface_distance(&of_a, &of_b, out, error);
  vb_array_free(&at[0]);
  vb_array_free(&at[1]);
  return status;
}

static vb_status check_times(const vb_surface_record *a, const vb_surface_record *b,
                             vb_error *error) {
  if (a->time.n != b->time.n || a->time.n == 0)
    return vb_bad_input(error, "%s has %zu frames, %s has %zu; they must be the same",
                        a->place.path, a->time.n, b->place.path, b->time.n);
  double length = a->time.values[a->time.n - 1] - a->time.values[0];
  for (size_t k = 0; k < a->time.n; k++)
    if (!(fabs(a->time.values[k] - b->time.values[k]) <= SLACK * length))
      return vb_bad_input(error,
                          "frame %zu is at %g s in %s and at %g s in %s; times must be the same", k,
                          a->time.values[k], a->place.path, b->time.values[k], b->place.path);
  return VB_OK;
}

static vb_status allocate(size_t n, vb_surface_series *out, vb_error *error) {
  out->n = n;
  VB_TAKE(&out->memory, out->time, n);
  VB_TAKE(&out->memory, out->rms, n);
  VB_TAKE(&out->memory, out->hausdorff, n);
  return vb_arena_status(&out->memory, error);
}

vb_status vb_surface_series_read(vb_run_location a, vb_run_location b, vb_surface_series *out,
                                 vb_error *error) {
  vb_surface_record r[2] = {{.triangle = NULL}, {.triangle = NULL}};
  vb_surface_series series = {0};
  vb_status status = vb_surface_record_open(a, &r[0], error);
  if (!status)
    status = vb_surface_record_open(b, &r[1], error);
  if (!status)
    status = check_times(&r[0], &r[1], error);
  if (!status)
    status = allocate(r[0].time.n, &series, error);
  for (size_t k = 0; !status && k < series.n; k++) {
    vb_surface_gap gap = {0};
    status = measure(&r[0], &r[1], k, &gap, error);
    series.time[k] = r[0].time.values[k];
    series.rms[k] = gap.rms;
    series.hausdorff[k] = gap.hausdorff;
  }
  vb_surface_record_close(&r[0]);
  vb_surface_record_close(&r[1]);
  if (status)
    vb_surface_series_free(&series);
  else
    *out = series;
  return status;
}

void vb_surface_series_free(vb_surface_series *series) {
  vb_arena_clear(&series->memory);
  *series = (vb_surface_series){0};
}

void vb_surface_series_print(FILE *out, const vb_surface_series *series) {
  fprintf(out, "# time [s]  rms [m]  hausdorff [m]\n");
  for (size_t k = 0; k < series->n; k++)
    fprintf(out, "%.17g %.17g %.17g\n", series->time[k], series->rms[k], series->hausdorff[k]);
}
