// SPDX-License-Identifier: GPL-3.0-or-later
/// Frames that conserve angular momentum (README.md, Gyroscope): the inertia of a frame turns with
/// it, so a free frame conserves inertia times rate in space instead of its rate. Point-wise.
///
/// Steps for such a frame in a substep: its spin before, which exerts a centrifugal force on the
/// scales of the predicted nodes; its prediction, from the momentum without the elastic torque; and
/// after the solve its rate, from the new momentum.
#ifndef VIPER_METHOD_SPIN_H
#define VIPER_METHOD_SPIN_H

#include "viper/method/motion.h"

/// Momentum and centrifugal force of a frame, by its rate.
typedef struct viper_spin {
  viper_vec3 momentum;    ///< in world axes, kg m^2/s
  viper_real centrifugal; ///< derivative of its kinetic energy over its segment's scale, J
} viper_spin;

/// Stored in frame_hat0 until frames are predicted: the centrifugal force, and the scale of the
/// segment at the substep's end by its present rate. (The predicted scale lacks the elastic force
/// and would be wrong if the breathing mode of the section is fast.)
VIPER_FN viper_quat viper_spin_notes(viper_spin spin, viper_real scale) {
  return viper_quat_make(spin.centrifugal, scale, VIPER_R(0), VIPER_R(0));
}

/// Inertia times rate [rad/s, world axes] of frame `q`, with `inertia` about u and v and twice that
/// about w.
VIPER_FN viper_vec3 viper_frame_momentum(viper_quat q, viper_vec3 omega, viper_real inertia) {
  viper_vec3 w = viper_quat_w(q);
  return viper_scale(inertia, viper_add(omega, viper_scale(viper_dot(w, omega), w)));
}

/// The rate of a frame with this momentum.
VIPER_FN viper_vec3 viper_frame_rate_of(viper_quat q, viper_vec3 momentum, viper_real inertia) {
  viper_vec3 w = viper_quat_w(q);
  viper_vec3 along = viper_scale(VIPER_R(0.5) * viper_dot(w, momentum), w);
  return viper_scale(VIPER_RECIPROCAL(inertia), viper_sub(momentum, along));
}

/// The spin of frame `q` with the rate `omega`, whose inertia at scale 1 is `rest` and whose
/// segment has the scale `s`.
VIPER_FN viper_spin viper_spin_of(viper_real rest, viper_real s, viper_quat q, viper_vec3 omega) {
  viper_spin out;
  viper_real along = viper_dot(viper_quat_w(q), omega);
  out.momentum = viper_frame_momentum(q, omega, s * s * rest);
  out.centrifugal = s * rest * (viper_dot(omega, omega) + along * along);
  return out;
}

/// The initial momentum of a substep (for bdf2, `second_order`, extrapolated from two), and the
/// centrifugal force `ahead` substeps later.
VIPER_FN viper_spin viper_spin_extrapolate(viper_spin now, viper_spin before, bool second_order,
                                           viper_real ahead) {
  viper_spin out = now;
  if (second_order)
    out.momentum = viper_vec3_extrapolate(now.momentum, before.momentum);
  out.centrifugal = now.centrifugal + ahead * (now.centrifugal - before.centrifugal);
  return out;
}

/// Two turns: up to here the power series of viper_quat_exp is accurate to all digits.
#define VIPER_MOST_TURN 12.566370614359172

/// A turn [rad], bounded by VIPER_MOST_TURN: if a torque turns a frame farther in a step, the
/// prediction is meaningless, but the numbers stay finite.
VIPER_FN viper_vec3 viper_turn_bounded(viper_vec3 turn) {
  const viper_real most = VIPER_R((viper_scalar)VIPER_MOST_TURN), square = viper_dot(turn, turn);
  viper_real part = VIPER_SELECT(square > most * most, most * VIPER_RSQRT(square), VIPER_R(1));
  return viper_scale(part, turn);
}

/// Frame `q` after `h` at the rate `omega`, by a bounded turn.
VIPER_FN viper_quat viper_frame_predict_bounded(viper_quat q, viper_vec3 omega, viper_real h) {
  return viper_frame_predict(q, viper_turn_bounded(viper_scale(h, omega)), VIPER_R(1));
}

/// bdf2's prediction: plus a third of the latest turn.
VIPER_FN viper_quat viper_frame_predict_bounded_after(viper_quat q, viper_quat before,
                                                      viper_vec3 omega, viper_real h) {
  viper_vec3 goes_on = viper_scale(VIPER_R((viper_scalar)(1.0 / 3)), viper_turn_since(q, before));
  viper_vec3 turn = viper_turn_bounded(viper_add(goes_on, viper_scale(h, omega)));
  return viper_frame_predict(q, turn, VIPER_R(1));
}

/// The mean rate over the next `ahead` substeps, by the rates now and a substep before.
VIPER_FN viper_vec3 viper_rate_mean(viper_vec3 omega, viper_vec3 before, viper_real ahead) {
  return viper_add(omega, viper_scale(VIPER_R(0.5) * ahead, viper_sub(omega, before)));
}

VIPER_FN viper_real viper_scale_rate_mean(viper_real rate, viper_real before, viper_real ahead) {
  return rate + VIPER_R(0.5) * ahead * (rate - before);
}

/// A scale after `h`, at least `least`.
VIPER_FN viper_real viper_scale_after(viper_real s, viper_real rate, viper_real h,
                                      viper_scalar least) {
  s = s + h * rate;
  return VIPER_SELECT(s < VIPER_R(least), VIPER_R(least), s);
}

/// The frame after repeating the rotation from `old` to `q`.
VIPER_FN viper_quat viper_frame_extrapolate(viper_quat q, viper_quat old) {
  viper_vec3 zero = viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0));
  return viper_quat_turn(viper_quat_mul(viper_quat_mul(q, viper_quat_conj(old)), q), zero);
}

/// h^2 times the torque on frame `q` (kg m^2, world axes) that balances its inertia: elastic, and
/// that of contacts and bundles. `hat` is the prediction of the substep, before contacts or bundles
/// moved it.
VIPER_FN viper_vec3 viper_frame_impulse(viper_quat q, viper_quat hat, viper_real inertia) {
  viper_real g[3], block[3][3];
  viper_frame_inertial_block(inertia, q, hat, g, block);
  viper_vec3 about_u = viper_scale(g[0], viper_quat_u(q));
  viper_vec3 about_v = viper_scale(g[1], viper_quat_v(q));
  return viper_add(viper_add(about_u, about_v), viper_scale(g[2], viper_quat_w(q)));
}

// The same where the moments are not a disc's: they are `inertia` (1, m.v, m.w), `rest` at scale 1.

/// A vector times k.x, k.y and k.z along the axes of a frame.
VIPER_FN viper_vec3 viper_quat_stretch(viper_quat q, viper_vec3 x, viper_vec3 k) {
  viper_vec3 u = viper_quat_u(q), v = viper_quat_v(q), w = viper_quat_w(q);
  viper_vec3 sum =
      viper_add(viper_scale(k.x * viper_dot(u, x), u), viper_scale(k.y * viper_dot(v, x), v));
  return viper_add(sum, viper_scale(k.z * viper_dot(w, x), w));
}

VIPER_FN viper_vec3 viper_moments_rate(viper_quat q, viper_vec3 momentum, viper_real inertia,
                                       viper_moments m) {
  const viper_real one = VIPER_R(1);
  viper_vec3 k = viper_vec3_make(one, one / m.v, one / m.w);
  return viper_scale(VIPER_RECIPROCAL(inertia), viper_quat_stretch(q, momentum, k));
}

VIPER_FN viper_spin viper_moments_spin(viper_real rest, viper_moments m, viper_real s, viper_quat q,
                                       viper_vec3 omega) {
  viper_spin out;
  viper_vec3 of_one = viper_quat_stretch(q, omega, viper_vec3_make(VIPER_R(1), m.v, m.w));
  out.momentum = viper_scale(s * s * rest, of_one);
  out.centrifugal = s * rest * viper_dot(omega, of_one);
  return out;
}

VIPER_FN viper_vec3 viper_moments_impulse(viper_quat q, viper_quat hat, viper_real inertia,
                                          viper_moments m) {
  viper_real g[3], block[3][3];
  viper_moments_block(inertia, m, q, hat, g, block);
  viper_vec3 about_u = viper_scale(g[0], viper_quat_u(q));
  viper_vec3 about_v = viper_scale(g[1], viper_quat_v(q));
  return viper_add(viper_add(about_u, about_v), viper_scale(g[2], viper_quat_w(q)));
}

#endif
