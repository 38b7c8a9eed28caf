// SPDX-License-Identifier: GPL-3.0-or-later
/// The steps of `block-descent` in fast arithmetic: those of newton.h in closed form, with fewer
/// products, whose results differ by rounding. Of plain chains without the material model solid,
/// whose frames are discs of which no component is held (cpu/batch/chain_descent.h).
///
/// A frame's gradient is taken from its axes u, v, w and those of its prediction, u^, v^. With A =
/// u^ . u and B = v^ . v the inertial part is a (2 - A - B), since that is 2 a |Im D|^2 with its
/// component in w counted twice. Over a turn in body axes its gradient is
/// a (-v^ . w, u^ . w, v^ . u - u^ . v), and the diagonal of its block
/// a (1 - (A - B)/2, 1 + (A - B)/2, 1 + (A + B)/2).
#ifndef VIPER_METHOD_CLOSED_DESCENT_H
#define VIPER_METHOD_CLOSED_DESCENT_H

#include "viper/method/closed_constraint.h"
#include "viper/method/newton.h"

/// A product that several sums use: computed once, where a compiler would fuse one with each sum.
VIPER_FN viper_real viper_one_product(viper_real x) {
#if defined __AVX512F__ && VIPER_LANES > 1
  __asm__("" : "+v"(x));
#elif defined __SSE2__ && VIPER_LANES > 1
  __asm__("" : "+x"(x));
#endif
  return x;
}

/// The axes u and v of a frame, or a multiple of them.
typedef struct viper_cross_axes {
  viper_vec3 u, v;
} viper_cross_axes;

/// The axes u, v of a frame, and its direction w.
VIPER_FN viper_cross_axes viper_quat_axes(viper_quat q, viper_vec3 *w) {
  const viper_real x = q.x + q.x, y = q.y + q.y, z = q.z + q.z, one = VIPER_R(1);
  const viper_real xx = viper_one_product(q.x * x), yy = viper_one_product(q.y * y),
                   zz = viper_one_product(q.z * z), xy = viper_one_product(q.x * y),
                   yz = viper_one_product(q.y * z), xz = viper_one_product(q.x * z),
                   wx = viper_one_product(q.w * x), wy = viper_one_product(q.w * y),
                   wz = viper_one_product(q.w * z);
  *w = viper_vec3_make(xz + wy, yz - wx, one - (xx + yy));
  viper_cross_axes out = {viper_vec3_make(one - (yy + zz), xy + wz, xz - wy),
                          viper_vec3_make(xy - wz, one - (xx + zz), yz + wx)};
  return out;
}

/// The axes of a prediction times the inertia `a` over h^2.
VIPER_FN viper_cross_axes viper_hat_axes_of(viper_real a, viper_quat hat) {
  viper_vec3 w;
  viper_cross_axes out = viper_quat_axes(hat, &w);
  out.u = viper_scale(a, out.u);
  out.v = viper_scale(a, out.v);
  return out;
}

/// viper_newton_frame and viper_newton_segment_frame: the inertia of the frame of a segment from
/// its `hat_axes` and its axes, and the segment's terms. `a` is its inertia over h^2; `block` is 0
/// where the block is not asked for.
VIPER_FN viper_newton viper_closed_frame(const viper_segment_spring *spring,
                                         viper_cross_axes hat_axes, viper_cross_axes axes,
                                         viper_vec3 w, viper_vec3 dc, viper_real scales,
                                         viper_real a) {
  viper_newton n;
  viper_real half = VIPER_R(0.5), sm = half * scales;
  viper_real frame = spring->stretch_l + spring->volume_l * (sm * sm);
  viper_real dx = viper_dot(axes.u, dc), dy = viper_dot(axes.v, dc),
             along = frame * viper_dot(w, dc);
  viper_real uu = viper_dot(hat_axes.u, axes.u), vv = viper_dot(hat_axes.v, axes.v);
  viper_real more = half * (uu - vv),
             tilt = VIPER_SELECT(along > spring->tilt, along, spring->tilt);
  viper_clear(4, n.g, &n.h[0][0]);
  n.g[0] = frame * dy - viper_dot(hat_axes.v, w);
  n.g[1] = viper_dot(hat_axes.u, w) - frame * dx;
  n.g[2] = viper_dot(hat_axes.v, axes.u) - viper_dot(hat_axes.u, axes.v);
  n.h[0][0] = (a - more) + tilt;
  n.h[1][1] = (a + more) + tilt;
  n.h[2][2] = a + half * (uu + vv);
  return n;
}

/// The direction terms of viper_newton_segment_node. With p = sm^2 the term volume has the weight
/// p, whose derivative is sm.
VIPER_FN void viper_closed_segment_node(viper_newton *n, const viper_segment_spring *spring,
                                        viper_node_x x, viper_node_x other, viper_vec3 w,
                                        int side) {
  viper_real scales = x.s + other.s, sm = VIPER_R(0.5) * scales, p = sm * sm;
  viper_real square = spring->volume_l2 * p, cross = square * sm;
  viper_real center = spring->stretch_l2 + square * p;
  viper_real pull = spring->stretch_l + spring->volume_l * p;
  viper_vec3 out = viper_sub(x.c, other.c); // d of node 1, -d of node 0
  viper_real d2 = viper_dot(out, out), along = spring->volume_l * viper_dot(out, w);
  viper_real frame = side == 0 ? -pull : pull, e = viper_one_product(square * d2);
  viper_real o[3] = {out.x, out.y, out.z}, axis[3] = {w.x, w.y, w.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    n->g[i] = (n->g[i] + center * o[i]) - frame * axis[i];
    n->h[i][i] += center;
    n->h[3][i] += cross * o[i];
  }
  n->g[3] += sm * (side == 0 ? e + along : e - along);
  n->h[3][3] += e;
}

/// The squares of what a joint's viper_joint_spring has as `rest`, across w and along it.
typedef struct viper_rest_squares {
  viper_real across, along;
} viper_rest_squares;

VIPER_FN viper_rest_squares viper_rest_squares_of(const viper_joint_spring *spring) {
  const viper_vec3 r = spring->rest;
  viper_rest_squares out = {r.x * r.x + r.y * r.y, r.z * r.z};
  return out;
}

/// The springs between the scales of a plain chain as seen by a node: the sum of terms of its
/// segments and joints. Its gradient is own (s - 1), plus each coefficient times the other scale
/// less its own.
typedef struct viper_node_spring {
  viper_real before[2], after[2]; ///< of the next scale and the one beyond, J
  viper_real own;                 ///< J
  viper_real block;               ///< its second derivative, J
  viper_rest_squares rest;        ///< of the joint at it
} viper_node_spring;

/// Adds the terms section and taper of a segment to the springs of its nodes.
VIPER_FN void viper_add_segment_spring(const viper_segment_spring *k, viper_node_spring *a,
                                       viper_node_spring *b) {
  a->after[0] += k->section - k->taper;
  b->before[0] += k->section - k->taper;
  a->own += k->section + k->section;
  b->own += k->section + k->section;
  a->block += k->section + k->taper;
  b->block += k->section + k->taper;
}

/// The same of the term surface_bend of a joint, to its nodes before, at and after it.
VIPER_FN void viper_add_joint_spring(const viper_joint_spring *k, viper_node_spring *node) {
  viper_real slopes = k->slope_j + k->slope_k;
  node[0].after[0] -= k->surface[0] * slopes;
  node[0].after[1] += k->surface[0] * k->slope_k;
  node[1].before[0] += k->surface[1] * k->slope_j;
  node[1].after[0] += k->surface[1] * k->slope_k;
  node[2].before[0] -= k->surface[2] * slopes;
  node[2].before[1] += k->surface[2] * k->slope_j;
  VIPER_UNROLL for (int role = 0; role < 3; role++) node[role].block += k->surface_block[role];
  node[1].rest = viper_rest_squares_of(k);
}

/// viper_joint_pull, of powers s and s^3.
VIPER_FN viper_pull viper_closed_pull(const viper_joint_spring *spring, const viper_turn *turn,
                                      viper_real s) {
  viper_vec3 rest = viper_scale(turn->d.w, spring->rest);
  viper_vec3 slope = viper_add(rest, viper_quat_im(turn->d));
  viper_real square = slope.x * slope.x + slope.y * slope.y;
  viper_real product = slope.x * rest.x + slope.y * rest.y;
  viper_real s2 = s * s, three = spring->volume_bend + (spring->volume_bend + spring->volume_bend);
  viper_real k2 = viper_one_product(three * s2), k4 = viper_one_product(k2 * s2);
  viper_real twist = spring->twist * slope.z;
  viper_pull out = {(s * (spring->bend + k4)) * square - (spring->bend + k2) * product +
                        twist * (s * slope.z - rest.z),
                    (spring->bend + (k4 + (k4 + k4))) * square + twist * slope.z};
  out.g += out.g;
  out.h += out.h;
  return out;
}

/// viper_joint_hold: with t = sum K p and A = sum K p^2, the sum of K p (p - 1) is A - t, and that
/// of K (p - 1)^2 is (A - t) - (t - sum K).
VIPER_FN viper_hold viper_closed_hold(const viper_joint_spring *spring, viper_rest_squares rest,
                                      viper_real s) {
  viper_real s2 = s * s, s3 = s2 * s, one = VIPER_R(1);
  viper_vec3 r = spring->rest;
  viper_real t = spring->bend * s + spring->volume_bend * s3;
  viper_real bend = spring->bend * s2 + spring->volume_bend * (s3 * s3), pull = bend - t;
  viper_real twist_t = viper_one_product(spring->twist * s), more = s - one;
  viper_real twist_pull = viper_one_product(twist_t * more), twist = twist_pull + twist_t;
  viper_real bend_rest = pull - (t - (spring->bend + spring->volume_bend));
  viper_real twist_rest = twist_pull - (twist_t - spring->twist);
  viper_hold out;
  out.rest = bend_rest * rest.across + twist_rest * rest.along;
  out.bend = bend - out.rest;
  out.twist = twist - out.rest;
  out.force = viper_vec3_make(pull * r.x, pull * r.y, twist_pull * r.z);
  return out;
}

/// An estimate of 1 / x, where it is only the length of a step.
VIPER_FN viper_real viper_step_inverse(viper_real x) {
#ifdef VIPER_ESTIMATE
  return (viper_real)VIPER_ESTIMATE(rcp)(x);
#else
  return VIPER_RECIPROCAL(x);
#endif
}

/// viper_newton_solve_node.
VIPER_FN viper_node_x viper_closed_step(const viper_newton *n) {
  viper_vec3 b = viper_vec3_make(n->h[3][0], n->h[3][1], n->h[3][2]);
  viper_vec3 g = viper_vec3_make(n->g[0], n->g[1], n->g[2]);
  viper_real a = n->h[0][0], inverse = viper_step_inverse(a);
  viper_real ds =
      (viper_dot(b, g) - a * n->g[3]) * viper_step_inverse(a * n->h[3][3] - viper_dot(b, b));
  viper_node_x out = {viper_scale(-inverse, viper_add_scaled(g, ds, b)), ds};
  return out;
}

#endif
