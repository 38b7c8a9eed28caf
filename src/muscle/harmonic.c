// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/harmonic.h"

#include "base/child_process.h"
#include "base/time_limit.h"
#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

/// Bytes that the factorization may take: as many as TetGen for the mesh.
#define MOST_MEMORY ((size_t)8 << 30)

/// Gradients of the four shape functions of a tetrahedron, times six times its volume.
static void shape_gradients(const vb_mesh *mesh, size_t k, double out[4][3]) {
  static const int opposite[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  for (int c = 0; c < 4; c++) {
    const double *a = mesh->vertex[mesh->tetrahedron[k][opposite[c][0]]];
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
      u[i] = mesh->vertex[mesh->tetrahedron[k][opposite[c][1]]][i] - a[i];
      v[i] = mesh->vertex[mesh->tetrahedron[k][opposite[c][2]]][i] - a[i];
    }
    vb_cross(u, v, out[c]);
  }
}

void vb_harmonic_gradient(const vb_mesh *mesh, const double *field, double (*out)[3]) {
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    const int32_t *t = mesh->tetrahedron[k];
    double g[4][3], scale = 1 / (6 * vb_mesh_volume(mesh, k));
    shape_gradients(mesh, k, g);
    memset(out[k], 0, sizeof out[k]);
    // Shape functions add up to 1, and so differences to one value do.
    for (int c = 1; c < 4; c++)
      vb_add_scaled(out[k], scale * (field[t[c]] - field[t[0]]), g[c], out[k]);
  }
}

/// Checks the ends, and that each connected part of the mesh touches both.
static vb_status check_ends(const vb_viperize *a, vb_error *error) {
  const vb_mesh *m = a->mesh;
  int32_t *reach = calloc(m->n_vertices + 1, sizeof *reach); // bits: source, sink
  size_t n[2] = {0};
  vb_status status = reach ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < m->n_vertices; i++) {
    const double *x = m->vertex[i];
    if (a->source[i] && a->sink[i])
      status =
          vb_bad_input(error, "source and sink share the vertex at (%g, %g, %g)", x[0], x[1], x[2]);
    n[0] += a->source[i];
    n[1] += a->sink[i];
    reach[i] = (a->source[i] ? 1 : 0) | (a->sink[i] ? 2 : 0);
  }
  for (int e = 0; !status && e < 2; e++)
    if (n[e] < 3)
      status =
          vb_bad_input(error, "the %s has %zu vertices of the mesh; it must have three or more",
                       e ? "sink" : "source", n[e]);
  for (bool grown = !status; !status && grown;) {
    grown = false;
    status = vb_time_limit_check(error);
    for (size_t k = 0; k < m->n_tetrahedra; k++) {
      const int32_t *t = m->tetrahedron[k];
      int32_t all = reach[t[0]] | reach[t[1]] | reach[t[2]] | reach[t[3]];
      for (int c = 0; c < 4; c++) {
        grown = grown || reach[t[c]] != all;
        reach[t[c]] = all;
      }
    }
  }
  for (size_t i = 0; !status && i < m->n_vertices; i++)
    if (reach[i] != 3)
      status = vb_bad_input(error, "the part of the mesh at (%g, %g, %g) does not reach the %s",
                            m->vertex[i][0], m->vertex[i][1], m->vertex[i][2],
                            reach[i] == 1 ? "sink" : "source");
  free(reach);
  return status;
}

/// Adds the stiffness of all tetrahedra to the list of entries and to the right side.
static void assemble(const vb_viperize *a, const int32_t *at, cholmod_triplet *list,
                     double *right) {
  const vb_mesh *m = a->mesh;
  int32_t *row = list->i, *column = list->j;
  double *value = list->x;
  for (size_t k = 0; k < m->n_tetrahedra; k++) {
    double g[4][3], scale = 1 / (36 * vb_mesh_volume(m, k));
    shape_gradients(m, k, g);
    for (int c = 0; c < 4; c++)
      for (int d = 0; d < 4; d++) {
        int32_t i = m->tetrahedron[k][c], j = m->tetrahedron[k][d];
        double entry = scale * vb_dot(g[c], g[d]);
        if (at[i] < 0)
          continue;
        if (at[j] < 0)
          right[at[i]] -= a->sink[j] ? entry : 0;
        else if (at[i] >= at[j]) {
          row[list->nnz] = at[i];
          column[list->nnz] = at[j];
          value[list->nnz++] = entry;
        }
      }
  }
}

/// What is solved for: the `n` free values of the field, which are at[i] of vertex i.
typedef struct problem {
  const vb_viperize *asked;
  const int32_t *at;
  size_t n;
  double *field;
} problem;

/// Why CHOLMOD has no solution.
static vb_status refuse(const cholmod_common *common, vb_error *error) {
  return common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE
             ? vb_error_set(error, VB_UNAVAILABLE,
                            "the harmonic field takes too much memory; use a coarser mesh")
             : vb_error_set(error, VB_FAILED,
                            "the harmonic field cannot be solved for: flat tetrahedra");
}

/// Solves a problem.
static vb_status solve(void *context, vb_error *error) {
  const problem *p = context;
  const vb_viperize *a = p->asked;
  const int32_t *at = p->at;
  size_t n = p->n;
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_triplet *list =
      cholmod_allocate_triplet(n, n, 10 * a->mesh->n_tetrahedra + 1, -1, CHOLMOD_REAL, &common);
  cholmod_dense *right = cholmod_zeros(n, 1, CHOLMOD_REAL, &common), *x = NULL;
  cholmod_sparse *matrix = NULL;
  cholmod_factor *factor = NULL;
  if (list && right) {
    assemble(a, at, list, right->x);
    matrix = cholmod_triplet_to_sparse(list, list->nnz, &common);
  }
  factor = matrix ? cholmod_analyze(matrix, &common) : NULL;
  if (factor && cholmod_factorize(matrix, factor, &common) && common.status == CHOLMOD_OK)
    x = cholmod_solve(CHOLMOD_A, factor, right, &common);
  for (size_t i = 0; x && i < a->mesh->n_vertices; i++)
    p->field[i] = at[i] >= 0 ? ((double *)x->x)[at[i]] : (a->sink[i] ? 1 : 0);
  vb_status status = x ? VB_OK : refuse(&common, error);
  cholmod_free_dense(&x, &common);
  cholmod_free_dense(&right, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_free_sparse(&matrix, &common);
  cholmod_free_triplet(&list, &common);
  cholmod_finish(&common);
  return status;
}

/// Solves a problem in another process: neither the ordering of a matrix nor its factorization ever
/// looks at a clock, and both may take minutes.
static vb_status solve_apart(problem p, vb_error *error) {
  double *field = p.field;
  size_t bytes = p.asked->mesh->n_vertices * sizeof *field;
  p.field = vb_child_memory(bytes);
  if (!p.field)
    return vb_error_memory(error);
  vb_status status = vb_child_run(solve, &p, MOST_MEMORY, error);
  if (!status)
    memcpy(field, p.field, bytes);
  vb_child_memory_free(p.field, bytes);
  return status;
}

vb_status vb_harmonic_solve(const vb_viperize *asked, double *field, vb_error *error) {
  vb_status status = check_ends(asked, error);
  if (status)
    return status;
  size_t n_vertices = asked->mesh->n_vertices, n = 0;
  int32_t *at = reallocarray(NULL, n_vertices + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  for (size_t i = 0; i < n_vertices; i++)
    at[i] = asked->source[i] || asked->sink[i] ? -1 : (int32_t)n++;
  if (n == 0)
    status =
        vb_bad_input(error, "all vertices of the mesh belong to source and sink; it is too coarse");
  else
    status = solve_apart((problem){asked, at, n, field}, error);
  free(at);
  return status;
}
