// SPDX-License-Identifier: GPL-3.0-or-later
/// Torsion energy, the term twist (eq. 14): W in w of the turn with p = s (viper_power), K = pi
/// r^4/4 (kx + ky) lm. Of fused rods (../bundle/README.md) the power depends on the turn, too.
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

/// The power of twist in a joint of fused rods, which depends on the turn, too.
typedef struct viper_fused_power {
  viper_real p, dp, d2p;  ///< p, and its derivatives over the scale
  viper_real dp_omega;    ///< dp over omega, m
  viper_real d2p_s_omega; ///< d2p over the scale and omega, m
  viper_real d2p_omega;   ///< d2p over omega twice, m^2
} viper_fused_power;

/// p = s sqrt(1 + part (t - 1)), t = s^6 (1 + slant s^6 omega^2), with omega = (2/lm) Im D in w
/// [1/m]. 1 + part (t - 1) is at least 1 - part, which is positive.
///
/// So what the section has beyond its rods, K part, has W = s^4 omega sqrt(1 + slant s^6 omega^2)
/// in place of s omega: it falls as the section is stretched, and as the fibers slant in it
/// (../bundle/README.md).
VIPER_FN viper_fused_power viper_twist_fused_power(viper_real s, viper_real omega,
                                                   viper_fused fused) {
  viper_real s2 = s * s, s5 = s2 * s2 * s, s6 = s5 * s, s4 = s2 * s2, half = VIPER_R(0.5);
  viper_real slant = fused.slant * s6, turned = slant * (omega * omega);
  viper_real t = s6 + s6 * turned, t_s = VIPER_R(6) * s5 * (VIPER_R(1) + (turned + turned));
  viper_real t_omega = (slant + slant) * (s6 * omega);
  viper_real root = VIPER_SQRT(VIPER_R(1) + fused.part * (t - VIPER_R(1)));
  viper_real inverse = VIPER_RECIPROCAL(root), k = half * fused.part * inverse;
  viper_real r_s = k * t_s, r_omega = k * t_omega;
  viper_real r_ss = k * (s4 * (VIPER_R(30) + VIPER_R(132) * turned)) - r_s * r_s * inverse;
  viper_real r_s_omega = k * (VIPER_R(24) * slant * (s5 * omega)) - r_s * r_omega * inverse;
  viper_real r_omega2 = k * ((slant + slant) * s6) - r_omega * r_omega * inverse;
  viper_fused_power out = {s * root,    root + s * r_s,          (r_s + r_s) + s * r_ss,
                           s * r_omega, r_omega + s * r_s_omega, s * r_omega2};
  return out;
}

/// W = p slope - rest (viper_turn_rows) with that power.
VIPER_FN void viper_twist_fused(const viper_joint_rest *rest, const viper_joint_state *x,
                                viper_real w[VIPER_TWIST_ROWS],
                                viper_real dw[VIPER_TWIST_ROWS][VIPER_TWIST_COLUMNS]) {
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  viper_real two = rest->inv_lm + rest->inv_lm, of_rest = rest->omega_rest.z * turn.d.w;
  viper_real omega = two * turn.d.z, slope = omega + of_rest;
  viper_fused_power power = viper_twist_fused_power(x->s, omega, x->fused);
  viper_real more = VIPER_R(0.5) * (power.p - VIPER_R(1));
  viper_quat y = viper_turn_linear_row(rest, more * rest->omega_rest.z, 2,
                                       (power.p + slope * power.dp_omega) * rest->inv_lm);
  viper_vec3 j = viper_turn_gradient(rest, &turn, y, 0);
  viper_vec3 k = viper_turn_gradient(rest, &turn, y, 1);
  w[0] = power.p * slope - of_rest;
  dw[0][0] = power.dp * slope;
  dw[0][1] = j.x;
  dw[0][2] = j.y;
  dw[0][3] = j.z;
  dw[0][4] = k.x;
  dw[0][5] = k.y;
  dw[0][6] = k.z;
}

VIPER_FN void viper_twist(const viper_joint_rest *rest, const viper_joint_state *x,
                          viper_real w[VIPER_TWIST_ROWS],
                          viper_real dw[VIPER_TWIST_ROWS][VIPER_TWIST_COLUMNS]) {
  if (x->is_fused)
    viper_twist_fused(rest, x, w, dw);
  else
    viper_turn_rows(rest, x, viper_twist_power(x->s), VIPER_TWIST_FIRST, VIPER_TWIST_ROWS, w, dw);
}

#endif
