// SPDX-License-Identifier: GPL-3.0-or-later
/// Free rigid bodies: Euler's solution by elliptic functions, and the angular momentum of a scene
/// at work. For tests of solvers.
#ifndef VB_TESTS_SUPPORT_FREE_TOP_H
#define VB_TESTS_SUPPORT_FREE_TOP_H

#include "handle.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

#include <gsl/gsl_sf_elljac.h>
#include <math.h>

/// So stiff that it is a rigid body: at 2 rad/s the centrifugal strain is about 1e-9.
static const scenes_material free_top_stiff = {1000, {1e9, 1e9, 1e9, 0, 0, 1e9}};

/// Gives nodes and frames the motion of a rigid body about `center` [m] with the rate `w` [rad/s].
static inline void free_top_spin(vb_builder *b, const double center[3], const double w[3]) {
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++) {
    double arm[3];
    for (int k = 0; k < 3; k++)
      arm[k] = node[i].position[k] - center[k];
    vb_cross(w, arm, node[i].velocity);
  }
  vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  for (size_t j = 0; j < n; j++)
    memcpy(segment[j].angular_velocity, w, 3 * sizeof *w);
}

/// Euler's solution of the free top by Jacobi's elliptic functions: the momentum in the axes of the
/// body `t` after it was in their first and third alone, with the rates `w` [rad/s] about these.
/// Moments rise from axis to axis.
static inline void free_top_momentum(const double moment[3], const double w[2], double t,
                                     double out[3]) {
  const double a = moment[0], b = moment[1], c = moment[2];
  const double size2 = a * a * w[0] * w[0] + c * c * w[1] * w[1];
  const double twice = a * w[0] * w[0] + c * w[1] * w[1];
  double sn, cn, dn, rate = sqrt((c - b) * (size2 - twice * a) / (a * b * c));
  const double parameter = (b - a) * (twice * c - size2) / ((c - b) * (size2 - twice * a));
  ck_assert_double_gt(size2, twice * b); // the case that this form is of
  ck_assert_int_eq(gsl_sf_elljac_e(rate * t, parameter, &sn, &cn, &dn), 0);
  out[0] = sqrt(a * (twice * c - size2) / (c - a)) * cn;
  out[1] = sqrt(b * (twice * c - size2) / (c - b)) * sn;
  out[2] = sqrt(c * (size2 - twice * a) / (c - a)) * dn;
}

/// How fast the third axis goes round the momentum, rad/s.
static inline double free_top_precession(const double moment[3], const double w[2], double t) {
  double l[3];
  free_top_momentum(moment, w, t, l);
  const double size = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
  return size * (l[0] * l[0] / moment[0] + l[1] * l[1] / moment[1]) / (l[0] * l[0] + l[1] * l[1]);
}

/// Where the third axis is after `t`, of a body whose first and third were at `first` and `third`:
/// round the momentum by the integral of the precession (by Simpson's rule; 1000 intervals leave
/// less than 1e-12), at the angle that the functions give.
static inline void free_top_axis(const double moment[3], const double w[2], const double first[3],
                                 const double third[3], double t, double out[3]) {
  double l[3], turned = 0, up[3], start[3], beside[3];
  for (int k = 0; k <= 1000; k++) {
    const double weight = k == 0 || k == 1000 ? 1 : k % 2 ? 4 : 2;
    turned += weight * t / 3000 * free_top_precession(moment, w, t * k / 1000);
  }
  free_top_momentum(moment, w, t, l);
  const double size = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]), along = l[2] / size;
  const double across = sqrt(1 - along * along);
  const double in_first = moment[0] * w[0] / size, in_third = moment[2] * w[1] / size;
  for (int k = 0; k < 3; k++) {
    up[k] = in_third * third[k] + in_first * first[k];
    start[k] = in_first * third[k] - in_third * first[k];
  }
  vb_cross(up, start, beside);
  for (int k = 0; k < 3; k++)
    out[k] = along * up[k] + across * (cos(turned) * start[k] + sin(turned) * beside[k]);
}

/// Adds the momentum of frames, kg m^2/s.
static inline void free_top_add_spins(const handle *s, double out[3]) {
  size_t m;
  const vb_segment *segment = vb_scene_segments(s->scene, &m);
  double *frame = handle_read(s, "frame"), *rate = handle_read(s, "angular_velocity");
  double *scale = handle_read(s, "scale");
  for (size_t j = 0; j < m; j++) {
    const double mean = 0.5 * (scale[segment[j].node[0]] + scale[segment[j].node[1]]);
    for (int axis = 0; axis < 3; axis++) {
      const double of_body[3] = {axis == 0, axis == 1, axis == 2};
      double direction[3];
      vb_quaternion_rotate(frame + 4 * j, of_body, direction);
      const double along = mean * mean * segment[j].frame_inertia[axis] *
                           (direction[0] * rate[3 * j] + direction[1] * rate[3 * j + 1] +
                            direction[2] * rate[3 * j + 2]);
      for (int k = 0; k < 3; k++)
        out[k] += along * direction[k];
    }
  }
  free(frame);
  free(rate);
  free(scale);
}

/// Angular momentum about the origin, kg m^2/s.
static inline void free_top_all_momentum(const handle *s, double out[3]) {
  double *x = handle_read(s, "position"), *v = handle_read(s, "velocity");
  double *mass = handle_read(s, "mass");
  memset(out, 0, 3 * sizeof *out);
  for (size_t i = 0; i < vb_scene_count(s->scene, VB_SET_NODE); i++) {
    double moment[3];
    vb_cross(x + 3 * i, v + 3 * i, moment);
    for (int k = 0; k < 3; k++)
      out[k] += mass[i] * moment[k];
  }
  free(x);
  free(v);
  free(mass);
  free_top_add_spins(s, out);
}

#endif
