// SPDX-License-Identifier: GPL-3.0-or-later
/// Volume energy in bending, the term volume_bend (eqs. 19-20, a quarter instead of the printed
/// half): W in u and v of the turn with p = s^3 (viper_power), K = pi r^4/4 kv lm.
#ifndef VIPER_ENERGY_VOLUME_BEND_H
#define VIPER_ENERGY_VOLUME_BEND_H

#include "viper/energy/element.h"

#define VIPER_VOLUME_BEND_TEXT    "of the volume's change in bending (eqs. 19-20)"
#define VIPER_VOLUME_BEND_ROWS    2
#define VIPER_VOLUME_BEND_FIRST   0 ///< component of the turn that the first row is of
#define VIPER_VOLUME_BEND_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_VOLUME_BEND_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN double viper_volume_bend_stiffness(const viper_material *m) {
  return viper_moment(m) * m->kv;
}

VIPER_FN viper_power viper_volume_bend_power(viper_real s) {
  viper_real s2 = s * s;
  viper_power out = {s2 * s, VIPER_R(3) * s2, VIPER_R(6) * s};
  return out;
}

VIPER_FN void viper_volume_bend(const viper_joint_rest *rest, const viper_joint_state *x,
                                viper_real w[VIPER_VOLUME_BEND_ROWS],
                                viper_real dw[VIPER_VOLUME_BEND_ROWS][VIPER_VOLUME_BEND_COLUMNS]) {
  viper_turn_rows(rest, x, viper_volume_bend_power(x->s), VIPER_VOLUME_BEND_FIRST,
                  VIPER_VOLUME_BEND_ROWS, w, dw);
}

#endif
