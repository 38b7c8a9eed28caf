// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/shapes.h"
#include "scene/rotation.h"

/// A ray from its point nearest to a capsule's first center, by which little is lost to
/// cancellation where the ray comes from afar.
typedef struct near_ray {
  double start;    ///< distance of that point along the ray
  double w[3];     ///< the point from the first center
  const double *d; ///< direction
  double y, dy;    ///< both along the capsule's axis
  double least;    ///< distance from that point that counts
} near_ray;

/// Distance to the ball whose center is `along` the axis: its part below the plane where it touches
/// the wall (side -1), above it (1), or all of it (0).
static double intersect_ball(const vb_capsule *p, const near_ray *r, double along, double radius,
                             int side) {
  double v[3];
  vb_add_scaled(r->w, -along, p->axis, v);
  double b = vb_dot(v, r->d), c = vb_dot(v, v) - radius * radius, root = b * b - c;
  if (root < 0)
    return INFINITY;
  root = sqrt(root);
  for (int far = 0; far < 2; far++) {
    double s = far ? root - b : -root - b, y = r->y + s * r->dy - along;
    if (s >= r->least && side * (y - p->sine * radius) >= 0)
      return s;
  }
  return INFINITY;
}

/// The ray and the wall, a cone: (1 - sine^2) rho^2 = (r_a - sine y)^2 at height y along the axis
/// and distance rho from it. With s along the ray: a s^2 + 2 b s + c = 0.
typedef struct wall {
  double a, b, c;
  double root; ///< b^2 - a c
} wall;

static wall make_wall(const vb_capsule *p, const near_ray *r) {
  double sine = p->sine, square = 1 - sine * sine, edge = p->r_a - sine * r->y;
  wall w = {.a = square - r->dy * r->dy,
            .b = square * (vb_dot(r->w, r->d) - r->y * r->dy) + edge * sine * r->dy,
            .c = square * (vb_dot(r->w, r->w) - r->y * r->y) - edge * edge};
  w.root = w.b * w.b - w.a * w.c;
  return w;
}

/// Distance to the wall between the planes where it touches the balls.
static double intersect_wall(const vb_capsule *p, const near_ray *r, const wall *w) {
  double best = INFINITY;
  if (w->root < 0)
    return INFINITY;
  double q = -(w->b + copysign(sqrt(w->root), w->b)), s[2] = {q / w->a, w->c / q};
  for (int i = 0; i < 2; i++) {
    double y = r->y + s[i] * r->dy; // of no root: not a number, or infinite
    if (s[i] >= r->least && s[i] < best && y >= p->sine * p->r_a &&
        y <= p->length + p->sine * p->r_b)
      best = s[i];
  }
  return best;
}

double vb_capsule_intersect(const vb_capsule *capsule, const vb_ray *ray, double least) {
  near_ray r = {.d = ray->direction};
  vb_subtract(ray->origin, capsule->a, r.w);
  r.start = -vb_dot(r.w, r.d);
  vb_add_scaled(r.w, r.start, r.d, r.w);
  r.y = vb_dot(r.w, capsule->axis);
  r.dy = vb_dot(r.d, capsule->axis);
  r.least = least - r.start;
  if (capsule->length <= 0)
    return r.start + intersect_ball(capsule, &r, 0, capsule->r_a, 0);
  wall w = make_wall(capsule, &r);
  if (w.root < 0 && w.c > 0) // past the cone, which holds the balls
    return INFINITY;
  double a = intersect_ball(capsule, &r, 0, capsule->r_a, -1),
         b = intersect_ball(capsule, &r, capsule->length, capsule->r_b, 1);
  return r.start + fmin(fmin(a, b), intersect_wall(capsule, &r, &w));
}
