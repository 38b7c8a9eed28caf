// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/capsule.h"

#include "scene/rotation.h"

vb_capsule vb_capsule_make(const double a[3], double r_a, const double b[3], double r_b) {
  vb_capsule capsule = {.r_a = r_a, .r_b = r_b};
  memcpy(capsule.a, a, sizeof capsule.a);
  capsule.length = vb_direction(a, b, capsule.axis);
  if (capsule.length > fabs(r_a - r_b)) {
    capsule.sine = (r_a - r_b) / capsule.length;
    return capsule;
  }
  capsule.second = r_b > r_a;
  if (capsule.second)
    memcpy(capsule.a, b, sizeof capsule.a);
  capsule.r_a = capsule.r_b = fmax(r_a, r_b);
  capsule.length = 0;
  memset(capsule.axis, 0, sizeof capsule.axis);
  return capsule;
}

double vb_capsule_distance(const vb_capsule *p, const double x[3], double normal[3],
                           double *place) {
  double from[3], t = 0;
  vb_subtract(x, p->a, from);
  if (p->length > 0) {
    // The nearest of the balls between the two: where their radius grows as the distance does.
    double y = vb_dot(from, p->axis), across = sqrt(fmax(0, vb_dot(from, from) - y * y));
    t = y - across * p->sine / sqrt(1 - p->sine * p->sine);
    t = fmin(fmax(t, 0), p->length);
  }
  vb_add_scaled(from, -t, p->axis, from);
  double size = sqrt(vb_dot(from, from));
  for (int k = 0; k < 3; k++)
    normal[k] = size > 0 ? from[k] / size : 0;
  *place = p->length > 0 ? t / p->length : p->second;
  return size - (p->r_a + (p->r_b - p->r_a) * *place);
}

vb_bounds vb_capsule_bounds(const vb_capsule *p) {
  double b[3];
  vb_bounds bounds = vb_bounds_none();
  vb_add_scaled(p->a, p->length, p->axis, b);
  vb_bounds_grow(&bounds, p->a, p->r_a);
  vb_bounds_grow(&bounds, b, p->r_b);
  return bounds;
}
