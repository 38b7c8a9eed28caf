// SPDX-License-Identifier: GPL-3.0-or-later
/// Step limit of `block-descent` in bodies of the material model solid. Blocks lack the second
/// derivatives of W, so a long step may raise Phi: in a stretched segment, dilation is of fourth
/// order in the scale. Point-wise: the remainder of Phi after a step, beyond its quadratic model.
/// It is computed from differences of the unknowns, because differences of Phi have rounding errors
/// larger than the last steps. All other terms over a node are quadratic.
#ifndef VIPER_METHOD_DESCENT_LIMIT_H
#define VIPER_METHOD_DESCENT_LIMIT_H

#include "viper/method/newton.h"

#if VIPER_LANES > 1
/// Whether a comparison holds in any lane.
VIPER_FN int viper_holds_in_any(viper_mask mask) {
  viper_bits any = 0;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    any |= mask[lane];
  return any != 0;
}
#define VIPER_ANY(condition) viper_holds_in_any((viper_mask)(condition))
#else
#define VIPER_ANY(condition) (condition)
#endif

/// Halvings of a step before the node or frame stays where it is.
#define VIPER_LIMIT_TRIALS 8
/// Fraction of the decrease predicted by the slope that a frame's step must achieve. The model has
/// the diagonal of the block only, which predicts half of it at rest; the margin is for the
/// coupling of rotations.
#define VIPER_SUFFICIENT_TURN 0.1
/// Upper bound of the square of half a frame's rotation in a step. Beyond it (one radian) the
/// diagonal does not bound the resistance of joints.
#define VIPER_LONGEST_TURN2 0.25

/// The remainder of the energy K W^2/2 of a row beyond its Gauss-Newton model, if W changes by
/// `change`, and by `linear` to first order.
VIPER_FN viper_real viper_row_remainder(viper_real k, viper_real w, viper_real change,
                                        viper_real linear) {
  viper_real more = change - linear;
  return k * more * (w + VIPER_R(0.5) * (change + linear));
}

/// The change of sm^2 as the scale of one node changes by `ds`.
VIPER_FN viper_real viper_section_change(const viper_segment_state *x, viper_real ds) {
  viper_real half = VIPER_R(0.5) * ds, sm = viper_segment_sm(x);
  return half * ((sm + sm) + half);
}

/// The remainder of the terms of the material model solid of a segment beyond their model as its
/// node `side` moves by `d`, J.
VIPER_FN viper_real viper_solid_node_remainder(const viper_solid_rest *rest,
                                               const viper_segment_state *x, const viper_real d[4],
                                               int side) {
  viper_real inv_l = side == 0 ? -rest->inv_l : rest->inv_l, sm = viper_segment_sm(x),
             sm2 = sm * sm;
  viper_vec3 dc = viper_scale(rest->inv_l, viper_sub(x->c_b, x->c_a)), w = viper_quat_w(x->q);
  viper_vec3 e = viper_scale(inv_l, viper_vec3_make(d[0], d[1], d[2])), out = viper_cross(dc, w);
  viper_real p = viper_dot(dc, w), m = viper_dot(dc, dc), across = viper_dot(out, out);
  viper_newton_stretch q = viper_newton_stretch_of(rest, p, m, across, sm2, x->active);
  viper_real dp = viper_dot(e, w), half_dm = viper_dot(e, dc);
  viper_real dm = (half_dm + half_dm) + viper_dot(e, e);
  viper_real d_across = dm - dp * ((p + p) + dp);
  viper_real change = dp + q.c * (dm * (across + d_across) + m * d_across);
  viper_real linear = q.q_p * dp + q.q_dc * half_dm;
  viper_real section = viper_section_change(x, d[3]);
  viper_real axial = viper_row_remainder(rest->k_axial, q.axial, change, linear);
  return axial + viper_row_remainder(rest->k_dilation, q.section,
                                     (sm2 + section) * change + section * q.q,
                                     sm2 * linear + sm * d[3] * q.q);
}

/// The same for the term volume, which the published segments of such bodies have.
VIPER_FN viper_real viper_volume_node_remainder(const viper_segment_rest *rest,
                                                const viper_segment_state *x, const viper_real d[4],
                                                int side) {
  viper_vec3 dc = viper_segment_dc(rest, x), w = viper_quat_w(x->q);
  viper_vec3 e =
      viper_scale(side == 0 ? -rest->inv_l : rest->inv_l, viper_vec3_make(d[0], d[1], d[2]));
  viper_real sm = viper_segment_sm(x), sm2 = sm * sm, section = viper_section_change(x, d[3]);
  viper_vec3 rows = viper_sub(viper_scale(sm2, dc), w);
  viper_vec3 change = viper_add(viper_scale(sm2 + section, e), viper_scale(section, dc));
  viper_vec3 linear = viper_add(viper_scale(sm2, e), viper_scale(sm * d[3], dc));
  return viper_row_remainder(rest->k_volume, rows.x, change.x, linear.x) +
         (viper_row_remainder(rest->k_volume, rows.y, change.y, linear.y) +
          viper_row_remainder(rest->k_volume, rows.z, change.z, linear.z));
}

/// The same for volume_bend of a joint with turn `turn` as the scale of its node changes from `s`
/// by `ds`. The powers of bend and twist are linear in the scale and have no remainder, but for
/// viper_twist_fused_remainder.
VIPER_FN viper_real viper_volume_bend_remainder(const viper_joint_spring *spring,
                                                const viper_turn *turn,
                                                const viper_bending *bending, viper_real s,
                                                viper_real ds) {
  viper_vec3 rest = viper_scale(turn->d.w, spring->rest);
  viper_vec3 slope = viper_add(rest, viper_quat_im(turn->d));
  viper_power power = viper_volume_bend_power(s);
  viper_real linear = power.dp * ds, more = ds * ds * (VIPER_R(3) * s + ds);
  viper_real change = linear + more, k = spring->volume_bend + spring->volume_bend;
  viper_real u = viper_row_remainder(k * bending->volume_bend[0], power.p * slope.x - rest.x,
                                     change * slope.x, linear * slope.x);
  return u + viper_row_remainder(k * bending->volume_bend[1], power.p * slope.y - rest.y,
                                 change * slope.y, linear * slope.y);
}

/// The same for twist of a joint of fused rods. p^2 is a polynomial of the square of the scale, and
/// the change of p that of p^2 over the sum of both.
VIPER_FN viper_real viper_twist_fused_remainder(const viper_joint_rest *rest,
                                                const viper_turn *turn, viper_fused fused,
                                                viper_real s, viper_real ds) {
  viper_real of_rest = rest->omega_rest.z * turn->d.w;
  viper_real omega = (rest->inv_lm + rest->inv_lm) * turn->d.z, slope = omega + of_rest;
  viper_fused_power now = viper_twist_fused_power(s, omega, fused);
  viper_fused_power then = viper_twist_fused_power(s + ds, omega, fused);
  viper_real a = (s + ds) * (s + ds), b = s * s, a2 = a * a, b2 = b * b, sum = a + b;
  // (a^4 - b^4)/(a - b) and (a^7 - b^7)/(a - b).
  viper_real fourth = sum * (a2 + b2);
  viper_real seventh =
      a2 * a2 * a2 + b * (a2 * a2 * a + b * (a2 * a2 + b * (a2 * a + b * (a2 + b * sum))));
  viper_real square =
      (VIPER_R(1) - fused.part) + fused.part * (fourth + fused.slant * (omega * omega) * seventh);
  viper_real change = ds * ((s + s) + ds) * square * VIPER_RECIPROCAL(now.p + then.p);
  return viper_row_remainder(rest->k_twist, now.p * slope - of_rest, change * slope,
                             now.dp * ds * slope);
}

/// The remainder of the terms of a segment beyond their model (the gradient and the diagonal of
/// `model`) as its frame turns by twice the vector `half` in body axes, J.
VIPER_FN viper_real viper_segment_frame_remainder(const viper_segment_spring *spring,
                                                  const viper_solid_rest *rest,
                                                  const viper_segment_state *x,
                                                  const viper_newton *model, viper_vec3 half) {
  const viper_solid_measure q = viper_solid_measure_of(rest, x);
  viper_vec3 d = viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a));
  viper_real across = half.x * half.x + half.y * half.y;
  viper_real norm = VIPER_RECIPROCAL(VIPER_R(1) + (across + half.z * half.z));
  // The change of the frame's axis, in body axes.
  viper_vec3 axis = viper_scale(
      norm + norm, viper_vec3_make(half.x * half.z + half.y, half.y * half.z - half.x, -across));
  viper_real along = viper_dot(d, axis), dp = rest->inv_l * along;
  viper_real sm = viper_segment_sm(x), sm2 = sm * sm, m = viper_dot(q.dc, q.dc);
  viper_real change = dp - q.c * m * (dp * ((q.p + q.p) + dp));
  viper_real axial =
      viper_row_remainder(rest->k_axial, q.q - x->active.stretch, change, VIPER_R(0));
  viper_real dilation =
      viper_row_remainder(rest->k_dilation, sm2 * q.q - VIPER_R(1), sm2 * change, VIPER_R(0));
  viper_real frame = viper_segment_direction(spring, sm, x->active, true).frame;
  viper_real g = (model->g[0] * half.x + model->g[1] * half.y) + model->g[2] * half.z;
  viper_real block = (model->h[0][0] * (half.x * half.x) + model->h[1][1] * (half.y * half.y)) +
                     model->h[2][2] * (half.z * half.z);
  return ((axial + dilation) - frame * along) - ((g + g) + (block + block));
}

/// The change of the quadratic model of a node by a step.
VIPER_FN viper_real viper_newton_change(const viper_newton *n, const viper_real d[4]) {
  viper_real sum = VIPER_R(0), half = VIPER_R(0.5);
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    viper_real row = n->g[i] + half * n->h[i][i] * d[i];
    VIPER_UNROLL for (int k = 0; k < i; k++) row += n->h[i][k] * d[k];
    sum += row * d[i];
  }
  return sum;
}

#endif
