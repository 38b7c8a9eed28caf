// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `block-descent`: one Newton step of Phi over the unknowns of one node (4), or of one
/// frame (3), all others held. Phase functions, point-wise: a backend adds what acts on the node or
/// frame and then moves it.
#ifndef VIPER_METHOD_NEWTON_H
#define VIPER_METHOD_NEWTON_H

#include "viper/energy/inertia.h"
#include "viper/energy/tension.h"
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

/// Adds a segment's terms over the unknowns of its node 0 or 1.
VIPER_FN void viper_newton_segment_node(viper_newton *n, const viper_segment_rest *rest,
                                        const viper_segment_state *x, int side) {
#define ADD(name, NAME) viper_##name##_add_part(rest, x, 4 * side, 4, n->g, n->h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
}

/// Adds a segment's terms over the rotation of its frame. Seen from the frame itself, which changes
/// none of them, its axes are constants: most of the arithmetic folds away.
VIPER_FN void viper_newton_segment_frame(viper_newton *n, const viper_segment_rest *rest,
                                         const viper_segment_state *x) {
  viper_real zero = VIPER_R(0);
  viper_segment_state seen;
  seen.c_a = viper_vec3_make(zero, zero, zero);
  seen.c_b = viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a));
  seen.s_a = x->s_a;
  seen.s_b = x->s_b;
  seen.q = viper_quat_make(VIPER_R(1), zero, zero, zero);
  viper_stretch_add_part(rest, &seen, 8, 3, n->g, n->h);
  viper_volume_add_part(rest, &seen, 8, 3, n->g, n->h);
  viper_real tension = viper_segment_tension(rest, &seen);
  n->h[0][0] += tension;
  n->h[1][1] += tension;
}

/// The sums of a joint's turn terms at Omega.
VIPER_FN viper_turn_sums viper_joint_turn_sums(const viper_joint_rest *rest, viper_real s,
                                               viper_vec3 omega) {
  viper_turn_sums sums;
  VIPER_UNROLL for (int i = 0; i < 3; i++) sums.g[i] = sums.h[i] = VIPER_R(0);
  sums.g_s = sums.h_s = VIPER_R(0);
#define ADD(name, NAME)                                                                            \
  viper_turn_add(&sums, viper_##name##_power(s), VIPER_##NAME##_FIRST, VIPER_##NAME##_ROWS,        \
                 rest->k_##name, omega, rest->omega_rest);
  VIPER_TURN_TERMS(ADD)
#undef ADD
  return sums;
}

/// Adds a joint's terms over the scale of its node before (0), at (1) or after it (2).
VIPER_FN void viper_newton_joint_scale(viper_newton *n, const viper_joint_rest *rest,
                                       const viper_joint_state *x, int role) {
  viper_real g[4], h[4][4];
  g[0] = VIPER_R(0);
  h[0][0] = VIPER_R(0);
  viper_surface_bend_add_part(rest, x, role, 1, g, h);
  if (role == 1) {
    viper_turn_sums sums = viper_joint_turn_sums(rest, x->s, viper_joint_darboux(rest, x).omega);
    g[0] += sums.g_s;
    h[0][0] += sums.h_s;
  }
  n->g[3] += g[0];
  n->h[3][3] += h[0][0];
}

/// Adds a joint's terms over the rotation of its frame 0 or 1.
VIPER_FN void viper_newton_joint_frame(viper_newton *n, const viper_joint_rest *rest,
                                       const viper_joint_state *x, int side) {
  viper_darboux d = viper_joint_darboux(rest, x);
  viper_turn_sums sums = viper_joint_turn_sums(rest, x->s, d.omega);
  VIPER_UNROLL for (int row = 0; row < 3; row++) {
    VIPER_UNROLL for (int i = 0; i < 3; i++) {
      viper_real di = side == 0 ? d.d_j[row][i] : d.d_k[row][i], hd = sums.h[row] * di;
      n->g[i] += sums.g[row] * di;
      VIPER_UNROLL for (int k = 0; k <= i; k++) n->h[i][k] +=
          hd * (side == 0 ? d.d_j[row][k] : d.d_k[row][k]);
    }
  }
}

/// Leaves out the pinned unknowns of a node: `free` is 1 or 0 for each.
VIPER_FN void viper_newton_pin(viper_newton *n, const viper_real free[4]) {
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n->g[i] *= free[i];
    VIPER_UNROLL for (int k = 0; k < i; k++) n->h[i][k] *= free[i] * free[k];
  }
}

/// Solves h d = -g over the first `count` unknowns by LDL^T; `d` holds zeros behind them.
VIPER_FN void viper_newton_solve(viper_newton *n, int count, viper_real d[4]) {
  viper_real inverse[4];
  VIPER_UNROLL for (int k = 0; k < 4; k++) d[k] = k < count ? -n->g[k] : VIPER_R(0);
  VIPER_UNROLL for (int k = 0; k < count; k++) {
    inverse[k] = VIPER_RECIPROCAL(n->h[k][k]);
    VIPER_UNROLL for (int i = k + 1; i < count; i++) {
      viper_real factor = n->h[i][k] * inverse[k];
      VIPER_UNROLL for (int j = k + 1; j <= i; j++) n->h[i][j] -= factor * n->h[j][k];
      d[i] -= factor * d[k];
    }
  }
  VIPER_UNROLL for (int i = count - 1; i >= 0; i--) {
    d[i] *= inverse[i];
    VIPER_UNROLL for (int k = 0; k < i; k++) d[k] -= n->h[i][k] * d[i];
  }
}

#endif
