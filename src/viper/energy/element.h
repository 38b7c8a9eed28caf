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

/// Rest data of a joint, oriented along its path.
typedef struct viper_joint_rest {
  viper_quat half_rest;  ///< S, half of the rest rotation
  viper_vec3 omega_rest; ///< rest Darboux vector in the mid frame, 1/m
  viper_real inv_lm;     ///< 1/m
  viper_real inv_l_j, inv_l_k;
  viper_real flip_j, flip_k; ///< -1 where the segment is stored against the path, else 1
  viper_real k_bend, k_twist, k_surface_bend, k_volume_bend; ///< J m^2 (surface_bend: J m^4)
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

/// A Darboux vector and its derivatives.
typedef struct viper_darboux {
  viper_vec3 omega;     ///< 1/m, in the mid frame
  viper_real d_j[3][3]; ///< d omega[row] / d rotation of frame j [column]
  viper_real d_k[3][3];
} viper_darboux;

/// Q or Q F, F a half turn about u: the frame seen along the path.
VIPER_FN viper_quat viper_quat_along(viper_quat q, viper_real flip) {
  viper_quat f = viper_quat_make(-q.x, q.w, q.z, -q.y);
  return flip < VIPER_R(0) ? f : q;
}

/// One side's derivative: (Re D + sign [Im D]x) R sign F / lm, with R the rotation of `half`.
VIPER_FN void viper_darboux_side(viper_quat d, viper_quat half, viper_real sign, viper_real flip,
                                 viper_real inv_lm, viper_real out[3][3]) {
  viper_vec3 im = viper_scale(sign, viper_quat_im(d));
  viper_vec3 axes[3];
  axes[0] = viper_quat_u(half);
  axes[1] = viper_scale(flip, viper_quat_v(half));
  axes[2] = viper_scale(flip, viper_quat_w(half));
  viper_real factor = sign * inv_lm;
  for (int k = 0; k < 3; k++) {
    viper_vec3 column =
        viper_scale(factor, viper_add(viper_scale(d.w, axes[k]), viper_cross(im, axes[k])));
    out[0][k] = column.x;
    out[1][k] = column.y;
    out[2][k] = column.z;
  }
}

/// Omega of a joint (eq. 40, corrected: in the frame midway between its two frames, measured from
/// rest, so that reversing a joint or a segment only changes signs).
/// D = conj(S) P conj(S), P = conj(Q'_j) Q'_k; dD = (D (S delta_k) - (conj(S) delta_j) D) / 2.
VIPER_FN viper_darboux viper_joint_darboux(const viper_joint_rest *rest,
                                           const viper_joint_state *x) {
  viper_quat p = viper_quat_mul(viper_quat_conj(viper_quat_along(x->q_j, rest->flip_j)),
                                viper_quat_along(x->q_k, rest->flip_k));
  viper_quat s = rest->half_rest, s_inv = viper_quat_conj(s);
  viper_quat d = viper_quat_near(viper_quat_mul(viper_quat_mul(s_inv, p), s_inv));
  viper_darboux out;
  out.omega = viper_add(rest->omega_rest, viper_scale(VIPER_R(2) * rest->inv_lm, viper_quat_im(d)));
  viper_darboux_side(d, s_inv, VIPER_R(-1), rest->flip_j, rest->inv_lm, out.d_j);
  viper_darboux_side(d, s, VIPER_R(1), rest->flip_k, rest->inv_lm, out.d_k);
  return out;
}

#endif
