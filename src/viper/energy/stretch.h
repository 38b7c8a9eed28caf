// SPDX-License-Identifier: GPL-3.0-or-later
/// Stretching energy, the term stretch (eq. 11): W = dc - a w, K = pi r^2 kz l. Resists stretch of
/// the center line, and ties the frame to it. a is 1, or what an activation shortens to.
#ifndef VIPER_ENERGY_STRETCH_H
#define VIPER_ENERGY_STRETCH_H

#include "viper/energy/element.h"

#define VIPER_STRETCH_TEXT    "of the center line against the frame's axis (eq. 11)"
#define VIPER_STRETCH_ROWS    3
#define VIPER_STRETCH_COLUMNS 9
/// Unknown of the stencil that column k of the derivative belongs to: both centers and the frame.
#define VIPER_STRETCH_COLUMN(k) ((k) + ((k) >= 3) + ((k) >= 6))

VIPER_FN double viper_stretch_stiffness(const viper_material *m) {
  return viper_area(m) * m->kz * m->length;
}

VIPER_FN viper_weight viper_stretch_weight(viper_real sm) {
  (void)sm;
  viper_weight out = {VIPER_R(1), VIPER_R(0), VIPER_R(0)};
  return out;
}

/// The stretch at which it rests.
VIPER_FN viper_real viper_stretch_rest(viper_contraction active) {
  return active.stretch;
}

/// A rotation delta in body axes moves w = Q e_z by -v delta_x + u delta_y.
VIPER_FN void viper_stretch(const viper_segment_rest *rest, const viper_segment_state *x,
                            viper_real w[VIPER_STRETCH_ROWS],
                            viper_real dw[VIPER_STRETCH_ROWS][VIPER_STRETCH_COLUMNS]) {
  viper_real a = viper_stretch_rest(x->active);
  viper_vec3 e = viper_sub(viper_segment_dc(rest, x), viper_scale(a, viper_quat_w(x->q)));
  viper_vec3 u = viper_scale(a, viper_quat_u(x->q)), v = viper_scale(a, viper_quat_v(x->q));
  viper_real dx[3] = {v.x, v.y, v.z}, dy[3] = {-u.x, -u.y, -u.z};
  w[0] = e.x;
  w[1] = e.y;
  w[2] = e.z;
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) {
      dw[row][k] = row == k ? -rest->inv_l : VIPER_R(0);
      dw[row][3 + k] = row == k ? rest->inv_l : VIPER_R(0);
    }
    dw[row][6] = dx[row];
    dw[row][7] = dy[row];
    dw[row][8] = VIPER_R(0);
  }
}

#endif
