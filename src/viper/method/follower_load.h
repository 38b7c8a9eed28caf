// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads that turn with a segment: their direction in a substep is that of its frame turned by its
/// angular velocity alone. Also affine maps of points that follow drivers. Point-wise phase
/// functions.
#ifndef VIPER_METHOD_FOLLOWER_LOAD_H
#define VIPER_METHOD_FOLLOWER_LOAD_H

#include "viper/method/motion.h"

/// `v`, turned by the rotation of a frame from time 0 to the end of a substep `h` that begins with
/// the frame `q` and the angular velocity `omega`; `back` is conj(Q_0).
VIPER_FN viper_vec3 viper_turned_with(viper_quat q, viper_vec3 omega, viper_real h, viper_quat back,
                                      viper_vec3 v) {
  viper_quat turn = viper_quat_mul(viper_frame_predict(q, omega, h), back);
  return viper_quat_unrotate(viper_quat_conj(turn), v);
}

/// The image of a point under the affine map with the rows [M b].
VIPER_FN viper_vec3 viper_affine(const viper_real x[4], const viper_real y[4],
                                 const viper_real z[4], viper_vec3 p) {
  return viper_vec3_make(x[0] * p.x + x[1] * p.y + x[2] * p.z + x[3],
                         y[0] * p.x + y[1] * p.y + y[2] * p.z + y[3],
                         z[0] * p.x + z[1] * p.y + z[2] * p.z + z[3]);
}

#endif
