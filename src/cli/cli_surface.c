// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "surface": what recorded surfaces are like, frame by frame, as text for gnuplot and
// eyes.
#include "cli/cli.h"
#include "mesh/surface_checks.h"
#include "mesh/surface_crossings.h"
#include "results/surface_record.h"

#include <stdio.h>

typedef const char *settings; ///< --run, or null

static const vb_cli_option options[] = {{VB_OPTION_RUN, .place = 0}, {0}};

/// Prints the line of frame `k`, and before the first what is the same for all.
static vb_status print_frame(const vb_surface_record *r, size_t k, vb_error *error) {
  vb_array x = {0};
  vb_surface_shape shape;
  vb_surface_crossings crossings;
  vb_status status = vb_surface_record_vertices(r, k, &x, error);
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
  vb_surface_record r;
  vb_run_location place = {cli->arguments[0], *(const settings *)cli->settings};
  vb_status status = vb_surface_record_open(place, &r, error);
  for (size_t k = 0; !status && k < r.time.n; k++)
    status = print_frame(&r, k, error);
  vb_surface_record_close(&r);
  return status;
}

VB_VERB(surface, "FILE", "print the volume and the self-intersections of a run's surface",
        .least = 1, .wants = "a results file", .options = options, VB_SETTINGS(NULL),
        .examples = "viperbench surface results/fem_band.h5 --run rods\n");
