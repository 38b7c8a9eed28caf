// SPDX-License-Identifier: GPL-3.0-or-later
#include "material.h"

#include <float.h>
#include <math.h>
#include <string.h>

nh_material nh_material_from(double young, double poisson) {
  double mu = young / (2 * (1 + poisson));
  double la = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  nh_material m = {.mu = 4.0 / 3 * mu, .la = la + 5.0 / 6 * mu};
  m.alpha = 1 + 3 * m.mu / (4 * m.la);
  return m;
}

/// G = dJ/dF, the cofactors; returns J.
static double cofactors(const double f[9], double g[9]) {
  g[0] = f[4] * f[8] - f[5] * f[7];
  g[1] = f[5] * f[6] - f[3] * f[8];
  g[2] = f[3] * f[7] - f[4] * f[6];
  g[3] = f[2] * f[7] - f[1] * f[8];
  g[4] = f[0] * f[8] - f[2] * f[6];
  g[5] = f[1] * f[6] - f[0] * f[7];
  g[6] = f[1] * f[5] - f[2] * f[4];
  g[7] = f[2] * f[3] - f[0] * f[5];
  g[8] = f[0] * f[4] - f[1] * f[3];
  return f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
}

static double square_norm(const double f[9]) {
  double sum = 0;
  for (int i = 0; i < 9; i++)
    sum += f[i] * f[i];
  return sum;
}

double nh_energy(const nh_material *m, const double f[9]) {
  double g[9];
  // Psi with la (1 - alpha) = -3/4 mu put in, so that nothing large cancels near rest.
  double j = cofactors(f, g) - 1, i = square_norm(f) - 3;
  return 0.5 * m->mu * (i - log1p(0.25 * i)) + j * (0.5 * m->la * j - 0.75 * m->mu);
}

double nh_stress(const nh_material *m, const double f[9], double p[9]) {
  double g[9];
  double j = cofactors(f, g), a = m->mu * (1 - 1 / (square_norm(f) + 1));
  double c = m->la * (j - 1) - 0.75 * m->mu;
  for (int i = 0; i < 9; i++)
    p[i] = a * f[i] + c * g[i];
  return j;
}

/// Turns columns p and q of f, and of v, such that those of f are orthogonal (one-sided Jacobi).
/// Returns whether they were already.
static bool turn_columns(double f[9], double v[9], int p, int q) {
  double pp = 0, qq = 0, pq = 0;
  for (int i = 0; i < 9; i += 3) {
    pp += f[i + p] * f[i + p];
    qq += f[i + q] * f[i + q];
    pq += f[i + p] * f[i + q];
  }
  if (fabs(pq) <= DBL_EPSILON * sqrt(pp * qq))
    return true;
  double z = (qq - pp) / (2 * pq);
  double t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
  double c = 1 / sqrt(1 + t * t), s = c * t;
  for (int i = 0; i < 9; i += 3) {
    double a = f[i + p], b = f[i + q];
    f[i + p] = c * a - s * b;
    f[i + q] = s * a + c * b;
    a = v[i + p], b = v[i + q];
    v[i + p] = c * a - s * b;
    v[i + q] = s * a + c * b;
  }
  return false;
}

static void set_column(double u[9], int c, const double x[3]) {
  for (int i = 0; i < 3; i++)
    u[3 * i + c] = x[i];
}

/// A unit vector along column `c` of `f` less its part along the unit vector `axis`; where nothing
/// is left, any one across.
static void unit_across(const double f[9], int c, const double axis[3], double out[3]) {
  double along = 0, square = 0, whole = 0;
  for (int i = 0; i < 3; i++)
    along += f[3 * i + c] * axis[i];
  for (int i = 0; i < 3; i++) {
    out[i] = f[3 * i + c] - along * axis[i];
    square += out[i] * out[i];
    whole += f[3 * i + c] * f[3 * i + c];
  }
  // Columns are orthogonal to rounding, so that half of one left is plenty.
  if (square > 0.25 * whole && square > DBL_MIN) {
    for (int i = 0; i < 3; i++)
      out[i] /= sqrt(square);
    return;
  }
  int least = fabs(axis[0]) < fabs(axis[1]) ? 0 : 1;
  least = fabs(axis[2]) < fabs(axis[least]) ? 2 : least;
  square = 1 - axis[least] * axis[least];
  for (int i = 0; i < 3; i++)
    out[i] = ((i == least) - axis[least] * axis[i]) / sqrt(square);
}

void nh_rotation_svd(const double f[9], double u[9], double s[3], double v[9]) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double w[9], norm[3] = {0};
  memcpy(w, f, sizeof w);
  memcpy(v, identity, sizeof identity);
  // Five or six sweeps are enough for any matrix; more would mean numbers that are not finite.
  for (int sweep = 0; sweep < 20; sweep++) {
    bool done = turn_columns(w, v, 0, 1);
    done = turn_columns(w, v, 0, 2) && done;
    done = turn_columns(w, v, 1, 2) && done;
    if (done)
      break;
  }
  for (int i = 0; i < 9; i++)
    norm[i % 3] += w[i] * w[i];
  int least = norm[1] < norm[0] ? 1 : 0;
  least = norm[2] < norm[least] ? 2 : least;
  // (i, j, least) is a cyclic permutation, so that the columns of u stay right-handed.
  int i = (least + 1) % 3, j = (least + 2) % 3;
  int large = norm[i] < norm[j] ? j : i, small = large == i ? j : i;
  static const double zero[3] = {0}, e_x[3] = {1, 0, 0};
  double first[3], second[3];
  unit_across(w, large, norm[large] > DBL_MIN ? zero : e_x, first);
  unit_across(w, small, first, second);
  set_column(u, large, first);
  set_column(u, small, second);
  const double *x = large == i ? first : second, *y = large == i ? second : first;
  const double third[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                           x[0] * y[1] - x[1] * y[0]};
  set_column(u, least, third);
  for (int c = 0; c < 3; c++)
    s[c] = u[c] * w[c] + u[3 + c] * w[3 + c] + u[6 + c] * w[6 + c];
}

/// Adds a direction u diag-or-pair v^T given in the singular frame by `d`.
static void add_lift(nh_curvature *out, double lift, const double u[9], const double v[9],
                     const double d[9]) {
  double *to = out->direction[out->n_lifted];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 9; k++)
        sum += u[3 * i + k / 3] * d[k] * v[3 * j + k % 3];
      to[3 * i + j] = sum;
    }
  out->lift[out->n_lifted++] = lift;
}

/// Eigenvalues of the symmetric `m`, and its eigenvectors as the columns of `q` (Jacobi).
static void symmetric_eigen(double m[9], double q[9]) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(q, identity, sizeof identity);
  for (int turn = 0; turn < 60; turn++) {
    static const int pairs[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}};
    int p = pairs[turn % 3][0], r = pairs[turn % 3][1], o = pairs[turn % 3][2];
    double off = fabs(m[1]) + fabs(m[2]) + fabs(m[5]);
    if (off <= DBL_EPSILON * (fabs(m[0]) + fabs(m[4]) + fabs(m[8])))
      return;
    double x = m[3 * p + r];
    if (x == 0)
      continue;
    double z = (m[4 * r] - m[4 * p]) / (2 * x);
    double t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
    double c = 1 / sqrt(1 + t * t), s = c * t;
    m[4 * p] -= t * x;
    m[4 * r] += t * x;
    m[3 * p + r] = m[3 * r + p] = 0;
    double a = m[3 * o + p], b = m[3 * o + r];
    m[3 * o + p] = m[3 * p + o] = c * a - s * b;
    m[3 * o + r] = m[3 * r + o] = s * a + c * b;
    for (int i = 0; i < 9; i += 3) {
      a = q[i + p], b = q[i + r];
      q[i + p] = c * a - s * b;
      q[i + r] = s * a + c * b;
    }
  }
}

/// Twists and flips: of each pair of singular values, with s_k the third, a + c s_k and a - c s_k.
static void lift_turns(nh_curvature *out, const double u[9], const double s[3], const double v[9],
                       double bound) {
  for (int k = 0; k < 3; k++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      double value = out->a + sign * out->c * s[k];
      if (value >= bound)
        continue;
      double d[9] = {0};
      int i = (k + 1) % 3, j = (k + 2) % 3;
      d[3 * i + j] = sqrt(0.5);
      d[3 * j + i] = -sign * sqrt(0.5);
      add_lift(out, -value, u, v, d);
    }
}

static void lift_scalings(nh_curvature *out, const double u[9], const double s[3],
                          const double v[9], double bound) {
  double m[9], q[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double gi = s[(i + 1) % 3] * s[(i + 2) % 3], gj = s[(j + 1) % 3] * s[(j + 2) % 3];
      m[3 * i + j] = out->b * s[i] * s[j] + out->la * gi * gj;
      m[3 * i + j] += i == j ? out->a : out->c * s[3 - i - j];
    }
  // By minors, whether there is anything to lift.
  double two = m[0] * m[4] - m[1] * m[3];
  double three =
      m[2] * (m[3] * m[7] - m[4] * m[6]) - m[5] * (m[0] * m[7] - m[1] * m[6]) + m[8] * two;
  if (m[0] > 0 && two > 0 && three > 0)
    return;
  symmetric_eigen(m, q);
  for (int n = 0; n < 3; n++) {
    if (m[4 * n] >= bound)
      continue;
    const double d[9] = {q[n], 0, 0, 0, q[3 + n], 0, 0, 0, q[6 + n]};
    add_lift(out, -m[4 * n], u, v, d);
  }
}

void nh_curvature_at(const nh_material *m, const double f[9], bool project, nh_curvature *out) {
  double i = square_norm(f) + 1;
  memcpy(out->f, f, sizeof out->f);
  double j = cofactors(f, out->g);
  out->a = m->mu * (1 - 1 / i);
  out->b = 2 * m->mu / (i * i);
  out->c = m->la * (j - 1) - 0.75 * m->mu;
  out->la = m->la;
  out->n_lifted = 0;
  if (!project)
    return;
  double u[9], s[3], v[9];
  nh_rotation_svd(f, u, s, v);
  // A rotation of a body at rest has the eigenvalue zero, which rounding may put a little below.
  double bound = -1e-12 * (m->mu + m->la) * i;
  lift_turns(out, u, s, v, bound);
  lift_scalings(out, u, s, v, bound);
}
