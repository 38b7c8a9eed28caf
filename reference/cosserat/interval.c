// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/interval.h"

#include <math.h>
#include <string.h>

#define ROOT 0.3872983346207416885 // sqrt(15) / 10
const double cosserat_gauss_point[3] = {0.5 - ROOT, 0.5, 0.5 + ROOT};

extern void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
                   const int *ldb, int *info);

/// The coefficients of t^0, t^1, t^2 of the polynomial of degree 2 that is 1 at Gauss point `j` and
/// 0 at the other two.
static void basis(int j, double out[3]) {
  const double *g = cosserat_gauss_point;
  double a = g[(j + 1) % 3], b = g[(j + 2) % 3], scale = 1 / ((g[j] - a) * (g[j] - b));
  out[0] = scale * a * b;
  out[1] = -scale * (a + b);
  out[2] = scale;
}

/// Its integral from 0 to `t`.
static double integral(int j, double t) {
  double c[3];
  basis(j, c);
  return t * (c[0] + t * (c[1] / 2 + t * c[2] / 3));
}

void cosserat_interval_slope(const double *slope, int size, double t, double *out) {
  for (int k = 0; k < size; k++)
    out[k] = 0;
  for (int j = 0; j < 3; j++) {
    double c[3];
    basis(j, c);
    for (int k = 0; k < size; k++)
      out[k] += (c[0] + t * (c[1] + t * c[2])) * slope[j * size + k];
  }
}

void cosserat_interval_state(const double *state, const double *slope, int size, double h, double t,
                             double *out) {
  for (int k = 0; k < size; k++)
    out[k] = state[k];
  for (int j = 0; j < 3; j++) {
    double weight = h * integral(j, t);
    for (int k = 0; k < size; k++)
      out[k] += weight * slope[j * size + k];
  }
}

/// The rates at a state, and their derivative.
static void differentiate(const cosserat_rod *rod, double factor, const double *state, int size,
                          double rates[COSSERAT_STATE],
                          double jacobian[COSSERAT_STATE][COSSERAT_STATE]) {
  double complex moved[COSSERAT_STATE], out[COSSERAT_STATE];
  for (int c = 0; c < size; c++) {
    for (int k = 0; k < size; k++)
      moved[k] = state[k] + (k == c ? I * COSSERAT_TINY : 0);
    cosserat_rates(rod, factor, moved, out);
    for (int k = 0; k < size; k++) {
      jacobian[k][c] = cimag(out[k]) / COSSERAT_TINY;
      rates[k] = creal(out[k]);
    }
  }
}

/// The equations of the slopes, column by column as LAPACK has them: (1 - h a J) and on the right J
/// of each number of the state, and what the slopes miss.
static void fill(const cosserat_rod *rod, double factor, double h, const double *state,
                 const double *slope, int size, double *matrix, double *right) {
  int n = 3 * size;
  for (int j = 0; j < 3; j++) {
    double at[COSSERAT_STATE], rates[COSSERAT_STATE], jacobian[COSSERAT_STATE][COSSERAT_STATE];
    cosserat_interval_state(state, slope, size, h, cosserat_gauss_point[j], at);
    differentiate(rod, factor, at, size, rates, jacobian);
    for (int k = 0; k < size; k++) {
      int row = j * size + k;
      for (int c = 0; c < size; c++) {
        right[c * n + row] = jacobian[k][c];
        for (int l = 0; l < 3; l++)
          matrix[(l * size + c) * n + row] =
              (row == l * size + c) - h * integral(l, cosserat_gauss_point[j]) * jacobian[k][c];
      }
      right[size * n + row] = rates[k] - slope[row];
    }
  }
}

bool cosserat_interval_linearize(const cosserat_rod *rod, double factor, double h,
                                 const double *state, const double *slope, cosserat_interval *out) {
  double matrix[9 * COSSERAT_STATE * COSSERAT_STATE];
  double right[3 * COSSERAT_STATE * (COSSERAT_STATE + 1)];
  int size = cosserat_state_size(rod), n = 3 * size, columns = size + 1, info;
  int pivot[3 * COSSERAT_STATE];
  fill(rod, factor, h, state, slope, size, matrix, right);
  dgesv_(&n, &columns, matrix, &n, pivot, right, &n, &info);
  for (int row = 0; row < n; row++)
    for (int c = 0; c < columns; c++)
      out->slope[row][c] = right[c * n + row];
  memset(out->transfer, 0, sizeof out->transfer);
  for (int k = 0; k < size; k++) {
    out->next[k] = state[k];
    out->transfer[k][k] = 1;
    for (int j = 0; j < 3; j++) {
      double weight = h * integral(j, 1);
      out->next[k] += weight * (slope[j * size + k] + out->slope[j * size + k][size]);
      for (int c = 0; c < size; c++)
        out->transfer[k][c] += weight * out->slope[j * size + k][c];
    }
  }
  return info == 0;
}

void cosserat_interval_advance(const cosserat_interval *interval, int size, const double *change,
                               double *slope) {
  for (int row = 0; row < 3 * size; row++) {
    slope[row] += interval->slope[row][size];
    for (int c = 0; c < size; c++)
      slope[row] += interval->slope[row][c] * change[c];
  }
}
