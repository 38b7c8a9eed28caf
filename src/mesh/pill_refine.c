// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves the balls of capsules such that these come nearer to a surface.
#include "mesh/ball_quadric.h"
#include "mesh/pill.h"
#include "mesh/pill_fit.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Rounds, and the step of each: balls of one pill move at the same time, each as if alone.
#define ROUNDS 60
#define STEP   0.5
/// Holds back balls in directions that the surface does not decide, as along a tube.
#define HOLD 1e-2

typedef struct work {
  const vb_mesh *surface;
  const vb_pill_fit *fit;
  vb_pill *pill;          ///< (n_pills)
  vb_ball_quadric *moved; ///< (n_balls) of the squares of distances, in the ball's motion
} work;

/// The nearest pill to a point of the surface of weight `weight` [m^2], and its share of the balls'
/// motions: a distance falls as a ball comes nearer or grows. Returns weight x distance^2.
static double add_point(const work *w, const double x[3], double weight) {
  size_t nearest = 0;
  double least = INFINITY, normal[4], at = 0;
  for (size_t p = 0; p < w->fit->n_pills; p++) {
    double n[3], place, d = vb_pill_distance(&w->pill[p], x, n, &place);
    if (d >= least)
      continue;
    least = d;
    nearest = p;
    at = place;
    memcpy(normal, n, sizeof n);
  }
  normal[3] = 1;
  for (int end = 0; end < 2; end++) {
    vb_ball_quadric *q = &w->moved[w->fit->pill[nearest][end]];
    double share = end ? at : 1 - at;
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 4; k++)
        q->a[i][k] += weight * share * share * normal[i] * normal[k];
      q->b[i] += weight * share * normal[i] * least;
    }
  }
  return weight * least * least;
}

/// The sum over triangles of area x squared distance [m^4], and the balls' quadrics.
static double measure(const work *w) {
  double sum = 0;
  for (size_t p = 0; p < w->fit->n_pills; p++) {
    const double *a = w->fit->ball[w->fit->pill[p][0]], *b = w->fit->ball[w->fit->pill[p][1]];
    w->pill[p] = vb_pill_make(a, a[3], b, b[3]);
  }
  memset(w->moved, 0, w->fit->n_balls * sizeof *w->moved);
  for (size_t t = 0; t < w->surface->n_triangles; t++) {
    const double *c[3];
    double e[2][3], normal[3], middle[3];
    for (int k = 0; k < 3; k++)
      c[k] = w->surface->vertex[w->surface->triangle[t][k]];
    for (int k = 0; k < 3; k++) {
      e[0][k] = c[1][k] - c[0][k];
      e[1][k] = c[2][k] - c[0][k];
      middle[k] = (c[0][k] + c[1][k] + c[2][k]) / 3;
    }
    vb_cross(e[0], e[1], normal);
    sum += add_point(w, middle, sqrt(vb_dot(normal, normal)) / 2);
  }
  return sum;
}

static void move(const work *w, double thinnest) {
  for (size_t i = 0; i < w->fit->n_balls; i++) {
    vb_ball_quadric *q = &w->moved[i];
    double *ball = w->fit->ball[i], s[4] = {0}, trace = 0;
    for (int k = 0; k < 4; k++)
      trace += q->a[k][k];
    if (!(trace > 0))
      continue; // inside other pills
    for (int k = 0; k < 4; k++)
      q->a[k][k] += HOLD * trace;
    vb_ball_quadric_solve(q, 4, s);
    for (int k = 0; k < 4; k++)
      ball[k] += STEP * s[k];
    ball[3] = fmax(ball[3], thinnest);
  }
}

vb_status vb_pill_fit_refine(const vb_mesh *surface, double thinnest, vb_pill_fit *fit,
                             vb_error *error) {
  size_t n = fit->n_balls;
  work w = {surface, fit, malloc((fit->n_pills + 1) * sizeof *w.pill),
            malloc((n + 1) * sizeof *w.moved)};
  double(*best)[4] = malloc((n + 1) * sizeof *best), least = INFINITY;
  vb_status status = w.pill && w.moved && best ? VB_OK : vb_error_memory(error);
  for (int round = 0; !status && round <= ROUNDS; round++) {
    double sum = measure(&w);
    if (sum < least) {
      least = sum;
      memcpy(best, fit->ball, n * sizeof *best);
    }
    move(&w, thinnest);
  }
  if (!status)
    memcpy(fit->ball, best, n * sizeof *best);
  free(w.pill);
  free(w.moved);
  free(best);
  return status;
}
