// SPDX-License-Identifier: GPL-3.0-or-later
#include "local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// With fewer elements one thread is done sooner than several.
enum { PARALLEL = 200 };

vb_status ar_local_create(const ar_body *body, ar_local *out, vb_error *error) {
  size_t n = body->n_elements;
  ar_local l = {.body = body, .threads = 1};
  l.rotation = calloc(4 * n + 1, sizeof *l.rotation);
  l.force = malloc((14 * n + 1) * sizeof *l.force);
  if (!l.rotation || !l.force) {
    ar_local_clear(&l);
    return vb_error_memory(error);
  }
  l.energy = l.force + 12 * n;
  l.norm = l.energy + n;
  for (size_t e = 0; e < n; e++)
    l.rotation[4 * e] = 1;
  *out = l;
  return VB_OK;
}

void ar_local_clear(ar_local *l) {
  free(l->rotation);
  free(l->force);
  *l = (ar_local){0};
}

void ar_local_deformation(const ar_body *body, size_t e, const double *x, double f[9]) {
  const ar_element *element = &body->element[e];
  memset(f, 0, 9 * sizeof *f);
  for (int a = 0; a < 4; a++) {
    const double *at = x + 3 * (size_t)element->node[a], *g = element->gradient[a];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        f[3 * r + c] += at[r] * g[c];
  }
}

static void evaluate_element(ar_local *l, const double *x, size_t e) {
  const ar_element *element = &l->body->element[e];
  double f[9], r[9], p[9], square = 0;
  ar_local_deformation(l->body, e, x, f);
  ar_rotation(f, l->rotation + 4 * e, r);
  l->energy[e] = element->volume * ar_stress(&element->material, f, r, p);
  double *out = l->force + 12 * e;
  for (int a = 0; a < 4; a++) {
    const double *g = element->gradient[a];
    for (int c = 0; c < 3; c++) {
      double sum = element->volume * (p[3 * c] * g[0] + p[3 * c + 1] * g[1] + p[3 * c + 2] * g[2]);
      out[3 * a + c] = sum;
      square += sum * sum;
    }
  }
  l->norm[e] = square;
}

double ar_local_evaluate(ar_local *l, const double *x, double *gradient, double *norm) {
  const ar_body *body = l->body;
#pragma omp parallel num_threads(l->threads) if (body->n_elements > PARALLEL)
  {
#pragma omp for schedule(static)
    for (size_t e = 0; e < body->n_elements; e++)
      evaluate_element(l, x, e);
#pragma omp for schedule(static)
    for (size_t i = 0; i < body->n_nodes; i++) {
      double sum[3] = {0};
      for (size_t k = body->first[i]; k < body->first[i + 1]; k++)
        for (size_t c = 0; c < 3; c++)
          sum[c] += l->force[3 * (size_t)body->at[k] + c];
      memcpy(gradient + 3 * i, sum, sizeof sum);
    }
  }
  double energy = 0, square = 0;
  for (size_t e = 0; e < body->n_elements; e++) {
    energy += l->energy[e];
    square += l->norm[e];
  }
  *norm = sqrt(square);
  return energy;
}
