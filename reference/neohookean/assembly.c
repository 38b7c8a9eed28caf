// SPDX-License-Identifier: GPL-3.0-or-later
#include "assembly.h"

#include "activation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Fewer elements are done by one thread sooner than by several.
enum { PARALLEL = 200 };

vb_status nh_assembly_create(const nh_solid *solid, nh_assembly *out, vb_error *error) {
  size_t n = solid->n_elements, nodes = (size_t)solid->nodes, pairs = (size_t)solid->pairs;
  nh_assembly a = {.solid = solid,
                   .force = reallocarray(NULL, 3 * n * nodes, sizeof *a.force),
                   .energy = reallocarray(NULL, n, sizeof *a.energy),
                   .rounding = reallocarray(NULL, n, sizeof *a.rounding),
                   .block = reallocarray(NULL, 9 * n * pairs, sizeof *a.block),
                   .lifted = malloc(n),
                   .scratch = {reallocarray(NULL, 3 * solid->n_nodes, sizeof(double)),
                               reallocarray(NULL, 3 * solid->n_nodes, sizeof(double))}};
  if (!a.force || !a.energy || !a.rounding || !a.block || !a.lifted || !a.scratch[0] ||
      !a.scratch[1]) {
    nh_assembly_clear(&a);
    return vb_error_memory(error);
  }
  *out = a;
  return VB_OK;
}

void nh_assembly_clear(nh_assembly *a) {
  free(a->force);
  free(a->energy);
  free(a->rounding);
  free(a->block);
  free(a->lifted);
  free(a->scratch[0]);
  free(a->scratch[1]);
  *a = (nh_assembly){0};
}

/// Energy, forces and rounding of element `e`; `reach` is the largest coordinate.
static void evaluate_element(nh_assembly *a, size_t e, const double *x, double reach) {
  const nh_solid *solid = a->solid;
  const nh_material *m = &solid->material[e];
  size_t nodes = (size_t)solid->nodes;
  double *force = a->force + 3 * nodes * e, energy = 0, rounding = 0;
  memset(force, 0, 3 * nodes * sizeof *force);
  for (int q = 0; q < solid->points; q++) {
    size_t at = e * (size_t)solid->points + (size_t)q;
    const double *g = solid->gradient + at * 3 * nodes;
    double f[9], p[9], steepest = 0, square = 1, w = solid->weight[at];
    nh_solid_deformation(solid, e, q, x, f);
    nh_active_divide(solid, e, f, 3);
    nh_stress(m, f, p);
    nh_active_divide(solid, e, p, 3);
    energy += w * nh_energy(m, f);
    for (size_t b = 0; b < nodes; b++) {
      const double *h = g + 3 * b;
      for (size_t i = 0; i < 3; i++)
        force[3 * b + i] += w * (p[3 * i] * h[0] + p[3 * i + 1] * h[1] + p[3 * i + 2] * h[2]);
      steepest = fmax(steepest, h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    }
    for (int k = 0; k < 9; k++)
      square += f[k] * f[k];
    // Errors of F: of its own products, and of positions that are rounded where they are.
    steepest = sqrt(steepest);
    rounding += w * steepest * (m->mu + m->la) * square * (1 + reach * steepest);
  }
  a->energy[e] = energy;
  a->rounding[e] = DBL_EPSILON * rounding;
}

/// Adds inertia and load to the gradient and to Phi.
static void add_outer(nh_assembly *a, const double *x, double *gradient, nh_value *value) {
  size_t n = 3 * a->solid->n_nodes;
  double inertia = 0, outer = 0, square = 0;
  double *offset = a->scratch[0], *pull = a->scratch[1];
  if (a->inertia > 0) {
    for (size_t i = 0; i < n; i++)
      offset[i] = x[i] - a->hat[i];
    nh_solid_multiply_mass(a->solid, a->consistent, offset, pull);
  }
  for (size_t i = 0; i < n; i++) {
    double p = a->inertia > 0 ? a->inertia * pull[i] : 0;
    inertia += a->inertia > 0 ? 0.5 * p * offset[i] : 0;
    outer += a->load[i] * x[i];
    gradient[i] += p - a->load[i];
    square += p * p + a->load[i] * a->load[i];
  }
  value->phi += inertia - outer;
  value->noise += inertia + fabs(outer);
  value->scale += square;
}

nh_value nh_assembly_evaluate(nh_assembly *a, const double *x, const int32_t *dof,
                              double *gradient) {
  const nh_solid *solid = a->solid;
  size_t n = solid->n_elements, nodes = (size_t)solid->nodes;
  double reach = 0;
  for (size_t i = 0; i < 3 * solid->n_nodes; i++)
    reach = fmax(reach, fabs(x[i]));
#pragma omp parallel for if (n > PARALLEL) num_threads(a->threads) schedule(static)
  for (size_t e = 0; e < n; e++)
    evaluate_element(a, e, x, reach);
#pragma omp parallel for if (n > PARALLEL) num_threads(a->threads) schedule(static)
  for (size_t i = 0; i < solid->n_nodes; i++) {
    double sum[3] = {0};
    for (size_t k = solid->first[i]; k < solid->first[i + 1]; k++)
      for (int c = 0; c < 3; c++)
        sum[c] += a->force[3 * (size_t)solid->at[k] + (size_t)c];
    memcpy(gradient + 3 * i, sum, sizeof sum);
  }
  nh_value value = {0};
  for (size_t e = 0; e < n; e++) {
    value.elastic += a->energy[e];
    value.noise += fabs(a->energy[e]);
    value.rounding += a->rounding[e] * a->rounding[e];
  }
  for (size_t i = 0; i < 3 * n * nodes; i++)
    value.scale += a->force[i] * a->force[i];
  value.phi = value.elastic;
  add_outer(a, x, gradient, &value);
  for (size_t i = 0; i < 3 * solid->n_nodes; i++)
    value.norm += dof[i] >= 0 ? gradient[i] * gradient[i] : 0;
  value.norm = sqrt(value.norm);
  value.scale = sqrt(value.scale);
  value.rounding = sqrt(value.rounding);
  value.noise *= 16 * DBL_EPSILON;
  return value;
}

static void times(const double m[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

/// What a curvature makes of the gradient of a node's shape function.
typedef struct ray {
  double f[3];       ///< F g
  double g[3];       ///< G g
  double lift[6][3]; ///< D_n g
} ray;

static ray ray_of(const nh_curvature *c, const double g[3]) {
  ray r;
  times(c->f, g, r.f);
  times(c->g, g, r.g);
  for (int n = 0; n < c->n_lifted; n++)
    times(c->direction[n], g, r.lift[n]);
  return r;
}

/// Adds weight `w` times the block of a curvature (see nh_curvature) between gradients g and h.
static void add_block(const nh_curvature *c, double w, const double g[3], const ray *rg,
                      const double h[3], const ray *rh, double *out) {
  double cross[3] = {g[1] * h[2] - g[2] * h[1], g[2] * h[0] - g[0] * h[2],
                     g[0] * h[1] - g[1] * h[0]};
  double z[3], dot = w * c->a * (g[0] * h[0] + g[1] * h[1] + g[2] * h[2]);
  times(c->f, cross, z);
  for (int i = 0; i < 3; i++) {
    double f = w * c->b * rg->f[i], k = w * c->la * rg->g[i];
    for (int j = 0; j < 3; j++)
      out[3 * i + j] += f * rh->f[j] + k * rh->g[j];
    out[4 * i] += dot;
  }
  for (int n = 0; n < c->n_lifted; n++)
    for (int i = 0; i < 3; i++) {
      double l = w * c->lift[n] * rg->lift[n][i];
      for (int j = 0; j < 3; j++)
        out[3 * i + j] += l * rh->lift[n][j];
    }
  // u . X v = (u x v) . z
  double x = w * c->c;
  out[1] += x * z[2];
  out[2] -= x * z[1];
  out[3] -= x * z[2];
  out[5] += x * z[0];
  out[6] += x * z[1];
  out[7] -= x * z[0];
}

static void curve_element(nh_assembly *a, size_t e, const double *x, bool project) {
  const nh_solid *solid = a->solid;
  int nodes = solid->nodes;
  double *block = a->block + 9 * (size_t)solid->pairs * e;
  memset(block, 0, 9 * (size_t)solid->pairs * sizeof *block);
  a->lifted[e] = 0;
  for (int q = 0; q < solid->points; q++) {
    size_t at = e * (size_t)solid->points + (size_t)q;
    double f[9], g[3 * NH_MAX_NODES];
    nh_curvature c;
    ray rays[NH_MAX_NODES];
    memcpy(g, solid->gradient + at * 3 * (size_t)nodes, 3 * (size_t)nodes * sizeof *g);
    nh_active_divide(solid, e, g, nodes);
    nh_solid_deformation(solid, e, q, x, f);
    nh_active_divide(solid, e, f, 3);
    nh_curvature_at(&solid->material[e], f, project, &c);
    a->lifted[e] |= c.n_lifted > 0;
    for (int n = 0; n < nodes; n++)
      rays[n] = ray_of(&c, g + 3 * n);
    double *to = block;
    for (int n = 0; n < nodes; n++)
      for (int m = n; m < nodes; m++, to += 9)
        add_block(&c, solid->weight[at], g + 3 * n, &rays[n], g + 3 * m, &rays[m], to);
  }
  if (!a->consistent || a->inertia <= 0)
    return;
  double unit = a->inertia * solid->element_mass[e];
  for (int n = 0; n < nodes; n++)
    for (int m = n; m < nodes; m++, block += 9)
      for (int c = 0; c < 9; c += 4)
        block[c] += unit * solid->mass_pattern[n * nodes + m];
}

size_t nh_assembly_curve(nh_assembly *a, const double *x, bool project) {
  size_t n = a->solid->n_elements, lifted = 0;
#pragma omp parallel for if (n > PARALLEL) num_threads(a->threads) schedule(static)
  for (size_t e = 0; e < n; e++)
    curve_element(a, e, x, project);
  for (size_t e = 0; e < n; e++)
    lifted += a->lifted[e];
  return lifted;
}

void nh_assembly_multiply(nh_assembly *a, const double *v, double *out) {
  const nh_solid *solid = a->solid;
  size_t nodes = (size_t)solid->nodes;
  memset(out, 0, 3 * solid->n_nodes * sizeof *out);
  for (size_t e = 0; e < solid->n_elements; e++) {
    const int32_t *node = solid->node + e * nodes;
    const double *block = a->block + 9 * (size_t)solid->pairs * e;
    for (size_t n = 0; n < nodes; n++)
      for (size_t m = n; m < nodes; m++, block += 9) {
        double *on = out + 3 * (size_t)node[n], *om = out + 3 * (size_t)node[m];
        const double *vn = v + 3 * (size_t)node[n], *vm = v + 3 * (size_t)node[m];
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++) {
            on[i] += block[3 * i + j] * vm[j];
            om[j] += n == m ? 0 : block[3 * i + j] * vn[i];
          }
      }
  }
}
