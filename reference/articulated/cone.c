// SPDX-License-Identifier: GPL-3.0-or-later
#include "cone.h"

#include "scene/rotation.h"

#include <math.h>

/// Sweeps, at most: what is left is the next call's.
enum { MOST_SWEEPS = 200 };
/// Where pins leave less of a move along the normal than this of the freest, a contact cannot act.
static const double held = 1e-6;

/// How far the contact has slipped from where it would be still.
static void slip_of(const ar_touch *t, const double u[3], double out[3]) {
  vb_subtract(u, t->still, out);
  vb_add_scaled(out, -vb_dot(out, t->normal), t->normal, out);
}

/// The force by which a contact that moves as freely as `free` [m/N] alone holds, in its cone.
static void project(const ar_touch *t, const double u[3], double free, double out[3]) {
  double slip[3], along[3], normal = vb_dot(t->force, t->normal);
  double least = fmax(0, normal - (vb_dot(u, t->normal) - t->level) / free);
  slip_of(t, u, slip);
  for (int c = 0; c < 3; c++)
    along[c] = t->force[c] - normal * t->normal[c] - slip[c] / free;
  double size = sqrt(vb_dot(along, along)), most = t->friction[t->slides] * least;
  double part = size > most ? most / size : 1;
  for (int c = 0; c < 3; c++)
    out[c] = least * t->normal[c] + part * along[c];
}

/// Moves all `n` places along a component, many at once.
static void move(double *u, size_t n, const double *column, double more) {
#pragma omp simd
  for (size_t j = 0; j < n; j++)
    u[j] += column[j] * more;
}

/// Sets the force of contact `i` anew, and moves all; returns how far that moves its own. `u` (3 x
/// n) are the places by component.
static double relax(ar_touch *touch, size_t n, const double *w, size_t lead, double *u, size_t i) {
  ar_touch *t = &touch[i];
  const double place[3] = {u[i], u[n + i], u[2 * n + i]};
  double force[3], free = 0, along = 0, change = 0;
  for (size_t c = 0; c < 3; c++) {
    double own = w[(c * lead + i) * lead + i];
    free = fmax(free, own);
    along += own * t->normal[c] * t->normal[c];
  }
  if (!(free > 0) || along < held * free)
    return 0;
  project(t, place, free, force);
  for (size_t c = 0; c < 3; c++) {
    double more = force[c] - t->force[c];
    t->force[c] = force[c];
    change = fmax(change, fabs(more) * free);
    if (more != 0)
      move(u + c * n, n, w + (c * lead + i) * lead, more);
  }
  return change;
}

void ar_cone_solve(ar_touch *touch, size_t n, const double *w, size_t lead, double *u,
                   double tolerance, double *room) {
  double first = 0;
  for (size_t i = 0; i < 3 * n; i++)
    room[i % 3 * n + i / 3] = u[i];
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, relax(touch, n, w, lead, room, i));
    if (sweep == 0)
      first = most;
    if (most <= fmax(tolerance, 1e-3 * first))
      break;
  }
  for (size_t i = 0; i < 3 * n; i++)
    u[i] = room[i % 3 * n + i / 3];
}

bool ar_cone_choose(ar_touch *touch, size_t n, const double *u, double tolerance) {
  bool changed = false;
  for (size_t i = 0; i < n; i++) {
    ar_touch *t = &touch[i];
    double slip[3], along[3], normal = vb_dot(t->force, t->normal);
    if (t->friction[0] == t->friction[1])
      continue;
    slip_of(t, u + 3 * i, slip);
    vb_add_scaled(t->force, -normal, t->normal, along);
    bool moves = sqrt(vb_dot(slip, slip)) > tolerance;
    bool full = sqrt(vb_dot(along, along)) >= t->friction[0] * normal * (1 - 1e-9);
    bool slides = moves && (t->slides || full); // one without a force, too
    changed = changed || slides != t->slides;
    t->slides = slides;
  }
  return changed;
}
