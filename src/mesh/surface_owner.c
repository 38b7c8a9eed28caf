// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_owner.h"

#include "mesh/surface_checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// The components: the first vertex of each stands for it.
typedef struct parts {
  int32_t *first;         ///< (n_vertices) of its component
  size_t *end;            ///< (n_vertices + 1) of a component's triangles, at its first vertex + 1
  int32_t (*triangle)[3]; ///< sorted by component
  double (*box)[2][3];    ///< (n_vertices) at first vertices
} parts;

/// Sorts the triangles by component, and finds boxes around components.
static void fill_parts(const vb_surface *s, parts *p) {
  vb_surface_components(p->first, s->n_vertices, s->triangle, s->n_triangles);
  memset(p->end, 0, (s->n_vertices + 2) * sizeof *p->end);
  for (size_t i = 0; i < s->n_vertices; i++) {
    size_t f = (size_t)p->first[i];
    const double *x = s->vertex + 3 * i;
    for (int k = 0; k < 3; k++) {
      p->box[f][0][k] = f == i ? x[k] : fmin(p->box[f][0][k], x[k]);
      p->box[f][1][k] = f == i ? x[k] : fmax(p->box[f][1][k], x[k]);
    }
  }
  for (size_t t = 0; t < s->n_triangles; t++)
    p->end[(size_t)p->first[s->triangle[3 * t]] + 2]++;
  for (size_t i = 2; i < s->n_vertices + 2; i++)
    p->end[i] += p->end[i - 1];
  for (size_t t = 0; t < s->n_triangles;
       t++) // end[f + 1] is where the next of f goes, then its end
    memcpy(p->triangle[p->end[(size_t)p->first[s->triangle[3 * t]] + 1]++], s->triangle + 3 * t,
           sizeof *p->triangle);
}

static bool in_part(const vb_surface *s, const parts *p, size_t f, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (x[k] < p->box[f][0][k] || x[k] > p->box[f][1][k])
      return false;
  size_t begin = p->end[f], n = p->end[f + 1] - begin;
  return n > 0 && fabs(vb_surface_winding(s->vertex, p->triangle[begin], n, x)) > 0.5;
}

/// The only body with a point inside a component, or -1.
static int32_t find_inside(const vb_surface *s, const parts *p, size_t f,
                           const vb_body_points *points) {
  int32_t found = -1;
  for (size_t i = 0; i < points->n; i++) {
    if (points->body[i] == found || !in_part(s, p, f, points->point[i]))
      continue;
    if (found >= 0)
      return -1;
    found = points->body[i];
  }
  return found;
}

vb_status vb_surface_owner_find(const vb_surface *surface, const int32_t *nearest,
                                const vb_body_points *points, int32_t *owner, vb_error *error) {
  size_t n = surface->n_vertices;
  parts p = {.first = reallocarray(NULL, n + 1, sizeof *p.first),
             .end = reallocarray(NULL, n + 2, sizeof *p.end),
             .triangle = reallocarray(NULL, surface->n_triangles + 1, sizeof *p.triangle),
             .box = reallocarray(NULL, n + 1, sizeof *p.box)};
  vb_status status = p.first && p.end && p.triangle && p.box ? VB_OK : vb_error_memory(error);
  if (!status) {
    fill_parts(surface, &p);
    memcpy(owner, nearest, n * sizeof *owner);
    for (size_t i = 0; i < n; i++) // -1 at a first vertex: they are nearest to several
      if (nearest[i] != nearest[p.first[i]])
        owner[p.first[i]] = -1;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < (int64_t)n; i++)
      if (p.first[i] == i && owner[i] < 0)
        owner[i] = find_inside(surface, &p, (size_t)i, points);
    for (size_t i = 0; i < n; i++)
      owner[i] = owner[p.first[i]];
  }
  free(p.first);
  free(p.end);
  free(p.triangle);
  free(p.box);
  return status;
}
