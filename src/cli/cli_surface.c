// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "surface": what recorded surfaces are like, frame by frame, as text for gnuplot and
// eyes.
#include "cli/cli.h"
#include "mesh/surface_checks.h"
#include "results/results_array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef const char *settings; ///< --run, or null

static const vb_cli_option options[] = {{VB_OPTION_RUN, .place = 0}, {0}};

/// A recorded surface.
typedef struct record {
  const char *path;
  const char *run; ///< in an index, or null
  vb_array time;
  int32_t *triangle;
  size_t n_triangles;
} record;

static vb_status read_array(const record *r, const char *name, int64_t frame, vb_array *out,
                            vb_error *error) {
  char dataset[512];
  snprintf(dataset, sizeof dataset, "%s%s/%s", r->run ? "/runs/" : "", r->run ? r->run : "", name);
  return vb_results_array(r->path, dataset, frame, out, error);
}

static vb_status read_triangles(record *r, vb_error *error) {
  vb_array triangles = {0};
  vb_status status = read_array(r, "topology/triangle", VB_NO_FRAME, &triangles, error);
  if (!status && triangles.width != 3)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: its triangles have %zu corners", r->path,
                          triangles.width);
  if (!status && !vb_array_holds_indexes(&triangles, 0, INT32_MAX))
    status = vb_error_set(error, VB_BAD_INPUT, "%s: its triangles do not name vertices", r->path);
  if (!status) {
    r->n_triangles = triangles.n;
    r->triangle = malloc((3 * triangles.n + 1) * sizeof *r->triangle);
    status = r->triangle ? VB_OK : vb_error_memory(error);
  }
  for (size_t i = 0; !status && i < 3 * r->n_triangles; i++)
    r->triangle[i] = (int32_t)triangles.values[i];
  vb_array_free(&triangles);
  return status;
}

static vb_status check(const record *r, const vb_array *vertices, vb_error *error) {
  bool valid = vertices->width == 3;
  for (size_t i = 0; valid && i < 3 * r->n_triangles; i++)
    valid = r->triangle[i] >= 0 && (size_t)r->triangle[i] < vertices->n;
  return valid ? VB_OK
               : vb_error_set(error, VB_BAD_INPUT, "%s: its triangles do not fit its vertices",
                              r->path);
}

/// Prints the line of frame `k`, and before the first what is the same for all.
static vb_status print_frame(const record *r, size_t k, vb_error *error) {
  vb_array x = {0};
  vb_surface_shape shape;
  vb_surface_crossings crossings;
  vb_status status = read_array(r, "run/frames/vertices", (int64_t)k, &x, error);
  if (!status)
    status = check(r, &x, error);
  if (!status)
    status = vb_surface_shape_of(x.values, x.n, r->triangle, r->n_triangles, &shape, error);
  if (!status)
    status = vb_surface_crossings_of(x.values, x.n, r->triangle, r->n_triangles, &crossings, error);
  vb_array_free(&x);
  if (status)
    return status;
  if (k == 0)
    printf("# %zu triangles, %zu vertices, %zu parts, Euler characteristic %lld, %zu edges of one "
           "triangle, %zu of more than two\n"
           "# time [s]  volume [m^3]  pairs of triangles that cross: of one part, of two\n",
           r->n_triangles, shape.n_vertices, shape.n_components, (long long)shape.euler,
           shape.n_boundary_edges, shape.n_crowded_edges);
  printf("%.17g %.17g %zu %zu\n", r->time.values[k], shape.volume, crossings.within,
         crossings.between);
  return VB_OK;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  record r = {.path = cli->arguments[0], .run = *(const settings *)cli->settings};
  vb_status status = read_triangles(&r, error);
  if (!status)
    status = read_array(&r, "run/frames/time", VB_NO_FRAME, &r.time, error);
  if (!status && r.time.n > 0 && r.time.width != 1)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: the times of its frames are no list", r.path);
  for (size_t k = 0; !status && k < r.time.n; k++)
    status = print_frame(&r, k, error);
  vb_array_free(&r.time);
  free(r.triangle);
  return status;
}

VB_VERB(surface, "FILE", "print volume and crossings of a run's surface", .least = 1,
        .wants = "a results file", .options = options, VB_SETTINGS(NULL));
