// SPDX-License-Identifier: GPL-3.0-or-later
/// The frame of an edge from its two points and its ghost point (Umetani et al. 2014, eq. 3), and
/// how it turns with them.
#ifndef UMETANI_FRAME_H
#define UMETANI_FRAME_H

#include "scene/rotation.h"

#include <stdbool.h>

/// The frame of the points a, b and g: d3 along b - a, d1 toward g across it, d2 = d3 x d1. Of the
/// triangle of three points the axes d3, d1, d2 are e1, e2, e3 of eq. 25.
typedef struct umetani_frame {
  double d[3][3]; ///< axes d1, d2, d3, one a row: the transpose of the rotation [d1 d2 d3]
  double l;       ///< |b - a|, m
  double s;       ///< (g - a) . d3, m
  double rho;     ///< distance of g from the line through a and b, m
} umetani_frame;

/// Writes the frame of three points. False, and nothing of use is written, where the length or the
/// distance of the ghost is not above `least` [m].
static inline bool umetani_frame_of(const double a[3], const double b[3], const double g[3],
                                    double least, umetani_frame *out) {
  double t[3], y[3], z[3];
  vb_subtract(b, a, t);
  vb_subtract(g, a, y);
  out->l = sqrt(vb_dot(t, t));
  double inv_l = 1 / out->l;
  for (int k = 0; k < 3; k++)
    out->d[2][k] = inv_l * t[k];
  out->s = vb_dot(y, out->d[2]);
  vb_add_scaled(y, -out->s, out->d[2], z);
  out->rho = sqrt(vb_dot(z, z));
  double inv_rho = 1 / out->rho;
  for (int k = 0; k < 3; k++)
    out->d[0][k] = inv_rho * z[k];
  vb_cross(out->d[2], out->d[0], out->d[1]);
  return out->l > least && out->rho > least;
}

/// Writes the Jacobians of a frame: moving its points by da, db, dg turns it by the vector
/// jacobian[0] da + jacobian[1] db + jacobian[2] dg in world axes:
///   J_b = [d3]x / l - s/(rho l) d3 d2^T,  J_g = 1/rho d3 d2^T,  J_a = -J_b - J_g.
static inline void umetani_frame_jacobians(const umetani_frame *f, double jacobian[3][3][3]) {
  const double *d2 = f->d[1], *d3 = f->d[2];
  const double cross[3][3] = {{0, -d3[2], d3[1]}, {d3[2], 0, -d3[0]}, {-d3[1], d3[0], 0}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double across = d3[i] * d2[k] / f->rho;
      jacobian[1][i][k] = cross[i][k] / f->l - f->s / f->l * across;
      jacobian[2][i][k] = across;
      jacobian[0][i][k] = -jacobian[1][i][k] - jacobian[2][i][k];
    }
}

/// Writes Q = D_e^T D_f, the rotation from one frame to another in material axes: q[j][k] = d_e^j .
/// d_f^k.
static inline void umetani_relative(const double e[3][3], const double f[3][3], double q[3][3]) {
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      q[j][k] = vb_dot(e[j], f[k]);
}

/// Writes c = tan(angle/2) axis of the rotation `q`, in either frame's axes: (Q_kj - Q_jk)/(1 + tr
/// Q) (eq. 10 in its first form; the sign of its second form is wrong). Omega = (2/lb) c.
static inline void umetani_tangent(const double q[3][3], double c[3]) {
  double inverse = 1 / (1 + q[0][0] + q[1][1] + q[2][2]);
  c[0] = (q[2][1] - q[1][2]) * inverse;
  c[1] = (q[0][2] - q[2][0]) * inverse;
  c[2] = (q[1][0] - q[0][1]) * inverse;
}

/// Turns a frame, one axis a row, by half a turn about its d1: the same edge from its other end.
static inline void umetani_turn_around(double d[3][3]) {
  for (int i = 1; i < 3; i++)
    for (int k = 0; k < 3; k++)
      d[i][k] = -d[i][k];
}

#endif
