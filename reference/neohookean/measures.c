// SPDX-License-Identifier: GPL-3.0-or-later
#include "measures.h"

#include "activation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double determinant(const double f[9]) {
  return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) +
         f[2] * (f[3] * f[7] - f[4] * f[6]);
}

/// Current and rest volume of element `e`.
static double volume_of(const nh_solid *solid, size_t e, const double *x, double *rest) {
  double sum = 0;
  *rest = 0;
  for (int q = 0; q < solid->points; q++) {
    double f[9], w = solid->weight[e * (size_t)solid->points + (size_t)q];
    nh_solid_deformation(solid, e, q, x, f);
    sum += w * determinant(f);
    *rest += w;
  }
  return sum;
}

void nh_measure_volumes(const nh_solid *solid, const double *x, double *out) {
  double rest;
  for (size_t e = 0; e < solid->n_elements; e++)
    out[e] = volume_of(solid, e, x, &rest);
}

void nh_measure_dilations(const nh_solid *solid, const double *x, double *out) {
  for (size_t e = 0; e < solid->n_elements; e++) {
    double rest, volume = volume_of(solid, e, x, &rest);
    out[e] = volume / rest;
  }
}

void nh_measure_deformations(const nh_solid *solid, const double *x, double *out) {
  memset(out, 0, 9 * solid->n_elements * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9];
      nh_solid_deformation(solid, e, q, x, f);
      for (size_t k = 0; k < 9; k++)
        out[9 * e + k] += f[k] / solid->points;
    }
}

void nh_measure_stresses(const nh_solid *solid, const double *x, double *out) {
  memset(out, 0, 9 * solid->n_elements * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9], p[9];
      nh_solid_deformation(solid, e, q, x, f);
      nh_active_divide(solid, e, f, 3);
      nh_stress(&solid->material[e], f, p);
      nh_active_divide(solid, e, p, 3);
      for (size_t k = 0; k < 9; k++)
        out[9 * e + k] += p[k] / solid->points;
    }
}

double nh_measure_volume(const nh_solid *solid, const double *x) {
  double rest, sum = 0;
  for (size_t e = 0; e < solid->n_elements; e++)
    sum += volume_of(solid, e, x, &rest);
  return sum;
}

void nh_measure_dilation_range(const nh_solid *solid, const double *x, double out[2]) {
  out[0] = INFINITY;
  out[1] = -INFINITY;
  for (size_t e = 0; e < solid->n_elements; e++) {
    double rest, volume = volume_of(solid, e, x, &rest);
    out[0] = fmin(out[0], volume / rest);
    out[1] = fmax(out[1], volume / rest);
  }
}

vb_status nh_measure_momentum(const nh_solid *solid, bool consistent, const double *x,
                              const double *v, double *linear, double *angular, vb_error *error) {
  size_t n = solid->n_nodes;
  double *p = malloc(3 * n * sizeof *p), sum[3] = {0}, turn[3] = {0};
  if (!p)
    return vb_error_memory(error);
  nh_solid_multiply_mass(solid, consistent, v, p);
  for (size_t i = 0; i < 3 * n; i += 3)
    for (size_t c = 0; c < 3; c++) {
      size_t b = (c + 1) % 3, d = (c + 2) % 3;
      sum[c] += p[i + c];
      turn[c] += x[i + b] * p[i + d] - x[i + d] * p[i + b];
    }
  free(p);
  if (linear)
    memcpy(linear, sum, sizeof sum);
  if (angular)
    memcpy(angular, turn, sizeof turn);
  return VB_OK;
}

vb_status nh_measure_energies(const nh_solid *solid, bool consistent, const double *x,
                              const double *v, double out[3], vb_error *error) {
  size_t n = solid->n_nodes;
  double *p = malloc(3 * n * sizeof *p), *w = malloc(3 * n * sizeof *w);
  vb_status status = p && w ? VB_OK : vb_error_memory(error);
  double elastic = 0, kinetic = 0, gravity = 0;
  const double *g = vb_scene_world(solid->scene)->gravity;
  for (size_t e = 0; !status && e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9];
      nh_solid_deformation(solid, e, q, x, f);
      nh_active_divide(solid, e, f, 3);
      elastic +=
          solid->weight[e * (size_t)solid->points + (size_t)q] * nh_energy(&solid->material[e], f);
    }
  if (!status) {
    nh_solid_multiply_mass(solid, consistent, v, p);
    for (size_t i = 0; i < 3 * n; i++)
      kinetic += 0.5 * p[i] * v[i];
    nh_solid_multiply_mass(solid, consistent, x, w);
    for (size_t i = 0; i < 3 * n; i++)
      gravity -= w[i] * g[i % 3];
    out[0] = elastic;
    out[1] = kinetic;
    out[2] = gravity;
  }
  free(p);
  free(w);
  return status;
}
