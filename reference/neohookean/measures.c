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

void nh_read_volumes(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  double rest;
  for (size_t e = 0; e < solid->n_elements; e++)
    out[e] = volume_of(solid, e, s->x, &rest);
}

void nh_read_dilations(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  for (size_t e = 0; e < solid->n_elements; e++) {
    double rest, volume = volume_of(solid, e, s->x, &rest);
    out[e] = volume / rest;
  }
}

void nh_read_deformations(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  memset(out, 0, 9 * solid->n_elements * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9];
      nh_solid_deformation(solid, e, q, s->x, f);
      for (size_t k = 0; k < 9; k++)
        out[9 * e + k] += f[k] / solid->points;
    }
}

void nh_read_stresses(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  memset(out, 0, 9 * solid->n_elements * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9], p[9];
      nh_solid_deformation(solid, e, q, s->x, f);
      nh_active_divide(solid, e, f, 3);
      nh_stress(&solid->material[e], f, p);
      nh_active_divide(solid, e, p, 3);
      for (size_t k = 0; k < 9; k++)
        out[9 * e + k] += p[k] / solid->points;
    }
}

void nh_read_volume(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  double rest, sum = 0;
  for (size_t e = 0; e < solid->n_elements; e++)
    sum += volume_of(solid, e, s->x, &rest);
  *out = sum;
}

void nh_read_dilation_range(void *self, double *out) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  out[0] = INFINITY;
  out[1] = -INFINITY;
  for (size_t e = 0; e < solid->n_elements; e++) {
    double rest, volume = volume_of(solid, e, s->x, &rest);
    out[0] = fmin(out[0], volume / rest);
    out[1] = fmax(out[1], volume / rest);
  }
}

vb_status nh_read_momentum(void *self, double *out, vb_error *error) {
  const neohookean *s = self;
  size_t n = 3 * s->solid->n_nodes;
  double *p = reallocarray(NULL, n, sizeof *p);
  if (!p)
    return vb_error_memory(error);
  nh_solid_multiply_mass(s->solid, s->consistent, s->v, p);
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < n; i++)
    out[i % 3] += p[i];
  free(p);
  return VB_OK;
}

vb_status nh_read_angular_momentum(void *self, double *out, vb_error *error) {
  const neohookean *s = self;
  const double *x = s->x;
  size_t n = 3 * s->solid->n_nodes;
  double *p = reallocarray(NULL, n, sizeof *p);
  if (!p)
    return vb_error_memory(error);
  nh_solid_multiply_mass(s->solid, s->consistent, s->v, p);
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < n; i += 3)
    for (size_t c = 0; c < 3; c++) {
      size_t b = (c + 1) % 3, d = (c + 2) % 3;
      out[c] += x[i + b] * p[i + d] - x[i + d] * p[i + b];
    }
  free(p);
  return VB_OK;
}

vb_status nh_read_energies(void *self, double *out, vb_error *error) {
  const neohookean *s = self;
  const nh_solid *solid = s->solid;
  size_t n = solid->n_nodes;
  double *p = reallocarray(NULL, 3 * n, sizeof *p), *w = reallocarray(NULL, 3 * n, sizeof *w);
  vb_status status = p && w ? VB_OK : vb_error_memory(error);
  double elastic = 0, kinetic = 0, gravity = 0;
  const double *g = vb_scene_world(solid->scene)->gravity;
  for (size_t e = 0; !status && e < solid->n_elements; e++)
    for (int q = 0; q < solid->points; q++) {
      double f[9];
      nh_solid_deformation(solid, e, q, s->x, f);
      nh_active_divide(solid, e, f, 3);
      elastic +=
          solid->weight[e * (size_t)solid->points + (size_t)q] * nh_energy(&solid->material[e], f);
    }
  if (!status) {
    nh_solid_multiply_mass(solid, s->consistent, s->v, p);
    for (size_t i = 0; i < 3 * n; i++)
      kinetic += 0.5 * p[i] * s->v[i];
    nh_solid_multiply_mass(solid, s->consistent, s->x, w);
    for (size_t i = 0; i < 3 * n; i++)
      gravity -= w[i] * g[i % 3];
    out[NH_ELASTIC] = elastic;
    out[NH_KINETIC] = kinetic;
    out[NH_GRAVITY] = gravity;
  }
  free(p);
  free(w);
  return status;
}
