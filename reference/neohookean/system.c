// SPDX-License-Identifier: GPL-3.0-or-later
#include "system.h"

#include "base/blas.h"

#include <stdlib.h>
#include <string.h>

/// Above this ratio of operations to numbers in the factor its dense blocks are large enough for
/// BLAS to win over plain loops: on bars and cubes of 5 000 to 50 000 tetrahedra the two were level
/// near 300 with the reference BLAS and near 150 with OpenBLAS.
static const double reference_switch = 300, openblas_switch = 150;

/// With fewer elements one thread gathers sooner than several.
enum { PARALLEL = 200 };

static int compare_contributions(const void *left, const void *right) {
  const nh_contribution *a = left, *b = right;
  if (a->block != b->block)
    return a->block < b->block ? -1 : 1;
  return (a->from > b->from) - (a->from < b->from);
}

static void list_contributions(const nh_solid *solid, nh_contribution *out) {
  size_t nodes = (size_t)solid->nodes;
  for (size_t e = 0, n = 0; e < solid->n_elements; e++) {
    const int32_t *node = solid->node + e * nodes;
    for (size_t a = 0; a < nodes; a++)
      for (size_t b = a; b < nodes; b++, n++) {
        bool transposed = node[a] < node[b];
        uint64_t row = (uint64_t)(transposed ? node[b] : node[a]);
        uint64_t column = (uint64_t)(transposed ? node[a] : node[b]);
        out[n].block = column * solid->n_nodes + row;
        out[n].from = (int32_t)(2 * n + transposed);
      }
  }
}

/// Sorts the contributions by blocks.
static vb_status make_blocks(nh_system *s, vb_error *error) {
  const nh_solid *solid = s->solid;
  size_t n = solid->n_elements * (size_t)solid->pairs;
  nh_contribution *list = reallocarray(NULL, n, sizeof *list);
  if (!list)
    return vb_error_memory(error);
  list_contributions(solid, list);
  qsort(list, n, sizeof *list, compare_contributions);
  for (size_t i = 0; i < n; i++)
    s->n_blocks += i == 0 || list[i].block != list[i - 1].block;
  s->first = reallocarray(NULL, s->n_blocks + 1, sizeof *s->first);
  s->from = reallocarray(NULL, n, sizeof *s->from);
  s->row = reallocarray(NULL, s->n_blocks, sizeof *s->row);
  s->column = calloc(s->n_blocks, sizeof *s->column);
  s->slot = reallocarray(NULL, s->n_blocks, sizeof *s->slot);
  vb_status status = VB_OK;
  if (s->first && s->from && s->row && s->column && s->slot) {
    for (size_t i = 0, k = 0; i < n; i++) {
      s->from[i] = list[i].from;
      if (i > 0 && list[i].block == list[i - 1].block)
        continue;
      s->row[k] = (int32_t)(list[i].block % solid->n_nodes);
      s->column[k] = (int32_t)(list[i].block / solid->n_nodes);
      s->first[k++] = i;
    }
    s->first[s->n_blocks] = n;
  } else {
    status = vb_error_memory(error);
  }
  free(list);
  return status;
}

static vb_status number_components(nh_system *s, const uint8_t *held, vb_error *error) {
  size_t n = 3 * s->solid->n_nodes;
  s->dof = reallocarray(NULL, n, sizeof *s->dof);
  if (!s->dof)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    s->dof[i] = held[i / 3] >> (i % 3) & 1 ? -1 : (int32_t)s->n_free++;
  return VB_OK;
}

/// Lays out the columns of node `column`, whose blocks are k to end - 1; writes slots, and the rows
/// and the ends of columns where these arrays are there. Returns the numbers stored so far.
static size_t lay_columns(nh_system *s, size_t k, size_t end, size_t used, int *column_end,
                          int *rows) {
  for (int c = 0; c < 3; c++) {
    int32_t column = s->dof[3 * s->column[k] + c];
    for (size_t b = k; b < end; b++)
      for (int r = 0; r < 3; r++) {
        int32_t row = s->dof[3 * s->row[b] + r];
        bool there = row >= 0 && column >= 0 && row >= column;
        s->slot[b][3 * r + c] = there ? (int32_t)used : -1;
        if (there && rows)
          rows[used] = row;
        used += there;
      }
    if (column >= 0 && column_end)
      column_end[column + 1] = (int)used;
  }
  return used;
}

static size_t lay_all(nh_system *s, int *column_end, int *rows) {
  size_t used = 0;
  for (size_t k = 0, end; k < s->n_blocks; k = end) {
    for (end = k; end < s->n_blocks && s->column[end] == s->column[k];)
      end++;
    used = lay_columns(s, k, end, used, column_end, rows);
  }
  return used;
}

static vb_status make_matrix(nh_system *s, vb_error *error) {
  size_t used = lay_all(s, NULL, NULL);
  if (used > INT32_MAX)
    return vb_bad_input(error, "the matrix has too many entries: %zu (maximum %d)", used,
                        INT32_MAX);
  s->matrix =
      cholmod_allocate_sparse(s->n_free, s->n_free, used, 1, 1, -1, CHOLMOD_REAL, &s->common);
  s->right = cholmod_zeros(s->n_free, 1, CHOLMOD_REAL, &s->common);
  if (!s->matrix || !s->right)
    return vb_error_memory(error);
  ((int *)s->matrix->p)[0] = 0;
  lay_all(s, s->matrix->p, s->matrix->i);
  return VB_OK;
}

/// Orders and analyzes, once: the better of minimum degree and nested dissection.
static vb_status analyze(nh_system *s, vb_error *error) {
  cholmod_common *c = &s->common;
  c->print = 0;
  c->nmethods = 2;
  c->method[0].ordering = CHOLMOD_AMD;
  c->method[1].ordering = CHOLMOD_METIS;
  c->supernodal = CHOLMOD_AUTO;
  c->supernodal_switch = reference_switch;
  if (vb_blas_use_one_thread()) {
    // Larger dense blocks than CHOLMOD's own choice: a node's three components make small ones.
    static const size_t widest[3] = {12, 32, 64};
    static const double zeros[3] = {0.9, 0.5, 0.2};
    c->supernodal_switch = openblas_switch;
    memcpy(c->nrelax, widest, sizeof widest);
    memcpy(c->zrelax, zeros, sizeof zeros);
  }
  c->final_ll = 1; // a negative pivot is seen
  c->quick_return_if_not_posdef = 1;
  s->factor = cholmod_analyze(s->matrix, c);
  return s->factor ? VB_OK : vb_error_memory(error);
}

vb_status nh_system_create(const nh_solid *solid, const uint8_t *held, nh_system **out,
                           vb_error *error) {
  nh_system *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->solid = solid;
  cholmod_start(&s->common);
  vb_status status = number_components(s, held, error);
  if (!status)
    status = make_blocks(s, error);
  if (!status)
    status = make_matrix(s, error);
  if (!status && s->n_free > 0)
    status = analyze(s, error);
  if (status) {
    nh_system_destroy(s);
    return status;
  }
  *out = s;
  return VB_OK;
}

void nh_system_destroy(nh_system *s) {
  if (!s)
    return;
  cholmod_free_factor(&s->factor, &s->common);
  cholmod_free_sparse(&s->matrix, &s->common);
  cholmod_free_dense(&s->right, &s->common);
  cholmod_free_dense(&s->solution, &s->common);
  for (int i = 0; i < 2; i++)
    cholmod_free_dense(&s->workspace[i], &s->common);
  cholmod_finish(&s->common);
  free(s->dof);
  free(s->first);
  free(s->from);
  free(s->row);
  free(s->column);
  free(s->slot);
  free(s);
}

void nh_system_gather(nh_system *s, const double *pair_block, const double *diagonal, int threads) {
  double *value = s->matrix->x;
#pragma omp parallel for if (s->solid->n_elements > PARALLEL) num_threads(threads) schedule(static)
  for (size_t k = 0; k < s->n_blocks; k++) {
    double sum[9] = {0};
    for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
      const double *from = pair_block + 9 * (size_t)(s->from[i] / 2);
      bool transposed = s->from[i] & 1;
      for (int c = 0; c < 9; c++)
        sum[c] += transposed ? from[c % 3 * 3 + c / 3] : from[c];
    }
    if (diagonal && s->row[k] == s->column[k])
      for (int c = 0; c < 9; c += 4)
        sum[c] += diagonal[s->row[k]];
    for (int c = 0; c < 9; c++)
      if (s->slot[k][c] >= 0)
        value[s->slot[k][c]] = sum[c];
  }
}

double nh_system_factorize(nh_system *s, bool shifted) {
  if (s->n_free == 0)
    return 0;
  // A unit of the matrix: the mean of its diagonal, which comes first in each column.
  double mean = 0;
  for (size_t i = 0; i < s->n_free; i++)
    mean += ((double *)s->matrix->x)[((int *)s->matrix->p)[i]];
  mean /= (double)s->n_free;
  for (double shift = 0; shift <= mean; shift = shift == 0 ? 1e-8 * mean : 10 * shift) {
    double beta[2] = {shift, 0};
    if (!cholmod_factorize_p(s->matrix, beta, NULL, 0, s->factor, &s->common) ||
        s->common.status < CHOLMOD_OK)
      return -1;
    if (s->common.status == CHOLMOD_OK)
      return shift;
    if (!shifted)
      break;
  }
  return -1;
}

bool nh_system_solve(nh_system *s, const double *right, double *out) {
  double *b = s->right->x;
  for (size_t i = 0; i < 3 * s->solid->n_nodes; i++)
    if (s->dof[i] >= 0)
      b[s->dof[i]] = right[i];
  if (s->n_free > 0 && !cholmod_solve2(CHOLMOD_A, s->factor, s->right, NULL, &s->solution, NULL,
                                       &s->workspace[0], &s->workspace[1], &s->common))
    return false;
  for (size_t i = 0; i < 3 * s->solid->n_nodes; i++)
    if (s->dof[i] >= 0)
      out[i] = ((double *)s->solution->x)[s->dof[i]];
  return true;
}
