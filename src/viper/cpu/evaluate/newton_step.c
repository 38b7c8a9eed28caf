// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/newton_step.h"

#include "viper/cpu/evaluate/hessian.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

enum { REFINEMENTS = 2 }; ///< of the solution: an indefinite matrix is factored without pivoting

struct viper_newton_step {
  const viper_model *model;
  int32_t n_free;
  bool frames_held; ///< in what is assembled: centers and scales alone
  int32_t *place;   ///< of each unknown, nodes (x 4) then frames (x 3), among the free ones, or -1
  double *gradient; ///< of all unknowns
  cholmod_common common;
  cholmod_sparse *matrix; ///< lower part, columns sorted
  cholmod_factor *factor;
  cholmod_dense *right;
};

/// Notes the places of an element's entries in the lower part; returns their number so far.
static size_t note_entries(const int32_t *place, const viper_unknowns *s, cholmod_triplet *t,
                           size_t n) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->n; k++) {
      int32_t row = place[s->at[i]], column = place[s->at[k]];
      if (column < 0 || row < column)
        continue;
      ((int32_t *)t->i)[n] = row;
      ((int32_t *)t->j)[n] = column;
      ((double *)t->x)[n++] = 1; // for CHOLMOD keeps what is not 0
    }
  return n;
}

/// The pattern: nodes' diagonals are in that of their segments, and so are frames. Where the path
/// of a joint returns to its first node, that node's scale counts twice.
static bool create_matrix(viper_newton_step *self) {
  const viper_model *m = self->model;
  size_t most = 66 * m->n_segments + 81 * m->n_joints, size = (size_t)self->n_free;
  cholmod_triplet *t =
      cholmod_allocate_triplet(size, size, most + 1, -1, CHOLMOD_REAL, &self->common);
  if (!t)
    return false;
  for (size_t j = 0; j < m->n_segments; j++) {
    viper_unknowns s = viper_unknowns_of_segment(m, (int32_t)j);
    t->nnz = note_entries(self->place, &s, t, t->nnz);
  }
  for (size_t k = 0; k < m->n_joints; k++) {
    viper_unknowns s = viper_unknowns_of_joint(m, (int32_t)k);
    t->nnz = note_entries(self->place, &s, t, t->nnz);
  }
  self->matrix = cholmod_triplet_to_sparse(t, most, &self->common);
  cholmod_free_triplet(&t, &self->common);
  if (!self->matrix || !cholmod_sort(self->matrix, &self->common))
    return false;
  self->factor = cholmod_analyze(self->matrix, &self->common);
  self->right = cholmod_zeros(size, 1, CHOLMOD_REAL, &self->common);
  return self->factor && self->right;
}

vb_status viper_newton_step_create(const viper_model *model, viper_newton_step **out,
                                   vb_error *error) {
  size_t n = 4 * model->n_nodes + 3 * model->n_segments;
  viper_newton_step *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->model = model;
  cholmod_start(&self->common);
  self->common.print = 0;
  self->common.supernodal = CHOLMOD_SIMPLICIAL; // L D L^T
  self->common.nmethods = 1;
  self->common.method[0].ordering = CHOLMOD_AMD;
  self->place = reallocarray(NULL, n + 1, sizeof *self->place);
  self->gradient = reallocarray(NULL, n + 1, sizeof *self->gradient);
  bool made = self->place && self->gradient;
  if (made)
    self->n_free = viper_number_unknowns(model, self->place);
  if (!made || (self->n_free > 0 && !create_matrix(self))) {
    viper_newton_step_destroy(self);
    return vb_error_memory(error);
  }
  *out = self;
  return VB_OK;
}

void viper_newton_step_destroy(viper_newton_step *self) {
  if (!self)
    return;
  cholmod_free_sparse(&self->matrix, &self->common);
  cholmod_free_factor(&self->factor, &self->common);
  cholmod_free_dense(&self->right, &self->common);
  cholmod_finish(&self->common);
  free(self->place);
  free(self->gradient);
  free(self);
}

/// The entry of a column and a row in it, both among the free unknowns.
static double *entry(const cholmod_sparse *a, int32_t row, int32_t column) {
  const int32_t *rows = a->i, *begin = a->p;
  int32_t low = begin[column], high = begin[column + 1] - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (rows[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return (double *)a->x + low;
}

/// The place of an unknown that is assembled, or -1.
static int32_t place_of(const viper_newton_step *self, int32_t unknown) {
  bool left_out = self->frames_held && unknown >= 4 * (int32_t)self->model->n_nodes;
  return left_out ? -1 : self->place[unknown];
}

static void add_element(viper_newton_step *self, const viper_unknowns *s, const double *h) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->n; k++) {
      int32_t row = place_of(self, s->at[i]), column = place_of(self, s->at[k]);
      if (column >= 0 && row >= column)
        *entry(self->matrix, row, column) += h[s->n * i + k];
    }
}

/// The inertial part of node `i` and of frame `j`.
static void add_node(viper_newton_step *self, int32_t i, double inv_h2) {
  const viper_model_node *m = &self->model->node[i];
  for (int k = 0; k < 4; k++) {
    int32_t at = self->place[viper_unknown_of_node(i, k)];
    if (at >= 0)
      *entry(self->matrix, at, at) += inv_h2 * (k < 3 ? m->mass : m->scale_inertia);
  }
}

static void add_frame(viper_newton_step *self, const viper_cpu *cpu, int32_t j, double inv_h2) {
  double h[3][3];
  viper_unknowns s = {.n = 3};
  viper_frame_hessian(cpu, j, true, h);
  for (int i = 0; i < 3; i++) {
    s.at[i] = viper_unknown_of_frame(self->model, j, i);
    for (int k = 0; k < 3; k++)
      h[i][k] *= inv_h2;
  }
  viper_held_block(cpu, j, s.n, 0, &h[0][0]);
  add_element(self, &s, &h[0][0]);
}

static void assemble(viper_newton_step *self, const viper_cpu *cpu, double inv_h2) {
  const viper_model *m = self->model;
  memset(self->matrix->x, 0, self->matrix->nzmax * sizeof(double));
  for (int32_t i = 0; !cpu->is_static && i < (int32_t)m->n_nodes; i++)
    add_node(self, i, inv_h2);
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
    viper_unknowns s = viper_unknowns_of_segment(m, j);
    viper_segment_hessian(cpu, j, true, h);
    viper_held_block(cpu, j, s.n, 8, &h[0][0]);
    add_element(self, &s, &h[0][0]);
    if (!cpu->is_static)
      add_frame(self, cpu, j, inv_h2);
  }
  for (int32_t t = 0; t < (int32_t)m->n_joints; t++) {
    double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS];
    viper_unknowns s = viper_unknowns_of_joint(m, t);
    viper_joint_hessian(cpu, t, true, h);
    viper_held_block(cpu, m->joint[t].segment[0], s.n, 3, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[1], s.n, 6, &h[0][0]);
    add_element(self, &s, &h[0][0]);
  }
}

/// The gradient over free unknowns, into `right`.
static void take_gradient(viper_newton_step *self, const viper_cpu *cpu, double h) {
  const viper_model *m = self->model;
  double *node = self->gradient, *frame = node + 4 * m->n_nodes, *right = self->right->x;
  for (size_t k = 0; k < m->n_bodies; k++)
    viper_body_gradient(cpu, &m->body[k], h, node + 4 * m->body[k].first_node,
                        frame + 3 * m->body[k].first_segment);
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++)
    viper_held_gradient(cpu, j, frame + 3 * j);
  for (size_t u = 0; u < 4 * m->n_nodes + 3 * m->n_segments; u++)
    if (self->place[u] >= 0)
      right[self->place[u]] = self->gradient[u];
}

/// Solves with the factor for `right`, and adds to `sum`.
static bool add_solution(viper_newton_step *self, double *sum) {
  cholmod_dense *x = cholmod_solve(CHOLMOD_A, self->factor, self->right, &self->common);
  for (int32_t k = 0; x && k < self->n_free; k++)
    sum[k] += ((double *)x->x)[k];
  bool done = x != NULL;
  cholmod_free_dense(&x, &self->common);
  return done;
}

/// The step, refined. False for want of memory.
static bool solve(viper_newton_step *self, cholmod_dense *sum) {
  double minus[2] = {-1, 0}, one[2] = {1, 0};
  cholmod_dense *gradient = cholmod_copy_dense(self->right, &self->common);
  bool done = gradient && add_solution(self, sum->x);
  for (int k = 0; done && k < REFINEMENTS; k++) {
    memcpy(self->right->x, gradient->x, (size_t)self->n_free * sizeof(double));
    done = cholmod_sdmult(self->matrix, 0, minus, one, sum, self->right, &self->common) &&
           add_solution(self, sum->x);
  }
  cholmod_free_dense(&gradient, &self->common);
  return done;
}

static void read_displacements(const viper_newton_step *self, const double *step, double *out) {
  for (int32_t i = 0; i < (int32_t)self->model->n_nodes; i++)
    for (int k = 0; k < 3; k++) {
      int32_t at = self->place[viper_unknown_of_node(i, k)];
      out[3 * i + k] = at >= 0 ? step[at] : 0;
    }
}

vb_status viper_newton_step_moves(viper_newton_step *self, const viper_cpu *cpu, double h,
                                  double *out, vb_error *error) {
  const size_t n = 3 * self->model->n_nodes;
  memset(out, 0, n * sizeof *out);
  if (self->n_free == 0)
    return VB_OK;
  assemble(self, cpu, 1 / (h * h));
  take_gradient(self, cpu, h);
  bool factored = cholmod_factorize(self->matrix, self->factor, &self->common);
  if (factored && self->common.status == CHOLMOD_NOT_POSDEF) {
    for (size_t k = 0; k < n; k++)
      out[k] = NAN;
    return VB_OK;
  }
  cholmod_dense *sum = cholmod_zeros((size_t)self->n_free, 1, CHOLMOD_REAL, &self->common);
  bool done = factored && sum && solve(self, sum);
  if (done)
    read_displacements(self, sum->x, out);
  cholmod_free_dense(&sum, &self->common);
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
  const size_t n = 4 * m->n_nodes + 3 * m->n_segments;
  if (self->n_free == 0) {
    memset(out, 0, n * sizeof *out);
    return;
  }
  take_gradient(self, cpu, 1);
  for (size_t u = 0; u < n; u++)
    out[u] = self->place[u] >= 0 ? self->gradient[u] : 0;
}

/// Gives held frames a matrix of their own, so that they do not move.
static void hold_frames(viper_newton_step *self) {
  const viper_model *m = self->model;
  for (int32_t u = 4 * (int32_t)m->n_nodes;
       u < viper_unknown_of_frame(m, (int32_t)m->n_segments, 0); u++)
    if (self->place[u] >= 0)
      *entry(self->matrix, self->place[u], self->place[u]) = 1;
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
  if (self->n_free == 0)
    return VB_OK;
  self->frames_held = frames_held;
  assemble(self, cpu, 1);
  self->frames_held = false;
  if (frames_held)
    hold_frames(self);
  if (!cholmod_factorize(self->matrix, self->factor, &self->common))
    return vb_error_memory(error);
  *n_negative =
      self->common.status == CHOLMOD_NOT_POSDEF ? -1 : count_negative(self->factor, magnitudes);
  return VB_OK;
}

vb_status viper_newton_step_solve(viper_newton_step *self, double *x, vb_error *error) {
  const size_t n = 4 * self->model->n_nodes + 3 * self->model->n_segments;
  if (self->n_free == 0)
    return VB_OK;
  for (size_t u = 0; u < n; u++)
    if (self->place[u] >= 0)
      ((double *)self->right->x)[self->place[u]] = x[u];
  cholmod_dense *found = cholmod_solve(CHOLMOD_A, self->factor, self->right, &self->common);
  if (!found)
    return vb_error_memory(error);
  for (size_t u = 0; u < n; u++)
    x[u] = self->place[u] >= 0 ? ((double *)found->x)[self->place[u]] : 0;
  cholmod_free_dense(&found, &self->common);
  return VB_OK;
}
