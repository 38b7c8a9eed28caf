// SPDX-License-Identifier: GPL-3.0-or-later
/// The inertia of a frame at work: of a disc, or, in a scene that names any (`frame_inertia`), of
/// three moments. Point-wise; included by sources that have defined element access, with
///   viper_has_moments(w), viper_get_moments(w, at)   whether the scene has such frames, and theirs
/// Functions of discs stay as they are, so that other scenes keep their bits and their speed.
#ifndef VIPER_METHOD_MOMENTS_H
#define VIPER_METHOD_MOMENTS_H

#include "viper/method/spin.h"

/// viper_frame_inertial of frame `at`, whose inertia about u is `a`.
VIPER_FN viper_real viper_inertial_of(const viper_access *w, viper_at at, viper_real a,
                                      viper_quat q, viper_quat hat) {
  if (viper_has_moments(w))
    return viper_moments_inertial(a, viper_get_moments(w, at), q, hat);
  return viper_frame_inertial(a, q, hat);
}

/// viper_frame_inertial_block.
VIPER_FN void viper_block_of(const viper_access *w, viper_at at, viper_real a, viper_quat q,
                             viper_quat hat, viper_real g[3], viper_real h[3][3]) {
  if (viper_has_moments(w))
    viper_moments_block(a, viper_get_moments(w, at), q, hat, g, h);
  else
    viper_frame_inertial_block(a, q, hat, g, h);
}

/// viper_frame_inertial_second.
VIPER_FN viper_real viper_second_of(const viper_access *w, viper_at at, viper_real a, viper_quat q,
                                    viper_quat hat) {
  if (viper_has_moments(w))
    return viper_moments_second(a, viper_get_moments(w, at), q, hat);
  return viper_frame_inertial_second(a, q, hat);
}

/// Inverse inertia about u, v and w, by that about u, `inverse`.
VIPER_FN void viper_inverse_of(const viper_access *w, viper_at at, viper_real inverse,
                               viper_real out[3]) {
  out[0] = out[1] = inverse;
  out[2] = VIPER_R(0.5) * inverse;
  if (viper_has_moments(w)) {
    viper_moments m = viper_get_moments(w, at);
    out[1] = inverse / m.v;
    out[2] = inverse / m.w;
  }
}

/// viper_frame_twisted.
VIPER_FN viper_vec3 viper_twisted_of(const viper_access *w, viper_at at, viper_vec3 omega,
                                     viper_vec3 torque, viper_quat q, viper_real inertia,
                                     viper_real h) {
  if (viper_has_moments(w))
    return viper_moments_twisted(omega, torque, q, inertia, viper_get_moments(w, at), h);
  return viper_frame_twisted(omega, torque, q, inertia, h);
}

/// viper_spin_of.
VIPER_FN viper_spin viper_spin_at(const viper_access *w, viper_at at, viper_real rest, viper_real s,
                                  viper_quat q, viper_vec3 omega) {
  if (viper_has_moments(w))
    return viper_moments_spin(rest, viper_get_moments(w, at), s, q, omega);
  return viper_spin_of(rest, s, q, omega);
}

/// viper_frame_rate_of.
VIPER_FN viper_vec3 viper_rate_of(const viper_access *w, viper_at at, viper_quat q,
                                  viper_vec3 momentum, viper_real inertia) {
  if (viper_has_moments(w))
    return viper_moments_rate(q, momentum, inertia, viper_get_moments(w, at));
  return viper_frame_rate_of(q, momentum, inertia);
}

/// viper_frame_impulse.
VIPER_FN viper_vec3 viper_impulse_of(const viper_access *w, viper_at at, viper_quat q,
                                     viper_quat hat, viper_real inertia) {
  if (viper_has_moments(w))
    return viper_moments_impulse(q, hat, inertia, viper_get_moments(w, at));
  return viper_frame_impulse(q, hat, inertia);
}

#endif
