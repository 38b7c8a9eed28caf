// SPDX-License-Identifier: GPL-3.0-or-later
/// Volume energy, the term volume (eq. 18): W = sm^2 dc - w, K = pi r^2 kv l. Resists a change of a
/// segment's volume.
#ifndef VIPER_ENERGY_VOLUME_H
#define VIPER_ENERGY_VOLUME_H

#include "viper/energy/element.h"

#define VIPER_VOLUME_TEXT    "of the volume's change (eq. 18)"
#define VIPER_VOLUME_ROWS    3
#define VIPER_VOLUME_COLUMNS 11
/// Unknown of the stencil that column k belongs to: all of them.
#define VIPER_VOLUME_COLUMN(k) (k)

VIPER_FN double viper_volume_stiffness(const viper_material *m) {
  return viper_area(m) * m->kv * m->length;
}

VIPER_FN viper_weight viper_volume_weight(viper_real sm) {
  viper_weight out = {sm * sm, sm, VIPER_R(0.5)};
  return out;
}

/// The stretch at which it rests: an activation keeps the volume.
VIPER_FN viper_real viper_volume_rest(viper_contraction active) {
  (void)active;
  return VIPER_R(1);
}

VIPER_FN void viper_volume(const viper_segment_rest *rest, const viper_segment_state *x,
                           viper_real w[VIPER_VOLUME_ROWS],
                           viper_real dw[VIPER_VOLUME_ROWS][VIPER_VOLUME_COLUMNS]) {
  viper_vec3 dc = viper_segment_dc(rest, x);
  viper_weight weight = viper_volume_weight(viper_segment_sm(x));
  viper_real sm2 = weight.p;
  viper_vec3 e = viper_sub(viper_scale(sm2, dc), viper_quat_w(x->q));
  viper_vec3 u = viper_quat_u(x->q), v = viper_quat_v(x->q);
  viper_real ds[3] = {weight.dp * dc.x, weight.dp * dc.y, weight.dp * dc.z};
  viper_real dx[3] = {v.x, v.y, v.z}, dy[3] = {-u.x, -u.y, -u.z};
  w[0] = e.x;
  w[1] = e.y;
  w[2] = e.z;
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) {
      dw[row][k] = row == k ? -sm2 * rest->inv_l : VIPER_R(0);
      dw[row][4 + k] = row == k ? sm2 * rest->inv_l : VIPER_R(0);
    }
    dw[row][3] = ds[row];
    dw[row][7] = ds[row];
    dw[row][8] = dx[row];
    dw[row][9] = dy[row];
    dw[row][10] = VIPER_R(0);
  }
}

#endif
