// SPDX-License-Identifier: GPL-3.0-or-later
/// Projections of edges and joints none of whose points is held: the same as by element.h, without
/// what is known to be 0. Most of the time of a step is spent here.
///
/// A frame's turn in its own axes is, of moves in its own axes, dphi_1 = -(db - da)_2/l, dphi_2 =
/// (db
/// - da)_1/l, dphi_3 = dg_2/rho - kb db_2 - ka da_2 with kb = s/(rho l), ka = (l - s)/(rho l).
/// Omega's change is 1/lb G dpsi, dpsi = Q dphi_f - dphi_e, and G^-1 = (I + [c]x)/(1 + c.c). So the
/// system of a joint, (1/lb^2 G S G^T + at) dlam = -r with S = sum_a w_a K_a K_a^T and K_a the
/// change of psi with point a, is solved as
///   (S + lb^2 G^-1 at G^-T) y = -lb G^-1 r,  dlam = lb G^-T y,  dx_a = w_a K_a^T y.
#ifndef UMETANI_COMPACT_H
#define UMETANI_COMPACT_H

#include "reference/umetani/element.h"

/// out = factor (r + c x r)/(1 + c.c): G^-1 r, or with -c in place of c, G^-T r.
static inline void umetani_inverse_g(const double c[3], double factor, const double r[3],
                                     double out[3]) {
  double cross[3], scale = factor / (1 + vb_dot(c, c));
  vb_cross(c, r, cross);
  for (int i = 0; i < 3; i++)
    out[i] = scale * (r[i] + cross[i]);
}

/// Solves s y = r for the symmetric s = (xx, xy, xz, yy, yz, zz). False where it has no inverse.
static inline bool umetani_solve_symmetric(const double s[6], const double r[3], double y[3]) {
  double a = s[3] * s[5] - s[4] * s[4], b = s[2] * s[4] - s[1] * s[5],
         c = s[1] * s[4] - s[2] * s[3];
  double d = s[0] * s[5] - s[2] * s[2], e = s[1] * s[2] - s[0] * s[4],
         f = s[0] * s[3] - s[1] * s[1];
  double determinant = s[0] * a + s[1] * b + s[2] * c, trace = s[0] + s[3] + s[5];
  if (!(determinant > 1e-30 * trace * trace * trace))
    return false;
  double inverse = 1 / determinant;
  y[0] = inverse * (a * r[0] + b * r[1] + c * r[2]);
  y[1] = inverse * (b * r[0] + d * r[1] + e * r[2]);
  y[2] = inverse * (c * r[0] + e * r[1] + f * r[2]);
  return true;
}

/// What a frame's turn about its own axes is made of.
typedef struct umetani_lever {
  double inv_l, inv_rho;
  double ka, kb; ///< of da_2 and db_2 in dphi_3, negative
} umetani_lever;

static inline umetani_lever umetani_lever_of(const umetani_frame *f) {
  umetani_lever out = {1 / f->l, 1 / f->rho, 0, 0};
  double both = out.inv_l * out.inv_rho;
  out.kb = f->s * both;
  out.ka = (f->l - f->s) * both;
  return out;
}

/// The parts (1,1) = (2,2), (1,3) and (3,3) of sum w J J^T over a frame's three points; all others
/// are 0.
static inline void umetani_inertia(const umetani_lever *f, double wa, double wb, double wg,
                                   double n[3]) {
  n[0] = (wa + wb) * f->inv_l * f->inv_l;
  n[1] = (wb * f->kb - wa * f->ka) * f->inv_l;
  n[2] = wa * f->ka * f->ka + wb * f->kb * f->kb + wg * f->inv_rho * f->inv_rho;
}

/// S of a joint, as (xx, xy, xz, yy, yz, zz), from the inverse masses of A, B, C and the ghosts.
static inline void umetani_joint_matrix(const double q[3][3], const umetani_lever *e,
                                        const umetani_lever *f, const double w[5], double s[6]) {
  double ne[3], nf[3], z[3][3], x[3][3];
  umetani_inertia(e, w[0], w[1], w[3], ne);
  umetani_inertia(f, w[1], w[2], w[4], nf);
  // X = Q J_fB Q^T J_eB^T, which B has because it is of both frames.
  for (int i = 0; i < 2; i++) { // J_fB Q^T, its first two columns
    double y0 = q[i][1] * f->inv_l, y1 = -q[i][0] * f->inv_l, y2 = -f->ka * q[i][1];
    z[0][1 - i] = y0;
    z[1][1 - i] = y1;
    z[2][1 - i] = y2;
  }
  for (int i = 0; i < 3; i++) {
    double first = z[i][1], second = z[i][0]; // of Y's columns 0 and 1
    z[i][0] = -second * e->inv_l;
    z[i][1] = first * e->inv_l;
    z[i][2] = -e->kb * second;
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      x[i][k] = q[i][0] * z[0][k] + q[i][1] * z[1][k] + q[i][2] * z[2][k];
  double more = nf[2] - nf[0];
  for (int i = 0, at = 0; i < 3; i++)
    for (int k = i; k < 3; k++, at++)
      s[at] = nf[1] * (q[i][0] * q[k][2] + q[i][2] * q[k][0]) + more * q[i][2] * q[k][2] -
              w[1] * (x[i][k] + x[k][i]);
  s[0] += ne[0] + nf[0];
  s[3] += ne[0] + nf[0];
  s[5] += ne[2] + nf[0];
  s[2] += ne[1];
}

/// Moves the points of a joint by w_a K_a^T y.
static inline void umetani_joint_move(const umetani_frame frame[2], const umetani_lever lever[2],
                                      const double q[3][3], const double w[5], const double y[3],
                                      const int32_t at[5], double (*x)[3]) {
  const umetani_lever *e = &lever[0], *f = &lever[1];
  double yf[3];
  for (int i = 0; i < 3; i++)
    yf[i] = q[0][i] * y[0] + q[1][i] * y[1] + q[2][i] * y[2];
  // Along d1 and d2 of the frames.
  double a[2] = {y[1] * e->inv_l, -y[0] * e->inv_l}, c[2] = {-yf[1] * f->inv_l, yf[0] * f->inv_l};
  double ae[2] = {a[0], a[1] + e->ka * y[2]}, be[2] = {-a[0], -a[1] + e->kb * y[2]};
  double bf[2] = {c[0], c[1] - f->ka * yf[2]}, cf[2] = {-c[0], -c[1] - f->kb * yf[2]};
  double ge = -e->inv_rho * y[2], gf = f->inv_rho * yf[2];
  for (int k = 0; k < 3; k++) {
    double e1 = frame[0].d[0][k], e2 = frame[0].d[1][k];
    double f1 = frame[1].d[0][k], f2 = frame[1].d[1][k];
    x[at[0]][k] += w[0] * (ae[0] * e1 + ae[1] * e2);
    x[at[1]][k] += w[1] * (be[0] * e1 + be[1] * e2 + bf[0] * f1 + bf[1] * f2);
    x[at[2]][k] += w[2] * (cf[0] * f1 + cf[1] * f2);
    x[at[3]][k] += w[3] * ge * e2;
    x[at[4]][k] += w[4] * gf * f2;
  }
}
#endif
