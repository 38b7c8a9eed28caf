// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/free_matrix.h"

#include "base/arena.h"
#include "viper/cpu/evaluate/hessian.h"

#include <stdlib.h>
#include <string.h>

/// Entries of a segment's block in the lower part; of a joint's all, since where its path returns
/// to its first node, that node's scale counts twice.
enum { SEGMENT_ENTRIES = 66, JOINT_ENTRIES = 81 };

vb_status viper_free_matrix_create(viper_free_matrix *self, const viper_model *model, size_t n_more,
                                   vb_error *error) {
  const size_t n = viper_count_unknowns(model);
  *self = (viper_free_matrix){.model = model, .n_more = n_more};
  cholmod_start(&self->common);
  self->common.print = 0;
  self->common.supernodal = CHOLMOD_SIMPLICIAL; // L D L^T
  self->common.nmethods = 1;
  self->common.method[0].ordering = CHOLMOD_AMD;
  self->place = reallocarray(NULL, n + n_more + 1, sizeof *self->place);
  if (!self->place)
    return vb_error_memory(error);
  self->n_free = viper_number_unknowns(model, self->place);
  for (size_t u = n; u < n + n_more; u++)
    self->place[u] = self->n_free++;
  return VB_OK;
}

static void free_pattern(viper_free_matrix *self) {
  cholmod_free_sparse(&self->matrix, &self->common);
  cholmod_free_factor(&self->factor, &self->common);
  cholmod_free_dense(&self->right, &self->common);
  self->n_found = 0;
}

void viper_free_matrix_clear(viper_free_matrix *self) {
  if (!self->model)
    return;
  free_pattern(self);
  cholmod_finish(&self->common);
  free(self->place);
  free(self->found);
  self->model = NULL;
}

/// Notes the entries between some free unknowns (-1: held) in the lower part.
static void note_entries(const int32_t *at, size_t n, cholmod_triplet *t) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      if (at[k] < 0 || at[i] < at[k])
        continue;
      ((int32_t *)t->i)[t->nnz] = at[i];
      ((int32_t *)t->j)[t->nnz] = at[k];
      ((double *)t->x)[t->nnz++] = 1; // for CHOLMOD keeps what is not 0
    }
}

static void note_element(const viper_free_matrix *self, viper_unknowns s, cholmod_triplet *t) {
  for (int k = 0; k < s.n; k++)
    s.at[k] = self->place[s.at[k]];
  note_entries(s.at, (size_t)s.n, t);
}

/// The pattern: nodes' diagonals are in that of their segments, and so are frames.
static void note_all(const viper_free_matrix *self, const int32_t *more, size_t n_more,
                     cholmod_triplet *t) {
  const viper_model *m = self->model;
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++)
    note_element(self, viper_unknowns_of_segment(m, j), t);
  for (int32_t k = 0; k < (int32_t)m->n_joints; k++)
    note_element(self, viper_unknowns_of_joint(m, k), t);
  for (size_t k = 0; more && k < n_more; k += 1 + (size_t)more[k])
    note_entries(more + k + 1, (size_t)more[k], t);
}

bool viper_free_matrix_order(viper_free_matrix *self, const int32_t *more, size_t n_more) {
  const size_t size = (size_t)self->n_free;
  size_t most = SEGMENT_ENTRIES * self->model->n_segments + JOINT_ENTRIES * self->model->n_joints;
  for (size_t k = 0; more && k < n_more; k += 1 + (size_t)more[k])
    most += (size_t)more[k] * (size_t)more[k];
  free_pattern(self);
  cholmod_triplet *t =
      cholmod_allocate_triplet(size, size, most + 1, -1, CHOLMOD_REAL, &self->common);
  if (!t)
    return false;
  note_all(self, more, n_more, t);
  self->matrix = cholmod_triplet_to_sparse(t, most, &self->common);
  cholmod_free_triplet(&t, &self->common);
  if (!self->matrix || !cholmod_sort(self->matrix, &self->common))
    return false;
  self->factor = cholmod_analyze(self->matrix, &self->common);
  self->right = cholmod_zeros(size, 1, CHOLMOD_REAL, &self->common);
  return self->factor && self->right;
}

void viper_free_matrix_zero(viper_free_matrix *self) {
  memset(self->matrix->x, 0, self->matrix->nzmax * sizeof(double));
  self->found_at = 0;
}

/// Finds an entry by dichotomy.
static int32_t search(const viper_free_matrix *self, int32_t row, int32_t column) {
  const int32_t *rows = self->matrix->i, *begin = self->matrix->p;
  int32_t low = begin[column], high = begin[column + 1] - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (rows[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Notes where the next entry was found, as far as there is memory.
static void note_found(viper_free_matrix *self, int32_t k) {
  if (!VB_GROW(self->found, self->found_capacity, self->found_at + 1))
    return;
  self->found[self->found_at++] = k;
  if (self->n_found < self->found_at)
    self->n_found = self->found_at;
}

double *viper_free_matrix_entry(viper_free_matrix *self, int32_t row, int32_t column) {
  const int32_t *rows = self->matrix->i, *begin = self->matrix->p;
  if (self->found_at < self->n_found) {
    const int32_t k = self->found[self->found_at];
    if (k >= begin[column] && k < begin[column + 1] && rows[k] == row) {
      self->found_at++;
      return (double *)self->matrix->x + k;
    }
  }
  const int32_t k = search(self, row, column);
  note_found(self, k);
  return (double *)self->matrix->x + k;
}

/// The place of an unknown that is assembled, or -1.
static int32_t place_of(const viper_free_matrix *self, int32_t unknown) {
  bool left_out = self->frames_held && unknown >= viper_unknown_of_frame(self->model, 0, 0);
  return left_out ? -1 : self->place[unknown];
}

void viper_free_matrix_add(viper_free_matrix *self, const viper_unknowns *s, const double *h) {
  viper_free_matrix_add_at(self, s->n, s->at, h);
}

void viper_free_matrix_add_at(viper_free_matrix *self, int n, const int32_t *at, const double *h) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const int32_t row = place_of(self, at[i]), column = place_of(self, at[k]);
      if (column >= 0 && row >= column)
        *viper_free_matrix_entry(self, row, column) += h[n * i + k];
    }
}

void viper_free_matrix_add_node(viper_free_matrix *self, int32_t i, double inv_h2) {
  const viper_model_node *m = &self->model->node[i];
  for (int k = 0; k < 4; k++) {
    const int32_t at = self->place[viper_unknown_of_node(i, k)];
    if (at >= 0)
      *viper_free_matrix_entry(self, at, at) += inv_h2 * (k < 3 ? m->mass : m->scale_inertia);
  }
}

void viper_free_matrix_add_frame(viper_free_matrix *self, const viper_cpu *cpu, int32_t j,
                                 double inv_h2, bool second) {
  double h[3][3];
  viper_unknowns s = {.n = 3};
  viper_frame_hessian(cpu, j, second, h);
  for (int i = 0; i < 3; i++) {
    s.at[i] = viper_unknown_of_frame(self->model, j, i);
    for (int k = 0; k < 3; k++)
      h[i][k] *= inv_h2;
  }
  viper_held_block(cpu, j, s.n, 0, &h[0][0]);
  viper_free_matrix_add(self, &s, &h[0][0]);
}

bool viper_free_matrix_factor(viper_free_matrix *self) {
  return cholmod_factorize(self->matrix, self->factor, &self->common);
}

vb_status viper_free_matrix_solve(viper_free_matrix *self, double *x, vb_error *error) {
  const size_t n = viper_count_unknowns(self->model) + self->n_more;
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
