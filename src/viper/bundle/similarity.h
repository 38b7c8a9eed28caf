// SPDX-License-Identifier: GPL-3.0-or-later
/// Computes the similarity transform that best fits one set of vectors to another (eqs. 33-36). In
/// double precision; it uses only sqrt of libm, so that results are the same on every machine. One
/// source for C11 and CUDA C++.
#ifndef VIPER_BUNDLE_SIMILARITY_H
#define VIPER_BUNDLE_SIMILARITY_H

#include "scene/rotation.h"

#include <float.h>
#include <stdbool.h>

/// More than ever needed: some 6 from anywhere, and as many more after each of at most 2 saddles.
#define VIPER_MOST_TURNS 200

/// The torque that counts as rounding, relative to the norm of `a`: a few errors of its 6 products.
#define VIPER_TORQUE_ROUNDING (8 * DBL_EPSILON)

/// A gain of half a turn that counts as one, relative to the norm of `a`: beyond rounding errors.
#define VIPER_GAIN_ROUNDING 1e-14

/// out = the rotation matrix of the unit quaternion `q`.
VB_FN void viper_rotation_matrix(const double q[4], double out[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                    {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(out, m, sizeof m);
}

/// The function at a rotation: its value, and its derivatives over a turn in world axes.
typedef struct viper_trace_expansion {
  double trace;      ///< of R^T a = of a R^T
  double torque[3];  ///< sum r_i x a_i
  double bend[3][3]; ///< minus the second derivative: trace - symmetric part of a R^T
} viper_trace_expansion;

VB_FN viper_trace_expansion viper_expand_trace(const double a[3][3], const double q[4]) {
  double r[3][3], m[3][3];
  viper_trace_expansion at;
  viper_rotation_matrix(q, r);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = a[i][0] * r[j][0] + a[i][1] * r[j][1] + a[i][2] * r[j][2];
  at.trace = m[0][0] + m[1][1] + m[2][2];
  at.torque[0] = m[2][1] - m[1][2];
  at.torque[1] = m[0][2] - m[2][0];
  at.torque[2] = m[1][0] - m[0][1];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      at.bend[i][j] = (i == j ? at.trace : 0) - 0.5 * (m[i][j] + m[j][i]);
  return at;
}

/// q turned by the rotation vector `turn` in world axes, exact to second order and never by more
/// than half a turn.
VB_FN void viper_turn_by(const double q[4], const double turn[3], double out[4]) {
  double d[4] = {1, 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]};
  vb_quaternion_multiply(d, q, out);
  double norm = vb_quaternion_norm(out);
  for (int i = 0; i < 4; i++)
    out[i] /= norm;
}

/// Newton's turn: bend^-1 torque by Cholesky; false where the second derivative is not negative.
VB_FN bool viper_newton_turn(const viper_trace_expansion *at, double norm, double turn[3]) {
  double l[3][3] = {{0}}, y[3];
  for (int j = 0; j < 3; j++) {
    double pivot = at->bend[j][j];
    for (int k = 0; k < j; k++)
      pivot -= l[j][k] * l[j][k];
    if (!(pivot > DBL_EPSILON * norm))
      return false;
    l[j][j] = sqrt(pivot);
    for (int i = j + 1; i < 3; i++) {
      double sum = at->bend[i][j];
      for (int k = 0; k < j; k++)
        sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
    }
  }
  for (int i = 0; i < 3; i++) {
    y[i] = at->torque[i];
    for (int k = 0; k < i; k++)
      y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  for (int i = 2; i >= 0; i--) {
    turn[i] = y[i];
    for (int k = i + 1; k < 3; k++)
      turn[i] -= l[k][i] * turn[k];
    turn[i] /= l[i][i];
  }
  return true;
}

/// Least eigenvalue of the symmetric matrix `m` by Jacobi's rotations, and its unit vector.
VB_FN double viper_least_eigenvalue(const double m[3][3], double vector[3]) {
  double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(a, m, sizeof a);
  for (int sweep = 0; sweep < 10; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0)
          continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
          double pk = a[p][k], qk = a[q][k], vp = v[k][p], vq = v[k][q];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
      }
  double least = a[0][0];
  for (int k = 0; k < 3; k++)
    vector[k] = v[k][0];
  for (int i = 1; i < 3; i++) {
    bool less = a[i][i] < least;
    least = less ? a[i][i] : least;
    for (int k = 0; k < 3; k++)
      vector[k] = less ? v[k][i] : vector[k];
  }
  return least;
}

/// Turns half about the axis along which the trace is most convex, where that gains more than
/// `gain`: it gains exactly twice the curvature there. False where it does not.
VB_FN bool viper_half_turn(const viper_trace_expansion *at, double gain, double q[4]) {
  double axis[3], half[4] = {0};
  if (-2 * viper_least_eigenvalue(at->bend, axis) <= gain)
    return false;
  memcpy(half + 1, axis, sizeof axis);
  vb_quaternion_multiply(half, q, q);
  return true;
}

/// One iteration from `q`, looked at as `at`; false where q is the answer.
VB_FN bool viper_improve(const double a[3][3], double norm, viper_trace_expansion *at,
                         double q[4]) {
  double turn[3], trial[4], square = vb_dot(at->torque, at->torque);
  bool still = square <= VIPER_TORQUE_ROUNDING * VIPER_TORQUE_ROUNDING * norm * norm;
  bool convex = viper_newton_turn(at, norm, turn); // then no half turn gains more than rounding
  if (still && convex)
    return false;
  if (convex) {
    viper_turn_by(q, turn, trial);
    viper_trace_expansion there = viper_expand_trace(a, trial);
    if (there.trace >= at->trace - 4 * DBL_EPSILON * norm) {
      memcpy(q, trial, sizeof trial);
      *at = there;
      return true;
    }
  }
  double divisor = at->trace > norm ? at->trace : 2 * norm; // bounds of the second derivative
  if (!viper_half_turn(at, still ? VIPER_GAIN_ROUNDING * norm : 0.5 * square / divisor, q)) {
    if (still)
      return false;
    for (int k = 0; k < 3; k++)
      turn[k] = at->torque[k] / divisor;
    viper_turn_by(q, turn, q);
  }
  *at = viper_expand_trace(a, q);
  return true;
}

/// Turns the unit quaternion `q` (w, x, y, z) to a rotation R that maximizes trace(R^T a): the
/// rotational part of `a`, which minimizes sum |R b_i - a_i|^2 where a = sum a_i b_i^T (rows of `a`
/// belong to a_i). `q` is where the search starts; near the answer it is found in one or two
/// iterations.
///
/// The iteration is that of Mueller et al. 2016 (A robust method to extract the rotational part of
/// deformations, eq. 7): turn about sum r_i x a_i, r_i and a_i being columns. Alone it converges
/// linearly, at a rate near 1 where `a` is nearly flat, and stands still at half turns from the
/// answer. So the turn is divided by the second derivative instead of by its bound where that is a
/// descent (Newton's method), and half a turn about the axis along which the trace is most convex,
/// which gains twice that curvature, is taken where it gains more: it leaves saddles for good. The
/// trace has no other local maximum than its greatest. Ends where the torque sum r_i x a_i is
/// within some rounding errors of `a`.
///
/// A reflection (det a < 0) gets the best rotation there is. Where several are best (coincident or
/// collinear vectors, a reflection with equal lengths), one of them near the start is found. Zero
/// or not finite `a` leaves q as it is. Returns trace(R^T a).
VB_FN double viper_rotation_fit(const double a[3][3], double q[4]) {
  double square = 0;
  for (int i = 0; i < 3; i++)
    square += vb_dot(a[i], a[i]);
  double norm = sqrt(square); // no more than the sum of a's singular values, and over half of it
  viper_trace_expansion at = viper_expand_trace(a, q);
  if (!(norm > 0 && norm <= DBL_MAX))
    return at.trace;
  for (int iteration = 0; iteration < VIPER_MOST_TURNS && viper_improve(a, norm, &at, q);)
    iteration++;
  return at.trace;
}

#endif
