// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves the balls of capsules such that these come nearer to a surface, and drops capsules that do
/// not matter.
#include "base/time_limit.h"
#include "mesh/ball_quadric.h"
#include "mesh/capsule.h"
#include "mesh/capsule_fit.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Points of the surface that are looked at, at least, and of about how many triangles at most.
#define POINTS    2000.0
#define TRIANGLES 4000
/// Rounds, and the step of each: balls of one capsule move at the same time, each as if alone.
#define ROUNDS 60
#define STEP   0.5
/// Holds back balls in directions that the surface does not decide, as along a tube.
#define HOLD 1e-2
/// A capsule does not matter where without it the mean square of the distances grows by less than
/// this times the square of its radius.
#define NEEDLESS 1e-3
/// Of more capsules than that none is dropped: each is looked at again for each that is.
#define MOST_LOOKED_AT 64

typedef struct work {
  const vb_mesh *surface;
  const vb_capsule_fit *fit;
  vb_capsule *capsule;    ///< (n_capsules)
  vb_ball_quadric *moved; ///< (n_balls) of the squares of distances, in the ball's motion
  double *loss;           ///< (n_capsules) how much the sum of squares grows without it, m^4
  double area;            ///< of the surface, m^2
} work;

/// The nearest capsule to a point of the surface of weight `weight` [m^2], and its share of the
/// balls' motions: a distance falls as a ball comes nearer or grows. Returns weight x distance^2.
static double add_point(const work *w, const double x[3], double weight) {
  size_t nearest = 0;
  double least = INFINITY, second = INFINITY, normal[4] = {0}, at = 0;
  for (size_t p = 0; p < w->fit->n_capsules; p++) {
    double n[3], place, d = vb_capsule_distance(&w->capsule[p], x, n, &place);
    if (d >= least) {
      second = fmin(second, d);
      continue;
    }
    second = least;
    least = d;
    nearest = p;
    at = place;
    memcpy(normal, n, sizeof n);
  }
  w->loss[nearest] += weight * fmax(0, second * second - least * least);
  normal[3] = 1;
  for (int end = 0; end < 2; end++) {
    vb_ball_quadric *q = &w->moved[w->fit->capsule[nearest][end]];
    double share = end ? at : 1 - at;
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 4; k++)
        q->a[i][k] += weight * share * share * normal[i] * normal[k];
      q->b[i] += weight * share * normal[i] * least;
    }
  }
  return weight * least * least;
}

/// Adds a triangle in pieces x pieces equal parts; returns the sum of add_point.
static double add_triangle(work *w, const double *const corner[3], int pieces) {
  double e[2][3], normal[3], x[3], sum = 0;
  vb_subtract(corner[1], corner[0], e[0]);
  vb_subtract(corner[2], corner[0], e[1]);
  vb_cross(e[0], e[1], normal);
  double area = sqrt(vb_dot(normal, normal)) / 2;
  w->area += area;
  for (int i = 0; i < pieces; i++)
    for (int j = 0; j < 2 * (pieces - i) - 1; j++) { // they point up at even j, down at odd j
      double center = (j % 2 ? 2.0 : 1.0) / 3, v = ((j - j % 2) / 2.0 + center) / pieces,
             u = (i + center) / pieces;
      vb_add_scaled(corner[0], u, e[0], x);
      vb_add_scaled(x, v, e[1], x);
      sum += add_point(w, x, area / ((double)pieces * pieces));
    }
  return sum;
}

/// The sum over the surface of area x squared distance [m^4], and the balls' quadrics.
static double measure(work *w) {
  double sum = 0;
  int pieces = (int)ceil(sqrt(POINTS / (double)w->surface->n_triangles));
  w->area = 0;
  for (size_t p = 0; p < w->fit->n_capsules; p++) {
    const double *a = w->fit->ball[w->fit->capsule[p][0]], *b = w->fit->ball[w->fit->capsule[p][1]];
    w->capsule[p] = vb_capsule_make(a, a[3], b, b[3]);
    w->loss[p] = 0;
  }
  memset(w->moved, 0, w->fit->n_balls * sizeof *w->moved);
  for (size_t t = 0; t < w->surface->n_triangles; t += 1 + w->surface->n_triangles / TRIANGLES) {
    const double *corner[3];
    if (vb_time_limit_over())
      break;
    for (int k = 0; k < 3; k++)
      corner[k] = w->surface->vertex[w->surface->triangle[t][k]];
    sum += add_triangle(w, corner, pieces);
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
      continue; // inside other capsules
    for (int k = 0; k < 4; k++)
      q->a[k][k] += HOLD * trace;
    vb_ball_quadric_solve(q, 4, s);
    for (int k = 0; k < 4; k++)
      ball[k] += STEP * s[k];
    ball[3] = fmax(ball[3], thinnest);
  }
}

/// Moves the balls, keeping the best places.
static void refine(work *w, double thinnest, double (*best)[4]) {
  double least = INFINITY;
  size_t bytes = w->fit->n_balls * sizeof *best;
  for (int round = 0; round <= ROUNDS && !vb_time_limit_over(); round++) {
    double sum = measure(w);
    if (sum < least) {
      least = sum;
      memcpy(best, w->fit->ball, bytes);
    }
    move(w, thinnest);
  }
  memcpy(w->fit->ball, best, bytes);
}

/// Drops the capsule that matters least, if it does not matter.
static bool drop_one(work *w, vb_capsule_fit *fit) {
  size_t worst = 0;
  if (fit->n_capsules < 2 || fit->n_capsules > MOST_LOOKED_AT)
    return false;
  measure(w);
  for (size_t p = 1; p < fit->n_capsules; p++)
    if (w->loss[p] < w->loss[worst])
      worst = p;
  double r = fmin(fit->ball[fit->capsule[worst][0]][3], fit->ball[fit->capsule[worst][1]][3]);
  if (!(w->loss[worst] < NEEDLESS * r * r * w->area))
    return false;
  fit->n_capsules--;
  memmove(fit->capsule + worst, fit->capsule + worst + 1,
          (fit->n_capsules - worst) * sizeof *fit->capsule);
  return true;
}

/// Takes out balls that no capsule has any more.
static void drop_balls(vb_capsule_fit *fit) {
  for (size_t i = fit->n_balls; i-- > 0;) {
    bool used = false;
    for (size_t p = 0; p < fit->n_capsules; p++)
      used = used || fit->capsule[p][0] == (int32_t)i || fit->capsule[p][1] == (int32_t)i;
    if (used)
      continue;
    fit->n_balls--;
    memmove(fit->ball + i, fit->ball + i + 1, (fit->n_balls - i) * sizeof *fit->ball);
    for (size_t p = 0; p < fit->n_capsules; p++)
      for (int end = 0; end < 2; end++)
        fit->capsule[p][end] -= fit->capsule[p][end] > (int32_t)i;
  }
}

vb_status vb_capsule_fit_refine(const vb_mesh *surface, double thinnest, vb_capsule_fit *fit,
                                vb_error *error) {
  size_t n = fit->n_balls, dropped = 0;
  work w = {.surface = surface, .fit = fit};
  w.capsule = reallocarray(NULL, fit->n_capsules + 1, sizeof *w.capsule);
  w.loss = calloc(fit->n_capsules + 1, sizeof *w.loss);
  w.moved = reallocarray(NULL, n + 1, sizeof *w.moved);
  double(*best)[4] = reallocarray(NULL, n + 1, sizeof *best);
  vb_status status = w.capsule && w.loss && w.moved && best ? VB_OK : vb_error_memory(error);
  if (!status) {
    refine(&w, thinnest, best);
    while (!vb_time_limit_over() && drop_one(&w, fit))
      dropped++;
    if (dropped) {
      drop_balls(fit);
      refine(&w, thinnest, best);
    }
  }
  if (!status)
    status = vb_time_limit_check(error);
  free(w.capsule);
  free(w.loss);
  free(w.moved);
  free(best);
  return status;
}
