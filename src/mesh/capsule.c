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

double vb_capsule_distance(const vb_capsule *capsule, const double x[3], double normal[3],
                           double *place) {
  double from[3], t = 0;
  vb_subtract(x, capsule->a, from);
  if (capsule->length > 0) {
    // The nearest of the balls between the two: where their radius grows as the distance does.
    double y = vb_dot(from, capsule->axis), across = sqrt(fmax(0, vb_dot(from, from) - y * y));
    t = y - across * capsule->sine / sqrt(1 - capsule->sine * capsule->sine);
    t = fmin(fmax(t, 0), capsule->length);
  }
  vb_add_scaled(from, -t, capsule->axis, from);
  double size = sqrt(vb_dot(from, from));
  for (int k = 0; k < 3; k++)
    normal[k] = size > 0 ? from[k] / size : 0;
  *place = capsule->length > 0 ? t / capsule->length : capsule->second;
  return size - (capsule->r_a + (capsule->r_b - capsule->r_a) * *place);
}

vb_bounds vb_capsule_bounds(const vb_capsule *capsule) {
  double b[3];
  vb_bounds bounds = vb_bounds_none();
  vb_add_scaled(capsule->a, capsule->length, capsule->axis, b);
  vb_bounds_grow(&bounds, capsule->a, capsule->r_a);
  vb_bounds_grow(&bounds, b, capsule->r_b);
  return bounds;
}
