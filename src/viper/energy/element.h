// SPDX-License-Identifier: GPL-3.0-or-later
/// Unknowns and rest data of a segment and of a joint, the two stencils of the energy terms.
///
/// Unknowns of a segment, in this order (11): center and scale of node a (0-2, 3), center and scale
/// of node b (4-6, 7), rotation of the frame in body axes (8-10). Unknowns of a joint (9): the
/// scales of the path's nodes before, at and after it (0, 1, 2), the rotations of its two frames in
/// their own body axes (3-5, 6-8).
#ifndef VIPER_ENERGY_ELEMENT_H
#define VIPER_ENERGY_ELEMENT_H

#include "viper/energy/material.h"
#include "viper/energy/real.h"
#include "viper/energy/table.h"

#define VIPER_SEGMENT_UNKNOWNS 11
#define VIPER_JOINT_UNKNOWNS   9
/// k_NAME, the stiffness K of each term in the order of the table, J over the square of W's unit; 0
/// switches the term off.
#define VIPER_K_OF(name, NAME) viper_real k_##name;

/// Rest data of a segment.
typedef struct viper_segment_rest {
  viper_real inv_l; ///< 1 / rest length, 1/m
  VIPER_SEGMENT_TERMS(VIPER_K_OF)
} viper_segment_rest;

/// Current values a segment sees.
typedef struct viper_segment_state {
  viper_vec3 c_a, c_b; ///< m
  viper_real s_a, s_b;
  viper_quat q;
} viper_segment_state;

/// Rest data of a joint, oriented along its path. A segment that is stored against it has the flip
/// -1, else 1: its frame is seen after a half turn F = (0, 1, 0, 0) about u.
typedef struct viper_joint_rest {
  viper_quat half;           ///< conj(S), which takes back half of the rest rotation
  viper_real flip_j, flip_k; ///< 1 or -1
  viper_vec3 omega_rest;     ///< rest Darboux vector in the mid frame, 1/m
  viper_real inv_lm;         ///< 1/m
  viper_real inv_l_j, inv_l_k;
  VIPER_JOINT_TERMS(VIPER_K_OF)
} viper_joint_rest;
#undef VIPER_K_OF

/// Current values a joint sees.
typedef struct viper_joint_state {
  viper_real s_prev, s, s_next;
  viper_quat q_j, q_k;
} viper_joint_state;

/// dc of a segment: its current vector over its rest length.
VIPER_FN viper_vec3 viper_segment_dc(const viper_segment_rest *rest, const viper_segment_state *x) {
  return viper_scale(rest->inv_l, viper_sub(x->c_b, x->c_a));
}

/// sm of a segment: the mean of its scales.
VIPER_FN viper_real viper_segment_sm(const viper_segment_state *x) {
  return VIPER_R(0.5) * (x->s_a + x->s_b);
}

/// How a term weighs a segment's direction with its mean scale: W = p(sm) dc - w. stretch and
/// volume are such terms.
typedef struct viper_weight {
  viper_real p;   ///< p(sm)
  viper_real dp;  ///< dp/ds over the scale of either end
  viper_real d2p; ///< the second derivative over any two of them
} viper_weight;

/// What such terms ask of d = c_b - c_a, in meters, and of the scale of either end: the gradient is
/// (center d - frame w, cross |d|^2 - scale d.w), the Gauss-Newton block center 1, cross d and
/// square |d|^2.
typedef struct viper_direction_sums {
  viper_real center, frame, cross, scale, square;
} viper_direction_sums;

/// Adds such a term; `k_l` is K / l, `k_l2` K / l^2.
VIPER_FN void viper_direction_add(viper_direction_sums *sums, viper_weight weight, viper_real k_l,
                                  viper_real k_l2) {
  viper_real k_dp = k_l2 * weight.dp, cross = k_dp * weight.p;
  sums->center += k_l2 * weight.p * weight.p;
  sums->frame += k_l * weight.p;
  sums->cross += cross;
  sums->scale += k_l * weight.dp;
  sums->square += k_dp * weight.dp;
}

/// How a joint is turned: P = conj(Q'_j) Q'_k along its path, and the imaginary part of D = conj(S)
/// P conj(S), with the sign that makes Re D non-negative.
typedef struct viper_turn {
  viper_quat p;
  viper_vec3 im;
} viper_turn;

/// conj(F_j) P F_k, or minus that, of P = conj(Q_j) Q_k: with the half turns F of segments that are
/// stored against the path.
VIPER_FN viper_quat viper_quat_along(viper_quat p, viper_real flip_j, viper_real flip_k) {
  viper_quat out;
  out.w = VIPER_SELECT(flip_j == flip_k, p.w, p.x);
  out.x = viper_signed(VIPER_SELECT(flip_j == flip_k, p.x, p.w), viper_signed(flip_j, flip_k));
  out.y = viper_signed(VIPER_SELECT(flip_j == flip_k, p.y, p.z), flip_k);
  out.z = viper_signed(VIPER_SELECT(flip_j == flip_k, p.z, p.y), flip_j);
  return out;
}

/// Of the frames Q_j and Q_k. As a = conj(S) is a unit quaternion, a P a = 2 Re(a P) a - conj(P).
VIPER_FN viper_turn viper_joint_turn(const viper_joint_rest *rest, viper_quat q_j, viper_quat q_k) {
  viper_quat a = rest->half;
  viper_quat p =
      viper_quat_along(viper_quat_mul(viper_quat_conj(q_j), q_k), rest->flip_j, rest->flip_k);
  viper_real re = (a.w * p.w - a.x * p.x) - (a.y * p.y + a.z * p.z), twice = re + re;
  viper_real d = twice * a.w - p.w;
  viper_turn out;
  out.p = viper_quat_make(viper_signed(p.w, d), viper_signed(p.x, d), viper_signed(p.y, d),
                          viper_signed(p.z, d));
  out.im = viper_vec3_make(viper_signed(twice * a.x + p.x, d), viper_signed(twice * a.y + p.y, d),
                           viper_signed(twice * a.z + p.z, d));
  return out;
}

/// Omega of a joint (eq. 40, corrected: in the frame midway between its two frames, measured from
/// rest, so that reversing a joint or a segment only changes signs): Omega_rest + (2/lm) Im D.
VIPER_FN viper_vec3 viper_joint_omega(const viper_joint_rest *rest, const viper_turn *turn) {
  return viper_add(rest->omega_rest, viper_scale(VIPER_R(2) * rest->inv_lm, turn->im));
}

/// Twice the gradient of f . Im D over the rotation of frame j (side 0) or k (1) in its own body
/// axes. It is linear in P, y . P with y = (2 a_w (a.f), f - 2 a (a.f)) and a = conj(S); and P
/// moves by P delta/2 with frame k, by -delta/2 P with frame j.
VIPER_FN viper_vec3 viper_turn_gradient(const viper_joint_rest *rest, const viper_turn *turn,
                                        viper_vec3 f, int side) {
  viper_vec3 a = viper_quat_im(rest->half), p = viper_quat_im(turn->p), g;
  viper_real along = viper_dot(a, f), twice = along + along;
  viper_real y_w = twice * rest->half.w, flip = side == 0 ? rest->flip_j : rest->flip_k;
  viper_vec3 y = viper_sub(f, viper_scale(twice, a));
  viper_vec3 base = viper_sub(viper_scale(turn->p.w, y), viper_scale(y_w, p));
  viper_vec3 cross = viper_cross(y, p);
  if (side == 0)
    g = viper_sub(cross, base);
  else
    g = viper_add(cross, base);
  return viper_vec3_make(g.x, viper_signed(g.y, flip), viper_signed(g.z, flip));
}

/// A Darboux vector and its derivatives.
typedef struct viper_darboux {
  viper_vec3 omega;     ///< viper_joint_omega
  viper_real d_j[3][3]; ///< d omega[row] / d rotation of frame j [column]
  viper_real d_k[3][3];
} viper_darboux;

VIPER_FN viper_darboux viper_joint_darboux(const viper_joint_rest *rest,
                                           const viper_joint_state *x) {
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  viper_real zero = VIPER_R(0);
  viper_darboux out;
  out.omega = viper_joint_omega(rest, &turn);
  VIPER_UNROLL for (int row = 0; row < 3; row++) {
    viper_vec3 f = viper_vec3_make(row == 0 ? rest->inv_lm : zero, row == 1 ? rest->inv_lm : zero,
                                   row == 2 ? rest->inv_lm : zero);
    viper_vec3 j = viper_turn_gradient(rest, &turn, f, 0);
    viper_vec3 k = viper_turn_gradient(rest, &turn, f, 1);
    out.d_j[row][0] = j.x;
    out.d_j[row][1] = j.y;
    out.d_j[row][2] = j.z;
    out.d_k[row][0] = k.x;
    out.d_k[row][1] = k.y;
    out.d_k[row][2] = k.z;
  }
  return out;
}

/// How a term weighs the Darboux vector with the scale: W = p(s) Omega - Omega_rest in some of its
/// three components. bend, twist and volume_bend are such terms.
typedef struct viper_power {
  viper_real p;   ///< p(s)
  viper_real dp;  ///< dp/ds
  viper_real d2p; ///< its second derivative
} viper_power;

/// W and dW of such a term with `rows` components from `first` on; columns: the scale, then the
/// rotations of both frames.
VIPER_FN void viper_turn_rows(const viper_joint_rest *rest, const viper_joint_state *x,
                              viper_power power, int first, int rows, viper_real *w,
                              viper_real (*dw)[7]) {
  viper_darboux d = viper_joint_darboux(rest, x);
  viper_real omega[3] = {d.omega.x, d.omega.y, d.omega.z};
  viper_real omega_rest[3] = {rest->omega_rest.x, rest->omega_rest.y, rest->omega_rest.z};
  VIPER_UNROLL for (int i = 0; i < rows; i++) {
    int row = first + i;
    w[i] = power.p * omega[row] - omega_rest[row];
    dw[i][0] = power.dp * omega[row];
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      dw[i][1 + k] = power.p * d.d_j[row][k];
      dw[i][4 + k] = power.p * d.d_k[row][k];
    }
  }
}

/// What the turn terms of a joint ask of the scale of its node, with Omega held: gradient and
/// Gauss-Newton block.
typedef struct viper_pull {
  viper_real g, h;
} viper_pull;

VIPER_FN void viper_pull_add(viper_pull *sums, viper_power power, int first, int rows, viper_real k,
                             viper_vec3 omega, viper_vec3 omega_rest) {
  viper_real o[3] = {omega.x, omega.y, omega.z}, kd = k * power.dp;
  viper_real o_rest[3] = {omega_rest.x, omega_rest.y, omega_rest.z};
  viper_real square = o[first] * o[first], product = o[first] * o_rest[first];
  VIPER_UNROLL for (int i = first + 1; i < first + rows; i++) {
    square += o[i] * o[i];
    product += o[i] * o_rest[i];
  }
  sums->g += kd * (power.p * square - product);
  sums->h += kd * (power.dp * square);
}

/// What they ask of Omega, with the scale held: their gradient over each component is
/// stiffness (Omega - Omega_rest) + pull Omega_rest. Both are alike in u and v.
typedef struct viper_stiffness {
  viper_real bend, twist;           ///< in u and v, and in w
  viper_real bend_pull, twist_pull; ///< likewise
} viper_stiffness;

VIPER_FN void viper_stiffness_add(viper_stiffness *sums, viper_real p, int first, viper_real k) {
  viper_real kp = k * p, kp2 = kp * p;
  if (first == 2) {
    sums->twist += kp2;
    sums->twist_pull += kp2 - kp;
  } else {
    sums->bend += kp2;
    sums->bend_pull += kp2 - kp;
  }
}

#endif
