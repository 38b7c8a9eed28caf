// SPDX-License-Identifier: GPL-3.0-or-later
/// Linear forms of the turn D of a joint (element.h), and their derivatives over the rotations of
/// both frames: what second derivatives of terms that turn joints are made of (second.h).
#ifndef VIPER_ENERGY_TURN_FORM_H
#define VIPER_ENERGY_TURN_FORM_H

#include "viper/energy/element.h"

/// A number that is linear in the turn D of a joint, f . D, and so in P: y . P.
typedef struct viper_turn_form {
  viper_quat y;
} viper_turn_form;

/// Of `f`, of four components, for a joint: D = a P a = 2 Re(a P) a - conj(P) with a = conj(S).
VIPER_FN viper_turn_form viper_turn_form_of(const viper_joint_rest *rest, viper_quat f) {
  const viper_vec3 a = viper_quat_im(rest->half), im = viper_quat_im(f);
  const viper_real along = viper_dot(im, a) + rest->half.w * f.w, twice = along + along;
  const viper_vec3 y = viper_sub(im, viper_scale(twice, a));
  viper_turn_form out = {viper_quat_make(twice * rest->half.w - f.w, y.x, y.y, y.z)};
  return out;
}

/// Its derivative over the rotation of frame j (side 0) or k (1): P moves by P delta/2 with frame
/// k, by -delta/2 P with frame j.
VIPER_FN void viper_turn_form_first(const viper_turn_form *form, const viper_joint_rest *rest,
                                    viper_quat p, int side, viper_real g[3]) {
  const viper_vec3 y = viper_quat_im(form->y), im = viper_quat_im(p), cross = viper_cross(y, im);
  const viper_vec3 base = viper_sub(viper_scale(p.w, y), viper_scale(form->y.w, im));
  const viper_vec3 sum = side == 0 ? viper_sub(cross, base) : viper_add(cross, base);
  const viper_real half = VIPER_R(0.5), flip = side == 0 ? rest->flip_j : rest->flip_k;
  g[0] = half * sum.x;
  g[1] = half * viper_signed(sum.y, flip);
  g[2] = half * viper_signed(sum.z, flip);
}

/// Adds its second derivatives to a joint's block: -1/4 of itself over each rotation alone, and
/// over delta of j and epsilon of k that of -delta P epsilon / 4.
VIPER_FN void viper_turn_form_add_second(const viper_turn_form *form, const viper_joint_rest *rest,
                                         viper_quat p,
                                         viper_real h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  const viper_quat y = form->y;
  const viper_real quarter = VIPER_R(-0.25);
  const viper_real v[3] = {quarter * y.x, quarter * y.y, quarter * y.z}, y_w = quarter * y.w;
  const viper_real q[3] = {p.x, p.y, p.z};
  const viper_real dot = (v[0] * q[0] + v[1] * q[1]) + v[2] * q[2], own = dot + y_w * p.w;
  VIPER_UNROLL for (int k = 3; k < VIPER_JOINT_UNKNOWNS; k++) h[k][k] += own;
  VIPER_UNROLL for (int a = 0; a < 3; a++) VIPER_UNROLL for (int b = 0; b < 3; b++) {
    const int c = 3 - a - b;
    viper_real x;
    if (a == b)
      x = (dot - y_w * p.w) - (v[a] * q[a] + v[a] * q[a]);
    else if ((b - a + 3) % 3 == 1)
      x = (y_w * q[c] + p.w * v[c]) - (q[b] * v[a] + q[a] * v[b]);
    else
      x = -(y_w * q[c] + p.w * v[c]) - (q[b] * v[a] + q[a] * v[b]);
    if (a > 0)
      x = viper_signed(x, rest->flip_j);
    if (b > 0)
      x = viper_signed(x, rest->flip_k);
    h[6 + b][3 + a] += x;
  }
}

#endif
