// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include <math.h>
#include <stdlib.h>

/// A vertex on an edge.
typedef struct corner {
  double line;  ///< which line it is on: number of the edge, or z at rest
  double place; ///< along the line: z at rest, or number of the corner
  const double *now;
} corner;

static int compare(const void *a, const void *b) {
  const corner *p = a, *q = b;
  if (p->line != q->line)
    return p->line < q->line ? -1 : 1;
  return (p->place > q->place) - (p->place < q->place);
}

/// Writes the one or two corners that a vertex is: the first of a section is its last, too.
static size_t add_corner(const double *rest, const double *now, bool sections, corner *out) {
  bool right = rest[0] > 0, above = rest[1] > 0;
  if (!sections) {
    out[0] = (corner){right + 2 * above, rest[2], now};
    return 1;
  }
  double turn = right ? (above ? 2 : 1) : (above ? 3 : 0);
  if (fmod(trunc(rest[2] * 100 + 0.5), 2) != 0)
    return 0;
  out[0] = (corner){rest[2], turn, now};
  out[1] = (corner){rest[2], 4, now};
  return turn == 0 ? 2 : 1;
}

static bool is_at(double x, double half) {
  return fabs(x * x - half * half) < 3e-8; // of some 1e-3 m2
}

vb_status vb_box_lines_print(FILE *out, const char *file, const char *run, int64_t frame,
                             double width, double thickness, bool sections, vb_error *error) {
  vb_array rest = {0}, now = {0};
  corner *corners = NULL;
  size_t n = 0;
  vb_run_location place = {file, run};
  vb_status status = vb_run_array(place, "topology/rest_vertex", VB_NO_FRAME, &rest, error);
  if (!status)
    status = vb_run_array(place, "run/frames/vertices", frame, &now, error);
  if (!status && (rest.width != 3 || now.width != 3 || now.n != rest.n))
    status = vb_bad_input(error, "%s: the surface of run \"%s\" has no vertices", file, run);
  if (!status && !(corners = reallocarray(NULL, 2 * rest.n + 1, sizeof *corners)))
    status = vb_error_memory(error);
  for (size_t i = 0; !status && i < rest.n; i++) {
    const double *at = rest.values + 3 * i;
    if (is_at(at[0], width / 2) && is_at(at[1], thickness / 2))
      n += add_corner(at, now.values + 3 * i, sections, corners + n);
  }
  if (n > 0)
    qsort(corners, n, sizeof *corners, compare);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s%.17g %.17g %.17g\n",
            i == 0 || corners[i].line != corners[i - 1].line ? "\n" : "", corners[i].now[0],
            corners[i].now[1], corners[i].now[2]);
  free(corners);
  vb_array_free(&now);
  vb_array_free(&rest);
  return status;
}
