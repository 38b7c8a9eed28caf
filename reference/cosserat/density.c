// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/density.h"

#include <complex.h>

/// The step along the imaginary axis by which derivatives of the gradient are found.
static const double tiny = 1e-60;

typedef double complex number;

/// out = p q
static void multiply(const number p[4], const number q[4], number out[4]) {
  out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/// Q* r' Q (imaginary part: |Q|^2 R^T r') and 2 Q* Q' (likewise: |Q|^2 times the curvatures), over
/// |Q|^2; returns that.
static number find_strain(const number *at, number out[6]) {
  const number *q = at + 3, back[4] = {q[0], -q[1], -q[2], -q[3]}, r[4] = {0, at[0], at[1], at[2]};
  number square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], first[4], a[4], b[4];
  multiply(r, q, first);
  multiply(back, first, a);
  multiply(back, at + 7, b);
  for (int k = 0; k < 3; k++) {
    out[k] = a[1 + k] / square;
    out[3 + k] = 2 * b[1 + k] / square;
  }
  return square;
}

/// With stress S: the sum of S times |Q|^2 strain is <r', Q s Q*> + 2 <Q', Q m> for s, m its first
/// and last three, whose derivatives are Q s Q*, 2 Q m, and by Q -2 (r' Q s + Q' m).
static void find_gradient(const double stiffness[6], const double rest[6], const number *at,
                          number out[COSSERAT_DENSITY_SIZE]) {
  const number *q = at + 3, r[4] = {0, at[0], at[1], at[2]}, back[4] = {q[0], -q[1], -q[2], -q[3]};
  number strain[6], s[4] = {0}, m[4] = {0}, all = 0;
  number square = find_strain(at, strain);
  for (int k = 0; k < 6; k++) {
    number stress = stiffness[k] * (strain[k] - rest[k]);
    *(k < 3 ? &s[1 + k] : &m[k - 2]) = stress;
    all += stress * strain[k];
  }
  number qs[4], turned[4], rqs[4], qm[4], slope_m[4];
  multiply(q, s, qs);
  multiply(qs, back, turned);
  multiply(r, qs, rqs);
  multiply(q, m, qm);
  multiply(at + 7, m, slope_m);
  for (int k = 0; k < 3; k++)
    out[k] = turned[1 + k] / square;
  for (int k = 0; k < 4; k++) {
    out[3 + k] = -2 * (rqs[k] + slope_m[k] + all * q[k]) / square;
    out[7 + k] = 2 * qm[k] / square;
  }
}

void cosserat_density_strain(const double at[COSSERAT_DENSITY_SIZE], double out[6]) {
  number z[COSSERAT_DENSITY_SIZE], strain[6];
  for (int k = 0; k < COSSERAT_DENSITY_SIZE; k++)
    z[k] = at[k];
  find_strain(z, strain);
  for (int k = 0; k < 6; k++)
    out[k] = creal(strain[k]);
}

void cosserat_density_find(const double stiffness[6], const double rest[6],
                           const double at[COSSERAT_DENSITY_SIZE], cosserat_density *out) {
  number z[COSSERAT_DENSITY_SIZE], gradient[COSSERAT_DENSITY_SIZE];
  double strain[6];
  cosserat_density_strain(at, strain);
  for (int k = 0; k < 3; k++)
    out->energy[k] = 0;
  for (int k = 0; k < 6; k++) {
    double change = strain[k] - rest[k];
    out->energy[k < 3 ? 0 : k < 5 ? 1 : 2] += 0.5 * stiffness[k] * change * change;
  }
  for (int k = 0; k < COSSERAT_DENSITY_SIZE; k++)
    z[k] = at[k];
  for (int c = 0; c < COSSERAT_DENSITY_SIZE; c++) {
    z[c] += I * tiny;
    find_gradient(stiffness, rest, z, gradient);
    z[c] = at[c];
    for (int k = 0; k < COSSERAT_DENSITY_SIZE; k++) {
      out->hessian[k][c] = cimag(gradient[k]) / tiny;
      out->gradient[k] = creal(gradient[k]);
    }
  }
}
