// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy of the surface's curvature, the term surface_bend (eq. 15, its Laplacian corrected): W =
/// lap, the change of the scale's slope along the path over lm; K = pi r^4/4 (kbx + kby) lm.
/// Resists bending of the surface.
#ifndef VIPER_ENERGY_SURFACE_BEND_H
#define VIPER_ENERGY_SURFACE_BEND_H

#include "viper/energy/element.h"

#define VIPER_SURFACE_BEND_TEXT    "of bending of the surface (eq. 15)"
#define VIPER_SURFACE_BEND_ROWS    1
#define VIPER_SURFACE_BEND_COLUMNS 3
/// Unknown of the stencil that column k belongs to: the three scales.
#define VIPER_SURFACE_BEND_COLUMN(k) (k)

VIPER_FN double viper_surface_bend_stiffness(const viper_material *m) {
  return viper_moment(m) * (m->kbx + m->kby);
}

VIPER_FN void
viper_surface_bend(const viper_joint_rest *rest, const viper_joint_state *x,
                   viper_real w[VIPER_SURFACE_BEND_ROWS],
                   viper_real dw[VIPER_SURFACE_BEND_ROWS][VIPER_SURFACE_BEND_COLUMNS]) {
  w[0] = ((x->s_next - x->s) * rest->inv_l_k - (x->s - x->s_prev) * rest->inv_l_j) * rest->inv_lm;
  dw[0][0] = rest->inv_l_j * rest->inv_lm;
  dw[0][1] = -(rest->inv_l_j + rest->inv_l_k) * rest->inv_lm;
  dw[0][2] = rest->inv_l_k * rest->inv_lm;
}

#endif
