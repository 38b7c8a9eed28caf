// SPDX-License-Identifier: GPL-3.0-or-later
/// volume_bend (eqs. 19-20, a quarter instead of the printed half): W = (s^3 Omega - Omega_rest) in
/// u and v, K = pi r^4/4 kv lm.
#ifndef VIPER_ENERGY_VOLUME_BEND_H
#define VIPER_ENERGY_VOLUME_BEND_H

#include "viper/energy/element.h"

#define VIPER_VOLUME_BEND_ROWS    2
#define VIPER_VOLUME_BEND_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_VOLUME_BEND_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN void viper_volume_bend(const viper_joint_rest *rest, const viper_joint_state *x,
                                viper_real w[VIPER_VOLUME_BEND_ROWS],
                                viper_real dw[VIPER_VOLUME_BEND_ROWS][VIPER_VOLUME_BEND_COLUMNS]) {
  viper_darboux d = viper_joint_darboux(rest, x);
  viper_real omega[2] = {d.omega.x, d.omega.y};
  viper_real omega_rest[2] = {rest->omega_rest.x, rest->omega_rest.y};
  viper_real s2 = x->s * x->s, s3 = s2 * x->s;
  for (int row = 0; row < 2; row++) {
    w[row] = s3 * omega[row] - omega_rest[row];
    dw[row][0] = VIPER_R(3) * s2 * omega[row];
    for (int k = 0; k < 3; k++) {
      dw[row][1 + k] = s3 * d.d_j[row][k];
      dw[row][4 + k] = s3 * d.d_k[row][k];
    }
  }
}

#endif
