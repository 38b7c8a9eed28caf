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

/// Lists the free nodes of each part, and gives each its numbers.
static vb_status make_parts(ar_system *s, const ar_reduced *r, vb_error *error) {
  size_t n = r->sets.n, room = 3 * (4 * r->body->n_bones + s->n_free), rows = 0;
  s->part = calloc(n + 1, sizeof *s->part);
  s->place = calloc(2 * s->n_free + 1, sizeof *s->place);
  if (!s->part || !s->place)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->n_free; i++) {
    int32_t set = r->sets.set_of_node[s->node[i]];
    s->place[i] = set >= 0 ? (int32_t)s->part[set].n_rows++ : -1;
  }
  for (size_t k = 0; k < n; k++) {
    ar_part *part = &s->part[k];
    part->n_bones = r->sets.first[k + 1] - r->sets.first[k];
    part->bone = r->sets.bone + r->sets.first[k];
    part->row = s->place + s->n_free + rows;
    rows += part->n_rows;
    room += 4 * part->n_bones * (part->n_rows + 8 * part->n_bones);
  }
  for (size_t i = 0; i < s->n_free; i++)
    if (s->place[i] >= 0)
      s->part[r->sets.set_of_node[s->node[i]]].row[s->place[i]] = (int32_t)i;
  s->numbers = calloc(room + 1, sizeof *s->numbers);
  if (!s->numbers)
    return vb_error_memory(error);
  double *next = s->numbers;
  for (size_t k = 0; k < n; k++) {
    ar_part *part = &s->part[k];
    size_t columns = 4 * part->n_bones;
    part->spread = next;
    part->weight = part->spread + columns * part->n_rows;
    part->factor = part->weight + columns * columns;
    next = part->factor + columns * columns;
  }
  s->scratch = next;
  return VB_OK;
}

/// Adds `value` to H at two corners, of nodes i and j: to the triplets of Hff, to Hfb (in
/// `spread`) and Hbb (in `weight`).
static void add_pair(ar_system *s, const ar_reduced *reduced, size_t i, size_t j, double value,
                     cholmod_triplet *t) {
  const ar_body *b = reduced->body;
  const ar_sets *sets = &reduced->sets;
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
    ar_part *part = &s->part[sets->set_of[b->bone_of[j]]];
    double *column = part->spread + s->place[s->row[i]];
    ar_body_local(b, j, right);
    for (size_t c = 0; c < 4; c++)
      column[(4 * (size_t)sets->place[b->bone_of[j]] + c) * part->n_rows] += value * right[c];
  } else if (b->bone_of[j] >= 0) {
    ar_part *part = &s->part[sets->set_of[b->bone_of[j]]];
    size_t k = 4 * (size_t)sets->place[b->bone_of[i]], l = 4 * (size_t)sets->place[b->bone_of[j]];
    ar_body_local(b, i, left);
    ar_body_local(b, j, right);
    for (size_t a = 0; a < 4; a++)
      for (size_t c = 0; c < 4; c++)
        part->weight[(k + a) * 4 * part->n_bones + l + c] += value * left[a] * right[c];
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
        add_pair(s, r, (size_t)element->node[i], (size_t)element->node[j],
                 w * dot(element->gradient[i], element->gradient[j]), t);
  }
  for (size_t i = 0; i < b->n_nodes; i++)
    if (b->bone_of[i] < 0)
      add_pair(s, r, i, i, b->mass[i] / (h * h) + stiffness[i], t);
  for (size_t k = 0; k < b->n_bones; k++) {
    ar_part *part = &s->part[r->sets.set_of[k]];
    size_t at = 4 * (size_t)r->sets.place[k];
    for (size_t c = 0; c < 16; c++)
      part->weight[(at + c / 4) * 4 * part->n_bones + at + c % 4] +=
          r->bone_mass[16 * k + c] / (h * h);
  }
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

/// Z of a part from Hfb, in place, and Hbb - Hbf Z.
static vb_status spread_part(ar_system *s, ar_part *part, cholmod_common *common, vb_error *error) {
  int n = (int)part->n_rows, columns = (int)(4 * part->n_bones);
  size_t size = s->n_free * 4 * part->n_bones, own = part->n_rows * 4 * part->n_bones;
  double *coupled = calloc(size + own, sizeof *coupled), *before = coupled + size;
  cholmod_dense right = {.nrow = s->n_free,
                         .ncol = 4 * part->n_bones,
                         .nzmax = size,
                         .d = s->n_free,
                         .x = coupled,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  if (!coupled)
    return vb_error_memory(error);
  memcpy(before, part->spread, own * sizeof *before);
  for (size_t k = 0; k < own; k++)
    coupled[k / part->n_rows * s->n_free + (size_t)part->row[k % part->n_rows]] = before[k];
  cholmod_dense *z = cholmod_solve(CHOLMOD_A, s->sparse, &right, common);
  if (z) {
    for (size_t k = 0; k < own; k++)
      part->spread[k] =
          ((double *)z->x)[k / part->n_rows * s->n_free + (size_t)part->row[k % part->n_rows]];
    dgemm_("T", "N", &columns, &columns, &n, &minus, before, &n, part->spread, &n, &one,
           part->weight, &columns);
  }
  bool well = z != NULL;
  cholmod_free_dense(&z, common);
  free(coupled);
  return well ? VB_OK : vb_error_memory(error);
}

/// Z from Hfb, in place, and S and its factor.
static vb_status eliminate(ar_system *s, ar_part *part, cholmod_common *common, vb_error *error) {
  int columns = (int)(4 * part->n_bones), info = 0;
  size_t size = 4 * part->n_bones;
  vb_status status = part->n_rows > 0 ? spread_part(s, part, common, error) : VB_OK;
  if (status)
    return status;
  for (size_t i = 0; i < size; i++) // equal halves, to the last bit
    for (size_t j = 0; j < i; j++) {
      double *a = &part->weight[i * size + j], *b = &part->weight[j * size + i];
      *a = *b = 0.5 * (*a + *b);
    }
  memcpy(part->factor, part->weight, size * size * sizeof *part->factor);
  dpotrf_("L", &columns, part->factor, &columns, &info);
  return info == 0 ? VB_OK
                   : vb_error_set(error, VB_UNAVAILABLE,
                                  "the matrix of the bones is not positive definite");
}

static vb_status make_system(ar_reduced *r, ar_system *s, const uint8_t *held,
                             const double *stiffness, double h, vb_error *error) {
  const ar_body *b = r->body;
  vb_status status = number_nodes(s, b, held, s->component[0], error);
  if (!status)
    status = make_parts(s, r, error);
  if (status)
    return status;
  cholmod_triplet *t = cholmod_allocate_triplet(
      s->n_free, s->n_free, 10 * b->n_elements + s->n_free + 1, -1, CHOLMOD_REAL, &r->common);
  if (!t)
    return vb_error_memory(error);
  assemble(s, r, stiffness, h, t);
  if (s->n_free > 0)
    status = factorize(s, t, &r->common, error);
  cholmod_free_triplet(&t, &r->common);
  for (size_t k = 0; k < r->sets.n && !status; k++)
    status = eliminate(s, &s->part[k], &r->common, error);
  return status;
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
  vb_status status = ar_sets_create(body, true, false, &r->sets, error);
  if (!status)
    status = make_masses(r, error);
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
    free(s->part);
    free(s->place);
    free(s->numbers);
    cholmod_free_factor(&s->sparse, &r->common);
    cholmod_free_dense(&s->right, &r->common);
    cholmod_free_dense(&s->solution, &r->common);
    cholmod_free_dense(&s->work[0], &r->common);
    cholmod_free_dense(&s->work[1], &r->common);
  }
  cholmod_finish(&r->common);
  free(r->bone_mass);
  ar_sets_clear(&r->sets);
  memset(r, 0, sizeof *r);
}

/// Bones of one part: right - Z^T r_f, then S^-1 of it, a column per component.
static void solve_bones(ar_system *s, const ar_part *part, double *bones) {
  int n = (int)part->n_rows, columns = (int)(4 * part->n_bones), count = s->n_components, info = 0;
  size_t size = 4 * part->n_bones;
  double *right = s->scratch, *loads = right + 3 * size;
  for (size_t k = 0; k < (size_t)count; k++) {
    for (size_t i = 0; i < size; i++)
      right[k * size + i] =
          bones[12 * (size_t)part->bone[i / 4] + 3 * (i % 4) + (size_t)s->component[k]];
    for (size_t i = 0; i < part->n_rows; i++)
      loads[k * part->n_rows + i] = ((double *)s->right->x)[k * s->n_free + (size_t)part->row[i]];
  }
  if (n > 0)
    dgemm_("T", "N", &columns, &count, &n, &minus, part->spread, &n, loads, &n, &one, right,
           &columns);
  dpotrs_("L", &columns, &count, part->factor, &columns, right, &columns, &info);
  for (size_t k = 0; k < (size_t)count; k++)
    for (size_t i = 0; i < size; i++)
      bones[12 * (size_t)part->bone[i / 4] + 3 * (i % 4) + (size_t)s->component[k]] =
          right[k * size + i];
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
    for (size_t p = 0; p < r->sets.n; p++)
      solve_bones(s, &s->part[p], bones);
  }
  return true;
}

/// Subtracts Z c of one part and component.
static void follow_part(ar_system *s, const ar_part *part, int component, const double *bones,
                        double *flesh) {
  int n = (int)part->n_rows, columns = (int)(4 * part->n_bones), unit = 1;
  double *from = s->scratch, *change = from + 4 * part->n_bones;
  for (size_t i = 0; i < 4 * part->n_bones; i++)
    from[i] = bones[12 * (size_t)part->bone[i / 4] + 3 * (i % 4) + (size_t)component];
  dgemv_("N", &n, &columns, &one, part->spread, &n, from, &unit, &zero, change, &unit);
  for (size_t i = 0; i < part->n_rows; i++)
    flesh[3 * (size_t)s->node[part->row[i]] + (size_t)component] -= change[i];
}

void ar_reduced_follow(ar_reduced *r, const double *bones, double *flesh) {
  for (int k = 0; k < r->n_systems; k++) {
    ar_system *s = &r->system[k];
    for (size_t p = 0; p < r->sets.n; p++)
      for (int j = 0; j < s->n_components && s->part[p].n_rows > 0; j++)
        follow_part(s, &s->part[p], s->component[j], bones, flesh);
  }
}
