// SPDX-License-Identifier: GPL-3.0-or-later
/// The terms that a segment of the material model solid has in the place of volume and beside
/// stretch, whose K is then that of shear, k G A l: axial, W = q - a, and dilation, W = sm^2 q - 1,
/// with the stretch q along the frame's axis (viper_solid_measure). Each is one row, so that shear
/// has neither kz nor kv: dc - w and sm^2 dc - w of the published model resist it with both.
#ifndef VIPER_ENERGY_SOLID_H
#define VIPER_ENERGY_SOLID_H

#include "viper/energy/element.h"

#define VIPER_SOLID_UNKNOWNS   VIPER_SEGMENT_UNKNOWNS
#define VIPER_AXIAL_ROWS       1
#define VIPER_AXIAL_COLUMNS    8
#define VIPER_DILATION_ROWS    1
#define VIPER_DILATION_COLUMNS 10
/// Unknown of the stencil that column k belongs to: both centers, and both tilts of the frame; for
/// dilation the scales, too.
#define VIPER_AXIAL_COLUMN(k)    ((k) + ((k) >= 3) + ((k) >= 6))
#define VIPER_DILATION_COLUMN(k) (k)

/// Of the slant: it is this times K of axial over K of stretch. The least with which no frame tilts
/// of itself at stretches up to 2.5, nor active segments that are held at their length down to
/// 0.4 of it; shear of a rod that is stretched to 1.5 is then 9 % stiffer.
#define VIPER_SLANT 0.02

/// The stretch along a frame's axis, q = p + c m (m - p^2) with p = dc.w and m = |dc|^2, and its
/// derivatives over p and m.
///
/// With q = p alone a frame tilts away from a stretched segment as soon as the axial force is more
/// than K of shear times the stretch, at 1.6: the axial rows gain more than shear costs. A slanting
/// segment must not seem shorter then. So q goes from p towards more than |dc| as the stretch
/// grows; nothing changes along the axis, nor to second order where dc is near w. `c` is the slant
/// times the cube of the scale over the stretch at which the segment rests: what an activation
/// shortens is stretched as one is that a force makes longer.
typedef struct viper_solid_measure {
  viper_vec3 dc, w;   ///< the segment's vector over its rest length; the frame's axis
  viper_real tilt[2]; ///< dp over a turn of the frame about u and about v
  viper_real p, q, c;
  viper_real q_p, q_square; ///< dq/dp, dq/dm
} viper_solid_measure;

/// The least stretch that counts in `c`: a pair of forces may rest at any, below 0 even.
#define VIPER_LEAST_REST 0.25

VIPER_FN viper_real viper_solid_slant(const viper_solid_rest *rest, viper_contraction active) {
  viper_real least = VIPER_R(VIPER_LEAST_REST);
  viper_real a = VIPER_SELECT(active.stretch < least, least, active.stretch);
  viper_real ratio = active.scale * VIPER_RECIPROCAL(a);
  return rest->slant * (ratio * ratio * ratio);
}

VIPER_FN viper_solid_measure viper_solid_measure_of(const viper_solid_rest *rest,
                                                    const viper_segment_state *x) {
  viper_solid_measure out;
  viper_real m, one = VIPER_R(1);
  out.dc = viper_scale(rest->inv_l, viper_sub(x->c_b, x->c_a));
  out.w = viper_quat_w(x->q);
  out.tilt[0] = -viper_dot(out.dc, viper_quat_v(x->q));
  out.tilt[1] = viper_dot(out.dc, viper_quat_u(x->q));
  out.p = viper_dot(out.dc, out.w);
  out.c = viper_solid_slant(rest, x->active);
  m = viper_dot(out.dc, out.dc);
  // |dc x w|^2 from the components across, not as a difference of what is all but the same.
  out.q = out.p + out.c * m * (out.tilt[0] * out.tilt[0] + out.tilt[1] * out.tilt[1]);
  out.q_p = one - (out.c + out.c) * m * out.p;
  out.q_square = out.c * ((m + m) - out.p * out.p);
  return out;
}

/// dq over centers (of node b) and over both tilts.
VIPER_FN void viper_solid_slope(const viper_solid_rest *rest, const viper_solid_measure *q,
                                viper_real center[3], viper_real tilt[2]) {
  viper_real along = rest->inv_l * q->q_p, out = rest->inv_l * (q->q_square + q->q_square);
  center[0] = along * q->w.x + out * q->dc.x;
  center[1] = along * q->w.y + out * q->dc.y;
  center[2] = along * q->w.z + out * q->dc.z;
  tilt[0] = q->q_p * q->tilt[0];
  tilt[1] = q->q_p * q->tilt[1];
}

VIPER_FN void viper_axial(const viper_solid_rest *rest, const viper_segment_state *x,
                          viper_real w[VIPER_AXIAL_ROWS],
                          viper_real dw[VIPER_AXIAL_ROWS][VIPER_AXIAL_COLUMNS]) {
  viper_solid_measure q = viper_solid_measure_of(rest, x);
  viper_real center[3], tilt[2];
  viper_solid_slope(rest, &q, center, tilt);
  w[0] = q.q - x->active.stretch;
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    dw[0][k] = -center[k];
    dw[0][3 + k] = center[k];
  }
  dw[0][6] = tilt[0];
  dw[0][7] = tilt[1];
}

VIPER_FN void viper_dilation(const viper_solid_rest *rest, const viper_segment_state *x,
                             viper_real w[VIPER_DILATION_ROWS],
                             viper_real dw[VIPER_DILATION_ROWS][VIPER_DILATION_COLUMNS]) {
  viper_solid_measure q = viper_solid_measure_of(rest, x);
  viper_real center[3], tilt[2], sm = viper_segment_sm(x), sm2 = sm * sm;
  viper_solid_slope(rest, &q, center, tilt);
  w[0] = sm2 * q.q - VIPER_R(1);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    dw[0][k] = -(sm2 * center[k]);
    dw[0][4 + k] = sm2 * center[k];
  }
  dw[0][3] = dw[0][7] = sm * q.q;
  dw[0][8] = sm2 * tilt[0];
  dw[0][9] = sm2 * tilt[1];
}

/// Adds `force` times the second derivatives of q to a segment's block (lower triangle).
///
/// Over d = dc, with q_pp = -2 c m, q_pm = -2 c p and q_squarem = 2 c, they are q_pp w w^T + 2 q_pm
/// (w d^T + d w^T) + 4 q_squarem d d^T + 2 q_square; over d and a tilt q_pp p' w + 2 q_pm p' d +
/// q_p w', p' and w' the derivatives of p and w; over two turns q_pp p' p'^T + q_p p'' (second.h).
VIPER_FN void
viper_solid_measure_add_second(const viper_solid_rest *rest, const viper_solid_measure *q,
                               const viper_segment_state *x, viper_real force,
                               viper_real h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  viper_real two_c = q->c + q->c, inv_l = rest->inv_l, half = VIPER_R(0.5);
  viper_real m = viper_dot(q->dc, q->dc);
  viper_real pp = -force * (two_c * m), pm = -force * (two_c + two_c) * q->p;
  viper_real mm = force * (two_c + two_c) * VIPER_R(2), own = force * (q->q_square + q->q_square);
  viper_real along = force * q->q_p;
  viper_vec3 u = viper_quat_u(x->q), v = viper_quat_v(x->q);
  viper_real w[3] = {q->w.x, q->w.y, q->w.z}, d[3] = {q->dc.x, q->dc.y, q->dc.z};
  viper_real w_u[3] = {-v.x, -v.y, -v.z}, w_v[3] = {u.x, u.y, u.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      viper_real sum = pp * (w[i] * w[k]) + pm * (w[i] * d[k] + d[i] * w[k]) + mm * (d[i] * d[k]);
      viper_real entry = inv_l * inv_l * (i == k ? sum + own : sum);
      if (k <= i) {
        h[i][k] += entry;
        h[4 + i][4 + k] += entry;
      }
      h[4 + i][k] -= entry;
    }
    viper_real across = inv_l * (pp * w[i] + pm * d[i]);
    viper_real about_u = across * q->tilt[0] + inv_l * (along * w_u[i]);
    viper_real about_v = across * q->tilt[1] + inv_l * (along * w_v[i]);
    h[8][i] -= about_u;
    h[9][i] -= about_v;
    h[8][4 + i] += about_u;
    h[9][4 + i] += about_v;
  }
  h[8][8] += pp * (q->tilt[0] * q->tilt[0]) - along * q->p;
  h[9][9] += pp * (q->tilt[1] * q->tilt[1]) - along * q->p;
  h[9][8] += pp * (q->tilt[0] * q->tilt[1]);
  // dc.u is tilt[1], and dc.v is -tilt[0].
  h[10][8] += half * (along * q->tilt[1]);
  h[10][9] -= half * (along * q->tilt[0]);
}

/// Adds `part` of K W . d2W of both terms to a segment's block: W = P(sm) q - t with P = 1 and P =
/// sm^2.
VIPER_FN void viper_solid_add_part(const viper_solid_rest *rest, const viper_segment_state *x,
                                   viper_real part,
                                   viper_real h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  viper_solid_measure q = viper_solid_measure_of(rest, x);
  viper_real center[3], tilt[2], sm = viper_segment_sm(x), sm2 = sm * sm;
  viper_real axial = part * rest->k_axial * (q.q - x->active.stretch);
  viper_real dilation = part * rest->k_dilation * (sm2 * q.q - VIPER_R(1));
  viper_real shared = dilation * sm, scales = VIPER_R(0.5) * (dilation * q.q);
  viper_solid_slope(rest, &q, center, tilt);
  viper_solid_measure_add_second(rest, &q, x, axial + dilation * sm2, h);
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    h[3][k] -= shared * center[k];
    h[4 + k][3] += shared * center[k];
    h[7][k] -= shared * center[k];
    h[7][4 + k] += shared * center[k];
  }
  VIPER_UNROLL for (int k = 0; k < 2; k++) {
    h[8 + k][3] += shared * tilt[k];
    h[8 + k][7] += shared * tilt[k];
  }
  h[3][3] += scales;
  h[7][3] += scales;
  h[7][7] += scales;
}

#endif
