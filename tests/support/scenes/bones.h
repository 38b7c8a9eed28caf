// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes of rigid bars: bones without nodes, links, drivers; closed forms of their motion.
#ifndef VB_TESTS_SUPPORT_BONES_H
#define VB_TESTS_SUPPORT_BONES_H

#include "scenes/scenes.h"

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>

/// A bar of 1 kg/m along x from (x, y, z), 0.1 m thick; returns the bone.
static inline int32_t bones_bar(vb_builder *b, const char *name, double x, double y, double z,
                                double length) {
  double thin = length * 0.01 / 12, wide = length * length * length / 12;
  vb_bone bar = {.mass = length,
                 .center = {x + 0.5 * length, y, z},
                 .inertia = {2 * thin, wide + thin, wide + thin}};
  strcpy(bar.name, name);
  memcpy(bar.position, bar.center, sizeof bar.position);
  return fixture_add(b, VB_SET_BONE, &bar);
}

static inline vb_bone *bones_of(vb_builder *b) {
  size_t n;
  return vb_builder_elements(b, VB_SET_BONE, &n);
}

/// A link of bones `first` and `second` (or -1 for the world, or driver `driver`).
static inline vb_link bones_link(const char *name, vb_link_type type, int32_t first, int32_t second,
                                 int32_t driver, double x, double y, double z) {
  vb_link link = {.type = type,
                  .bone = {first, second},
                  .driver = driver,
                  .at = {x, y, z},
                  .limit = {-INFINITY, INFINITY}};
  strcpy(link.name, name);
  if (type == VB_LINK_HINGE)
    link.axis[0][1] = 1;
  if (type == VB_LINK_UNIVERSAL)
    link.axis[0][1] = link.axis[1][2] = 1;
  return link;
}

static inline int32_t bones_curve(vb_builder *b, const vb_key *key, int32_t n) {
  size_t first;
  vb_builder_elements(b, VB_SET_KEY, &first);
  for (int32_t i = 0; i < n; i++)
    fixture_add(b, VB_SET_KEY, &key[i]);
  return fixture_add(b, VB_SET_CURVE, &(vb_curve){(int32_t)first, n});
}

/// Angle from the vertical of a pendulum let go at `start` [rad] with the rate of small swings
/// `rate` [rad/s]: 2 asin(k cd(rate t, k)), k = sin(start/2).
static inline double bones_swing(double start, double rate, double time) {
  double k = sin(0.5 * start), sn, cn, dn;
  ck_assert_int_eq(gsl_sf_elljac_e(rate * time, k * k, &sn, &cn, &dn), 0);
  return 2 * asin(k * cn / dn);
}

/// Angle of the cranks of a parallelogram from the vertical at time 0, rad.
static const double bones_parallelogram_start = 1.4;

/// A parallelogram of two cranks and a bar that stays level, bone 2. Begun a little below the
/// level, where the loop is straight and has two motions.
static inline vb_scene *bones_parallelogram(double step) {
  vb_builder *b = scenes_begin(step, 9.81);
  for (int k = 0; k < 2; k++) { // cranks along -x, hung at 0 and 2 m
    bones_bar(b, k == 0 ? "left" : "right", k == 0 ? -1 : 1, 0, 0, 1);
    vb_link pivot = bones_link(k == 0 ? "a" : "b", VB_LINK_HINGE, k, -1, -1, 2 * k, 0, 0);
    fixture_add(b, VB_SET_LINK, &pivot);
  }
  bones_bar(b, "level", -1, 0, 0, 2);
  for (int k = 0; k < 2; k++) {
    vb_link corner = bones_link(k == 0 ? "c" : "d", VB_LINK_HINGE, k, 2, -1, 2 * k - 1, 0, 0);
    fixture_add(b, VB_SET_LINK, &corner);
  }
  const double start = bones_parallelogram_start, half = 0.5 * (start - 0.5 * M_PI);
  for (int k = 0; k < 2; k++) {
    vb_bone *bone = &bones_of(b)[k];
    memcpy(bone->frame, (double[4]){cos(half), 0, sin(half), 0}, sizeof bone->frame);
    bone->position[0] = 2 * k - 0.5 * sin(start);
    bone->position[2] = -0.5 * cos(start);
  }
  bones_of(b)[2].position[0] = 1 - sin(start);
  bones_of(b)[2].position[2] = -cos(start);
  return fixture_freeze(b);
}

/// The angle of its cranks: they swing like the pendulum of the inertia 2 I + m l^2 and the moment
/// 2 d + m l.
static inline double bones_parallelogram_angle(double time) {
  double rate = sqrt(9.81 * (2 * 0.5 + 2) / (2 * (1.01 / 12 + 0.25) + 2));
  return bones_swing(bones_parallelogram_start, rate, time);
}

/// A bar on a hinge with a limit of `sign` 0.3 rad, turned by the torque `sign` 2 (1 - t) for 2 s.
static inline vb_scene *bones_stop(double step, double sign) {
  vb_builder *b = scenes_begin(step, 0);
  const vb_key fall[2] = {{0, 1, VB_LINEAR, 0}, {2, -1, VB_LINEAR, 0}};
  int32_t amplitude = bones_curve(b, fall, 2);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_link pivot = bones_link("pivot", VB_LINK_HINGE, 0, -1, -1, 0, 0, 0);
  pivot.limit[0] = sign > 0 ? -INFINITY : -0.3;
  pivot.limit[1] = sign > 0 ? 0.3 : INFINITY;
  fixture_add(b, VB_SET_LINK, &pivot);
  vb_load push = {
      .name = "push", .location = VB_AT_LINK, .torque = {2 * sign}, .amplitude = amplitude};
  fixture_add(b, VB_SET_LOAD, &push);
  return fixture_freeze(b);
}

/// Its angle, times the sign: I angle'' = 2 (1 - t) to the limit and again after 1 s.
static inline double bones_stop_angle(double time) {
  double inertia = 1.01 / 12 + 0.25;
  double past = fmax(time - 1, 0);
  if (past > 0)
    return 0.3 - past * past * past / (3 * inertia);
  return fmin(0.3, 2 / inertia * time * time * (0.5 - time / 6));
}

#endif
