// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `block-descent`: one Newton step of Phi over the unknowns of one node (4), or of one
/// frame (3), all others held. Phase functions, point-wise: a backend adds what acts on the node or
/// frame and then moves it. Before nodes move, joints are asked how they are turned, and once they
/// have moved, what that means for frames: each joint is turned once for three that need it.
///
/// Gradients are exact: they say where sweeps end. Blocks only say how far a step goes.
#ifndef VIPER_METHOD_NEWTON_H
#define VIPER_METHOD_NEWTON_H

#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"

/// Gradient and Gauss-Newton block of Phi over at most four unknowns: center and scale of a node,
/// or the rotation of a frame in body axes. Only the lower triangle of `h` is used.
typedef struct viper_newton {
  viper_real g[4];
  viper_real h[4][4];
} viper_newton;

/// The inertial part over a node's unknowns; `inv_h2` is 1 / h^2.
VIPER_FN viper_newton viper_newton_node(viper_node_inertia a, viper_node_x x, viper_node_x hat,
                                        viper_real inv_h2) {
  viper_newton n;
  viper_real zero = VIPER_R(0);
  viper_real inertia[4] = {a.mass, a.mass, a.mass, a.scale};
  viper_node_inertial_gradient(a, x, hat, n.g);
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    VIPER_UNROLL for (int k = 0; k < 4; k++) n.h[i][k] = i == k ? inv_h2 * inertia[i] : zero;
    n.g[i] *= inv_h2;
  }
  return n;
}

/// The inertial part over a frame's unknowns; `a` is its inertia about u and v.
VIPER_FN viper_newton viper_newton_frame(viper_real a, viper_quat q, viper_quat hat,
                                         viper_real inv_h2) {
  viper_newton n;
  viper_real g[3], h[3][3], zero = VIPER_R(0);
  viper_frame_inertial_block(inv_h2 * a, q, hat, g, h);
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n.g[i] = i < 3 ? g[i < 3 ? i : 0] : zero;
    VIPER_UNROLL for (int k = 0; k < 4; k++) n.h[i][k] =
        k <= i && i < 3 ? h[i < 3 ? i : 0][k < 3 ? k : 0] : zero;
  }
  return n;
}

/// The sums of a segment's direction terms at the mean scale `sm`.
VIPER_FN viper_direction_sums viper_segment_direction(const viper_segment_rest *rest,
                                                      viper_real sm) {
  viper_real zero = VIPER_R(0);
  viper_direction_sums sums = {zero, zero, zero, zero, zero};
#define ADD(name, NAME)                                                                            \
  viper_direction_add(&sums, viper_##name##_weight(sm), rest->k_##name, rest->inv_l);
  VIPER_DIRECTION_TERMS(ADD)
#undef ADD
  return sums;
}

/// Adds a segment's terms over the unknowns of its node 0 or 1.
VIPER_FN void viper_newton_segment_node(viper_newton *n, const viper_segment_rest *rest,
                                        const viper_segment_state *x, int side) {
  viper_direction_sums sums = viper_segment_direction(rest, viper_segment_sm(x));
  viper_vec3 w = viper_quat_w(x->q), d = viper_sub(x->c_b, x->c_a);
  viper_vec3 out = side == 0 ? viper_sub(x->c_a, x->c_b) : d; // from the other node to this one
  viper_real d2 = viper_dot(d, d), dw = viper_dot(d, w);
  viper_real frame = side == 0 ? -sums.frame : sums.frame;
  viper_real o[3] = {out.x, out.y, out.z}, axis[3] = {w.x, w.y, w.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    n->g[i] = (n->g[i] + sums.center * o[i]) - frame * axis[i];
    n->h[i][i] += sums.center;
    n->h[3][i] += sums.cross * o[i];
  }
  n->g[3] = (n->g[3] + sums.cross * d2) - sums.scale * dw;
  n->h[3][3] += sums.square * d2;
#define ADD(name, NAME) viper_##name##_add_part(rest, x, 4 * side, 4, n->g, n->h);
  VIPER_SCALE_TERMS(ADD)
#undef ADD
}

/// Adds a segment's terms over the rotation of its frame: their torque is frame d x w. Twist about
/// w changes none of them; both tilts have the sum of K, or, under tension, the string's stiffness
/// (tension.h), which is d.w in place of K's 1.
VIPER_FN void viper_newton_segment_frame(viper_newton *n, const viper_segment_rest *rest,
                                         const viper_segment_state *x) {
  viper_vec3 d = viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a));
  viper_real frame = viper_segment_direction(rest, viper_segment_sm(x)).frame;
  viper_real stiffness = rest->k_stretch + rest->k_volume;
  viper_real along = frame * d.z;
  n->g[0] += frame * d.y;
  n->g[1] -= frame * d.x;
  viper_real tilt = VIPER_SELECT(along > stiffness, along, stiffness);
  n->h[0][0] += tilt;
  n->h[1][1] += tilt;
}

/// Adds surface_bend over the scale of a joint's node before (0), at (1) or after it (2).
VIPER_FN void viper_newton_joint_scale(viper_newton *n, const viper_joint_rest *rest,
                                       const viper_joint_state *x, int role) {
  viper_real g[4], h[4][4];
  g[0] = VIPER_R(0);
  h[0][0] = VIPER_R(0);
  viper_surface_bend_add_part(rest, x, role, 1, g, h);
  n->g[3] += g[0];
  n->h[3][3] += h[0][0];
}

/// What the turn terms of a joint ask of the scale `s` of its node.
VIPER_FN viper_pull viper_joint_pull(const viper_joint_rest *rest, const viper_turn *turn,
                                     viper_real s) {
  viper_vec3 omega = viper_joint_omega(rest, turn);
  viper_pull sums = {VIPER_R(0), VIPER_R(0)};
#define ADD(name, NAME)                                                                            \
  viper_pull_add(&sums, viper_##name##_power(s), VIPER_##NAME##_FIRST, VIPER_##NAME##_ROWS,        \
                 rest->k_##name, omega, rest->omega_rest);
  VIPER_TURN_TERMS(ADD)
#undef ADD
  return sums;
}

/// What they ask of the frames at a scale that is held: twice their gradient over Im D is
/// force + stiffness Im D.
typedef struct viper_hold {
  viper_real bend, twist; ///< stiffness in u and v, and in w, J
  viper_vec3 force;       ///< J
} viper_hold;

VIPER_FN viper_hold viper_joint_hold(const viper_joint_rest *rest, viper_real s) {
  viper_real zero = VIPER_R(0), two = (rest->inv_lm + rest->inv_lm) * rest->inv_lm;
  viper_stiffness sums = {zero, zero, zero, zero};
  viper_hold out;
#define ADD(name, NAME)                                                                            \
  viper_stiffness_add(&sums, viper_##name##_power(s).p, VIPER_##NAME##_FIRST, rest->k_##name);
  VIPER_TURN_TERMS(ADD)
#undef ADD
  out.bend = two * sums.bend;
  out.twist = two * sums.twist;
  sums.bend_pull *= rest->inv_lm;
  sums.twist_pull *= rest->inv_lm;
  out.force =
      viper_vec3_make(sums.bend_pull * rest->omega_rest.x, sums.bend_pull * rest->omega_rest.y,
                      sums.twist_pull * rest->omega_rest.z);
  return out;
}

/// Adds the gradient of a joint's turn terms over the rotation of its frame 0 or 1.
VIPER_FN void viper_newton_turn_gradient(viper_newton *n, const viper_joint_rest *rest,
                                         const viper_turn *turn, const viper_hold *hold, int side) {
  viper_vec3 f = viper_vec3_make(hold->force.x + hold->bend * turn->im.x,
                                 hold->force.y + hold->bend * turn->im.y,
                                 hold->force.z + hold->twist * turn->im.z);
  viper_vec3 g = viper_turn_gradient(rest, turn, f, side);
  n->g[0] += g.x;
  n->g[1] += g.y;
  n->g[2] += g.z;
}

/// Adds their block, h_u sum_r d_r d_r^T + (h_w - h_u) d_w d_w^T over the rows d_r of d Omega, with
/// 1/lm^2 in place of that sum, which is never more: there are fewer products, and no step is
/// longer.
VIPER_FN void viper_newton_turn_block(viper_newton *n, const viper_joint_rest *rest,
                                      const viper_turn *turn, const viper_hold *hold, int side) {
  viper_real zero = VIPER_R(0), half = VIPER_R(0.5);
  viper_vec3 w = viper_turn_gradient(rest, turn, viper_vec3_make(zero, zero, VIPER_R(1)), side);
  viper_real d[3] = {w.x, w.y, w.z}, more = half * (hold->twist - hold->bend);
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real hd = more * d[i];
    n->h[i][i] += half * hold->bend;
    VIPER_UNROLL for (int k = 0; k <= i; k++) n->h[i][k] += hd * d[k];
  }
}

/// Leaves out the pinned unknowns of a node: `free` is 1 or 0 for each.
VIPER_FN void viper_newton_pin(viper_newton *n, const viper_real free[4]) {
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n->g[i] *= free[i];
    VIPER_UNROLL for (int k = 0; k < i; k++) n->h[i][k] *= free[i] * free[k];
  }
}

/// Solves h d = -g for a node. Its block is an arrow: what acts on its center alone does so alike
/// in all directions, a times the unit matrix; b ties it to the scale, whose own entry is c.
VIPER_FN void viper_newton_solve_node(const viper_newton *n, viper_real d[4]) {
  viper_vec3 b = viper_vec3_make(n->h[3][0], n->h[3][1], n->h[3][2]);
  viper_vec3 g = viper_vec3_make(n->g[0], n->g[1], n->g[2]);
  viper_real a = n->h[0][0], inverse = VIPER_RECIPROCAL(a);
  viper_real ds =
      (viper_dot(b, g) - a * n->g[3]) * VIPER_RECIPROCAL(a * n->h[3][3] - viper_dot(b, b));
  d[0] = -inverse * (g.x + b.x * ds);
  d[1] = -inverse * (g.y + b.y * ds);
  d[2] = -inverse * (g.z + b.z * ds);
  d[3] = ds;
}

/// Half the inverse of a block over three unknowns: a frame moves by half of its rotation.
typedef struct viper_inverse {
  viper_real xx, xy, xz, yy, yz, zz;
} viper_inverse;

VIPER_FN viper_inverse viper_newton_invert(const viper_newton *n) {
  viper_real xx = n->h[0][0], xy = n->h[1][0], xz = n->h[2][0];
  viper_real yy = n->h[1][1], yz = n->h[2][1], zz = n->h[2][2];
  viper_inverse out = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                       xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
  viper_real scale = VIPER_R(0.5) * VIPER_RECIPROCAL(xx * out.xx + xy * out.xy + xz * out.xz);
  out.xx *= scale;
  out.xy *= scale;
  out.xz *= scale;
  out.yy *= scale;
  out.yz *= scale;
  out.zz *= scale;
  return out;
}

/// Half the step from the gradient over three unknowns: -h^-1 g / 2.
VIPER_FN viper_vec3 viper_newton_apply(const viper_inverse *i, viper_vec3 g) {
  return viper_vec3_make(-(i->xx * g.x + i->xy * g.y + i->xz * g.z),
                         -(i->xy * g.x + i->yy * g.y + i->yz * g.z),
                         -(i->xz * g.x + i->yz * g.y + i->zz * g.z));
}

#endif
