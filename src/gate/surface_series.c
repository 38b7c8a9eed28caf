// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/surface_series.h"

#include "mesh/surface_distance.h"
#include "results/results_array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Share of a record's length by which times that are sums of steps may differ.
static const double SLACK = 1e-9;

/// A recorded surface.
typedef struct record {
  vb_run_location place;
  int32_t *triangle;
  size_t n_triangles;
  vb_array time;
} record;

static vb_status read_array(const record *r, const char *dataset, int64_t frame, vb_array *out,
                            vb_error *error) {
  char path[300];
  snprintf(path, sizeof path, "%s%s%s", r->place.run ? "/runs/" : "",
           r->place.run ? r->place.run : "", dataset);
  return vb_results_array(r->place.path, path, frame, out, error);
}

static vb_status open_record(vb_run_location place, record *out, vb_error *error) {
  vb_array triangles = {0};
  out->place = place;
  vb_status status = read_array(out, "/run/frames/time", VB_NO_FRAME, &out->time, error);
  if (!status)
    status = read_array(out, "/topology/triangle", VB_NO_FRAME, &triangles, error);
  if (!status && out->time.n > 0 && out->time.width != 1)
    status =
        vb_error_set(error, VB_BAD_INPUT, "%s: the times of its frames are no list", place.path);
  if (!status && triangles.width != 3)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: its triangles have %zu corners", place.path,
                          triangles.width);
  if (!status && !vb_array_holds_indexes(&triangles, 0, INT32_MAX))
    status =
        vb_error_set(error, VB_BAD_INPUT, "%s: its triangles do not name vertices", place.path);
  if (!status) {
    out->n_triangles = triangles.n;
    out->triangle = malloc((3 * triangles.n + 1) * sizeof *out->triangle);
    status = out->triangle ? VB_OK : vb_error_memory(error);
  }
  for (size_t i = 0; !status && i < 3 * triangles.n; i++)
    out->triangle[i] = (int32_t)triangles.values[i];
  vb_array_free(&triangles);
  return status;
}

static void close_record(record *r) {
  free(r->triangle);
  vb_array_free(&r->time);
}

/// Reads frame `k`; `*vertices` holds what `*out` borrows.
static vb_status read_surface(const record *r, size_t k, vb_array *vertices, vb_surface *out,
                              vb_error *error) {
  vb_status status = read_array(r, "/run/frames/vertices", (int64_t)k, vertices, error);
  if (status)
    return status;
  for (size_t i = 0; i < 3 * r->n_triangles; i++)
    if (r->triangle[i] < 0 || (size_t)r->triangle[i] >= vertices->n || vertices->width != 3)
      return vb_error_set(error, VB_BAD_INPUT, "%s: its triangles do not fit its vertices",
                          r->place.path);
  *out = (vb_surface){vertices->values, vertices->n, r->triangle, r->n_triangles};
  return VB_OK;
}

static vb_status measure(const record *a, const record *b, size_t k, vb_surface_gap *out,
                         vb_error *error) {
  vb_array at[2] = {{0}, {0}};
  vb_surface surface[2];
  vb_status status = read_surface(a, k, &at[0], &surface[0], error);
  if (!status)
    status = read_surface(b, k, &at[1], &surface[1], error);
  if (!status)
    status = vb_surface_distance(&surface[0], &surface[1], out, error);
  vb_array_free(&at[0]);
  vb_array_free(&at[1]);
  return status;
}

static vb_status check_times(const record *a, const record *b, vb_error *error) {
  if (a->time.n != b->time.n || a->time.n == 0)
    return vb_error_set(error, VB_BAD_INPUT, "%s has %zu frames, %s has %zu; they must be the same",
                        a->place.path, a->time.n, b->place.path, b->time.n);
  double length = a->time.values[a->time.n - 1] - a->time.values[0];
  for (size_t k = 0; k < a->time.n; k++)
    if (!(fabs(a->time.values[k] - b->time.values[k]) <= SLACK * length))
      return vb_error_set(error, VB_BAD_INPUT,
                          "frame %zu is at %g s in %s and at %g s in %s; times must be the same", k,
                          a->time.values[k], a->place.path, b->time.values[k], b->place.path);
  return VB_OK;
}

static vb_status allocate(size_t n, vb_surface_series *out, vb_error *error) {
  out->n = n;
  out->time = calloc(n + 1, sizeof *out->time);
  out->rms = calloc(n + 1, sizeof *out->rms);
  out->hausdorff = calloc(n + 1, sizeof *out->hausdorff);
  return out->time && out->rms && out->hausdorff ? VB_OK : vb_error_memory(error);
}

vb_status vb_surface_series_read(vb_run_location a, vb_run_location b, vb_surface_series *out,
                                 vb_error *error) {
  record r[2] = {{.triangle = NULL}, {.triangle = NULL}};
  vb_surface_series series = {0};
  vb_status status = open_record(a, &r[0], error);
  if (!status)
    status = open_record(b, &r[1], error);
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
  close_record(&r[0]);
  close_record(&r[1]);
  if (status)
    vb_surface_series_free(&series);
  else
    *out = series;
  return status;
}

void vb_surface_series_free(vb_surface_series *series) {
  free(series->time);
  free(series->rms);
  free(series->hausdorff);
  *series = (vb_surface_series){0};
}

void vb_surface_series_print(FILE *out, const vb_surface_series *series) {
  fprintf(out, "# time [s]  rms [m]  hausdorff [m]\n");
  for (size_t k = 0; k < series->n; k++)
    fprintf(out, "%.17g %.17g %.17g\n", series->time[k], series->rms[k], series->hausdorff[k]);
}
