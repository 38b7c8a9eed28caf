// SPDX-License-Identifier: GPL-3.0-or-later
/// Frames with one or two held components: with D = conj(R Q0) Q, a pin holds imaginary components
/// of D at 0. (Component w is 0 exactly where the twist of D about w is 0.) Point-wise.
///
/// A rotation delta in body axes changes D by D delta/2. So a held component k requires n_k . delta
/// = 0, with n_k row k of Re D + [Im D]x (frame_chart.h). After a move the frame is projected to
/// where the component is 0.
#ifndef VIPER_METHOD_FRAME_PIN_H
#define VIPER_METHOD_FRAME_PIN_H

#include "viper/energy/real.h"

/// The pin of a frame: the driver's frame R Q0, and for u, v and w 1 if free, else 0.
typedef struct viper_held {
  viper_quat at;
  viper_vec3 free;
} viper_held;

/// A pin that holds nothing.
VIPER_FN viper_held viper_held_none(void) {
  const viper_real one = VIPER_R(1), zero = VIPER_R(0);
  viper_held out;
  out.at = viper_quat_make(one, zero, zero, zero);
  out.free = viper_vec3_make(one, one, one);
  return out;
}

/// The nearest frame to `q` whose held components are 0.
VIPER_FN viper_quat viper_held_frame(const viper_held *held, viper_quat q) {
  viper_quat d = viper_quat_mul(viper_quat_conj(held->at), q);
  d.x *= held->free.x;
  d.y *= held->free.y;
  d.z *= held->free.z;
  viper_real n = VIPER_RSQRT((d.w * d.w + d.x * d.x) + (d.y * d.y + d.z * d.z));
  viper_quat p = viper_quat_mul(held->at, d);
  viper_real all = held->free.x * held->free.y * held->free.z;
  return viper_quat_make(VIPER_SELECT(all > 0, q.w, n * p.w), VIPER_SELECT(all > 0, q.x, n * p.x),
                         VIPER_SELECT(all > 0, q.y, n * p.y), VIPER_SELECT(all > 0, q.z, n * p.z));
}

/// The part of the gradient `g` over a rotation of `q` along free directions.
VIPER_FN viper_vec3 viper_held_project(const viper_held *held, viper_quat q, viper_vec3 g) {
  viper_quat d = viper_quat_mul(viper_quat_conj(held->at), q);
  const viper_real one = VIPER_R(1);
  viper_vec3 u = viper_vec3_make(d.w, -d.z, d.y), v = viper_vec3_make(d.z, d.w, -d.x);
  viper_vec3 w = viper_vec3_make(-d.y, d.x, d.w);
  viper_vec3 out = viper_sub(g, viper_scale((one - held->free.x) * viper_dot(u, g), u));
  out = viper_sub(out, viper_scale((one - held->free.y) * viper_dot(v, g), v));
  return viper_sub(out, viper_scale((one - held->free.z) * viper_dot(w, g), w));
}

#endif
