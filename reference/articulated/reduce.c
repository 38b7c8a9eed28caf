// SPDX-License-Identifier: GPL-3.0-or-later
#include "reduce.h"

#include "base/blas.h"

#include <stdlib.h>
#include <string.h>

extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
extern void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a,
                    const int *lda, double *b, const int *ldb, int *info);
extern void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc);
extern void dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
                   const double *a, const int *lda, const double *x, const int *incx,
                   const double *beta, double *y, const int *incy);

static const double one = 1, minus = -1, zero = 0;

/// Weight of an element in L [N m].
static double weight_of(const ar_element *e) {
  return (2 * e->material.mu + 3 * e->material.la) * e->volume;
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// M of each bone: its second moment, and its mass behind.
static vb_status make_masses(ar_reduced *r, vb_error *error) {
  r->bone_mass = calloc(16 * r->body->n_bones + 1, sizeof *r->bone_mass);
  if (!r->bone_mass)
    return vb_error_memory(error);
  for (size_t k = 0; k < r->body->n_bones; k++) {
    const ar_bone *bone = &r->body->bone[k];
    for (size_t c = 0; c < 9; c++)
      r->bone_mass[16 * k + c / 3 * 4 + c % 3] = bone->second[c];
    r->bone_mass[16 * k + 15] = bone->mass;
  }
  return VB_OK;
}

/// Numbers the free nodes of the components that `bit` stands for.
static vb_status number_nodes(ar_system *s, const ar_body *b, const uint8_t *held, int component,
                              vb_error *error) {
  s->row = reallocarray(NULL, b->n_nodes + 1, sizeof *s->row);
  s->node = reallocarray(NULL, b->n_nodes + 1, sizeof *s->node);
  if (!s->row || !s->node)
    return vb_error_memory(error);
  for (size_t i = 0; i < b->n_nodes; i++) {
    bool is_free = b->bone_of[i] < 0 && !(held[i] >> component & 1);
    s->row[i] = is_free ? (int32_t)s->n_free : -1;
    if (is_free)
      s->node[s->n_free++] = (int32_t)i;
  }
  return VB_OK;
}

/// Adds `value` to H at two corners, of nodes i and j: to the triplets of Hff, to Hfb (in
/// `spread`) and Hbb (in `weight`).
static void add_pair(ar_system *s, const ar_body *b, size_t i, size_t j, double value,
                     cholmod_triplet *t) {
  size_t columns = 4 * b->n_bones;
  double left[4], right[4];
  if (b->bone_of[i] < 0 && b->bone_of[j] < 0) {
    if (s->row[i] < 0 || s->row[j] < 0 || s->row[i] < s->row[j])
      return;
    ((int *)t->i)[t->nnz] = s->row[i];
    ((int *)t->j)[t->nnz] = s->row[j];
    ((double *)t->x)[t->nnz++] = value;
  } else if (b->bone_of[i] < 0) {
    if (s->row[i] < 0)
      return;
    ar_body_local(b, j, right);
    for (size_t c = 0; c < 4; c++)
      s->spread[(4 * (size_t)b->bone_of[j] + c) * s->n_free + (size_t)s->row[i]] +=
          value * right[c];
  } else if (b->bone_of[j] >= 0) {
    ar_body_local(b, i, left);
    ar_body_local(b, j, right);
    for (size_t a = 0; a < 4; a++)
      for (size_t c = 0; c < 4; c++)
        s->weight[(4 * (size_t)b->bone_of[i] + a) * columns + 4 * (size_t)b->bone_of[j] + c] +=
            value * left[a] * right[c];
  }
}

/// Assembles H; the lower half of Hff to triplets.
static void assemble(ar_system *s, const ar_reduced *r, const double *stiffness, double h,
                     cholmod_triplet *t) {
  const ar_body *b = r->body;
  for (size_t e = 0; e < b->n_elements; e++) {
    const ar_element *element = &b->element[e];
    double w = weight_of(element);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        add_pair(s, b, (size_t)element->node[i], (size_t)element->node[j],
                 w * dot(element->gradient[i], element->gradient[j]), t);
  }
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->bone_of[i] < 0)
      add_pair(s, b, i, i, b->mass[i] / (h * h) + stiffness[i], t);
  for (size_t k = 0; k < b->n_bones; k++)
    for (size_t c = 0; c < 16; c++)
      s->weight[(4 * k + c / 4) * 4 * b->n_bones + 4 * k + c % 4] +=
          r->bone_mass[16 * k + c] / (h * h);
}

static vb_status factorize(ar_system *s, cholmod_triplet *t, cholmod_common *common,
                           vb_error *error) {
  cholmod_sparse *matrix = cholmod_triplet_to_sparse(t, t->nnz, common);
  s->sparse = matrix ? cholmod_analyze(matrix, common) : NULL;
  bool well =
      s->sparse && cholmod_factorize(matrix, s->sparse, common) && common->status == CHOLMOD_OK;
  cholmod_free_sparse(&matrix, common);
  s->right = cholmod_zeros(s->n_free, (size_t)s->n_components, CHOLMOD_REAL, common);
  if (!well || !s->right)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "the matrix of %zu free nodes could not be factorized", s->n_free);
  return VB_OK;
}

/// Z from Hfb, in place, and S and its factor.
static vb_status eliminate(ar_system *s, size_t n_bones, cholmod_common *common, vb_error *error) {
  int n = (int)s->n_free, columns = (int)(4 * n_bones), info = 0;
  size_t size = s->n_free * 4 * n_bones, square = 16 * n_bones * n_bones;
  if (n_bones == 0)
    return VB_OK;
  if (n > 0) {
    double *coupled = reallocarray(NULL, size, sizeof *coupled);
    cholmod_dense right = {.nrow = s->n_free,
                           .ncol = 4 * n_bones,
                           .nzmax = size,
                           .d = s->n_free,
                           .x = coupled,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    if (!coupled)
      return vb_error_memory(error);
    memcpy(coupled, s->spread, size * sizeof *coupled);
    cholmod_dense *z = cholmod_solve(CHOLMOD_A, s->sparse, &right, common);
    if (z) {
      memcpy(s->spread, z->x, size * sizeof *coupled);
      dgemm_("T", "N", &columns, &columns, &n, &minus, coupled, &n, s->spread, &n, &one, s->weight,
             &columns);
    }
    bool well = z != NULL;
    cholmod_free_dense(&z, common);
    free(coupled);
    if (!well)
      return vb_error_memory(error);
  }
  for (size_t i = 0; i < (size_t)columns; i++) // equal halves, to the last bit
    for (size_t j = 0; j < i; j++) {
      double *a = &s->weight[i * (size_t)columns + j], *b = &s->weight[j * (size_t)columns + i];
      *a = *b = 0.5 * (*a + *b);
    }
  memcpy(s->factor, s->weight, square * sizeof *s->factor);
  dpotrf_("L", &columns, s->factor, &columns, &info);
  return info == 0 ? VB_OK
                   : vb_error_set(error, VB_UNAVAILABLE,
                                  "the matrix of the bones is not positive definite");
}

static vb_status make_system(ar_reduced *r, ar_system *s, const uint8_t *held,
                             const double *stiffness, double h, vb_error *error) {
  const ar_body *b = r->body;
  vb_status status = number_nodes(s, b, held, s->component[0], error);
  if (status)
    return status;
  size_t columns = 4 * b->n_bones;
  s->spread = calloc(columns * (s->n_free + 2 * columns + 3) + 1, sizeof *s->spread);
  cholmod_triplet *t = cholmod_allocate_triplet(
      s->n_free, s->n_free, 10 * b->n_elements + s->n_free + 1, -1, CHOLMOD_REAL, &r->common);
  if (!s->spread || !t)
    status = vb_error_memory(error);
  if (!status) {
    s->weight = s->spread + columns * s->n_free;
    s->factor = s->weight + columns * columns;
    s->scratch = s->factor + columns * columns;
    assemble(s, r, stiffness, h, t);
  }
  if (!status && s->n_free > 0)
    status = factorize(s, t, &r->common, error);
  cholmod_free_triplet(&t, &r->common);
  return status ? status : eliminate(s, b->n_bones, &r->common, error);
}

/// Whether the components c and d have the same free nodes.
static bool alike(const ar_body *b, const uint8_t *held, int c, int d) {
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->bone_of[i] < 0 && (held[i] >> c & 1) != (held[i] >> d & 1))
      return false;
  return true;
}

vb_status ar_reduced_create(const ar_body *body, const uint8_t *held, const double *stiffness,
                            double h, ar_reduced *r, vb_error *error) {
  memset(r, 0, sizeof *r);
  r->body = body;
  vb_blas_use_one_thread();
  cholmod_start(&r->common);
  r->common.print = 0;
  r->common.final_ll = 1;
  vb_status status = make_masses(r, error);
  for (int c = 0; !status && c < 3; c++) {
    int k = 0;
    while (k < r->n_systems && !alike(body, held, c, r->system[k].component[0]))
      k++;
    r->of[c] = k;
    r->system[k].component[r->system[k].n_components++] = c;
    if (k == r->n_systems)
      r->n_systems++;
  }
  for (int k = 0; !status && k < r->n_systems; k++)
    status = make_system(r, &r->system[k], held, stiffness, h, error);
  if (status)
    ar_reduced_clear(r);
  return status;
}

void ar_reduced_clear(ar_reduced *r) {
  if (!r->body)
    return;
  for (int k = 0; k < r->n_systems; k++) {
    ar_system *s = &r->system[k];
    free(s->row);
    free(s->node);
    free(s->spread);
    cholmod_free_factor(&s->sparse, &r->common);
    cholmod_free_dense(&s->right, &r->common);
    cholmod_free_dense(&s->solution, &r->common);
    cholmod_free_dense(&s->work[0], &r->common);
    cholmod_free_dense(&s->work[1], &r->common);
  }
  cholmod_finish(&r->common);
  free(r->bone_mass);
  memset(r, 0, sizeof *r);
}

/// Bones of one system: right - Z^T r_f, then S^-1 of it, a column per component.
static void solve_bones(ar_system *s, size_t n_bones, double *bones) {
  int n = (int)s->n_free, columns = (int)(4 * n_bones), count = s->n_components, info = 0;
  double *right = s->scratch;
  size_t size = 4 * n_bones;
  if (size == 0)
    return;
  for (size_t k = 0; k < (size_t)count; k++)
    for (size_t i = 0; i < size; i++)
      right[k * size + i] = bones[3 * i + (size_t)s->component[k]];
  if (n > 0)
    dgemm_("T", "N", &columns, &count, &n, &minus, s->spread, &n, s->right->x, &n, &one, right,
           &columns);
  dpotrs_("L", &columns, &count, s->factor, &columns, right, &columns, &info);
  for (size_t k = 0; k < (size_t)count; k++)
    for (size_t i = 0; i < size; i++)
      bones[3 * i + (size_t)s->component[k]] = right[k * size + i];
}

bool ar_reduced_solve(ar_reduced *r, const double *right, double *bones, double *flesh) {
  memset(flesh, 0, 3 * r->body->n_nodes * sizeof *flesh);
  for (int k = 0; k < r->n_systems; k++) {
    ar_system *s = &r->system[k];
    size_t n = s->n_free;
    for (int j = 0; n > 0 && j < s->n_components; j++)
      for (size_t i = 0; i < n; i++)
        ((double *)s->right->x)[(size_t)j * n + i] =
            right[3 * (size_t)s->node[i] + (size_t)s->component[j]];
    if (n > 0 && !cholmod_solve2(CHOLMOD_A, s->sparse, s->right, NULL, &s->solution, NULL,
                                 &s->work[0], &s->work[1], &r->common))
      return false;
    for (int j = 0; n > 0 && j < s->n_components; j++)
      for (size_t i = 0; i < n; i++)
        flesh[3 * (size_t)s->node[i] + (size_t)s->component[j]] =
            ((double *)s->solution->x)[(size_t)j * n + i];
    solve_bones(s, r->body->n_bones, bones);
  }
  return true;
}

void ar_reduced_follow(ar_reduced *r, const double *bones, double *flesh) {
  size_t columns = 4 * r->body->n_bones;
  for (int k = 0; columns > 0 && k < r->n_systems; k++) {
    ar_system *s = &r->system[k];
    int n = (int)s->n_free, unit = 1, wide = (int)columns;
    if (n == 0)
      continue;
    for (int j = 0; j < s->n_components; j++) {
      double *change = s->right->x; // its memory is free now
      const double *from = bones + s->component[j];
      int three = 3;
      dgemv_("N", &n, &wide, &one, s->spread, &n, from, &three, &zero, change, &unit);
      for (size_t i = 0; i < s->n_free; i++)
        flesh[3 * (size_t)s->node[i] + (size_t)s->component[j]] -= change[i];
    }
  }
}
