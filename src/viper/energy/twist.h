// SPDX-License-Identifier: GPL-3.0-or-later
/// Torsion energy, the term twist (eq. 14): W in w of the turn with p = s (viper_power), K = pi
/// r^4/4 (kx + ky) lm.
#ifndef VIPER_ENERGY_TWIST_H
#define VIPER_ENERGY_TWIST_H

#include "viper/energy/element.h"

#define VIPER_TWIST_TEXT    "of torsion (eq. 14)"
#define VIPER_TWIST_ROWS    1
#define VIPER_TWIST_FIRST   2 ///< component of the turn that the first row is of
#define VIPER_TWIST_COLUMNS 7
/// Unknown of the stencil that column k belongs to: the joint's scale and both frames.
#define VIPER_TWIST_COLUMN(k) ((k) + 1 + ((k) > 0))

VIPER_FN double viper_twist_stiffness(const viper_material *m) {
  return viper_moment(m) * viper_across(m);
}

VIPER_FN viper_power viper_twist_power(viper_real s) {
  viper_power out = {s, VIPER_R(1), VIPER_R(0)};
  return out;
}

VIPER_FN void viper_twist(const viper_joint_rest *rest, const viper_joint_state *x,
                          viper_real w[VIPER_TWIST_ROWS],
                          viper_real dw[VIPER_TWIST_ROWS][VIPER_TWIST_COLUMNS]) {
  viper_turn_rows(rest, x, viper_twist_power(x->s), VIPER_TWIST_FIRST, VIPER_TWIST_ROWS, w, dw);
}

#endif
