// SPDX-License-Identifier: GPL-3.0-or-later
/// The constraint steps of `xpbd` and `jacobi-published` in fast arithmetic: those of constraint.h
/// in closed form, whose results differ by rounding. `h2a` as there, of nodes whose centers are
/// pinned as a whole or not at all, and of frames that are discs, (a, a, a/2), of which no
/// component is held. Not of fused rods, nor of the material model solid.
///
/// stretch and volume: a frame's turn t in world axes moves w by t x w, whatever u and v are. So A
/// = I + K dW H dW^T is alpha 1 + p dc dc^T - r w w^T, and the frame turns by h2a w x dlambda.
///
/// Turn terms of a joint: W = 2 F . D with F = (re, p/lm in one component), and over either frame
/// dW is the part of F across D, turned by quaternions. As these are of unit length, the products
/// of dW of two rows are F_i . F_j - W_i W_j / 4, less half of what is in w, where the inertia is
/// twice as large: no other component of a row is needed, but of the sum of all.
#ifndef VIPER_METHOD_CLOSED_CONSTRAINT_H
#define VIPER_METHOD_CLOSED_CONSTRAINT_H

#include "viper/method/constraint.h"

/// Whether fast arithmetic takes these forms: on a host in lanes, on a device in the kernels
/// without the material model solid, which compute no other bodies then (viper_has_solid_kernels).
#if defined __CUDACC__ && defined VIPER_FAST
#define VIPER_CLOSED_FORMS (!VIPER_WITH_SOLID)
#elif defined VIPER_FAST && VIPER_LANES > 1
#define VIPER_CLOSED_FORMS true
#else
#define VIPER_CLOSED_FORMS false
#endif

/// (1 + h) q, a turn by 2 h in world axes; not of unit length.
VIPER_FN viper_quat viper_turned_in_world(viper_quat q, viper_vec3 h) {
  return viper_quat_make(
      q.w - h.x * q.x - h.y * q.y - h.z * q.z, q.x + h.x * q.w + h.y * q.z - h.z * q.y,
      q.y + h.y * q.w + h.z * q.x - h.x * q.z, q.z + h.z * q.w + h.x * q.y - h.y * q.x);
}

/// q (1 + h), a turn by 2 h in body axes; not of unit length.
VIPER_FN viper_quat viper_turned_in_body(viper_quat q, viper_vec3 h) {
  return viper_quat_make(
      q.w - h.x * q.x - h.y * q.y - h.z * q.z, q.x + h.x * q.w + h.z * q.y - h.y * q.z,
      q.y + h.y * q.w + h.x * q.z - h.z * q.x, q.z + h.z * q.w + h.y * q.x - h.x * q.y);
}

VIPER_FN viper_real viper_quat_square(viper_quat q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

VIPER_FN viper_quat viper_quat_times(viper_real n, viper_quat q) {
  return viper_quat_make(n * q.w, n * q.x, n * q.y, n * q.z);
}

VIPER_FN viper_quat viper_quat_normalized(viper_quat q) {
  return viper_quat_times(VIPER_RSQRT(viper_quat_square(q)), q);
}

/// The axis w of a frame; `inverse` is 1 / |q|^2.
VIPER_FN viper_vec3 viper_quat_axis(viper_quat q, viper_real inverse) {
  viper_real twice = inverse + inverse;
  return viper_vec3_make(twice * (q.x * q.z + q.w * q.y), twice * (q.y * q.z - q.w * q.x),
                         VIPER_R(1) - twice * (q.x * q.x + q.y * q.y));
}

/// v + t a.
VIPER_FN viper_vec3 viper_add_scaled(viper_vec3 v, viper_real t, viper_vec3 a) {
  return viper_vec3_make(v.x + t * a.x, v.y + t * a.y, v.z + t * a.z);
}

/// viper_scale_moved, in one instruction.
VIPER_FN viper_real viper_closed_scale(viper_real s, viper_real ds, viper_scalar least) {
#ifdef VIPER_INTRINSIC
  return (viper_real)VIPER_INTRINSIC(max)(VIPER_R(least), s + ds);
#else
  return viper_scale_moved(s, ds, least);
#endif
}

/// K W - lambda of three rows.
VIPER_FN viper_vec3 viper_closed_right(viper_real k, viper_vec3 w, const viper_real lambda[3]) {
  return viper_vec3_make(k * w.x - lambda[0], k * w.y - lambda[1], k * w.z - lambda[2]);
}

VIPER_FN void viper_closed_add(viper_real lambda[3], viper_vec3 d) {
  lambda[0] += d.x;
  lambda[1] += d.y;
  lambda[2] += d.z;
}

/// dlambda of stretch: without p, and alpha - r along w. `axis` is the frame's w.
VIPER_FN viper_vec3 viper_closed_stretch(const viper_segment_rest *rest,
                                         const viper_segment_state *x, viper_vec3 axis,
                                         const viper_real *h2a, viper_real *lambda) {
  viper_real a = viper_stretch_rest(x->active), k = rest->k_stretch;
  viper_real beta = VIPER_R(1) + k * rest->inv_l * rest->inv_l * (h2a[0] + h2a[4]);
  viper_real across = VIPER_RECIPROCAL(beta + k * a * a * h2a[8]);
  viper_real along = VIPER_RECIPROCAL(beta) - across;
  viper_vec3 w = viper_sub(viper_segment_dc(rest, x), viper_scale(a, axis));
  viper_vec3 b = viper_closed_right(k, w, lambda);
  viper_vec3 d = viper_add_scaled(viper_scale(across, b), along * viper_dot(axis, b), axis);
  viper_closed_add(lambda, d);
  return d;
}

/// What volume asks: dlambda, and dW^T of it over the scale of either end.
typedef struct viper_closed_volume {
  viper_vec3 d;
  viper_real scale;
} viper_closed_volume;

/// With X = dc . dlambda and Y = w . dlambda, dlambda = (b - p X dc + r Y w) / alpha, where X and Y
/// solve a system of two rows whose determinant is positive.
VIPER_FN viper_closed_volume viper_closed_volume_of(const viper_segment_rest *rest,
                                                    const viper_segment_state *x, viper_vec3 axis,
                                                    const viper_real *h2a, viper_real *lambda) {
  viper_vec3 dc = viper_segment_dc(rest, x);
  viper_weight weight = viper_volume_weight(viper_segment_sm(x));
  viper_real k = rest->k_volume, p_l = weight.p * rest->inv_l, r = k * h2a[8];
  viper_real p = k * weight.dp * weight.dp * (h2a[3] + h2a[7]);
  viper_real beta = VIPER_R(1) + k * p_l * p_l * (h2a[0] + h2a[4]), alpha = beta + r;
  viper_vec3 b = viper_closed_right(k, viper_sub(viper_scale(weight.p, dc), axis), lambda);
  viper_real cross = viper_dot(dc, axis), b_dc = viper_dot(dc, b), b_w = viper_dot(axis, b);
  viper_real first = alpha + p * viper_dot(dc, dc), r_cross = r * cross, p_cross = p * cross;
  viper_real inverse = VIPER_RECIPROCAL(first * beta + p_cross * r_cross);
  viper_real on_dc = inverse * (beta * b_dc + r_cross * b_w);
  viper_real on_w = inverse * (first * b_w - p_cross * b_dc);
  viper_vec3 sum = viper_add_scaled(viper_add_scaled(b, -(p * on_dc), dc), r * on_w, axis);
  viper_closed_volume out = {viper_scale(VIPER_RECIPROCAL(alpha), sum), weight.dp * on_dc};
  viper_closed_add(lambda, out.d);
  return out;
}

/// Moves both centers by -+ p/l dlambda, and the frame by `turn` w x dlambda, which leaves it of
/// another length.
VIPER_FN void viper_closed_move(viper_segment_state *x, const viper_real *h2a, viper_real p_l,
                                viper_real turn, viper_vec3 axis, viper_vec3 d) {
  x->c_a = viper_add_scaled(x->c_a, h2a[0] * p_l, d);
  x->c_b = viper_add_scaled(x->c_b, -(h2a[4] * p_l), d);
  x->q = viper_turned_in_world(x->q, viper_scale(VIPER_R(0.5) * turn, viper_cross(axis, d)));
}

/// viper_xpbd_segment.
VIPER_FN void viper_closed_segment(const viper_segment_rest *rest, viper_segment_state *x,
                                   const viper_real h2a[VIPER_SEGMENT_UNKNOWNS],
                                   viper_real lambda[VIPER_SEGMENT_ROWS], viper_scalar least) {
  viper_real d[VIPER_SEGMENT_UNKNOWNS];
  int row = VIPER_STRETCH_ROWS;
  viper_vec3 axis = viper_quat_w(x->q);
  viper_closed_move(x, h2a, rest->inv_l, viper_stretch_rest(x->active) * h2a[8], axis,
                    viper_closed_stretch(rest, x, axis, h2a, lambda));
#define SOLVE(name, NAME)                                                                          \
  viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                        \
  row += VIPER_##NAME##_ROWS;                                                                      \
  x->s_a = viper_closed_scale(x->s_a, d[3], least);                                                \
  x->s_b = viper_closed_scale(x->s_b, d[7], least);
  VIPER_SCALE_TERMS(SOLVE)
#undef SOLVE
  axis = viper_quat_axis(x->q, VIPER_RECIPROCAL(viper_quat_square(x->q)));
  viper_real p = viper_volume_weight(viper_segment_sm(x)).p;
  viper_closed_volume volume = viper_closed_volume_of(rest, x, axis, h2a, lambda + row);
  x->s_a = viper_closed_scale(x->s_a, -(h2a[3] * volume.scale), least);
  x->s_b = viper_closed_scale(x->s_b, -(h2a[7] * volume.scale), least);
  viper_closed_move(x, h2a, p * rest->inv_l, h2a[8], axis, volume.d);
  x->q = viper_quat_normalized(x->q);
}

/// viper_jacobi_segment.
VIPER_FN void viper_closed_jacobi_segment(const viper_segment_rest *rest,
                                          const viper_segment_state *x,
                                          const viper_real h2a[VIPER_SEGMENT_UNKNOWNS],
                                          viper_real lambda[VIPER_SEGMENT_ROWS],
                                          viper_real sum[VIPER_SEGMENT_UNKNOWNS]) {
  viper_real d[VIPER_SEGMENT_UNKNOWNS];
  int row = VIPER_STRETCH_ROWS;
  viper_vec3 axis = viper_quat_w(x->q), u = viper_quat_u(x->q), v = viper_quat_v(x->q);
  viper_real p = viper_volume_weight(viper_segment_sm(x)).p;
  viper_vec3 stretch = viper_closed_stretch(rest, x, axis, h2a, lambda);
  sum[3] = sum[7] = VIPER_R(0);
#define SOLVE(name, NAME)                                                                          \
  viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                        \
  row += VIPER_##NAME##_ROWS;                                                                      \
  sum[3] += d[3];                                                                                  \
  sum[7] += d[7];
  VIPER_SCALE_TERMS(SOLVE)
#undef SOLVE
  viper_closed_volume volume = viper_closed_volume_of(rest, x, axis, h2a, lambda + row);
  viper_vec3 pull = viper_scale(rest->inv_l, viper_add_scaled(stretch, p, volume.d));
  viper_vec3 turn = viper_add_scaled(volume.d, viper_stretch_rest(x->active), stretch);
  sum[0] = h2a[0] * pull.x;
  sum[1] = h2a[0] * pull.y;
  sum[2] = h2a[0] * pull.z;
  sum[3] -= h2a[3] * volume.scale;
  sum[4] = -(h2a[4] * pull.x);
  sum[5] = -(h2a[4] * pull.y);
  sum[6] = -(h2a[4] * pull.z);
  sum[7] -= h2a[7] * volume.scale;
  sum[8] = -(h2a[8] * viper_dot(v, turn));
  sum[9] = h2a[8] * viper_dot(u, turn);
  sum[10] = VIPER_R(0);
}

/// A row of a turn term: its W, dW over the scale, the real part of F, F as linear in P, and the
/// components in w of dW over both frames.
typedef struct viper_closed_row {
  viper_real w, dw_s, re;
  viper_quat y;
  viper_real z_j, z_k;
} viper_closed_row;

VIPER_FN viper_closed_row viper_closed_row_of(const viper_joint_rest *rest, const viper_turn *turn,
                                              viper_power power, int row) {
  viper_real im[3] = {turn->d.x, turn->d.y, turn->d.z};
  viper_real omega_rest[3] = {rest->omega_rest.x, rest->omega_rest.y, rest->omega_rest.z};
  viper_real of_rest = omega_rest[row] * turn->d.w;
  viper_real slope = (rest->inv_lm + rest->inv_lm) * im[row] + of_rest;
  viper_closed_row out;
  out.re = VIPER_R(0.5) * (power.p - VIPER_R(1)) * omega_rest[row];
  out.w = power.p * slope - of_rest;
  out.dw_s = power.dp * slope;
  out.y = viper_turn_linear_row(rest, out.re, row, power.p * rest->inv_lm);
  viper_real base = turn->p.w * out.y.z - out.y.w * turn->p.z;
  viper_real cross = out.y.x * turn->p.y - out.y.y * turn->p.x;
  out.z_j = cross - base;
  out.z_k = cross + base;
  return out;
}

/// dW_i H dW_j^T of two rows.
VIPER_FN viper_real viper_closed_cross(const viper_closed_row *i, const viper_closed_row *j,
                                       const viper_real *h2a) {
  viper_real product = i->re * j->re - VIPER_R(0.25) * i->w * j->w;
  return (h2a[3] + h2a[6]) * product + h2a[1] * i->dw_s * j->dw_s -
         (h2a[5] * i->z_j * j->z_j + h2a[8] * i->z_k * j->z_k);
}

/// 1 + K dW H dW^T of a row, and some rounding errors of what it sums: where neighboring frames
/// differ by half a turn, F . F - W^2/4 cancels, and matrices of two rows could be indefinite. What
/// they solve for is the same, since multipliers add up. `im` is p/lm.
VIPER_FN viper_real viper_closed_diagonal(const viper_closed_row *i, viper_real im, viper_real k,
                                          const viper_real *h2a) {
  viper_real quarter = VIPER_R(0.5) * (h2a[5] + h2a[8]);
  viper_real sum = (h2a[3] + h2a[6]) * (i->re * i->re + im * im) + h2a[1] * i->dw_s * i->dw_s;
  viper_real less = quarter * i->w * i->w + (h2a[5] * i->z_j * i->z_j + h2a[8] * i->z_k * i->z_k);
  return VIPER_R(1) + k * (VIPER_R(1 + 8 * VIPER_EPSILON) * sum - less);
}

/// What a turn term asks: dlambda F as linear in P, and dW^T dlambda over the scale and over the
/// components in w of both frames.
typedef struct viper_closed_turn {
  viper_quat y;
  viper_real scale, z_j, z_k;
} viper_closed_turn;

/// Of one row or two, with K `k` and `k_next`, and adds dlambda.
VIPER_FN viper_closed_turn viper_closed_turn_of(const viper_joint_rest *rest,
                                                const viper_turn *turn, viper_power power,
                                                int first, int rows, viper_real k,
                                                viper_real k_next, const viper_real *h2a,
                                                viper_real *lambda) {
  viper_real p_lm = power.p * rest->inv_lm;
  viper_closed_row i = viper_closed_row_of(rest, turn, power, first);
  viper_real b = k * i.w - lambda[0];
  viper_real a = viper_closed_diagonal(&i, p_lm, k, h2a);
  if (rows == 1) {
    viper_real d = VIPER_RECIPROCAL(a) * b;
    viper_closed_turn out = {viper_quat_times(d, i.y), d * i.dw_s, d * i.z_j, d * i.z_k};
    lambda[0] += d;
    return out;
  }
  viper_closed_row j = viper_closed_row_of(rest, turn, power, first + 1);
  viper_real b_j = k_next * j.w - lambda[1];
  viper_real a_j = viper_closed_diagonal(&j, p_lm, k_next, h2a);
  viper_real cross = viper_closed_cross(&i, &j, h2a);
  viper_real inverse = VIPER_RECIPROCAL(a * a_j - (k * cross) * (k_next * cross));
  viper_real d = inverse * (a_j * b - (k * cross) * b_j);
  viper_real d_j = inverse * (a * b_j - (k_next * cross) * b);
  viper_closed_turn out = {viper_quat_make(d * i.y.w + d_j * j.y.w, d * i.y.x + d_j * j.y.x,
                                           d * i.y.y + d_j * j.y.y, d * i.y.z + d_j * j.y.z),
                           d * i.dw_s + d_j * j.dw_s, d * i.z_j + d_j * j.z_j,
                           d * i.z_k + d_j * j.z_k};
  lambda[0] += d;
  lambda[1] += d_j;
  return out;
}

/// How y turns frame `side`.
VIPER_FN viper_vec3 viper_closed_delta(const viper_joint_rest *rest, const viper_turn *turn,
                                       viper_quat y, const viper_real *h2a, int side) {
  viper_vec3 g = viper_turn_gradient(rest, turn, y, side);
  viper_real h = -h2a[3 + 3 * side];
  return viper_vec3_make(h * g.x, h * g.y, VIPER_R(0.5) * h * g.z);
}

/// Half of how a term turns frame `side`.
VIPER_FN viper_vec3 viper_closed_half(const viper_joint_rest *rest, const viper_turn *turn,
                                      const viper_closed_turn *by, const viper_real *h2a,
                                      int side) {
  viper_vec3 g = viper_turn_gradient(rest, turn, by->y, side);
  viper_real flip = side == 0 ? rest->flip_j : rest->flip_k;
  viper_real h = VIPER_R(-0.5) * h2a[3 + 3 * side], z = side == 0 ? by->z_j : by->z_k;
  return viper_vec3_make(h * g.x, h * g.y, (VIPER_R(0.5) * h) * viper_signed(z, flip));
}

/// Moves a joint, whose frames are of another length after.
VIPER_FN void viper_closed_turn_joint(const viper_joint_rest *rest, viper_joint_state *x,
                                      const viper_turn *turn, viper_closed_turn by,
                                      const viper_real *h2a, viper_scalar least) {
  x->s = viper_closed_scale(x->s, -(h2a[1] * by.scale), least);
  x->q_j = viper_turned_in_body(x->q_j, viper_closed_half(rest, turn, &by, h2a, 0));
  x->q_k = viper_turned_in_body(x->q_k, viper_closed_half(rest, turn, &by, h2a, 1));
}

/// The turn of frames of any length.
VIPER_FN viper_turn viper_closed_joint_turn(const viper_joint_rest *rest,
                                            const viper_joint_state *x) {
  viper_real n = VIPER_RSQRT(viper_quat_square(x->q_j) * viper_quat_square(x->q_k));
  return viper_joint_turn(rest, viper_quat_times(n, x->q_j), x->q_k);
}

// The turn terms of a joint at a turn.
#define VIPER_CLOSED_TURN(name, NAME, lambda)                                                      \
  viper_closed_turn_of(rest, &turn, viper_##name##_power(x->s), VIPER_##NAME##_FIRST,              \
                       VIPER_##NAME##_ROWS,                                                        \
                       viper_joint_of_row(rest->k_##name, x, VIPER_TERM_##NAME, 0),                \
                       viper_joint_of_row(rest->k_##name, x, VIPER_TERM_##NAME, 1), h2a, (lambda))

/// Where the multipliers of a joint's terms are.
enum {
  VIPER_CLOSED_TWIST = VIPER_BEND_ROWS,
  VIPER_CLOSED_SURFACE = VIPER_CLOSED_TWIST + VIPER_TWIST_ROWS,
  VIPER_CLOSED_VOLUME = VIPER_CLOSED_SURFACE + VIPER_SURFACE_BEND_ROWS
};

/// viper_xpbd_joint.
VIPER_FN void viper_closed_joint(const viper_joint_rest *rest, viper_joint_state *x,
                                 const viper_real h2a[VIPER_JOINT_UNKNOWNS],
                                 viper_real lambda[VIPER_JOINT_ROWS], bool bends, bool outer,
                                 viper_scalar least) {
  viper_real d[VIPER_JOINT_UNKNOWNS];
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  if (bends) {
    viper_closed_turn_joint(rest, x, &turn, VIPER_CLOSED_TURN(bend, BEND, lambda), h2a, least);
    turn = viper_closed_joint_turn(rest, x);
  }
  viper_closed_turn_joint(rest, x, &turn,
                          VIPER_CLOSED_TURN(twist, TWIST, lambda + VIPER_CLOSED_TWIST), h2a, least);
  if (outer) {
    viper_surface_bend_multiplier(rest, x, h2a, lambda + VIPER_CLOSED_SURFACE, d);
    x->s_prev = viper_closed_scale(x->s_prev, d[0], least);
    x->s = viper_closed_scale(x->s, d[1], least);
    x->s_next = viper_closed_scale(x->s_next, d[2], least);
  }
  turn = viper_closed_joint_turn(rest, x);
  viper_closed_turn_joint(rest, x, &turn,
                          VIPER_CLOSED_TURN(volume_bend, VOLUME_BEND, lambda + VIPER_CLOSED_VOLUME),
                          h2a, least);
  x->q_j = viper_quat_normalized(x->q_j);
  x->q_k = viper_quat_normalized(x->q_k);
}

/// A frame that is stored against a joint's path as the path has it: turned by half a turn about u.
VIPER_FN viper_quat viper_quat_against(viper_quat q) {
  return viper_quat_make(q.x, -q.w, -q.z, q.y);
}

/// The frame that viper_quat_against has turned.
VIPER_FN viper_quat viper_quat_back(viper_quat q) {
  return viper_quat_make(-q.x, q.w, q.z, -q.y);
}

/// viper_closed_joint with branches for frames that are stored against the path, where it would
/// select signs and components at each use; not in lanes. Multipliers have the other sign if frame
/// j alone is stored so.
VIPER_FN void viper_closed_joint_along(const viper_joint_rest *rest, viper_joint_state *x,
                                       const viper_real h2a[VIPER_JOINT_UNKNOWNS],
                                       viper_real lambda[VIPER_JOINT_ROWS], bool bends, bool outer,
                                       viper_scalar least) {
#if VIPER_LANES > 1
  viper_closed_joint(rest, x, h2a, lambda, bends, outer, least);
#else
  const bool j = rest->flip_j < VIPER_R(0), k = rest->flip_k < VIPER_R(0);
  viper_joint_rest along = *rest;
  along.flip_j = along.flip_k = VIPER_R(1);
  if (j)
    x->q_j = viper_quat_against(x->q_j);
  if (k)
    x->q_k = viper_quat_against(x->q_k);
  viper_closed_joint(&along, x, h2a, lambda, bends, outer, least);
  if (j)
    x->q_j = viper_quat_back(x->q_j);
  if (k)
    x->q_k = viper_quat_back(x->q_k);
#endif
}

/// viper_jacobi_joint.
VIPER_FN void viper_closed_jacobi_joint(const viper_joint_rest *rest, const viper_joint_state *x,
                                        const viper_real h2a[VIPER_JOINT_UNKNOWNS],
                                        viper_real lambda[VIPER_JOINT_ROWS],
                                        viper_real sum[VIPER_JOINT_UNKNOWNS]) {
  viper_turn turn = viper_joint_turn(rest, x->q_j, x->q_k);
  viper_closed_turn bend = VIPER_CLOSED_TURN(bend, BEND, lambda);
  viper_closed_turn twist = VIPER_CLOSED_TURN(twist, TWIST, lambda + VIPER_CLOSED_TWIST);
  viper_closed_turn volume =
      VIPER_CLOSED_TURN(volume_bend, VOLUME_BEND, lambda + VIPER_CLOSED_VOLUME);
  viper_quat y =
      viper_quat_make((bend.y.w + twist.y.w) + volume.y.w, (bend.y.x + twist.y.x) + volume.y.x,
                      (bend.y.y + twist.y.y) + volume.y.y, (bend.y.z + twist.y.z) + volume.y.z);
  viper_vec3 j = viper_closed_delta(rest, &turn, y, h2a, 0);
  viper_vec3 k = viper_closed_delta(rest, &turn, y, h2a, 1);
  viper_surface_bend_multiplier(rest, x, h2a, lambda + VIPER_CLOSED_SURFACE, sum);
  sum[1] -= h2a[1] * ((bend.scale + twist.scale) + volume.scale);
  sum[3] = j.x;
  sum[4] = j.y;
  sum[5] = j.z;
  sum[6] = k.x;
  sum[7] = k.y;
  sum[8] = k.z;
}
#undef VIPER_CLOSED_TURN

#endif
