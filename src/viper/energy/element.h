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

#include <stdbool.h>

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

/// Rest data of a segment for the terms of the material model solid (solid.h); all but inv_l are 0
/// of a published one.
typedef struct viper_solid_rest {
  viper_real inv_l;               ///< 1/m
  viper_real k_axial, k_dilation; ///< J
  viper_real slant;               ///< see viper_solid_measure
} viper_solid_rest;

/// What a segment rests at in a substep: 1 and 1 but where an activation says otherwise
/// (viper/energy/activation.h).
typedef struct viper_contraction {
  viper_real stretch; ///< length along w over the rest length
  viper_real scale;
} viper_contraction;

VIPER_FN viper_contraction viper_passive(void) {
  viper_contraction out = {VIPER_R(1), VIPER_R(1)};
  return out;
}

/// Current values a segment sees.
typedef struct viper_segment_state {
  viper_vec3 c_a, c_b; ///< m
  viper_real s_a, s_b;
  viper_quat q;
  viper_contraction active;
} viper_segment_state;

typedef viper_segment_state viper_solid_state;

/// Rest data of a joint, oriented along its path. A segment that is stored against it has the flip
/// -1, else 1: its frame is seen after a half turn F = (0, 1, 0, 0) about u.
typedef struct viper_joint_rest {
  viper_quat half;           ///< conj(S), which takes back half of the rest rotation P_rest
  viper_real flip_j, flip_k; ///< 1 or -1
  viper_vec3 omega_rest;     ///< rest Darboux vector in the mid frame, 1/m
  viper_real inv_lm;         ///< 1/m
  viper_real inv_l_j, inv_l_k;
  VIPER_JOINT_TERMS(VIPER_K_OF)
} viper_joint_rest;
#undef VIPER_K_OF

/// Which part of K of a joint's bending terms their rows u and v have: 1 and 1 but where segments
/// have bending factors (vb_bending), and K is that of the stiffer row.
typedef struct viper_bending {
  viper_real bend[2], volume_bend[2];
} viper_bending;

VIPER_FN viper_bending viper_isotropic(void) {
  viper_bending out = {{VIPER_R(1), VIPER_R(1)}, {VIPER_R(1), VIPER_R(1)}};
  return out;
}

/// The part that both rows of a term have, in both places of it.
VIPER_FN viper_bending viper_isotropic_part(viper_bending b) {
  const viper_real bend = VIPER_SELECT(b.bend[0] < b.bend[1], b.bend[0], b.bend[1]);
  const viper_real volume_bend =
      VIPER_SELECT(b.volume_bend[0] < b.volume_bend[1], b.volume_bend[0], b.volume_bend[1]);
  viper_bending out = {{bend, bend}, {volume_bend, volume_bend}};
  return out;
}

/// How a joint of fused rods (../bundle/README.md) twists; both are 0 of other joints.
typedef struct viper_fused {
  viper_real part;  ///< what the section has beyond its rods, of K of twist; less than 1
  viper_real slant; ///< see viper_twist_fused_power, m^2
} viper_fused;

/// What a joint sees: current values, how it bends, and how it twists, of which only scenes with
/// fused rods need know.
typedef struct viper_joint_state {
  viper_real s_prev, s, s_next;
  viper_quat q_j, q_k;
  viper_bending bending;
  bool is_fused;     ///< whether `fused` counts; compilers know it
  viper_fused fused; ///< 0 and 0 of joints that are not
} viper_joint_state;

VIPER_FN viper_fused viper_apart(void) {
  viper_fused out = {VIPER_R(0), VIPER_R(0)};
  return out;
}

/// What row `row` of term number `term` has of `k`, which is K of the term or is to be multiplied
/// by K.
VIPER_FN viper_real viper_segment_of_row(viper_real k, const viper_segment_state *x, int term,
                                         int row) {
  (void)x;
  (void)term;
  (void)row;
  return k;
}

VIPER_FN viper_real viper_solid_of_row(viper_real k, const viper_solid_state *x, int term,
                                       int row) {
  return viper_segment_of_row(k, x, term, row);
}

VIPER_FN viper_real viper_joint_of_row(viper_real k, const viper_joint_state *x, int term,
                                       int row) {
  if (term == VIPER_TERM_BEND)
    return k * x->bending.bend[row & 1];
  if (term == VIPER_TERM_VOLUME_BEND)
    return k * x->bending.volume_bend[row & 1];
  return k;
}

/// dc of a segment: its current vector over its rest length.
VIPER_FN viper_vec3 viper_segment_dc(const viper_segment_rest *rest, const viper_segment_state *x) {
  return viper_scale(rest->inv_l, viper_sub(x->c_b, x->c_a));
}

/// sm of a segment: the mean of its scales.
VIPER_FN viper_real viper_segment_sm(const viper_segment_state *x) {
  return VIPER_R(0.5) * (x->s_a + x->s_b);
}

/// How a term weighs a segment's direction with its mean scale: W = p(sm) dc - t w, with the
/// stretch t at which it rests (viper_NAME_rest). stretch and volume are such terms.
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

/// Adds such a term; `k_l` is K / l, `k_l2` K / l^2, `rest` the stretch at which it rests.
VIPER_FN void viper_direction_add(viper_direction_sums *sums, viper_weight weight, viper_real k_l,
                                  viper_real k_l2, viper_real rest) {
  viper_real k_dp = k_l2 * weight.dp, cross = k_dp * weight.p;
  sums->center += k_l2 * weight.p * weight.p;
  sums->frame += k_l * weight.p * rest;
  sums->cross += cross;
  sums->scale += k_l * weight.dp * rest;
  sums->square += k_dp * weight.dp;
}

/// How a joint is turned: P = conj(Q'_j) Q'_k along its path, and D = conj(S) P conj(S), whose
/// components are in the frame midway between the two: reversing a joint or a segment only changes
/// signs. Both change sign with the quaternion of either frame, and so does every W made of D; its
/// square, which the energy is made of, does not.
typedef struct viper_turn {
  viper_quat p, d;
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
  viper_turn out;
  out.p = p;
  out.d =
      viper_quat_make(twice * a.w - p.w, twice * a.x + p.x, twice * a.y + p.y, twice * a.z + p.z);
  return out;
}

/// Of f . D, of four components each, as linear in P: y . P with y = 2 (a . f) conj(a) - conj(f)
/// and a = conj(S).
VIPER_FN viper_quat viper_turn_linear(const viper_joint_rest *rest, viper_quat f) {
  viper_vec3 a = viper_quat_im(rest->half), f_im = viper_quat_im(f);
  viper_real along = viper_dot(a, f_im) + rest->half.w * f.w, twice = along + along;
  viper_vec3 y = viper_sub(f_im, viper_scale(twice, a));
  return viper_quat_make(twice * rest->half.w - f.w, y.x, y.y, y.z);
}

/// The same of f with the real part `re`, and of its other components only number `row`, `im`.
VIPER_FN viper_quat viper_turn_linear_row(const viper_joint_rest *rest, viper_real re, int row,
                                          viper_real im) {
  viper_real a[3] = {rest->half.x, rest->half.y, rest->half.z};
  viper_real along = a[row] * im + rest->half.w * re, twice = along + along;
  VIPER_UNROLL for (int k = 0; k < 3; k++) a[k] = k == row ? im - twice * a[k] : -(twice * a[k]);
  return viper_quat_make(twice * rest->half.w - re, a[0], a[1], a[2]);
}

/// Twice the gradient of y . P over the rotation of frame j (side 0) or k (1) in its own body axes:
/// P moves by P delta/2 with frame k, by -delta/2 P with frame j.
VIPER_FN viper_vec3 viper_turn_gradient(const viper_joint_rest *rest, const viper_turn *turn,
                                        viper_quat y, int side) {
  viper_vec3 p = viper_quat_im(turn->p), im = viper_quat_im(y), g;
  viper_real flip = side == 0 ? rest->flip_j : rest->flip_k;
  viper_vec3 base = viper_sub(viper_scale(turn->p.w, im), viper_scale(y.w, p));
  viper_vec3 cross = viper_cross(im, p);
  if (side == 0)
    g = viper_sub(cross, base);
  else
    g = viper_add(cross, base);
  return viper_vec3_make(g.x, viper_signed(g.y, flip), viper_signed(g.z, flip));
}

/// How a term weighs the turn of a joint with its scale: W = (2 p(s)/lm) Im D + (p(s) - 1)
/// Omega_rest Re D in some of its three components. bend, twist and volume_bend are such terms.
///
/// At rest and, to second order in the turn from rest, nearby it is eq. 14's p Omega - Omega_rest
/// with Omega = Omega_rest + (2/lm) Im D (eq. 40, corrected). That form needs a sign of D, and
/// jumps where the sign changes, at half a turn; this one is odd in D.
typedef struct viper_power {
  viper_real p;   ///< p(s)
  viper_real dp;  ///< dp/ds
  viper_real d2p; ///< its second derivative
} viper_power;

/// W and dW of such a term with `rows` components from `first` on; columns: the scale, then the
/// rotations of both frames. W = p slope - rest with slope = dW/dp and rest = Omega_rest Re D.
VIPER_FN void viper_turn_rows(const viper_joint_rest *rest, const viper_joint_state *x,
                              viper_power power, int first, int rows, viper_real *w,
                              viper_real (*dw)[7]) {
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  viper_real im[3] = {turn.d.x, turn.d.y, turn.d.z}, two = rest->inv_lm + rest->inv_lm;
  viper_real omega_rest[3] = {rest->omega_rest.x, rest->omega_rest.y, rest->omega_rest.z};
  viper_real p_lm = power.p * rest->inv_lm;
  viper_real more = VIPER_R(0.5) * (power.p - VIPER_R(1));
  VIPER_UNROLL for (int i = 0; i < rows; i++) {
    int row = first + i;
    viper_real of_rest = omega_rest[row] * turn.d.w, slope = two * im[row] + of_rest;
    viper_quat y = viper_turn_linear_row(rest, more * omega_rest[row], row, p_lm);
    viper_vec3 j = viper_turn_gradient(rest, &turn, y, 0);
    viper_vec3 k = viper_turn_gradient(rest, &turn, y, 1);
    w[i] = power.p * slope - of_rest;
    dw[i][0] = power.dp * slope;
    dw[i][1] = j.x;
    dw[i][2] = j.y;
    dw[i][3] = j.z;
    dw[i][4] = k.x;
    dw[i][5] = k.y;
    dw[i][6] = k.z;
  }
}

/// What the turn terms of a joint ask of the scale of its node, with D held: gradient and
/// Gauss-Newton block.
typedef struct viper_pull {
  viper_real g, h;
} viper_pull;

/// Adds a term W = p slope - rest (viper_turn_rows); `k` is K over the square of the unit in which
/// both are given.
VIPER_FN void viper_pull_add(viper_pull *sums, viper_power power, int first, int rows, viper_real k,
                             viper_vec3 slope, viper_vec3 rest) {
  viper_real a[3] = {slope.x, slope.y, slope.z}, kd = k * power.dp;
  viper_real a_rest[3] = {rest.x, rest.y, rest.z};
  viper_real square = a[first] * a[first], product = a[first] * a_rest[first];
  VIPER_UNROLL for (int i = first + 1; i < first + rows; i++) {
    square += a[i] * a[i];
    product += a[i] * a_rest[i];
  }
  sums->g += kd * (power.p * square - product);
  sums->h += kd * (power.dp * square);
}

/// What they ask of D with the scale held, as sums over the terms in u and v, and in w: K p^2, K p
/// (p - 1) and K (p - 1)^2.
typedef struct viper_stiffness {
  viper_real bend, twist;
  viper_real bend_pull, twist_pull;
  viper_real bend_rest, twist_rest;
} viper_stiffness;

VIPER_FN void viper_stiffness_add(viper_stiffness *sums, viper_real p, int first, viper_real k) {
  viper_real kp = k * p, more = p - VIPER_R(1), k_more = k * more;
  if (first == 2) {
    sums->twist += kp * p;
    sums->twist_pull += k_more * p;
    sums->twist_rest += k_more * more;
  } else {
    sums->bend += kp * p;
    sums->bend_pull += k_more * p;
    sums->bend_rest += k_more * more;
  }
}

/// Entries of a symmetric matrix over the unknowns of a segment, and of a joint: a lower triangle.
#define VIPER_SEGMENT_PACKED (VIPER_SEGMENT_UNKNOWNS * (VIPER_SEGMENT_UNKNOWNS + 1) / 2)
#define VIPER_JOINT_PACKED   (VIPER_JOINT_UNKNOWNS * (VIPER_JOINT_UNKNOWNS + 1) / 2)

#endif
