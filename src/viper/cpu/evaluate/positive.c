// SPDX-License-Identifier: GPL-3.0-or-later
/// By the eigenvalues of Jacobi's rotations.
#include "viper/cpu/evaluate/positive.h"

#include <math.h>

/// Rounds of rotations, which converge quadratically: five to seven do.
enum { MOST_ROUNDS = 12 };

/// Part of the matrix's size below which what is off the diagonal is rounding.
#define NEGLIGIBLE 1e-14

/// Turns rows and columns p and q so that their entry vanishes, and the vectors `v` with them.
static void rotate(int n, double *h, double *v, int p, int q) {
  const double off = h[p * n + q], theta = 0.5 * (h[q * n + q] - h[p * n + p]) / off;
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    const double a = h[k * n + p], b = h[k * n + q];
    h[k * n + p] = c * a - s * b;
    h[k * n + q] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    const double a = h[p * n + k], b = h[q * n + k];
    h[p * n + k] = c * a - s * b;
    h[q * n + k] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    const double a = v[k * n + p], b = v[k * n + q];
    v[k * n + p] = c * a - s * b;
    v[k * n + q] = s * a + c * b;
  }
}

/// Makes `h` diagonal; columns of `v` are its eigenvectors.
static void diagonalize(int n, double *h, double *v) {
  double size = 0;
  for (int k = 0; k < n * n; k++) {
    v[k] = k % (n + 1) == 0;
    size = fmax(size, fabs(h[k]));
  }
  for (int round = 0; round < MOST_ROUNDS; round++) {
    int n_rotations = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(h[p * n + q]) > NEGLIGIBLE * size) {
          rotate(n, h, v, p, q);
          n_rotations++;
        }
    if (n_rotations == 0)
      return;
  }
}

void viper_positive_part(int n, double *h) {
  double d[VIPER_MOST_POSITIVE * VIPER_MOST_POSITIVE] = {0};
  double v[VIPER_MOST_POSITIVE * VIPER_MOST_POSITIVE] = {0};
  for (int k = 0; k < n * n; k++)
    d[k] = h[k];
  diagonalize(n, d, v);
  for (int e = 0; e < n; e++) {
    const double value = d[e * n + e];
    if (value < 0)
      for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
          h[i * n + k] -= value * v[i * n + e] * v[k * n + e];
  }
}
