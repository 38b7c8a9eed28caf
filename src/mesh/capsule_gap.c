// SPDX-License-Identifier: GPL-3.0-or-later
/// Distance between a surface and that of several capsules.
#include "base/time_limit.h"
#include "mesh/capsule.h"
#include "mesh/capsule_fit.h"
#include "mesh/surface_distance.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>

/// Tessellation of a capsule: points around, and rings on each end and along the wall.
#define AROUND 32
#define CAP    8
#define WALL   32
#define RINGS  (2 * CAP + WALL)

typedef struct work {
  const vb_capsule_fit *fit;
  vb_capsule *capsule; ///< (n_capsules)
  double (*vertex)[3];
  int32_t (*triangle)[3];
  size_t n_triangles;
} work;

/// Writes the rings of a capsule: on its first ball, along the wall, on its second ball.
static void place_vertices(const vb_capsule *capsule, double (*vertex)[3]) {
  double axis[3] = {capsule->axis[0], capsule->axis[1], capsule->axis[2]}, u[3], v[3];
  bool single = !(capsule->length > 0);
  if (single)
    axis[0] = 1;
  double other[3] = {fabs(axis[0]) > 0.7 ? 0 : 1, fabs(axis[0]) > 0.7 ? 1 : 0, 0};
  vb_cross(axis, other, u);
  double size = sqrt(vb_dot(u, u));
  for (int k = 0; k < 3; k++)
    u[k] /= size;
  vb_cross(axis, u, v);
  // Both ends of the wall have the normal of this angle, from the direction against the axis.
  double half = acos(-1) / 2, turn = single ? half : half + asin(capsule->sine);
  double second = capsule->second ? capsule->r_b : capsule->r_a;
  for (int ring = 0; ring < RINGS; ring++) {
    double t = ring < CAP ? 0 : ring < CAP + WALL ? (ring - CAP + 0.5) / WALL : 1;
    double angle = turn;
    if (ring < CAP)
      angle = turn * ring / (CAP - 1);
    else if (ring >= CAP + WALL)
      angle = turn + (2 * half - turn) * (ring - CAP - WALL) / (CAP - 1);
    double r = single ? second : capsule->r_a + t * (capsule->r_b - capsule->r_a);
    for (int i = 0; i < AROUND; i++) {
      double a = 4 * half * i / AROUND;
      for (int k = 0; k < 3; k++)
        vertex[ring * AROUND + i][k] = capsule->a[k] + t * capsule->length * axis[k] -
                                       r * cos(angle) * axis[k] +
                                       r * sin(angle) * (cos(a) * u[k] + sin(a) * v[k]);
    }
  }
}

/// Whether a point is inside another capsule.
static bool is_inside(const work *w, size_t own, const double x[3]) {
  double normal[3], place;
  for (size_t p = 0; p < w->fit->n_capsules; p++)
    if (p != own && vb_capsule_distance(&w->capsule[p], x, normal, &place) < 0)
      return true;
  return false;
}

/// Adds the triangles of a capsule but those that are inside others.
static void add_capsule(work *w, size_t own) {
  size_t first = own * RINGS * AROUND;
  bool inside[RINGS * AROUND];
  place_vertices(&w->capsule[own], w->vertex + first);
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

vb_status vb_capsule_fit_measure(const vb_mesh *surface, vb_capsule_fit *fit, vb_error *error) {
  size_t n = fit->n_capsules * RINGS * AROUND;
  work w = {.fit = fit};
  vb_surface_gap gap;
  w.capsule = reallocarray(NULL, fit->n_capsules + 1, sizeof *w.capsule);
  w.vertex = reallocarray(NULL, n + 1, sizeof *w.vertex);
  w.triangle = reallocarray(NULL, 2 * (n + 1), sizeof *w.triangle);
  vb_status status = w.capsule && w.vertex && w.triangle ? VB_OK : vb_error_memory(error);
  for (size_t p = 0; !status && p < fit->n_capsules; p++) {
    const double *a = fit->ball[fit->capsule[p][0]], *b = fit->ball[fit->capsule[p][1]];
    w.capsule[p] = vb_capsule_make(a, a[3], b, b[3]);
  }
  for (size_t p = 0; !status && p < fit->n_capsules; p++) {
    add_capsule(&w, p);
    status = vb_time_limit_check(error);
  }
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
  free(w.capsule);
  free(w.vertex);
  free(w.triangle);
  return status;
}
