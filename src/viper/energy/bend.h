// SPDX-License-Identifier: GPL-3.0-or-later
/// bend (eq. 14): W = (s Omega - Omega_rest) in u and v, K = pi r^4/4 kz lm.
#ifndef VIPER_ENERGY_BEND_H
#define VIPER_ENERGY_BEND_H

#include "viper/energy/element.h"

#define VIPER_BEND_ROWS    2
#define VIPER_BEND_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_BEND_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN void viper_bend(const viper_joint_rest *rest, const viper_joint_state *x,
                         viper_real w[VIPER_BEND_ROWS],
                         viper_real dw[VIPER_BEND_ROWS][VIPER_BEND_COLUMNS]) {
  viper_darboux d = viper_joint_darboux(rest, x);
  viper_real omega[2] = {d.omega.x, d.omega.y};
  viper_real omega_rest[2] = {rest->omega_rest.x, rest->omega_rest.y};
  for (int row = 0; row < 2; row++) {
    w[row] = x->s * omega[row] - omega_rest[row];
    dw[row][0] = omega[row];
    for (int k = 0; k < 3; k++) {
      dw[row][1 + k] = x->s * d.d_j[row][k];
      dw[row][4 + k] = x->s * d.d_k[row][k];
    }
  }
}

#endif
