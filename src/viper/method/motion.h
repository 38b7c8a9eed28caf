// SPDX-License-Identifier: GPL-3.0-or-later
/// Prediction of nodes and frames before the solve (eqs. 74-76), and their velocities after it.
/// Point-wise phase functions.
#ifndef VIPER_METHOD_MOTION_H
#define VIPER_METHOD_MOTION_H

#include "viper/energy/inertia.h"

/// exp(v / 2) of a rotation vector v [rad] in world axes, a unit quaternion up to rounding.
///
/// The power series of sine and cosine are evaluated at an eighth of the half angle, which is then
/// doubled three times: relative errors of some 1e-16 up to one turn, 1e-10 up to four.
VIPER_FN viper_quat viper_quat_exp(viper_vec3 v) {
  const viper_scalar sine[7] = {(viper_scalar)(-1.0 / 6),
                                (viper_scalar)(1.0 / 120),
                                (viper_scalar)(-1.0 / 5040),
                                (viper_scalar)(1.0 / 362880),
                                (viper_scalar)(-1.0 / 39916800),
                                (viper_scalar)(1.0 / 6227020800),
                                (viper_scalar)(-1.0 / 1307674368000)};
  const viper_scalar cosine[7] = {
      (viper_scalar)(-1.0 / 2),          (viper_scalar)(1.0 / 24),
      (viper_scalar)(-1.0 / 720),        (viper_scalar)(1.0 / 40320),
      (viper_scalar)(-1.0 / 3628800),    (viper_scalar)(1.0 / 479001600),
      (viper_scalar)(-1.0 / 87178291200)};
  viper_real x2 = VIPER_R(1.0 / 256) * viper_dot(v, v); // (|v| / 16)^2
  viper_real s = VIPER_R(sine[6]), c = VIPER_R(cosine[6]);
  VIPER_UNROLL for (int k = 5; k >= 0; k--) {
    s = s * x2 + VIPER_R(sine[k]);
    c = c * x2 + VIPER_R(cosine[k]);
  }
  s = s * x2 + VIPER_R(1); // sin(x) / x
  c = c * x2;              // cos(x) - 1, which keeps the digits of a small angle
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    viper_real half_sine = s;
    s = s * (VIPER_R(1) + c); // sin(2 x) / (2 x)
    c = VIPER_R(-2) * x2 * half_sine * half_sine;
    x2 *= VIPER_R(4);
  }
  v = viper_scale(VIPER_R(0.5) * s, v);
  return viper_quat_make(VIPER_R(1) + c, v.x, v.y, v.z);
}

/// Eq. 74 for a node with rates `v` and accelerations `a` (m/s^2, 1/s^2) over a substep `h`.
VIPER_FN viper_node_x viper_node_predict(viper_node_x x, viper_node_x v, viper_node_x a,
                                         viper_real h) {
  viper_node_x hat;
  hat.c.x = x.c.x + h * (v.c.x + h * a.c.x);
  hat.c.y = x.c.y + h * (v.c.y + h * a.c.y);
  hat.c.z = x.c.z + h * (v.c.z + h * a.c.z);
  hat.s = x.s + h * (v.s + h * a.s);
  return hat;
}

/// Eq. 76 for a frame with angular velocity `omega` in world axes; no gyroscopic term.
VIPER_FN viper_quat viper_frame_predict(viper_quat q, viper_vec3 omega, viper_real h) {
  viper_vec3 zero = viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0));
  return viper_quat_turn(viper_quat_mul(viper_quat_exp(viper_scale(h, omega)), q), zero);
}

// bdf2. The extrapolation is (4 now - before) / 3.

VIPER_FN viper_vec3 viper_vec3_extrapolate(viper_vec3 now, viper_vec3 before) {
  return viper_add(now, viper_scale(VIPER_R((viper_scalar)(1.0 / 3)), viper_sub(now, before)));
}

VIPER_FN viper_node_x viper_node_extrapolate(viper_node_x now, viper_node_x before) {
  viper_node_x out = {viper_vec3_extrapolate(now.c, before.c),
                      now.s + VIPER_R((viper_scalar)(1.0 / 3)) * (now.s - before.s)};
  return out;
}

/// The predicted rates of a node: extrapolated, changed by the accelerations `a` over `h`, and
/// damped by the factor `keep`.
VIPER_FN viper_node_x viper_node_predict_rate(viper_node_x v, viper_node_x before, viper_node_x a,
                                              viper_real h, viper_real keep) {
  viper_node_x out = viper_node_extrapolate(v, before);
  out.c = viper_scale(keep, viper_add(out.c, viper_scale(h, a.c)));
  out.s = keep * (out.s + h * a.s);
  return out;
}

/// The prediction of a node that has these rates.
VIPER_FN viper_node_x viper_node_predict_after(viper_node_x x, viper_node_x before,
                                               viper_node_x rate, viper_real h) {
  viper_node_x hat = viper_node_extrapolate(x, before);
  hat.c = viper_add(hat.c, viper_scale(h, rate.c));
  hat.s = hat.s + h * rate.s;
  return hat;
}

/// The angular velocity after a torque [N m] over `h`, with the inertia in the axes of a frame.
VIPER_FN viper_vec3 viper_frame_twisted(viper_vec3 omega, viper_vec3 torque, viper_quat q,
                                        viper_real inertia, viper_real h) {
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
  viper_real rate = h / inertia;
  omega = viper_add(omega, viper_scale(rate * viper_dot(torque, u), u));
  omega = viper_add(omega, viper_scale(rate * viper_dot(torque, v), v));
  return viper_add(omega, viper_scale(VIPER_R(0.5) * rate * viper_dot(torque, w), w));
}

/// The same where the moments are not a disc's: they are `inertia` (1, m.v, m.w).
VIPER_FN viper_vec3 viper_moments_twisted(viper_vec3 omega, viper_vec3 torque, viper_quat q,
                                          viper_real inertia, viper_moments m, viper_real h) {
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
  viper_real rate = h / inertia;
  omega = viper_add(omega, viper_scale(rate * viper_dot(torque, u), u));
  omega = viper_add(omega, viper_scale(rate / m.v * viper_dot(torque, v), v));
  return viper_add(omega, viper_scale(rate / m.w * viper_dot(torque, w), w));
}

/// The scale of a segment whose nodes have the scales s_a, s_b, at least `least`.
VIPER_FN viper_real viper_mean_scale(viper_real s_a, viper_real s_b, viper_scalar least) {
  viper_real s = VIPER_R(0.5) * (s_a + s_b);
  return VIPER_SELECT(s < VIPER_R(least), VIPER_R(least), s);
}

/// Inertia about the axis u (of a disc about v, too, and about w twice it) of a frame whose inertia
/// at scale 1 is `inertia` and whose nodes are predicted to have the scales s_a, s_b: constant in a
/// substep.
VIPER_FN viper_real viper_frame_inertia(viper_real inertia, viper_real s_a, viper_real s_b,
                                        viper_scalar least) {
  viper_real s = viper_mean_scale(s_a, s_b, least);
  return s * s * inertia;
}

/// The turn from `old` to `q` as 2 Im(Q conj(Q_old)), in world axes.
VIPER_FN viper_vec3 viper_turn_since(viper_quat q, viper_quat old) {
  viper_quat d = viper_quat_positive(viper_quat_mul(q, viper_quat_conj(old)));
  return viper_scale(VIPER_R(2), viper_quat_im(d));
}

/// bdf2's prediction of a frame with the angular velocity `omega`: plus a third of the latest turn.
VIPER_FN viper_quat viper_frame_predict_after(viper_quat q, viper_quat before, viper_vec3 omega,
                                              viper_real h) {
  viper_vec3 goes_on = viper_scale(VIPER_R((viper_scalar)(1.0 / 3)), viper_turn_since(q, before));
  return viper_frame_predict(q, viper_add(goes_on, viper_scale(h, omega)), VIPER_R(1));
}

#endif
