// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/contact.h"

static double clamp(double x) {
  return fmin(1, fmax(0, x));
}

void umetani_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                     double at[2]) {
  double u[3], v[3], r[3];
  vb_subtract(b, a, u);
  vb_subtract(d, c, v);
  vb_subtract(a, c, r);
  double uu = vb_dot(u, u), vv = vb_dot(v, v), uv = vb_dot(u, v), ur = vb_dot(u, r),
         vr = vb_dot(v, r), determinant = uu * vv - uv * uv;
  if (determinant > 1e-10 * uu * vv) {
    at[0] = clamp((uv * vr - ur * vv) / determinant);
  } else if (uu > 0) { // parallel: where c and d are along a, b
    double one = clamp(-ur / uu), other = clamp((uv - ur) / uu);
    at[0] = 0.5 * (one + other);
  } else {
    at[0] = 0;
  }
  at[1] = vv > 0 ? clamp((uv * at[0] + vr) / vv) : 0;
  if (uu > 0 && (at[1] == 0 || at[1] == 1))
    at[0] = clamp((uv * at[1] - ur) / uu);
}

/// The place of a pair; false where the center lines meet, which have no normal there.
static bool place_pair(const umetani_pass *pass, const umetani_touch *touch, umetani_place *out) {
  double at[2], apart[3] = {0}, radius = 0;
  double(*x)[3] = pass->state->x;
  const int32_t *e = pass->rods->edge[touch->edge[0]].point;
  const int32_t *f = pass->rods->edge[touch->edge[1]].point;
  umetani_nearest(x[e[0]], x[e[1]], x[f[0]], x[f[1]], at);
  *out = (umetani_place){
      4, {e[0], e[1], f[0], f[1]}, {1 - at[0], at[0], at[1] - 1, -at[1]}, {0}, 0, {0}};
  for (int p = 0; p < 4; p++) {
    vb_add_scaled(apart, out->share[p], x[out->point[p]], apart);
    radius += fabs(out->share[p]) * pass->scratch->contact->radius[out->point[p]];
  }
  double distance = sqrt(vb_dot(apart, apart));
  out->gap = distance - radius;
  for (int k = 0; k < 3; k++)
    out->normal[k] = apart[k] / distance;
  return distance > 1e-12 * radius;
}

void umetani_motion(double turn[2][4], double translation[2][3], const double x[3], double out[3]) {
  double home[3], start[3];
  const double back[4] = {turn[1][0], -turn[1][1], -turn[1][2], -turn[1][3]};
  vb_subtract(x, translation[1], home);
  vb_quaternion_rotate(back, home, home);
  vb_rigid_move(turn[0], translation[0], home, start);
  vb_subtract(x, start, out);
}

/// The place of a node on a half-plane.
static void place_node(const umetani_pass *pass, const umetani_touch *touch, umetani_place *out) {
  const umetani_contact *contact = pass->scratch->contact;
  umetani_plane *plane = &contact->plane[touch->plane];
  const double *x = pass->state->x[touch->point];
  *out = (umetani_place){1, {touch->point}, {1}, {0}, 0, {0}};
  memcpy(out->normal, plane->normal, sizeof out->normal);
  out->gap = vb_dot(plane->normal, x) - plane->offset - contact->radius[touch->point];
  if (plane->driver < 0)
    return;
  umetani_motion(plane->turn, plane->translation, x, out->surface);
}

static bool find_place(const umetani_pass *pass, const umetani_touch *touch, umetani_place *out) {
  if (touch->collider >= 0)
    return umetani_collider_place(pass, touch, out);
  if (touch->plane < 0)
    return place_pair(pass, touch, out);
  place_node(pass, touch, out);
  return true;
}

/// Sum of w over the points of a place, of moves along `direction`.
static double mobility(const umetani_pass *pass, const umetani_place *at,
                       const double direction[3]) {
  double sum = 0;
  for (int p = 0; p < at->n; p++)
    for (int k = 0; k < 3; k++)
      sum += at->share[p] * at->share[p] * pass->rods->weights[at->point[p]][k] * direction[k] *
             direction[k];
  return sum;
}

/// Moves the points of a place by their shares of a multiplier.
static void push(const umetani_pass *pass, const umetani_place *at, const double multiplier[3]) {
  for (int p = 0; p < at->n; p++)
    for (int k = 0; k < 3; k++) {
      double own = at->share[p] * multiplier[k];
      pass->state->contact[at->point[p]][k] += own;
      pass->state->x[at->point[p]][k] += pass->rods->weights[at->point[p]][k] * own;
    }
}

/// Takes back the motion along the surface since the substep began, with no more than the friction
/// that all pushes until now give.
static void rub(const umetani_pass *pass, umetani_touch *touch, const umetani_place *at) {
  double slide[3], goal[3], change[3];
  for (int k = 0; k < 3; k++) {
    slide[k] = -at->surface[k];
    for (int p = 0; p < at->n; p++)
      slide[k] +=
          at->share[p] * (pass->state->x[at->point[p]][k] - pass->scratch->old[at->point[p]][k]);
  }
  vb_add_scaled(slide, -vb_dot(slide, at->normal), at->normal, slide);
  double way = sqrt(vb_dot(slide, slide));
  memcpy(goal, touch->tangent, sizeof goal);
  if (way > 0) {
    for (int k = 0; k < 3; k++)
      slide[k] /= way;
    double w = mobility(pass, at, slide);
    vb_add_scaled(goal, w > 0 ? -way / w : 0, slide, goal);
  }
  vb_add_scaled(goal, -vb_dot(goal, at->normal), at->normal, goal);
  double size = sqrt(vb_dot(goal, goal));
  double most = touch->friction[1] * touch->normal / size;
  if (size > touch->friction[0] * touch->normal)
    for (int k = 0; k < 3; k++)
      goal[k] *= most;
  vb_subtract(goal, touch->tangent, change);
  push(pass, at, change);
  memcpy(touch->tangent, goal, sizeof goal);
}

void umetani_contact_sweep(const umetani_pass *pass) {
  umetani_contact *contact = pass->scratch->contact;
  for (size_t i = 0; i < contact->n_touches; i++) {
    umetani_touch *touch = &contact->touch[i];
    umetani_place at;
    if (!find_place(pass, touch, &at))
      continue;
    double w = mobility(pass, &at, at.normal);
    if (at.gap < 0 && w > 0) {
      double multiplier[3];
      for (int k = 0; k < 3; k++)
        multiplier[k] = -at.gap / w * at.normal[k];
      touch->normal += -at.gap / w;
      push(pass, &at, multiplier);
    }
    if (touch->normal > 0 && touch->friction[0] > 0)
      rub(pass, touch, &at);
  }
}

/// The driver of what an edge or node touches, or -1.
static int32_t driver_of(const umetani_contact *contact, const umetani_touch *touch) {
  if (touch->collider >= 0)
    return contact->collider[touch->collider].driver;
  return touch->plane >= 0 ? contact->plane[touch->plane].driver : -1;
}

void umetani_contact_finish(const umetani_pass *pass, double h) {
  const umetani_contact *contact = pass->scratch->contact;
  double *count = pass->state->touching;
  count[0] = count[1] = 0;
  for (size_t i = 0; i < contact->n_touches; i++) {
    const umetani_touch *touch = &contact->touch[i];
    umetani_place at;
    if (!find_place(pass, touch, &at))
      continue;
    count[0] += touch->normal > 0;
    count[1] = fmax(count[1], -at.gap);
    int32_t driver = driver_of(contact, touch);
    if (driver < 0)
      continue;
    double force[3];
    for (int k = 0; k < 3; k++)
      force[k] = (touch->normal * at.normal[k] + touch->tangent[k]) / (h * h);
    pass->state->work[driver] += vb_dot(force, at.surface);
  }
}
