// SPDX-License-Identifier: GPL-3.0-or-later
#include "anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// LAPACK's solution of a symmetric positive definite system.
extern void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda,
                   double *b, const int *ldb, int *info);

/// Added to the products' diagonal, over its greatest entry: changes that depend on each other, but
/// for rounding, get no large parts.
static const double regular = 1e-12;

vb_status ar_anderson_create(size_t n, ar_anderson *out, vb_error *error) {
  ar_anderson a = {.n = n};
  a.g = calloc((3 + 2 * AR_ANDERSON_WINDOW) * n + 1, sizeof *a.g);
  if (!a.g)
    return vb_error_memory(error);
  a.f = a.g + n;
  a.now = a.f + n;
  a.g_changes = a.now + n;
  a.f_changes = a.g_changes + AR_ANDERSON_WINDOW * n;
  *out = a;
  return VB_OK;
}

void ar_anderson_clear(ar_anderson *a) {
  free(a->g);
  *a = (ar_anderson){0};
}

void ar_anderson_begin(ar_anderson *a) {
  a->count = a->next = 0;
  a->begun = false;
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/// Keeps the changes since the step before, in place of the oldest ones.
static void keep_changes(ar_anderson *a, const double *g, const double *f) {
  size_t n = a->n, at = (size_t)a->next;
  double *g_changes = a->g_changes + at * n, *f_changes = a->f_changes + at * n;
  for (size_t i = 0; i < n; i++) {
    g_changes[i] = g[i] - a->g[i];
    f_changes[i] = f[i] - a->f[i];
  }
  a->next = (a->next + 1) % AR_ANDERSON_WINDOW;
  a->count = a->count < AR_ANDERSON_WINDOW ? a->count + 1 : a->count;
  for (size_t k = 0; k < (size_t)a->count; k++)
    a->products[at][k] = a->products[k][at] = dot(f_changes, a->f_changes + k * n, n);
}

/// Solves products part = part. False where all changes are 0.
static bool solve(const ar_anderson *a, double *part) {
  double matrix[AR_ANDERSON_WINDOW][AR_ANDERSON_WINDOW], most = 0;
  const int n = a->count, one = 1, lead = AR_ANDERSON_WINDOW;
  int info;
  memcpy(matrix, a->products, sizeof matrix);
  for (int i = 0; i < n; i++)
    most = fmax(most, matrix[i][i]);
  for (int i = 0; i < n; i++)
    matrix[i][i] += regular * most;
  dposv_("L", &n, &one, matrix[0], &lead, part, &lead, &info);
  return info == 0;
}

bool ar_anderson_combine(ar_anderson *a, const double *x, double *g) {
  double part[AR_ANDERSON_WINDOW], *f = a->now;
  for (size_t i = 0; i < a->n; i++)
    f[i] = g[i] - x[i];
  if (a->begun)
    keep_changes(a, g, f);
  a->begun = true;
  memcpy(a->g, g, a->n * sizeof *g);
  memcpy(a->f, f, a->n * sizeof *f);
  for (int k = 0; k < a->count; k++)
    part[k] = dot(f, a->f_changes + (size_t)k * a->n, a->n);
  if (a->count == 0 || !solve(a, part))
    return false;
  for (int k = 0; k < a->count; k++)
    for (size_t i = 0; i < a->n; i++)
      g[i] -= part[k] * a->g_changes[(size_t)k * a->n + i];
  return true;
}
