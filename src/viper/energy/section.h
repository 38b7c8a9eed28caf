// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy of the cross-section, the term section (eq. 12): W = sm - 1, K = pi r^2 (kx + ky) l.
/// Resists a change of the cross-section. An activation of strain a has a^(-1/2) for 1.
#ifndef VIPER_ENERGY_SECTION_H
#define VIPER_ENERGY_SECTION_H

#include "viper/energy/element.h"

#define VIPER_SECTION_TEXT    "of the cross-section's change (eq. 12)"
#define VIPER_SECTION_ROWS    1
#define VIPER_SECTION_COLUMNS 2
/// Unknown of the stencil that column k belongs to: both scales.
#define VIPER_SECTION_COLUMN(k) (3 + 4 * (k))

VIPER_FN double viper_section_stiffness(const viper_material *m) {
  return viper_area(m) * viper_across(m) * m->length;
}

VIPER_FN void viper_section(const viper_segment_rest *rest, const viper_segment_state *x,
                            viper_real w[VIPER_SECTION_ROWS],
                            viper_real dw[VIPER_SECTION_ROWS][VIPER_SECTION_COLUMNS]) {
  (void)rest;
  w[0] = viper_segment_sm(x) - x->active.scale;
  dw[0][0] = VIPER_R(0.5);
  dw[0][1] = VIPER_R(0.5);
}

/// Its gradient over the scale of either end is this times s_a + s_b less twice the scale at rest,
/// its block there this.
VIPER_FN viper_real viper_section_spring(const viper_segment_rest *rest) {
  return VIPER_R(0.25) * rest->k_section;
}

#endif
