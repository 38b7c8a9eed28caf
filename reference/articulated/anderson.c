// SPDX-License-Identifier: GPL-3.0-or-later
#include "anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/// Solves products part = part, by Cholesky's factor. False where all changes are 0.
static bool solve(const ar_anderson *a, double *part) {
  double l[AR_ANDERSON_WINDOW][AR_ANDERSON_WINDOW] = {{0}}, most = 0;
  int n = a->count;
  for (int i = 0; i < n; i++)
    most = fmax(most, a->products[i][i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a->products[i][j] + (i == j ? regular * most : 0);
      for (int k = 0; k < j; k++)
        sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0))
        return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      part[i] -= l[i][k] * part[k];
    part[i] /= l[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      part[i] -= l[k][i] * part[k];
    part[i] /= l[i][i];
  }
  return true;
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
