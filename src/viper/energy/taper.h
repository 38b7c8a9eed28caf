// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy of tapering, the term taper (eq. 13): W = ds, K = pi r^4/4 (kx + ky) l. Resists a change
/// of the section along the rod.
#ifndef VIPER_ENERGY_TAPER_H
#define VIPER_ENERGY_TAPER_H

#include "viper/energy/element.h"

#define VIPER_TAPER_TEXT    "of the cross-section's change along the rod (eq. 13)"
#define VIPER_TAPER_ROWS    1
#define VIPER_TAPER_COLUMNS 2
/// Unknown of the stencil that column k belongs to: both scales.
#define VIPER_TAPER_COLUMN(k) (3 + 4 * (k))

VIPER_FN double viper_taper_stiffness(const viper_material *m) {
  double r2 = m->radius * m->radius;
  return M_PI * r2 * r2 / 4 * viper_across(m) * m->length;
}

VIPER_FN void viper_taper(const viper_segment_rest *rest, const viper_segment_state *x,
                          viper_real w[VIPER_TAPER_ROWS],
                          viper_real dw[VIPER_TAPER_ROWS][VIPER_TAPER_COLUMNS]) {
  w[0] = (x->s_b - x->s_a) * rest->inv_l;
  dw[0][0] = -rest->inv_l;
  dw[0][1] = rest->inv_l;
}

/// Its gradient over the scale of either end is this times what that is above the other, its block
/// there this.
VIPER_FN viper_real viper_taper_spring(const viper_segment_rest *rest) {
  return rest->k_taper * rest->inv_l * rest->inv_l;
}

#endif
