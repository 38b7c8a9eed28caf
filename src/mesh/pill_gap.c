// SPDX-License-Identifier: GPL-3.0-or-later
/// Distance between a surface and that of several capsules.
#include "mesh/pill.h"
#include "mesh/pill_fit.h"
#include "mesh/surface_distance.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>

/// Tessellation of a pill: points around, and rings on each end and along the wall.
#define AROUND 32
#define CAP    8
#define WALL   32
#define RINGS  (2 * CAP + WALL)

typedef struct work {
  const vb_pill_fit *fit;
  vb_pill *pill; ///< (n_pills)
  double (*vertex)[3];
  int32_t (*triangle)[3];
  size_t n_triangles;
} work;

/// Writes the rings of a pill: on its first ball, along the wall, on its second ball.
static void place_vertices(const vb_pill *pill, double (*vertex)[3]) {
  double axis[3] = {pill->axis[0], pill->axis[1], pill->axis[2]}, u[3], v[3];
  bool single = !(pill->length > 0);
  if (single)
    axis[0] = 1;
  double other[3] = {fabs(axis[0]) > 0.7 ? 0 : 1, fabs(axis[0]) > 0.7 ? 1 : 0, 0};
  vb_cross(axis, other, u);
  double size = sqrt(vb_dot(u, u));
  for (int k = 0; k < 3; k++)
    u[k] /= size;
  vb_cross(axis, u, v);
  // Both ends of the wall have the normal of this angle, from the direction against the axis.
  double half = acos(-1) / 2, turn = single ? half : half + asin(pill->sine);
  double second = pill->second ? pill->r_b : pill->r_a;
  for (int ring = 0; ring < RINGS; ring++) {
    double t = ring < CAP ? 0 : ring < CAP + WALL ? (ring - CAP + 0.5) / WALL : 1;
    double angle = turn;
    if (ring < CAP)
      angle = turn * ring / (CAP - 1);
    else if (ring >= CAP + WALL)
      angle = turn + (2 * half - turn) * (ring - CAP - WALL) / (CAP - 1);
    double r = single ? second : pill->r_a + t * (pill->r_b - pill->r_a);
    for (int i = 0; i < AROUND; i++) {
      double a = 4 * half * i / AROUND;
      for (int k = 0; k < 3; k++)
        vertex[ring * AROUND + i][k] = pill->a[k] + t * pill->length * axis[k] -
                                       r * cos(angle) * axis[k] +
                                       r * sin(angle) * (cos(a) * u[k] + sin(a) * v[k]);
    }
  }
}

/// Whether a point is inside another pill.
static bool is_inside(const work *w, size_t own, const double x[3]) {
  double normal[3], place;
  for (size_t p = 0; p < w->fit->n_pills; p++)
    if (p != own && vb_pill_distance(&w->pill[p], x, normal, &place) < 0)
      return true;
  return false;
}

/// Adds the triangles of a pill but those that are inside others.
static void add_pill(work *w, size_t own) {
  size_t first = own * RINGS * AROUND;
  bool inside[RINGS * AROUND];
  place_vertices(&w->pill[own], w->vertex + first);
  for (size_t i = 0; i < RINGS * AROUND; i++)
    inside[i] = is_inside(w, own, w->vertex[first + i]);
  for (size_t ring = 0; ring + 1 < RINGS; ring++)
    for (size_t i = 0; i < AROUND; i++) {
      size_t a = ring * AROUND + i, b = ring * AROUND + (i + 1) % AROUND;
      size_t corner[2][3] = {{a, b, a + AROUND}, {b, b + AROUND, a + AROUND}};
      for (int half = 0; half < 2; half++) {
        const size_t *c = corner[half];
        if (inside[c[0]] && inside[c[1]] && inside[c[2]])
          continue;
        for (int k = 0; k < 3; k++)
          w->triangle[w->n_triangles][k] = (int32_t)(first + c[k]);
        w->n_triangles++;
      }
    }
}

vb_status vb_pill_fit_measure(const vb_mesh *surface, vb_pill_fit *fit, vb_error *error) {
  size_t n = fit->n_pills * RINGS * AROUND;
  work w = {.fit = fit};
  vb_surface_gap gap;
  w.pill = malloc((fit->n_pills + 1) * sizeof *w.pill);
  w.vertex = malloc((n + 1) * sizeof *w.vertex);
  w.triangle = malloc(2 * (n + 1) * sizeof *w.triangle);
  vb_status status = w.pill && w.vertex && w.triangle ? VB_OK : vb_error_memory(error);
  for (size_t p = 0; !status && p < fit->n_pills; p++) {
    const double *a = fit->ball[fit->pill[p][0]], *b = fit->ball[fit->pill[p][1]];
    w.pill[p] = vb_pill_make(a, a[3], b, b[3]);
  }
  for (size_t p = 0; !status && p < fit->n_pills; p++)
    add_pill(&w, p);
  if (!status) {
    vb_surface all = {w.vertex[0], n, w.triangle[0], w.n_triangles};
    vb_surface own = {surface->vertex[0], surface->n_vertices, surface->triangle[0],
                      surface->n_triangles};
    status = vb_surface_distance(&all, &own, &gap, error);
  }
  if (!status) {
    fit->hausdorff = gap.hausdorff;
    fit->rms = gap.rms;
  }
  free(w.pill);
  free(w.vertex);
  free(w.triangle);
  return status;
}
