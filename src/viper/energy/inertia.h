// SPDX-License-Identifier: GPL-3.0-or-later
/// The inertial part of the objective Phi: |X - Xhat|^2_A / (2 h^2), its gradient and Gauss-Newton
/// block (eqs. 66-76; viper/method/README.md).
#ifndef VIPER_ENERGY_INERTIA_H
#define VIPER_ENERGY_INERTIA_H

#include "viper/energy/real.h"

/// Center [m] and scale of a node, or their rates.
typedef struct viper_node_x {
  viper_vec3 c;
  viper_real s;
} viper_node_x;

typedef struct viper_node_inertia {
  viper_real mass;  ///< kg
  viper_real scale; ///< kg m^2
} viper_node_inertia;

/// h^2 times the inertial part of Phi of a node.
VIPER_FN viper_real viper_node_inertial(viper_node_inertia a, viper_node_x x, viper_node_x hat) {
  viper_vec3 d = viper_sub(x.c, hat.c);
  viper_real ds = x.s - hat.s;
  return VIPER_R(0.5) * (a.mass * viper_dot(d, d) + a.scale * ds * ds);
}

/// h^2 times its gradient.
VIPER_FN void viper_node_inertial_gradient(viper_node_inertia a, viper_node_x x, viper_node_x hat,
                                           viper_real g[4]) {
  g[0] = a.mass * (x.c.x - hat.c.x);
  g[1] = a.mass * (x.c.y - hat.c.y);
  g[2] = a.mass * (x.c.z - hat.c.z);
  g[3] = a.scale * (x.s - hat.s);
}

/// D = conj(Qhat) Q with a non-negative real part: X - Xhat of a frame is 2 Im D.
VIPER_FN viper_quat viper_frame_difference(viper_quat q, viper_quat hat) {
  return viper_quat_positive(viper_quat_mul(viper_quat_conj(hat), q));
}

/// h^2 times the inertial part of Phi of a frame with inertia `a` about u and v, twice that about
/// w.
VIPER_FN viper_real viper_frame_inertial(viper_real a, viper_quat q, viper_quat hat) {
  viper_vec3 d = viper_quat_im(viper_frame_difference(q, hat));
  return VIPER_R(2) * a * (d.x * d.x + d.y * d.y + VIPER_R(2) * (d.z * d.z));
}

/// h^2 times its gradient M^T A theta over a rotation in body axes, M = Re D + [Im D]x, theta =
/// 2 Im D, and its Gauss-Newton block M^T A M (lower triangle).
///
/// With A = a (1 + e_z e_z^T) and |D| = 1 they are 2 a (Re D Im D + (Im D)_z m) and
/// a (1 - Im D (Im D)^T + m m^T), m the third row of M.
VIPER_FN void viper_frame_inertial_block(viper_real a, viper_quat q, viper_quat hat,
                                         viper_real g[3], viper_real h[3][3]) {
  viper_quat d = viper_quat_mul(viper_quat_conj(hat), q); // or -d: all are products of two
  viper_real im[3] = {d.x, d.y, d.z}, m[3] = {-d.y, d.x, d.w};
  viper_real a_w = a * d.w, a_z = a * d.z;
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real half = a_w * im[i] + a_z * m[i], a_im = a * im[i], a_m = a * m[i];
    g[i] = half + half;
    VIPER_UNROLL for (int j = 0; j <= i; j++) h[i][j] =
        (i == j ? a : VIPER_R(0)) - a_im * im[j] + a_m * m[j];
  }
}

/// What the Hessian has besides that block: this on the diagonal. Second derivatives of Im D are
/// -1/4 Im D over each rotation alone, so it is -1/4 theta . A theta.
VIPER_FN viper_real viper_frame_inertial_second(viper_real a, viper_quat q, viper_quat hat) {
  viper_quat d = viper_quat_mul(viper_quat_conj(hat), q);
  return -a * ((d.x * d.x + d.y * d.y) + (d.z * d.z + d.z * d.z));
}

/// Moments of inertia of a frame about v and w, over that about u; 1 and 2 of a disc, which the
/// functions above are of. Those below are of any.
typedef struct viper_moments {
  viper_real v, w;
} viper_moments;

/// viper_frame_inertial, with the inertia a (1, m.v, m.w) about u, v and w.
VIPER_FN viper_real viper_moments_inertial(viper_real a, viper_moments m, viper_quat q,
                                           viper_quat hat) {
  viper_vec3 d = viper_quat_im(viper_frame_difference(q, hat));
  return VIPER_R(2) * a * (d.x * d.x + m.v * (d.y * d.y) + m.w * (d.z * d.z));
}

/// viper_frame_inertial_block: M^T A theta and M^T A M.
VIPER_FN void viper_moments_block(viper_real a, viper_moments m, viper_quat q, viper_quat hat,
                                  viper_real g[3], viper_real h[3][3]) {
  viper_quat d = viper_quat_mul(viper_quat_conj(hat), q); // or -d: all are products of two
  viper_real row[3][3] = {{d.w, -d.z, d.y}, {d.z, d.w, -d.x}, {-d.y, d.x, d.w}};
  viper_real inertia[3] = {a, a * m.v, a * m.w};
  viper_real half[3] = {inertia[0] * d.x, inertia[1] * d.y, inertia[2] * d.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real sum = half[0] * row[0][i] + half[1] * row[1][i] + half[2] * row[2][i];
    g[i] = sum + sum;
    VIPER_UNROLL for (int j = 0; j <= i; j++) h[i][j] = inertia[0] * (row[0][i] * row[0][j]) +
                                                        inertia[1] * (row[1][i] * row[1][j]) +
                                                        inertia[2] * (row[2][i] * row[2][j]);
  }
}

/// viper_frame_inertial_second.
VIPER_FN viper_real viper_moments_second(viper_real a, viper_moments m, viper_quat q,
                                         viper_quat hat) {
  viper_quat d = viper_quat_mul(viper_quat_conj(hat), q);
  return -a * (d.x * d.x + m.v * (d.y * d.y) + m.w * (d.z * d.z));
}

#endif
