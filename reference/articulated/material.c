// SPDX-License-Identifier: GPL-3.0-or-later
#include "material.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/// A step of Newton's method whose square is below this is the last: the next would be rounding.
static const double last_square = 1e-18;
/// From the rotation of the iteration before two or three steps are enough.
enum { MOST_STEPS = 8 };

ar_material ar_material_from(double young, double poisson) {
  return (ar_material){.mu = young / (2 * (1 + poisson)),
                       .la = young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

void ar_matrix(const double q[4], double r[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  r[0] = 1 - 2 * (y * y + z * z);
  r[1] = 2 * (x * y - w * z);
  r[2] = 2 * (x * z + w * y);
  r[3] = 2 * (x * y + w * z);
  r[4] = 1 - 2 * (x * x + z * z);
  r[5] = 2 * (y * z - w * x);
  r[6] = 2 * (x * z - w * y);
  r[7] = 2 * (y * z + w * x);
  r[8] = 1 - 2 * (x * x + y * y);
}

static void normalize(double q[4]) {
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    q[i] /= norm;
}

/// q := q (1, w/2), normalized.
static void turn_by(double q[4], const double w[3]) {
  double a = q[0], b = q[1], c = q[2], d = q[3], x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
  q[0] = a - b * x - c * y - d * z;
  q[1] = b + a * x + c * z - d * y;
  q[2] = c + a * y - b * z + d * x;
  q[3] = d + a * z + b * y - c * x;
  normalize(q);
}

/// One step: the w that maximizes R rot(w) : F to second order, (tr S I - S) w = u, with S the
/// symmetric and u twice the axial part of R^T F. Whether the matrix is positive definite, as it is
/// around the greatest value alone.
static bool newton_step(const double f[9], const double r[9], double w[3]) {
  double y[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      y[3 * i + j] = r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j];
  double a = y[4] + y[8], b = y[0] + y[8], c = y[0] + y[4];
  double d = -0.5 * (y[1] + y[3]), e = -0.5 * (y[2] + y[6]), g = -0.5 * (y[5] + y[7]);
  const double u[3] = {y[7] - y[5], y[2] - y[6], y[3] - y[1]};
  double aa = b * c - g * g, ab = e * g - d * c, ac = d * g - e * b;
  double two = a * b - d * d, det = a * aa + d * ab + e * ac, size = a + b + c;
  // Twice a sum of stretches; far above rounding, so that Newton's method converges.
  if (!(a > 0 && two > 1e-6 * size * size && det > 1e-6 * size * size * size))
    return false;
  double bb = a * c - e * e, bc = d * e - a * g;
  w[0] = (aa * u[0] + ab * u[1] + ac * u[2]) / det;
  w[1] = (ab * u[0] + bb * u[1] + bc * u[2]) / det;
  w[2] = (ac * u[0] + bc * u[1] + two * u[2]) / det;
  return true;
}

void ar_rotation(const double f[9], double q[4], double r[9]) {
  double w[3];
  ar_matrix(q, r);
  for (int k = 0; k < MOST_STEPS && newton_step(f, r, w); k++) {
    turn_by(q, w);
    ar_matrix(q, r);
    if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < last_square)
      return;
  }
  ar_rotation_fresh(f, q, r);
}

/// Turns rows and columns a and b of the symmetric 4 x 4 matrix so that k[a][b] is 0 (Jacobi), and
/// columns a and b of `v`.
static void turn_pair(double k[4][4], double v[4][4], int a, int b) {
  if (k[a][b] == 0)
    return;
  double z = (k[b][b] - k[a][a]) / (2 * k[a][b]);
  double t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z)), c = 1 / sqrt(1 + t * t), s = c * t;
  for (int i = 0; i < 4; i++) {
    double x = k[i][a], y = k[i][b];
    k[i][a] = c * x - s * y;
    k[i][b] = s * x + c * y;
  }
  for (int i = 0; i < 4; i++) {
    double x = k[a][i], y = k[b][i];
    k[a][i] = c * x - s * y;
    k[b][i] = s * x + c * y;
    x = v[i][a], y = v[i][b];
    v[i][a] = c * x - s * y;
    v[i][b] = s * x + c * y;
  }
}

void ar_rotation_fresh(const double f[9], double q[4], double r[9]) {
  const double u[3] = {f[7] - f[5], f[2] - f[6], f[3] - f[1]};
  double k[4][4], v[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, trace = f[0] + f[4] + f[8];
  k[0][0] = trace;
  for (int i = 0; i < 3; i++) {
    k[0][i + 1] = k[i + 1][0] = u[i];
    for (int j = 0; j < 3; j++)
      k[i + 1][j + 1] = f[3 * i + j] + f[3 * j + i] - (i == j ? trace : 0);
  }
  // Six sweeps are enough for any matrix; more would mean numbers that are not finite.
  for (int sweep = 0; sweep < 12; sweep++) {
    double off = 0, on = 0;
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        *(a == b ? &on : &off) += k[a][b] * k[a][b];
    if (off <= DBL_EPSILON * DBL_EPSILON * on)
      break;
    for (int a = 0; a < 3; a++)
      for (int b = a + 1; b < 4; b++)
        turn_pair(k, v, a, b);
  }
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (k[i][i] > k[best][best])
      best = i;
  for (int i = 0; i < 4; i++)
    q[i] = v[i][best];
  normalize(q);
  ar_matrix(q, r);
}

double ar_stress(const ar_material *m, const double f[9], const double r[9], double p[9]) {
  double d = -3, square = 0;
  for (int i = 0; i < 9; i++) {
    double left = f[i] - r[i];
    d += r[i] * f[i];
    square += left * left;
  }
  for (int i = 0; i < 9; i++)
    p[i] = 2 * m->mu * (f[i] - r[i]) + m->la * d * r[i];
  return m->mu * square + 0.5 * m->la * d * d;
}
