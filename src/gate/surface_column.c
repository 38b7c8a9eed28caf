// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/surface_column.h"

#include "gate/quantity_run.h"
#include "mesh/surface_checks.h"
#include "mesh/surface_crossings.h"
#include "results/results_locate.h"
#include "results/surface_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char WITHIN[] = "surface/crossings_within";
static const char BETWEEN[] = "surface/crossings_between";
static const char VOLUME_CHANGE[] = "surface/volume_change";

bool vb_is_surface_column(const char *quantity) {
  const char *name = quantity + vb_results_prefix(quantity);
  return strcmp(name, WITHIN) == 0 || strcmp(name, BETWEEN) == 0 ||
         strcmp(name, VOLUME_CHANGE) == 0;
}

/// The quantity in frame `k`; of the volume, itself.
static vb_status measure(const vb_surface_record *r, const char *name, size_t k, double *out,
                         vb_error *error) {
  vb_array x = {0};
  vb_surface_shape shape = {0};
  vb_surface_crossings crossings = {0};
  vb_status status = vb_surface_record_vertices(r, k, &x, error);
  if (!status && strcmp(name, VOLUME_CHANGE) == 0)
    status = vb_surface_shape_of(x.values, x.n, r->triangle, r->n_triangles, &shape, error);
  else if (!status)
    status = vb_surface_crossings_of(x.values, x.n, r->triangle, r->n_triangles, &crossings, error);
  *out = strcmp(name, VOLUME_CHANGE) == 0 ? shape.volume
         : strcmp(name, WITHIN) == 0      ? (double)crossings.within
                                          : (double)crossings.between;
  vb_array_free(&x);
  return status;
}

static vb_status read_series(const vb_surface_record *r, const char *name, vb_column *out,
                             vb_error *error) {
  vb_status status = VB_OK;
  *out = (vb_column){.n = r->time.n};
  out->x = reallocarray(NULL, out->n + 1, sizeof *out->x);
  out->y = reallocarray(NULL, out->n + 1, sizeof *out->y);
  if (!out->x || !out->y)
    status = vb_error_memory(error);
  for (size_t k = 0; !status && k < out->n; k++) {
    out->x[k] = r->time.values[k];
    status = measure(r, name, k, &out->y[k], error);
  }
  if (!status && strcmp(name, VOLUME_CHANGE) == 0 && out->n > 0) {
    double rest = out->y[0];
    if (!(fabs(rest) > 0))
      status = vb_bad_input(error, "%s: its surface holds no volume", r->place.path);
    for (size_t k = 0; !status && k < out->n; k++)
      out->y[k] = out->y[k] / rest - 1;
  }
  if (status)
    vb_column_free(out);
  return status;
}

vb_status vb_surface_column(const char *path, const char *quantity, vb_column *out,
                            vb_error *error) {
  char run[256];
  vb_run_location place;
  vb_status status = vb_quantity_run(path, quantity, run, &place, error);
  vb_surface_record r;
  vb_column column = {0};
  if (status)
    return status;
  status = vb_surface_record_open(place, &r, error);
  if (!status)
    status = read_series(&r, quantity + vb_results_prefix(quantity), &column, error);
  vb_surface_record_close(&r);
  if (!status)
    *out = column;
  return status;
}
