// SPDX-License-Identifier: GPL-3.0-or-later
/// twist (eq. 14): W = (s Omega - Omega_rest) in w, K = pi r^4/4 (kx + ky) lm.
#ifndef VIPER_ENERGY_TWIST_H
#define VIPER_ENERGY_TWIST_H

#include "viper/energy/element.h"

#define VIPER_TWIST_ROWS    1
#define VIPER_TWIST_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_TWIST_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN void viper_twist(const viper_joint_rest *rest, const viper_joint_state *x,
                          viper_real w[VIPER_TWIST_ROWS],
                          viper_real dw[VIPER_TWIST_ROWS][VIPER_TWIST_COLUMNS]) {
  viper_darboux d = viper_joint_darboux(rest, x);
  w[0] = x->s * d.omega.z - rest->omega_rest.z;
  dw[0][0] = d.omega.z;
  for (int k = 0; k < 3; k++) {
    dw[0][1 + k] = x->s * d.d_j[2][k];
    dw[0][4 + k] = x->s * d.d_k[2][k];
  }
}

#endif
