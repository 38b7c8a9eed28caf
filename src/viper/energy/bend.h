// SPDX-License-Identifier: GPL-3.0-or-later
/// Bending energy, the term bend (eq. 14): W in u and v of the turn with p = s (viper_power), K =
/// pi r^4/4 kz lm.
#ifndef VIPER_ENERGY_BEND_H
#define VIPER_ENERGY_BEND_H

#include "viper/energy/element.h"

#define VIPER_BEND_TEXT    "of bending (eq. 14)"
#define VIPER_BEND_ROWS    2
#define VIPER_BEND_FIRST   0 ///< component of the turn that the first row is of
#define VIPER_BEND_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_BEND_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN double viper_bend_stiffness(const viper_material *m) {
  return viper_moment(m) * m->kz;
}

VIPER_FN viper_power viper_bend_power(viper_real s) {
  viper_power out = {s, VIPER_R(1), VIPER_R(0)};
  return out;
}

VIPER_FN void viper_bend(const viper_joint_rest *rest, const viper_joint_state *x,
                         viper_real w[VIPER_BEND_ROWS],
                         viper_real dw[VIPER_BEND_ROWS][VIPER_BEND_COLUMNS]) {
  viper_turn_rows(rest, x, viper_bend_power(x->s), VIPER_BEND_FIRST, VIPER_BEND_ROWS, w, dw);
}

#endif
