// SPDX-License-Identifier: GPL-3.0-or-later
#include "local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// With fewer elements one thread is done sooner than several.
enum { PARALLEL = 200 };

vb_status ar_local_create(const ar_body *body, ar_local *out, vb_error *error) {
  size_t n = body->n_elements, blocks = (n + AR_LANES - 1) / AR_LANES;
  ar_local l = {.body = body, .threads = 1, .n_blocks = blocks, .evaluate = ar_lanes_best()};
  l.rotation = calloc(4 * n + 1, sizeof *l.rotation);
  l.block = aligned_alloc(sizeof(ar_lanes), (blocks + 1) * sizeof *l.block);
  l.result = aligned_alloc(sizeof(ar_lanes), (blocks + 1) * sizeof *l.result);
  if (!l.rotation || !l.block || !l.result) {
    ar_local_clear(&l);
    return vb_error_memory(error);
  }
  ar_lanes_fill(body, l.block);
  for (size_t e = 0; e < n; e++)
    l.rotation[4 * e] = 1;
  *out = l;
  return VB_OK;
}

void ar_local_clear(ar_local *l) {
  free(l->rotation);
  free(l->block);
  free(l->result);
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

/// Evaluates a block; the last one may have lanes without an element.
static void evaluate_block(ar_local *l, const double *x, size_t k) {
  size_t n = l->body->n_elements - AR_LANES * k;
  if (n >= AR_LANES) {
    l->evaluate(&l->block[k], x, l->rotation + 4 * AR_LANES * k, &l->result[k]);
    return;
  }
  double rotation[4 * AR_LANES], *whole = l->rotation + 4 * AR_LANES * k;
  for (size_t i = 0; i < AR_LANES; i++)
    memcpy(rotation + 4 * i, whole + 4 * (i < n ? i : n - 1), 4 * sizeof *rotation);
  l->evaluate(&l->block[k], x, rotation, &l->result[k]);
  memcpy(whole, rotation, 4 * n * sizeof *rotation);
}

/// Sums the forces of the corners at node `i`.
static void gather(const ar_local *l, size_t i, double out[3]) {
  const ar_body *body = l->body;
  double sum[3] = {0};
  for (size_t k = body->first[i]; k < body->first[i + 1]; k++) {
    size_t e = (size_t)body->at[k] / 4, corner = (size_t)body->at[k] % 4;
    const ar_lanes *force = l->result[e / AR_LANES].force[corner];
    for (int c = 0; c < 3; c++)
      sum[c] += force[c][e % AR_LANES];
  }
  memcpy(out, sum, sizeof sum);
}

double ar_local_evaluate(ar_local *l, const double *x, double *gradient, double *norm) {
  size_t n_nodes = l->body->n_nodes;
#pragma omp parallel num_threads(l->threads) if (l->body->n_elements > PARALLEL)
  {
#pragma omp for schedule(static)
    for (size_t k = 0; k < l->n_blocks; k++)
      evaluate_block(l, x, k);
#pragma omp for schedule(static)
    for (size_t i = 0; i < n_nodes; i++)
      gather(l, i, gradient + 3 * i);
  }
  ar_lanes energies = {0}, squares = {0};
  for (size_t k = 0; k < l->n_blocks; k++) {
    energies += l->result[k].energy;
    squares += l->result[k].norm;
  }
  double energy = 0, square = 0;
  for (int i = 0; i < AR_LANES; i++) {
    energy += energies[i];
    square += squares[i];
  }
  *norm = sqrt(square);
  return energy;
}
