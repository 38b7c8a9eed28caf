// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the sweeps of `block-descent` over a body of the material model solid begin, and where a
/// substep of theirs ends, so that few sweeps give it no energy (README.md, The material model
/// solid in block descent). Sums are those of direct.h.
///
/// The *ray* of a body goes from its old state through the present one. Let D be the displacement
/// along it. Euler's step changes the energy by -|dV|^2/2 - D.U'' D/2 + D.grad Phi: by no more than
/// the exact minimizer's step would, if D.grad Phi, the *slope* of Phi on the ray, is at most 0.
/// The minimizer has slope 0, so nothing changes where sweeps have converged.
#ifndef VIPER_METHOD_RAY_H
#define VIPER_METHOD_RAY_H

#include "viper/method/moments.h"
#include "viper/method/start.h"

/// On a device a call would leave the state of its thread in memory.
#ifdef __CUDACC__
#define VIPER_ON_RAY VIPER_ON_BODY
#else
#define VIPER_ON_RAY VIPER_OUT_OF_LINE
#endif

// The end on the ray, and the slope where that needs it: a device calls them.
#ifndef VIPER_RAY_SLOPE
#define VIPER_RAY_SLOPE(w, shift, t, uniform) viper_ray_slope((w), (shift), (t), (uniform))
#define VIPER_END_DESCENT(w, uniform)         viper_end_descent((w), (uniform))
#endif

/// Trials of a shorter step; each divides the interval of its length by up to 8.
#define VIPER_RAY_TRIALS 3

/// Moves a body to the drift without forces, with predicted frames: the prediction accelerates
/// each node alone, and few sweeps do not take back the energy of that.
VIPER_ON_RAY void viper_begin_descent(viper_access *w, int uniform) {
  const viper_model_body *b = viper_access_body(w);
  const viper_real part = VIPER_R(w->h);
  const viper_vec3 shift = viper_mean_shift(w, &part, uniform);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_place_node(w, at, part, shift));
  viper_follow_nodes(w);
  viper_barrier(w);
}

/// The displacement of a node along the ray, without the translation `shift` of the body; 0 of what
/// is pinned.
VIPER_FN viper_node_x viper_ray_arm(const viper_access *w, viper_at at, viper_vec3 shift) {
  viper_node_x x = viper_get_node(w, at), old = viper_get_node_old(w, at);
  viper_node_x d = {viper_sub(viper_sub(x.c, old.c), shift), x.s - old.s};
  if (viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    d.c = viper_vec3_make(free[0] * d.c.x, free[1] * d.c.y, free[2] * d.c.z);
    d.s *= free[3];
  }
  return d;
}

/// A node at the part `t` of its displacement; itself for 1.
VIPER_FN viper_node_x viper_ray_node(const viper_access *w, viper_at at, viper_vec3 shift,
                                     viper_real t) {
  viper_node_x x = viper_get_node(w, at), d = viper_ray_arm(w, at, shift);
  viper_real more = t - VIPER_R(1);
  x.c = viper_add(x.c, viper_scale(more, d.c));
  x.s = viper_bounded(x.s + more * d.s);
  return x;
}

/// Half of the turn of a frame along the ray, in its axes.
VIPER_FN viper_vec3 viper_ray_turn(const viper_access *w, viper_at at) {
  viper_quat d =
      viper_quat_mul(viper_quat_conj(viper_get_frame_old(w, at)), viper_get_frame(w, at));
  return viper_scale(viper_get_frame_free(w, at), viper_quat_im(viper_quat_positive(d)));
}

/// A frame at the part `t` of its turn.
VIPER_FN viper_quat viper_ray_frame(const viper_access *w, viper_at at, viper_real t) {
  viper_vec3 half = viper_ray_turn(w, at);
  return viper_quat_turn_twice(viper_get_frame(w, at), viper_scale(t - VIPER_R(1), half));
}

/// The change of that frame with `t`, a rotation in its axes.
VIPER_FN viper_vec3 viper_ray_rate(const viper_access *w, viper_at at, viper_real t) {
  viper_vec3 half = viper_ray_turn(w, at);
  viper_real more = t - VIPER_R(1), one = VIPER_R(1);
  viper_real norm = one + more * more * viper_dot(half, half);
  return viper_scale(VIPER_R(2) * VIPER_RECIPROCAL(norm), half);
}

/// h^2 times the slope of the inertial part of a node.
VIPER_FN viper_real viper_ray_node_slope(const viper_access *w, viper_at at, viper_vec3 shift,
                                         viper_real t, int uniform) {
  viper_real g[4];
  viper_node_x d = viper_ray_arm(w, at, shift);
  viper_node_inertial_gradient(viper_get_node_inertia(w, at, uniform),
                               viper_ray_node(w, at, shift, t), viper_get_node_hat(w, at), g);
  return ((g[0] * d.c.x + g[1] * d.c.y) + g[2] * d.c.z) + g[3] * d.s;
}

/// The same of a frame.
VIPER_FN viper_real viper_ray_frame_slope(const viper_access *w, viper_at at, viper_real t) {
  viper_real g[3], block[3][3];
  viper_block_of(w, at, viper_get_inertia(w, at), viper_ray_frame(w, at, t),
                 viper_get_frame_hat(w, at), g, block);
  return viper_dot(viper_ray_rate(w, at, t), viper_vec3_make(g[0], g[1], g[2]));
}

/// The slope of the terms of a segment, J.
VIPER_OUT_OF_LINE viper_real viper_ray_segment_slope(const viper_access *w, viper_at at,
                                                     viper_vec3 shift, viper_real t, int uniform) {
  viper_real g[VIPER_SEGMENT_UNKNOWNS], sum = VIPER_R(0);
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_solid_rest solid = viper_get_solid(w, at, uniform);
  viper_at end[2] = {viper_segment_node(w, at, 0), viper_segment_node(w, at, 1)};
  viper_node_x a = viper_ray_node(w, end[0], shift, t), b = viper_ray_node(w, end[1], shift, t);
  viper_segment_state x = {a.c, b.c, a.s, b.s, viper_ray_frame(w, at, t), viper_get_active(w, at)};
  const bool volume = viper_solid_of(w) != VIPER_ALL_SOLID;
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME || volume)                                            \
    viper_##name##_add_gradient(&rest, &x, g);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) viper_##name##_add_gradient(&solid, &x, g);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  VIPER_UNROLL for (int side = 0; side < 2; side++) {
    viper_node_x d = viper_ray_arm(w, end[side], shift);
    const viper_real *part = g + 4 * side;
    sum += ((part[0] * d.c.x + part[1] * d.c.y) + part[2] * d.c.z) + part[3] * d.s;
  }
  return sum + viper_dot(viper_ray_rate(w, at, t), viper_vec3_make(g[8], g[9], g[10]));
}

/// The same of a joint.
VIPER_OUT_OF_LINE viper_real viper_ray_joint_slope(const viper_access *w, viper_at at,
                                                   viper_vec3 shift, viper_real t, int uniform) {
  viper_real g[VIPER_JOINT_UNKNOWNS], sum = VIPER_R(0), s[3];
  const bool bends = viper_bends(w);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_quat q[2];
  VIPER_UNROLL for (int side = 0; side < 2; side++) q[side] =
      viper_ray_frame(w, viper_joint_segment(w, at, side), t);
  VIPER_UNROLL for (int role = 0; role < 3; role++) s[role] =
      viper_ray_node(w, viper_joint_node(w, at, role), shift, t).s;
  viper_joint_state x = {s[0],  s[1],         s[2], q[0], q[1], viper_get_bending(w, at),
                         false, viper_apart()}; // bodies in bundles have no rays
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++) g[k] = VIPER_R(0);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends)                                               \
    viper_##name##_add_gradient(&rest, &x, g);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  VIPER_UNROLL for (int role = 0; role < 3; role++) sum +=
      g[role] * viper_ray_arm(w, viper_joint_node(w, at, role), shift).s;
  VIPER_UNROLL for (int side = 0; side < 2; side++) sum +=
      viper_dot(viper_ray_rate(w, viper_joint_segment(w, at, side), t),
                viper_vec3_make(g[3 + 3 * side], g[4 + 3 * side], g[5 + 3 * side]));
  return sum;
}

/// The slope of Phi at the part `t` of the ray, J.
VIPER_ON_RAY VIPER_WIDE viper_ray_slope(viper_access *w, viper_vec3 shift, viper_real t,
                                        int uniform) {
  const viper_model_body *b = viper_access_body(w);
  const VIPER_PRECISE h = (VIPER_PRECISE)w->h;
  VIPER_WIDE inertial = VIPER_WIDE_ZERO, elastic = VIPER_WIDE_ZERO;
  VIPER_TOTALS(w, inertial, b->first_node, b->n_nodes,
               viper_ray_node_slope(w, at, shift, t, uniform), b->first_segment, b->n_segments,
               viper_ray_frame_slope(w, at, t));
  VIPER_TOTALS(w, elastic, b->first_segment, b->n_segments,
               viper_ray_segment_slope(w, at, shift, t, uniform), b->first_joint, b->n_joints,
               viper_ray_joint_slope(w, at, shift, t, uniform));
  return inertial / (h * h) + elastic;
}

/// h^2 times the energy of the change of a node's rates in this substep, which Euler's step loses.
VIPER_FN viper_real viper_node_gain(const viper_access *w, viper_at at, int uniform) {
  const viper_vec3 none = viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0));
  viper_node_x moved = viper_ray_arm(w, at, none), v = viper_get_node_rate(w, at);
  viper_real h = VIPER_R(w->h);
  v.c = viper_scale(h, v.c);
  v.s *= h;
  if (viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    v.c = viper_vec3_make(free[0] * v.c.x, free[1] * v.c.y, free[2] * v.c.z);
    v.s *= free[3];
  }
  return viper_node_inertial(viper_get_node_inertia(w, at, uniform), moved, v);
}

/// An eighth of 1 to 7, as near below `part` as that allows: a step length that does not depend on
/// the last digits of sums, which are not those of a device.
VIPER_FN viper_real viper_ray_length(viper_real part) {
  viper_real out = VIPER_R(0.125);
  VIPER_UNROLL for (int k = 2; k < 8; k++) {
    viper_real next = VIPER_R((viper_scalar)k / 8);
    out = VIPER_SELECT(part >= next, next, out);
  }
  return out;
}

/// The greatest part of the ray found at which the slope is not positive, where it is `slope` > 0
/// at 1. Along the ray Phi is mostly convex: a secant's zero is then below its own.
VIPER_ON_RAY viper_real viper_ray_part(viper_access *w, viper_vec3 shift, VIPER_WIDE slope,
                                       int uniform) {
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  viper_real low = VIPER_R(0), high = VIPER_R(1);
  VIPER_WIDE at_low = VIPER_RAY_SLOPE(w, shift, low, uniform), at_high = slope;
  at_low = VIPER_WIDE_SELECT(at_low < zero, at_low, zero - slope);
  VIPER_ROLLED for (int trial = 0; trial < VIPER_RAY_TRIALS; trial++) {
    viper_real part = viper_narrow(at_low / (at_low - at_high));
    viper_real t = low + viper_ray_length(part) * (high - low);
    VIPER_WIDE now = VIPER_RAY_SLOPE(w, shift, t, uniform);
    viper_real above = viper_narrow(VIPER_WIDE_SELECT(now > zero, zero + 1, zero));
    at_high = VIPER_WIDE_SELECT(now > zero, now, at_high);
    at_low = VIPER_WIDE_SELECT(now > zero, at_low, now);
    high = VIPER_SELECT(above > 0, t, high);
    low = VIPER_SELECT(above > 0, low, t);
  }
  return low;
}

VIPER_FN void viper_ray_move_node(viper_access *w, viper_at at, viper_vec3 shift, viper_real t) {
  viper_set_node(w, at, viper_ray_node(w, at, shift, t));
}

VIPER_FN void viper_ray_move_frame(viper_access *w, viper_at at, viper_real t) {
  viper_quat q = viper_get_frame(w, at), to = viper_ray_frame(w, at, t);
  viper_real one = VIPER_R(1);
  viper_set_free_frame(
      w, at,
      viper_quat_make(VIPER_SELECT(t < one, to.w, q.w), VIPER_SELECT(t < one, to.x, q.x),
                      VIPER_SELECT(t < one, to.y, q.y), VIPER_SELECT(t < one, to.z, q.z)));
}

/// Moves all nodes of a body by the mean displacement to their prediction, so that its momentum is
/// exact; not one with pinned centers.
VIPER_FN void viper_center_node(viper_access *w, viper_at at, viper_vec3 shift) {
  viper_node_x x = viper_get_node(w, at);
  x.c = viper_add(x.c, shift);
  viper_set_node(w, at, x);
}

/// Ends a substep's sweeps where they give no energy: at the present state if there the slope of
/// Phi on the ray is at most what Euler's step loses, else nearer to the old state. Bodies without
/// pinned centers keep their momentum: their rays are about the translation by the prediction.
VIPER_ON_RAY void viper_end_descent(viper_access *w, int uniform) {
  const viper_model_body *b = viper_access_body(w);
  const VIPER_PRECISE h = (VIPER_PRECISE)w->h;
  const VIPER_WIDE zero = VIPER_WIDE_ZERO;
  const viper_real none = VIPER_R(0), one = VIPER_R(1);
  VIPER_WIDE jump = zero;
  if (b->free_center) {
    const viper_vec3 shift = viper_mean_shift(w, NULL, uniform);
    VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_center_node(w, at, shift));
    viper_barrier(w);
  }
  const viper_vec3 shift = viper_mean_shift(w, &none, uniform);
  VIPER_TOTAL(w, jump, b->first_node, b->n_nodes, viper_node_gain(w, at, uniform));
  const VIPER_WIDE slope = VIPER_RAY_SLOPE(w, shift, one, uniform), over = slope - jump / (h * h);
  if (!VIPER_WIDE_ANY(over > zero))
    return;
  viper_real t = viper_ray_part(w, shift, slope, uniform);
  viper_real gains = viper_narrow(VIPER_WIDE_SELECT(over > zero, zero + 1, zero));
  t = VIPER_SELECT(gains > 0, t, one);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, viper_ray_move_node(w, at, shift, t));
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, viper_ray_move_frame(w, at, t));
  viper_barrier(w);
}

#endif
