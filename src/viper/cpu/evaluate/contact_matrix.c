// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/contact_matrix.h"

#include "viper/cpu/evaluate/contact_cones.h"
#include "viper/cpu/evaluate/free_matrix.h"
#include "viper/cpu/evaluate/hessian.h"
#include "viper/cpu/evaluate/positive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct viper_contact_matrix {
  const viper_model *model;
  const viper_bundle_rows *bundles;
  viper_free_matrix hessian;
  // The rows that the pattern has: their unknowns, one list after the other.
  int32_t *pattern, *wanted;
  size_t n_pattern, n_wanted, pattern_capacity, wanted_capacity;
  // A row at work: its unknowns, and the slopes of gap and slip by each.
  int32_t *at;
  double *slope; ///< [n x 4]
  size_t n, at_capacity, slope_capacity;
};

vb_status viper_contact_matrix_create(const viper_model *model, const viper_bundle_rows *bundles,
                                      viper_contact_matrix **out, vb_error *error) {
  viper_contact_matrix *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->model = model;
  self->bundles = bundles;
  vb_status status =
      viper_free_matrix_create(&self->hessian, model, VIPER_TRANSFORM_UNKNOWNS * bundles->n, error);
  if (status)
    viper_contact_matrix_destroy(self);
  else
    *out = self;
  return status;
}

void viper_contact_matrix_destroy(viper_contact_matrix *self) {
  if (!self)
    return;
  viper_free_matrix_clear(&self->hessian);
  free(self->pattern);
  free(self->wanted);
  free(self->at);
  free(self->slope);
  free(self);
}

static void add_slope(viper_contact_matrix *self, int32_t unknown, double gap,
                      const double slip[3]) {
  if (self->hessian.place[unknown] < 0)
    return;
  self->at[self->n] = self->hessian.place[unknown];
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
  for (size_t k = 0; (row->bound > 0 || rows->barrier > 0) && k < row->n_rollers; k++)
    add_roller_slopes(self, cpu, &rows->roller[row->first_roller + k]);
  return true;
}

static bool acts(const viper_contact_rows *rows, const viper_contact_row *row) {
  return rows->barrier > 0 || row->force > 0 || row->bound > 0;
}

/// Lists the unknowns of members of bundles; false without memory.
static bool list_members(viper_contact_matrix *self) {
  const viper_bundle_rows *b = self->bundles;
  const size_t each = 1 + VIPER_MEMBER_UNKNOWNS;
  if (!VB_GROW(self->wanted, self->wanted_capacity, each * b->n_members + 1))
    return false;
  for (size_t k = 0; k < b->n; k++)
    for (int32_t i = 0; i < b->rest->bundle[k].n; i++) {
      int32_t *at = self->wanted + self->n_wanted;
      *at++ = VIPER_MEMBER_UNKNOWNS;
      viper_bundle_rows_unknowns(b, k, b->rest->bundle[k].first + i, at);
      for (int u = 0; u < VIPER_MEMBER_UNKNOWNS; u++)
        at[u] = self->hessian.place[at[u]];
      self->n_wanted += each;
    }
  return true;
}

/// Lists the unknowns of the rows that act; false without memory.
static bool list_wanted(viper_contact_matrix *self, const viper_cpu *cpu,
                        const viper_contact_rows *rows) {
  self->n_wanted = 0;
  if (!list_members(self))
    return false;
  for (size_t i = 0; i < rows->n; i++) {
    if (!acts(rows, &rows->row[i]))
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

/// Makes the pattern of elements and of what is wanted, and the order of its elimination.
static bool analyze(viper_contact_matrix *self) {
  if (!viper_free_matrix_order(&self->hessian, self->wanted, self->n_wanted) ||
      !VB_GROW(self->pattern, self->pattern_capacity, self->n_wanted + 1))
    return false;
  if (self->n_wanted > 0)
    memcpy(self->pattern, self->wanted, self->n_wanted * sizeof *self->pattern);
  self->n_pattern = self->n_wanted;
  return true;
}

static bool fits(const viper_contact_matrix *self) {
  return self->hessian.matrix && self->n_pattern == self->n_wanted &&
         (self->n_wanted == 0 ||
          memcmp(self->pattern, self->wanted, self->n_wanted * sizeof *self->pattern) == 0);
}

static void add_inertia(viper_contact_matrix *self, const viper_cpu *cpu, double inv_h2,
                        viper_curvature curvature) {
  for (int32_t i = 0; i < (int32_t)self->model->n_nodes; i++)
    viper_free_matrix_add_node(&self->hessian, i, inv_h2);
  for (int32_t j = 0; j < (int32_t)self->model->n_segments; j++)
    viper_free_matrix_add_frame(&self->hessian, cpu, j, inv_h2, curvature == VIPER_ALL_CURVATURE);
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
    viper_free_matrix_add(&self->hessian, &s, &h[0][0]);
  }
  for (int32_t t = 0; t < (int32_t)m->n_joints; t++) {
    double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS];
    const viper_unknowns s = viper_unknowns_of_joint(m, t);
    viper_joint_hessian(cpu, t, curvature != VIPER_NO_CURVATURE, h);
    if (curvature == VIPER_POSITIVE)
      viper_positive_part(s.n, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[0], s.n, 3, &h[0][0]);
    viper_held_block(cpu, m->joint[t].segment[1], s.n, 6, &h[0][0]);
    viper_free_matrix_add(&self->hessian, &s, &h[0][0]);
  }
}

static void add_members(viper_contact_matrix *self, bool second) {
  const viper_bundle_rows *b = self->bundles;
  for (size_t k = 0; k < b->n; k++)
    for (int32_t i = b->rest->bundle[k].first; i < b->rest->bundle[k].first + b->rest->bundle[k].n;
         i++) {
      double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS];
      int32_t at[VIPER_MEMBER_UNKNOWNS];
      viper_bundle_rows_unknowns(b, k, i, at);
      viper_bundle_rows_block(b, k, i, second, h);
      viper_free_matrix_add_at(&self->hessian, VIPER_MEMBER_UNKNOWNS, at, &h[0][0]);
    }
}

/// Adds J^T S J of a row that was linearized.
static void add_row(viper_contact_matrix *self, const viper_contact_rows *rows,
                    const viper_contact_row *row) {
  double s[4][4];
  if (rows->barrier > 0)
    viper_cone_stiffness(rows, row, s);
  else
    viper_row_stiffness(row, s);
  for (size_t i = 0; i < self->n; i++) {
    const double *a = self->slope + 4 * i;
    double f[4] = {0};
    for (int c = 0; c < 4; c++)
      for (int d = 0; d < 4; d++)
        f[d] += a[c] * s[c][d];
    for (size_t k = 0; k < self->n; k++) {
      const double *b = self->slope + 4 * k;
      if (self->at[i] >= self->at[k])
        *viper_free_matrix_entry(&self->hessian, self->at[i], self->at[k]) +=
            f[0] * b[0] + f[1] * b[1] + f[2] * b[2] + f[3] * b[3];
    }
  }
}

static bool add_rows(viper_contact_matrix *self, const viper_cpu *cpu,
                     const viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++) {
    if (!acts(rows, &rows->row[i]))
      continue;
    if (!linearize(self, cpu, rows, &rows->row[i]))
      return false;
    add_row(self, rows, &rows->row[i]);
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
  if (self->hessian.n_free == 0)
    return VB_OK;
  if (!list_wanted(self, cpu, rows) || (!fits(self) && !analyze(self)))
    return vb_error_memory(error);
  viper_free_matrix_zero(&self->hessian);
  add_inertia(self, cpu, 1 / (h * h), curvature);
  add_elements(self, cpu, curvature);
  add_members(self, curvature == VIPER_ALL_CURVATURE);
  if (!add_rows(self, cpu, rows) || !viper_free_matrix_factor(&self->hessian))
    return vb_error_memory(error);
  *definite =
      self->hessian.common.status != CHOLMOD_NOT_POSDEF && is_definite(self->hessian.factor);
  return VB_OK;
}

size_t viper_contact_matrix_size(const viper_contact_matrix *self) {
  return viper_count_unknowns(self->model) + self->hessian.n_more;
}

vb_status viper_contact_matrix_solve(viper_contact_matrix *self, double *x, vb_error *error) {
  return viper_free_matrix_solve(&self->hessian, x, error);
}
