// SPDX-License-Identifier: GPL-3.0-or-later
/// Statics: Phi is the elastic energy less the work of gravity and loads (README.md, Statics).
/// There is no prediction. Its storage holds loads: of a node the force [N] and scale force [J], of
/// a frame the torque [N m] in world axes, as the imaginary part. Point-wise.
///
/// A torque has no potential. Over a step, in which a frame turns about one axis, it does the work
/// torque . turn. The symmetric part of its derivative in body axes is 0, so it adds nothing to the
/// Hessian.
#ifndef VIPER_METHOD_STATICS_H
#define VIPER_METHOD_STATICS_H

#include "viper/method/motion.h"

/// The load that gives a node the accelerations `a` (m/s^2, 1/s^2).
VIPER_FN viper_node_x viper_node_load(viper_node_inertia inertia, viper_node_x a) {
  viper_node_x out = {viper_scale(inertia.mass, a.c), inertia.scale * a.s};
  return out;
}

VIPER_FN viper_quat viper_frame_load(viper_vec3 torque) {
  return viper_quat_make(VIPER_R(0), torque.x, torque.y, torque.z);
}

/// The gradient of a load.
VIPER_FN void viper_node_load_gradient(viper_node_x load, viper_real g[4]) {
  g[0] = -load.c.x;
  g[1] = -load.c.y;
  g[2] = -load.c.z;
  g[3] = -load.s;
}

/// The gradient of a torque on frame `q`, in body axes.
VIPER_FN void viper_frame_load_gradient(viper_quat q, viper_quat load, viper_real g[3]) {
  viper_vec3 torque = viper_quat_unrotate(q, viper_quat_im(load));
  g[0] = -torque.x;
  g[1] = -torque.y;
  g[2] = -torque.z;
}

/// Energy of a load, J: relative to the state before the step, so that few digits are lost.
VIPER_FN viper_real viper_node_load_energy(viper_node_x x, viper_node_x old, viper_node_x load) {
  return -(viper_dot(load.c, viper_sub(x.c, old.c)) + load.s * (x.s - old.s));
}

#endif
