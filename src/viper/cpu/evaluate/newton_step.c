// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/newton_step.h"

#include "viper/cpu/evaluate/free_matrix.h"
#include "viper/cpu/evaluate/hessian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFINEMENTS = 2 }; ///< of the solution: an indefinite matrix is factored without pivoting

struct viper_newton_step {
  const viper_model *model;
  viper_free_matrix hessian;
  double *gradient; ///< of all unknowns
};

vb_status viper_newton_step_create(const viper_model *model, viper_newton_step **out,
                                   vb_error *error) {
  viper_newton_step *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->model = model;
  vb_status status = viper_free_matrix_create(&self->hessian, model, 0, error);
  self->gradient = reallocarray(NULL, viper_count_unknowns(model) + 1, sizeof *self->gradient);
  if (!status && (!self->gradient ||
                  (self->hessian.n_free > 0 && !viper_free_matrix_order(&self->hessian, NULL, 0))))
    status = vb_error_memory(error);
  if (status)
    viper_newton_step_destroy(self);
  else
    *out = self;
  return status;
}

void viper_newton_step_destroy(viper_newton_step *self) {
  if (!self)
    return;
  viper_free_matrix_clear(&self->hessian);
  free(self->gradient);
  free(self);
}

static void assemble(viper_newton_step *self, const viper_cpu *cpu, double inv_h2) {
  const viper_model *m = self->model;
  viper_free_matrix_zero(&self->hessian);
  for (int32_t i = 0; !cpu->is_static && i < (int32_t)m->n_nodes; i++)
    viper_free_matrix_add_node(&self->hessian, i, inv_h2);
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
    viper_unknowns s = viper_unknowns_of_segment(m, j);
    viper_segment_hessian(cpu, j, true, h);
    viper_held_block(cpu, j, s.n, 8, &h[0][0]);
    viper_free_matrix_add(&self->hessian, &s, &h[0][0]);
    if (!cpu->is_static)
      viper_free_matrix_add_frame(&self->hessian, cpu, j, inv_h2, true);
  }
  for (int32_t t = 0; t < (int32_t)m->n_joints; t++) {
    double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS];
    viper_unknowns s = viper_unknowns_of_joint(m, t);
    viper_joint_hessian(cpu, t, true, h);
    viper_held_block(cpu, m->joint[t].segment[0], s.n, 3, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[1], s.n, 6, &h[0][0]);
    viper_free_matrix_add(&self->hessian, &s, &h[0][0]);
  }
}

/// The gradient over free unknowns, into `right`.
static void take_gradient(viper_newton_step *self, const viper_cpu *cpu, double h) {
  const viper_model *m = self->model;
  double *node = self->gradient, *frame = node + 4 * m->n_nodes, *right = self->hessian.right->x;
  for (size_t k = 0; k < m->n_bodies; k++)
    viper_body_gradient(cpu, &m->body[k], h, node + 4 * m->body[k].first_node,
                        frame + 3 * m->body[k].first_segment);
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++)
    viper_held_gradient(cpu, j, frame + 3 * j);
  for (size_t u = 0; u < viper_count_unknowns(m); u++)
    if (self->hessian.place[u] >= 0)
      right[self->hessian.place[u]] = self->gradient[u];
}

/// Solves with the factor for `right`, and adds to `sum`.
static bool add_solution(viper_newton_step *self, double *sum) {
  cholmod_dense *x =
      cholmod_solve(CHOLMOD_A, self->hessian.factor, self->hessian.right, &self->hessian.common);
  for (int32_t k = 0; x && k < self->hessian.n_free; k++)
    sum[k] += ((double *)x->x)[k];
  bool done = x != NULL;
  cholmod_free_dense(&x, &self->hessian.common);
  return done;
}

/// The step, refined. False for want of memory.
static bool solve(viper_newton_step *self, cholmod_dense *sum) {
  double minus[2] = {-1, 0}, one[2] = {1, 0};
  cholmod_dense *gradient = cholmod_copy_dense(self->hessian.right, &self->hessian.common);
  bool done = gradient && add_solution(self, sum->x);
  for (int k = 0; done && k < REFINEMENTS; k++) {
    memcpy(self->hessian.right->x, gradient->x, (size_t)self->hessian.n_free * sizeof(double));
    done = cholmod_sdmult(self->hessian.matrix, 0, minus, one, sum, self->hessian.right,
                          &self->hessian.common) &&
           add_solution(self, sum->x);
  }
  cholmod_free_dense(&gradient, &self->hessian.common);
  return done;
}

static void read_displacements(const viper_newton_step *self, const double *step, double *out) {
  for (int32_t i = 0; i < (int32_t)self->model->n_nodes; i++)
    for (int k = 0; k < 3; k++) {
      int32_t at = self->hessian.place[viper_unknown_of_node(i, k)];
      out[3 * i + k] = at >= 0 ? step[at] : 0;
    }
}

vb_status viper_newton_step_moves(viper_newton_step *self, const viper_cpu *cpu, double h,
                                  double *out, vb_error *error) {
  const size_t n = 3 * self->model->n_nodes;
  memset(out, 0, n * sizeof *out);
  if (self->hessian.n_free == 0)
    return VB_OK;
  assemble(self, cpu, 1 / (h * h));
  take_gradient(self, cpu, h);
  bool factored = viper_free_matrix_factor(&self->hessian);
  if (factored && self->hessian.common.status == CHOLMOD_NOT_POSDEF) {
    for (size_t k = 0; k < n; k++)
      out[k] = NAN;
    return VB_OK;
  }
  cholmod_dense *sum =
      cholmod_zeros((size_t)self->hessian.n_free, 1, CHOLMOD_REAL, &self->hessian.common);
  bool done = factored && sum && solve(self, sum);
  if (done)
    read_displacements(self, sum->x, out);
  cholmod_free_dense(&sum, &self->hessian.common);
  return done ? VB_OK : vb_error_memory(error);
}

vb_status viper_newton_step_evaluate(viper_newton_step *self, const viper_cpu *cpu, double h,
                                     double *out, vb_error *error) {
  const size_t n = self->model->n_nodes;
  double *d = reallocarray(NULL, n + 1, 3 * sizeof *d), most = 0;
  if (!d)
    return vb_error_memory(error);
  vb_status status = viper_newton_step_moves(self, cpu, h, d, error);
  for (size_t i = 0; !status && i < n; i++) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
      sum += d[3 * i + k] * d[3 * i + k];
    most = isnan(sum) || isnan(most) ? NAN : fmax(most, sum);
  }
  *out = sqrt(most);
  free(d);
  return status;
}

void viper_newton_step_gradient(viper_newton_step *self, const viper_cpu *cpu, double *out) {
  const viper_model *m = self->model;
  const size_t n = viper_count_unknowns(m);
  if (self->hessian.n_free == 0) {
    memset(out, 0, n * sizeof *out);
    return;
  }
  take_gradient(self, cpu, 1);
  for (size_t u = 0; u < n; u++)
    out[u] = self->hessian.place[u] >= 0 ? self->gradient[u] : 0;
}

/// Gives held frames a matrix of their own, so that they do not move.
static void hold_frames(viper_newton_step *self) {
  const viper_model *m = self->model;
  for (int32_t u = 4 * (int32_t)m->n_nodes;
       u < viper_unknown_of_frame(m, (int32_t)m->n_segments, 0); u++)
    if (self->hessian.place[u] >= 0)
      *viper_free_matrix_entry(&self->hessian, self->hessian.place[u], self->hessian.place[u]) = 1;
}

/// The number of negative pivots, whose magnitudes may take their place; -1 where one is not
/// finite.
static int count_negative(cholmod_factor *factor, bool magnitudes) {
  const int32_t *begin = factor->p;
  double *value = factor->x;
  int n_negative = 0;
  for (size_t k = 0; k < factor->n; k++) {
    double *pivot = &value[begin[k]]; // the first of its column
    if (!isfinite(*pivot))
      return -1;
    n_negative += *pivot < 0;
    *pivot = magnitudes ? fabs(*pivot) : *pivot;
  }
  return n_negative;
}

vb_status viper_newton_step_factor(viper_newton_step *self, const viper_cpu *cpu, bool frames_held,
                                   bool magnitudes, int *n_negative, vb_error *error) {
  *n_negative = 0;
  if (self->hessian.n_free == 0)
    return VB_OK;
  self->hessian.frames_held = frames_held;
  assemble(self, cpu, 1);
  self->hessian.frames_held = false;
  if (frames_held)
    hold_frames(self);
  if (!viper_free_matrix_factor(&self->hessian))
    return vb_error_memory(error);
  *n_negative = self->hessian.common.status == CHOLMOD_NOT_POSDEF
                    ? -1
                    : count_negative(self->hessian.factor, magnitudes);
  return VB_OK;
}

vb_status viper_newton_step_solve(viper_newton_step *self, double *x, vb_error *error) {
  return viper_free_matrix_solve(&self->hessian, x, error);
}
