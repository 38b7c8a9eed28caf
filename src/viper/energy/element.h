// SPDX-License-Identifier: GPL-3.0-or-later
/// What the terms of the elastic energy see: the stencil of a segment and of a joint, with rest
/// data.
///
/// Unknowns of a segment, in this order (11): center and scale of node a (0-2, 3), center and scale
/// of node b (4-6, 7), rotation of the frame in body axes (8-10). Unknowns of a joint (9): the
/// scales of the path's nodes before, at and after it (0, 1, 2), the rotations of its two frames in
/// their own body axes (3-5, 6-8).
#ifndef VIPER_ENERGY_ELEMENT_H
#define VIPER_ENERGY_ELEMENT_H

#include "viper/energy/real.h"

#define VIPER_SEGMENT_UNKNOWNS 11
#define VIPER_JOINT_UNKNOWNS   9
/// Sums of the rows of W: the multipliers of a segment and of a joint.
#define VIPER_SEGMENT_ROWS 8
#define VIPER_JOINT_ROWS   6

/// Rest data of a segment. A stiffness K of 0 switches its term off.
typedef struct viper_segment_rest {
  viper_real inv_l;                                   ///< 1 / rest length, 1/m
  viper_real k_stretch, k_section, k_taper, k_volume; ///< K of model terms, J (taper: J m^2)
} viper_segment_rest;

/// Current values a segment sees.
typedef struct viper_segment_state {
  viper_vec3 c_a, c_b; ///< m
  viper_real s_a, s_b;
  viper_quat q;
} viper_segment_state;

/// Rest data of a joint, oriented along its path, as they are stored. D = left conj(Q_j) Q_k right:
/// both hold half of the rest rotation, and the half turns of segments that are stored against the
/// path.
typedef struct viper_joint_seed {
  viper_quat left, right;
  viper_vec3 omega_rest; ///< rest Darboux vector in the mid frame, 1/m
  viper_real inv_lm;     ///< 1/m
  viper_real inv_l_j, inv_l_k;
  viper_real k_bend, k_twist, k_surface_bend, k_volume_bend; ///< J m^2 (surface_bend: J m^4)
} viper_joint_seed;

/// Rest data of a joint as the terms see them: with the axes of both frames, turned into the mid
/// frame and divided by lm (frame j's with a minus sign), so that d Omega over a rotation about
/// axis k is  Re D axis_j[k] + axis_j[k] x Im D,  and  Re D axis_k[k] + Im D x axis_k[k].
typedef struct viper_joint_rest {
  viper_quat left, right;
  viper_vec3 omega_rest;
  viper_real inv_lm;
  viper_real inv_l_j, inv_l_k;
  viper_real k_bend, k_twist, k_surface_bend, k_volume_bend;
  viper_vec3 axis_j[3], axis_k[3]; ///< 1/m
} viper_joint_rest;

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

/// The seed of a joint of half the rest rotation `half` (S); `flip_j` and `flip_k` are -1 where the
/// segment is stored against the path: its frame is then seen after a half turn F about u.
VIPER_FN void viper_joint_turns(viper_quat half, viper_real flip_j, viper_real flip_k,
                                viper_quat *left, viper_quat *right) {
  viper_real zero = VIPER_R(0), one = VIPER_R(1);
  viper_quat s = viper_quat_conj(half);
  viper_real j = VIPER_SELECT(flip_j < zero, one, zero), k = VIPER_SELECT(flip_k < zero, one, zero);
  *left = viper_quat_mul(s, viper_quat_make(one - j, -j, zero, zero));
  *right = viper_quat_mul(viper_quat_make(one - k, k, zero, zero), s);
}

VIPER_FN viper_joint_rest viper_joint_grow(const viper_joint_seed *seed) {
  viper_joint_rest r;
  viper_quat right = viper_quat_conj(seed->right);
  r.left = seed->left;
  r.right = seed->right;
  r.omega_rest = seed->omega_rest;
  r.inv_lm = seed->inv_lm;
  r.inv_l_j = seed->inv_l_j;
  r.inv_l_k = seed->inv_l_k;
  r.k_bend = seed->k_bend;
  r.k_twist = seed->k_twist;
  r.k_surface_bend = seed->k_surface_bend;
  r.k_volume_bend = seed->k_volume_bend;
  r.axis_j[0] = viper_scale(-seed->inv_lm, viper_quat_u(seed->left));
  r.axis_j[1] = viper_scale(-seed->inv_lm, viper_quat_v(seed->left));
  r.axis_j[2] = viper_scale(-seed->inv_lm, viper_quat_w(seed->left));
  r.axis_k[0] = viper_scale(seed->inv_lm, viper_quat_u(right));
  r.axis_k[1] = viper_scale(seed->inv_lm, viper_quat_v(right));
  r.axis_k[2] = viper_scale(seed->inv_lm, viper_quat_w(right));
  return r;
}

/// A Darboux vector and its derivatives.
typedef struct viper_darboux {
  viper_vec3 omega;     ///< 1/m, in the mid frame
  viper_real d_j[3][3]; ///< d omega[row] / d rotation of frame j [column]
  viper_real d_k[3][3];
} viper_darboux;

/// Omega of a joint (eq. 40, corrected: in the frame midway between its two frames, measured from
/// rest, so that reversing a joint or a segment only changes signs): Omega_rest + (2/lm) Im D.
VIPER_FN viper_darboux viper_joint_darboux(const viper_joint_rest *rest,
                                           const viper_joint_state *x) {
  viper_quat p = viper_quat_mul(viper_quat_conj(x->q_j), x->q_k);
  viper_quat d = viper_quat_near(viper_quat_mul(viper_quat_mul(rest->left, p), rest->right));
  viper_vec3 im = viper_quat_im(d);
  viper_darboux out;
  out.omega = viper_add(rest->omega_rest, viper_scale(VIPER_R(2) * rest->inv_lm, im));
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    viper_vec3 j = viper_add(viper_scale(d.w, rest->axis_j[k]), viper_cross(rest->axis_j[k], im));
    viper_vec3 i = viper_add(viper_scale(d.w, rest->axis_k[k]), viper_cross(im, rest->axis_k[k]));
    out.d_j[0][k] = j.x;
    out.d_j[1][k] = j.y;
    out.d_j[2][k] = j.z;
    out.d_k[0][k] = i.x;
    out.d_k[1][k] = i.y;
    out.d_k[2][k] = i.z;
  }
  return out;
}

/// How a term weighs the Darboux vector with the scale: W = p(s) Omega - Omega_rest in some of its
/// three components. bend, twist and volume_bend are such terms.
typedef struct viper_power {
  viper_real p;  ///< p(s)
  viper_real dp; ///< dp/ds
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

/// Gradient and Gauss-Newton block of a joint's turn terms over Omega (each component apart), and
/// over the scale with Omega held.
typedef struct viper_turn_sums {
  viper_real g[3], h[3];
  viper_real g_s, h_s;
} viper_turn_sums;

VIPER_FN void viper_turn_add(viper_turn_sums *sums, viper_power power, int first, int rows,
                             viper_real k, viper_vec3 omega, viper_vec3 omega_rest) {
  viper_real o[3] = {omega.x, omega.y, omega.z};
  viper_real o_rest[3] = {omega_rest.x, omega_rest.y, omega_rest.z};
  viper_real kp = k * power.p;
  VIPER_UNROLL for (int i = first; i < first + rows; i++) {
    viper_real w = power.p * o[i] - o_rest[i], dw = power.dp * o[i];
    viper_real kd = k * dw;
    sums->g[i] += kp * w;
    sums->h[i] += kp * power.p;
    sums->g_s += kd * w;
    sums->h_s += kd * dw;
  }
}

#endif
