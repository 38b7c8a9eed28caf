// SPDX-License-Identifier: GPL-3.0-or-later
/// Second derivatives of the objective Phi: what its Hessian has besides the Gauss-Newton block
/// K dW^T dW (terms.h, inertia.h), K W . d2W of all terms of an element and the same of a frame's
/// inertia.
///
/// They are taken in the unknowns of element.h; a rotation delta in body axes makes Q
/// normalize(Q (1 + delta/2)), which is Q (1 - |delta|^2/8 + delta/2) but for third order. Terms
/// are W = p(sm) dc - w (the table's direction terms), linear in scales (its scale and Laplacian
/// terms, which add nothing), of the turn D of a joint, or others. Of these each has, beside its W
/// and dW,
///   viper_NAME_second(rest, x, f, h)   h[n][n] += sum over rows i of f[i] d2W[i] (lower triangle)
/// over the n unknowns of its element. Blocks so completed need not be positive definite.
#ifndef VIPER_ENERGY_SECOND_H
#define VIPER_ENERGY_SECOND_H

#include "viper/energy/terms.h"
#include "viper/energy/turn_form.h"

/// Adds `part` (1, or 0 for nothing) of K W . d2W of a segment's terms to its block.
///
/// The direction's second derivatives are, with F the sum of K a W (a: what a segment rests at),
/// F.w over each tilt and -F.u/2, -F.v/2 over a tilt and the turn about w: a string's stiffness
/// under tension, and what bends a bar under pressure.
VIPER_FN void viper_segment_add_part(const viper_segment_rest *rest, const viper_segment_state *x,
                                     viper_real part, bool volume,
                                     viper_real h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  const viper_vec3 dc = viper_segment_dc(rest, x), axis = viper_quat_w(x->q);
  const viper_real sm = viper_segment_sm(x), half = VIPER_R(-0.5);
  viper_vec3 force = viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0)), shear = force;
  viper_real scales = VIPER_R(0);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME || volume) {                                          \
    const viper_weight weight = viper_##name##_weight(sm);                                         \
    const viper_real rests = viper_##name##_rest(x->active);                                       \
    const viper_vec3 kw = viper_scale(                                                             \
        part * rest->k_##name, viper_sub(viper_scale(weight.p, dc), viper_scale(rests, axis)));    \
    force = viper_add(force, viper_scale(rests, kw));                                              \
    shear = viper_add(shear, viper_scale(weight.dp, kw));                                          \
    scales += weight.d2p * viper_dot(kw, dc);                                                      \
  }
  VIPER_DIRECTION_TERMS(ADD)
#undef ADD
  const viper_real tension = viper_dot(force, axis);
  const viper_real slope[3] = {rest->inv_l * shear.x, rest->inv_l * shear.y, rest->inv_l * shear.z};
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    h[3][k] -= slope[k];
    h[4 + k][3] += slope[k];
    h[7][k] -= slope[k];
    h[7][4 + k] += slope[k];
  }
  h[3][3] += scales;
  h[7][3] += scales;
  h[7][7] += scales;
  h[8][8] += tension;
  h[9][9] += tension;
  h[10][8] += half * viper_dot(force, viper_quat_u(x->q));
  h[10][9] += half * viper_dot(force, viper_quat_v(x->q));
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) w[i] *= part * rest->k_##name;      \
    viper_##name##_second(rest, x, w, h);                                                          \
  }
  VIPER_OTHER_SEGMENT_TERMS(ADD)
#undef ADD
}

/// Adds K W . d2W of a segment's terms to its block.
VIPER_FN void
viper_segment_add_second(const viper_segment_rest *rest, const viper_segment_state *x,
                         viper_real h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  viper_segment_add_part(rest, x, VIPER_R(1), true, h);
}

/// Adds `part` of K W d2W of twist of a joint of fused rods to its block. With W = p(s, omega)
/// (omega + o) - o and o = Omega_rest Re D, d2W is that of a power p alone, with p + (omega + o)
/// dp/domega in place of p over omega, and a matrix of the first derivatives of omega and o.
VIPER_FN void viper_twist_fused_add_part(const viper_joint_rest *rest, const viper_joint_state *x,
                                         const viper_turn *turn, viper_real part,
                                         viper_real h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  const viper_real zero = VIPER_R(0), two = rest->inv_lm + rest->inv_lm;
  const viper_real o_rest = rest->omega_rest.z, of_rest = o_rest * turn->d.w;
  const viper_real omega = two * turn->d.z, slope = omega + of_rest;
  const viper_fused_power power = viper_twist_fused_power(x->s, omega, x->fused);
  const viper_real kw = part * rest->k_twist * (power.p * slope - of_rest);
  const viper_real hold = kw * (power.p + slope * power.dp_omega);
  const viper_real pull = kw * (power.dp + slope * power.d2p_s_omega);
  const viper_turn_form held = viper_turn_form_of(
      rest, viper_quat_make(kw * (power.p - VIPER_R(1)) * o_rest, zero, zero, two * hold));
  const viper_turn_form pulled =
      viper_turn_form_of(rest, viper_quat_make(kw * power.dp * o_rest, zero, zero, two * pull));
  const viper_turn_form of_omega = viper_turn_form_of(rest, viper_quat_make(zero, zero, zero, two));
  const viper_turn_form of_slope =
      viper_turn_form_of(rest, viper_quat_make(o_rest, zero, zero, two));
  viper_real g[6], d_omega[6], d_slope[6];
  VIPER_UNROLL for (int side = 0; side < 2; side++) {
    viper_turn_form_first(&pulled, rest, turn->p, side, g + 3 * side);
    viper_turn_form_first(&of_omega, rest, turn->p, side, d_omega + 3 * side);
    viper_turn_form_first(&of_slope, rest, turn->p, side, d_slope + 3 * side);
  }
  h[1][1] += kw * slope * power.d2p;
  viper_turn_form_add_second(&held, rest, turn->p, h);
  VIPER_UNROLL for (int i = 0; i < 6; i++) {
    h[3 + i][1] += g[i];
    VIPER_UNROLL for (int k = 0; k <= i; k++) h[3 + i][3 + k] +=
        kw * (power.dp_omega * (d_omega[i] * d_slope[k] + d_slope[i] * d_omega[k]) +
              slope * power.d2p_omega * (d_omega[i] * d_omega[k]));
  }
}

/// Adds `part` of K W . d2W of a joint's terms to its block; without `bends` it has no term bend.
VIPER_FN void viper_joint_add_part(const viper_joint_rest *rest, const viper_joint_state *x,
                                   viper_real part, bool bends,
                                   viper_real h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  const viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  const viper_real im[3] = {turn.d.x, turn.d.y, turn.d.z}, zero = VIPER_R(0);
  const viper_real o_rest[3] = {rest->omega_rest.x, rest->omega_rest.y, rest->omega_rest.z};
  const viper_real two = rest->inv_lm + rest->inv_lm;
  viper_real hold[3] = {zero, zero, zero}, pull[3] = {zero, zero, zero};
  viper_real hold_w = zero, pull_w = zero, scale = zero, g[3];
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends) {                                             \
    const viper_power power = viper_##name##_power(x->s);                                          \
    VIPER_UNROLL for (int i = VIPER_##NAME##_FIRST;                                                \
                      i < VIPER_##NAME##_FIRST + VIPER_##NAME##_ROWS; i++) {                       \
      const viper_real of_rest = o_rest[i] * turn.d.w, slope = two * im[i] + of_rest;              \
      const viper_real k = VIPER_TERM_##NAME == VIPER_TERM_TWIST && x->is_fused                    \
                               ? zero                                                              \
                               : viper_joint_of_row(part * rest->k_##name, x, VIPER_TERM_##NAME,   \
                                                    i - VIPER_##NAME##_FIRST);                     \
      const viper_real kw = k * (power.p * slope - of_rest), pulled = kw * power.dp;               \
      hold[i] += kw * power.p;                                                                     \
      hold_w += kw * (power.p - VIPER_R(1)) * o_rest[i];                                           \
      pull[i] += pulled;                                                                           \
      pull_w += pulled * o_rest[i];                                                                \
      scale += power.d2p * (kw * slope);                                                           \
    }                                                                                              \
  }
  VIPER_TURN_TERMS(ADD)
#undef ADD
  const viper_turn_form held = viper_turn_form_of(
      rest, viper_quat_make(hold_w, two * hold[0], two * hold[1], two * hold[2]));
  const viper_turn_form pulled = viper_turn_form_of(
      rest, viper_quat_make(pull_w, two * pull[0], two * pull[1], two * pull[2]));
  h[1][1] += scale;
  viper_turn_form_add_second(&held, rest, turn.p, h);
  VIPER_UNROLL for (int side = 0; side < 2; side++) {
    viper_turn_form_first(&pulled, rest, turn.p, side, g);
    VIPER_UNROLL for (int k = 0; k < 3; k++) h[3 + 3 * side + k][1] += g[k];
  }
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_##name(rest, x, w, dw);                                                                  \
    VIPER_UNROLL for (int i = 0; i < VIPER_##NAME##_ROWS; i++) w[i] *= part * rest->k_##name;      \
    viper_##name##_second(rest, x, w, h);                                                          \
  }
  VIPER_OTHER_JOINT_TERMS(ADD)
#undef ADD
  if (x->is_fused)
    viper_twist_fused_add_part(rest, x, &turn, part, h);
}

/// Adds K W . d2W of a joint's terms to its block.
VIPER_FN void viper_joint_add_second(const viper_joint_rest *rest, const viper_joint_state *x,
                                     viper_real h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  viper_joint_add_part(rest, x, VIPER_R(1), true, h);
}

#endif
