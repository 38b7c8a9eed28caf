// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/contact_matrix.h"

#include "viper/cpu/evaluate/hessian.h"
#include "viper/cpu/evaluate/positive.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct viper_contact_matrix {
  const viper_model *model;
  int32_t n_free;
  int32_t *place; ///< of each unknown among the free ones, or -1
  cholmod_common common;
  cholmod_sparse *matrix; ///< lower part, columns sorted
  cholmod_factor *factor;
  cholmod_dense *right;
  // The rows that the pattern has: their unknowns, one list after the other.
  int32_t *pattern, *wanted;
  size_t n_pattern, n_wanted, pattern_capacity, wanted_capacity;
  // A row at work: its unknowns, and the slopes of gap and slip by each.
  int32_t *at;
  double *slope; ///< [n x 4]
  size_t n, at_capacity, slope_capacity;
};

vb_status viper_contact_matrix_create(const viper_model *model, viper_contact_matrix **out,
                                      vb_error *error) {
  viper_contact_matrix *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->model = model;
  cholmod_start(&self->common);
  self->common.print = 0;
  self->common.supernodal = CHOLMOD_SIMPLICIAL;
  self->common.nmethods = 1;
  self->common.method[0].ordering = CHOLMOD_AMD;
  self->place = reallocarray(NULL, viper_count_unknowns(model) + 1, sizeof *self->place);
  if (!self->place) {
    viper_contact_matrix_destroy(self);
    return vb_error_memory(error);
  }
  self->n_free = viper_number_unknowns(model, self->place);
  *out = self;
  return VB_OK;
}

static void free_pattern(viper_contact_matrix *self) {
  cholmod_free_sparse(&self->matrix, &self->common);
  cholmod_free_factor(&self->factor, &self->common);
  cholmod_free_dense(&self->right, &self->common);
}

void viper_contact_matrix_destroy(viper_contact_matrix *self) {
  if (!self)
    return;
  free_pattern(self);
  cholmod_finish(&self->common);
  free(self->place);
  free(self->pattern);
  free(self->wanted);
  free(self->at);
  free(self->slope);
  free(self);
}

static void add_slope(viper_contact_matrix *self, int32_t unknown, double gap,
                      const double slip[3]) {
  if (self->place[unknown] < 0)
    return;
  self->at[self->n] = self->place[unknown];
  self->slope[4 * self->n] = gap;
  memcpy(self->slope + 4 * self->n + 1, slip, 3 * sizeof *slip);
  self->n++;
}

static void add_node_slopes(viper_contact_matrix *self, const viper_contact_row *row, int k) {
  for (int c = 0; c < 3; c++) {
    double slip[3];
    for (int d = 0; d < 3; d++)
      slip[d] = row->weight[k] * ((c == d) - row->normal[c] * row->normal[d]);
    add_slope(self, viper_unknown_of_node(row->node[k], c), row->weight[k] * row->normal[c], slip);
  }
  add_slope(self, viper_unknown_of_node(row->node[k], 3), row->pull[k], (double[3]){0, 0, 0});
}

/// A free frame rolls by its third unknown alone; one of which parts are held by its free axes.
static void add_roller_slopes(viper_contact_matrix *self, const viper_cpu *cpu,
                              const viper_row_roller *r) {
  viper_vec3 axis[3];
  viper_held_axes(cpu, r->segment, axis);
  for (int k = 0; k < viper_free_axes(self->model, r->segment); k++) {
    const double z = axis[k].z, slip[3] = {z * r->slope[0], z * r->slope[1], z * r->slope[2]};
    if (viper_free_axes(self->model, r->segment) < 3 || k == 2)
      add_slope(self, viper_unknown_of_frame(self->model, r->segment, k), 0, slip);
  }
}

/// Finds the slopes of a row that acts; false without memory.
static bool linearize(viper_contact_matrix *self, const viper_cpu *cpu,
                      const viper_contact_rows *rows, const viper_contact_row *row) {
  const size_t most = 4 * (size_t)row->n_nodes + 3 * row->n_rollers;
  self->n = 0;
  if (!VB_GROW(self->at, self->at_capacity, most) ||
      !VB_GROW(self->slope, self->slope_capacity, 4 * most))
    return false;
  for (int k = 0; k < row->n_nodes; k++)
    add_node_slopes(self, row, k);
  for (size_t k = 0; row->bound > 0 && k < row->n_rollers; k++)
    add_roller_slopes(self, cpu, &rows->roller[row->first_roller + k]);
  return true;
}

static bool acts(const viper_contact_row *row) {
  return row->force > 0 || row->bound > 0;
}

/// Lists the unknowns of the rows that act; false without memory.
static bool list_wanted(viper_contact_matrix *self, const viper_cpu *cpu,
                        const viper_contact_rows *rows) {
  self->n_wanted = 0;
  for (size_t i = 0; i < rows->n; i++) {
    if (!acts(&rows->row[i]))
      continue;
    if (!linearize(self, cpu, rows, &rows->row[i]) ||
        !VB_GROW(self->wanted, self->wanted_capacity, self->n_wanted + self->n + 1))
      return false;
    self->wanted[self->n_wanted++] = (int32_t)self->n;
    memcpy(self->wanted + self->n_wanted, self->at, self->n * sizeof *self->at);
    self->n_wanted += self->n;
  }
  return true;
}

/// Notes the entries of some free unknowns in the lower part; returns their number so far.
static size_t note_entries(const int32_t *at, size_t n_at, cholmod_triplet *t, size_t n) {
  for (size_t i = 0; i < n_at; i++)
    for (size_t k = 0; k < n_at; k++) {
      if (at[i] < 0 || at[k] < 0 || at[i] < at[k])
        continue;
      ((int32_t *)t->i)[n] = at[i];
      ((int32_t *)t->j)[n] = at[k];
      ((double *)t->x)[n++] = 1; // for CHOLMOD keeps what is not 0
    }
  return n;
}

static size_t note_element(const viper_contact_matrix *self, viper_unknowns s, cholmod_triplet *t,
                           size_t n) {
  for (int k = 0; k < s.n; k++)
    s.at[k] = self->place[s.at[k]];
  return note_entries(s.at, (size_t)s.n, t, n);
}

/// The entries that the rows need at most.
static size_t count_wanted(const viper_contact_matrix *self) {
  size_t sum = 0;
  for (size_t k = 0; k < self->n_wanted; k += 1 + (size_t)self->wanted[k])
    sum += (size_t)self->wanted[k] * (size_t)self->wanted[k];
  return sum;
}

static cholmod_triplet *note_pattern(viper_contact_matrix *self, size_t most) {
  const viper_model *m = self->model;
  const size_t size = (size_t)self->n_free;
  cholmod_triplet *t =
      cholmod_allocate_triplet(size, size, most + 1, -1, CHOLMOD_REAL, &self->common);
  for (int32_t j = 0; t && j < (int32_t)m->n_segments; j++)
    t->nnz = note_element(self, viper_unknowns_of_segment(m, j), t, t->nnz);
  for (int32_t k = 0; t && k < (int32_t)m->n_joints; k++)
    t->nnz = note_element(self, viper_unknowns_of_joint(m, k), t, t->nnz);
  for (size_t k = 0; t && k < self->n_wanted; k += 1 + (size_t)self->wanted[k])
    t->nnz = note_entries(self->wanted + k + 1, (size_t)self->wanted[k], t, t->nnz);
  return t;
}

/// Makes the pattern of what is wanted, and the order of its elimination.
static bool analyze(viper_contact_matrix *self) {
  const size_t most =
      121 * self->model->n_segments + 81 * self->model->n_joints + count_wanted(self);
  free_pattern(self);
  cholmod_triplet *t = note_pattern(self, most);
  if (!t)
    return false;
  self->matrix = cholmod_triplet_to_sparse(t, most, &self->common);
  cholmod_free_triplet(&t, &self->common);
  if (!self->matrix || !cholmod_sort(self->matrix, &self->common))
    return false;
  self->factor = cholmod_analyze(self->matrix, &self->common);
  self->right = cholmod_zeros((size_t)self->n_free, 1, CHOLMOD_REAL, &self->common);
  if (!VB_GROW(self->pattern, self->pattern_capacity, self->n_wanted + 1))
    return false;
  if (self->n_wanted > 0)
    memcpy(self->pattern, self->wanted, self->n_wanted * sizeof *self->pattern);
  self->n_pattern = self->n_wanted;
  return self->factor && self->right;
}

static bool fits(const viper_contact_matrix *self) {
  return self->matrix && self->n_pattern == self->n_wanted &&
         (self->n_wanted == 0 ||
          memcmp(self->pattern, self->wanted, self->n_wanted * sizeof *self->pattern) == 0);
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

static void add_element(viper_contact_matrix *self, const viper_unknowns *s, const double *h) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->n; k++) {
      const int32_t row = self->place[s->at[i]], column = self->place[s->at[k]];
      if (column >= 0 && row >= column)
        *entry(self->matrix, row, column) += h[s->n * i + k];
    }
}

static void add_inertia(viper_contact_matrix *self, const viper_cpu *cpu, double inv_h2,
                        viper_curvature curvature) {
  const viper_model *m = self->model;
  for (int32_t i = 0; i < (int32_t)m->n_nodes; i++)
    for (int k = 0; k < 4; k++) {
      const int32_t at = self->place[viper_unknown_of_node(i, k)];
      if (at >= 0)
        *entry(self->matrix, at, at) +=
            inv_h2 * (k < 3 ? m->node[i].mass : m->node[i].scale_inertia);
    }
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    double h[3][3];
    viper_unknowns s = {.n = 3};
    viper_frame_hessian(cpu, j, curvature == VIPER_ALL_CURVATURE, h);
    for (int i = 0; i < 3; i++) {
      s.at[i] = viper_unknown_of_frame(m, j, i);
      for (int k = 0; k < 3; k++)
        h[i][k] *= inv_h2;
    }
    viper_held_block(cpu, j, s.n, 0, &h[0][0]);
    add_element(self, &s, &h[0][0]);
  }
}

static void add_elements(viper_contact_matrix *self, const viper_cpu *cpu,
                         viper_curvature curvature) {
  const viper_model *m = self->model;
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
    const viper_unknowns s = viper_unknowns_of_segment(m, j);
    viper_segment_hessian(cpu, j, curvature != VIPER_NO_CURVATURE, h);
    if (curvature == VIPER_POSITIVE)
      viper_positive_part(s.n, &h[0][0]);
    viper_held_block(cpu, j, s.n, 8, &h[0][0]);
    add_element(self, &s, &h[0][0]);
  }
  for (int32_t t = 0; t < (int32_t)m->n_joints; t++) {
    double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS];
    const viper_unknowns s = viper_unknowns_of_joint(m, t);
    viper_joint_hessian(cpu, t, curvature != VIPER_NO_CURVATURE, h);
    if (curvature == VIPER_POSITIVE)
      viper_positive_part(s.n, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[0], s.n, 3, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[1], s.n, 6, &h[0][0]);
    add_element(self, &s, &h[0][0]);
  }
}

/// Adds J^T S J of a row that was linearized.
static void add_row(viper_contact_matrix *self, const viper_contact_row *row) {
  double slip[3][3];
  const double along = viper_row_stiffness(row, slip);
  for (size_t i = 0; i < self->n; i++) {
    const double *a = self->slope + 4 * i;
    const double across[3] = {slip[0][0] * a[1] + slip[1][0] * a[2] + slip[2][0] * a[3],
                              slip[0][1] * a[1] + slip[1][1] * a[2] + slip[2][1] * a[3],
                              slip[0][2] * a[1] + slip[1][2] * a[2] + slip[2][2] * a[3]};
    for (size_t k = 0; k < self->n; k++) {
      const double *b = self->slope + 4 * k;
      if (self->at[i] >= self->at[k])
        *entry(self->matrix, self->at[i], self->at[k]) +=
            along * a[0] * b[0] + across[0] * b[1] + across[1] * b[2] + across[2] * b[3];
    }
  }
}

static bool add_rows(viper_contact_matrix *self, const viper_cpu *cpu,
                     const viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++) {
    if (!acts(&rows->row[i]))
      continue;
    if (!linearize(self, cpu, rows, &rows->row[i]))
      return false;
    add_row(self, &rows->row[i]);
  }
  return true;
}

/// Whether all pivots are positive.
static bool is_definite(const cholmod_factor *factor) {
  const int32_t *begin = factor->p;
  const double *value = factor->x;
  for (size_t k = 0; k < factor->n; k++)
    if (!(value[begin[k]] > 0)) // the first of its column
      return false;
  return true;
}

vb_status viper_contact_matrix_factor(viper_contact_matrix *self, const viper_cpu *cpu, double h,
                                      const viper_contact_rows *rows, viper_curvature curvature,
                                      bool *definite, vb_error *error) {
  *definite = true;
  if (self->n_free == 0)
    return VB_OK;
  if (!list_wanted(self, cpu, rows) || (!fits(self) && !analyze(self)))
    return vb_error_memory(error);
  memset(self->matrix->x, 0, self->matrix->nzmax * sizeof(double));
  add_inertia(self, cpu, 1 / (h * h), curvature);
  add_elements(self, cpu, curvature);
  if (!add_rows(self, cpu, rows) || !cholmod_factorize(self->matrix, self->factor, &self->common))
    return vb_error_memory(error);
  *definite = self->common.status != CHOLMOD_NOT_POSDEF && is_definite(self->factor);
  return VB_OK;
}

vb_status viper_contact_matrix_solve(viper_contact_matrix *self, double *x, vb_error *error) {
  const size_t n = viper_count_unknowns(self->model);
  if (self->n_free == 0) {
    memset(x, 0, n * sizeof *x);
    return VB_OK;
  }
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
