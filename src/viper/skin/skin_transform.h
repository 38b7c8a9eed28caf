// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves the vertices of a surface with the segments (section 7.4; README.md). Point-wise, for
/// every backend and precision.
#ifndef VIPER_SKIN_SKIN_TRANSFORM_H
#define VIPER_SKIN_SKIN_TRANSFORM_H

#include "viper/bundle/bundle_shift.h"
#include "viper/energy/inertia.h"

/// A segment at rest.
typedef struct viper_carrier_rest {
  viper_vec3 middle; ///< m
  viper_quat frame;
} viper_carrier_rest;

/// The similarity transform of a segment, or of its bundle, relative to rest: x -> middle + s R (x
/// - rest).
typedef struct viper_carrier {
  viper_vec3 axis[3]; ///< columns of s R
  viper_vec3 middle;  ///< m
  viper_vec3 rest;    ///< m
} viper_carrier;

/// That of a segment between nodes a and b with frame `q`.
VIPER_FN viper_carrier viper_carrier_at(viper_node_x a, viper_node_x b, viper_quat q,
                                        viper_carrier_rest rest) {
  viper_quat turn = viper_quat_mul(q, viper_quat_conj(rest.frame));
  viper_real scale = VIPER_R(0.5) * (a.s + b.s);
  viper_carrier out;
  out.axis[0] = viper_scale(scale, viper_quat_u(turn));
  out.axis[1] = viper_scale(scale, viper_quat_v(turn));
  out.axis[2] = viper_scale(scale, viper_quat_w(turn));
  out.middle = viper_scale(VIPER_R(0.5), viper_add(a.c, b.c));
  out.rest = rest.middle;
  return out;
}

/// That of a bundle, whose middles at rest have the mean `rest_mean` [m].
VIPER_FN viper_carrier viper_carrier_of_bundle(const viper_bundle_transform *t,
                                               const double rest_mean[3]) {
  viper_quat turn = viper_quat_make((viper_real)t->rotation[0], (viper_real)t->rotation[1],
                                    (viper_real)t->rotation[2], (viper_real)t->rotation[3]);
  viper_real scale = (viper_real)t->scale;
  viper_carrier out;
  out.axis[0] = viper_scale(scale, viper_quat_u(turn));
  out.axis[1] = viper_scale(scale, viper_quat_v(turn));
  out.axis[2] = viper_scale(scale, viper_quat_w(turn));
  out.middle =
      viper_vec3_make((viper_real)t->mean[0], (viper_real)t->mean[1], (viper_real)t->mean[2]);
  out.rest =
      viper_vec3_make((viper_real)rest_mean[0], (viper_real)rest_mean[1], (viper_real)rest_mean[2]);
  return out;
}

/// Where it would put the point `x` of the rest state.
VIPER_FN viper_vec3 viper_carry(const viper_carrier *c, viper_vec3 x) {
  viper_vec3 arm = viper_sub(x, c->rest);
  viper_vec3 turned = viper_add(viper_scale(arm.x, c->axis[0]), viper_scale(arm.y, c->axis[1]));
  return viper_add(c->middle, viper_add(turned, viper_scale(arm.z, c->axis[2])));
}

#endif
