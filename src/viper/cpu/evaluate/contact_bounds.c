// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/contact_bounds.h"

#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Rows up to which bounds are predicted: each takes a solution with the factor.
enum { MOST_ROWS = 64 };

/// The rows that slide, and the linear system of their bounds, column by column.
typedef struct linear {
  size_t n;
  viper_contact_row *row[MOST_ROWS];
  double column[MOST_ROWS][MOST_ROWS], right[MOST_ROWS];
} linear;

/// LAPACK: factorization with row exchanges, and solution.
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Whether friction is at its bound.
static bool is_cut(const viper_contact_row *row) {
  return row->bound > 0 && row->force > 0 && length_of(row->friction) >= row->bound * (1 - 1e-12);
}

/// False where there are too many.
static bool list_rows(viper_contact_rows *rows, linear *s) {
  s->n = 0;
  for (size_t i = 0; i < rows->n; i++) {
    if (!is_cut(&rows->row[i]))
      continue;
    if (s->n == MOST_ROWS)
      return false;
    s->row[s->n++] = &rows->row[i];
  }
  return true;
}

/// Adds what a friction of 1 N in its present direction does to all unknowns.
static void load(const viper_model *m, const viper_contact_rows *rows, const viper_contact_row *row,
                 double *out) {
  const double size = length_of(row->friction);
  for (int k = 0; k < row->n_nodes; k++)
    for (int c = 0; c < 3; c++)
      out[viper_unknown_of_node(row->node[k], c)] += row->weight[k] * row->friction[c] / size;
  for (size_t k = row->first_roller; k < row->first_roller + row->n_rollers; k++)
    for (int c = 0; c < 3; c++)
      out[viper_unknown_of_frame(m, rows->roller[k].segment, 2)] +=
          rows->roller[k].slope[c] * row->friction[c] / size;
}

static double law(const viper_contact_row *row) {
  return row->is_sliding ? row->sliding : row->at_rest;
}

/// How the bound that the law asks of a row changes along a move.
static double change_of(const viper_model *m, const viper_contact_rows *rows,
                        const viper_contact_row *row, const double *move) {
  double slip[3];
  return -law(row) * row->penalty *
         viper_row_change(rows, row, move, move + viper_unknown_of_frame(m, 0, 2), 3, slip);
}

/// Solves in the place of the right side; false where it is singular.
static bool solve(linear *s) {
  const int n = (int)s->n, most = MOST_ROWS, one = 1;
  int pivot[MOST_ROWS], info;
  dgetrf_(&n, &n, &s->column[0][0], &most, pivot, &info);
  for (size_t k = 0; k < s->n; k++)
    if (info || !(fabs(s->column[k][k]) > 1e-12))
      return false;
  dgetrs_("N", &n, &one, &s->column[0][0], &most, pivot, s->right, &most, &info);
  return info == 0;
}

vb_status viper_predict_bounds(viper_contact_matrix *matrix, const viper_model *model,
                               viper_contact_rows *rows, const double *gradient, double *move,
                               vb_error *error) {
  vb_status status = VB_OK;
  linear s;
  if (!list_rows(rows, &s) || s.n == 0)
    return VB_OK;
  const size_t n = viper_contact_matrix_size(matrix);
  for (size_t u = 0; u < n; u++)
    move[u] = -gradient[u];
  status = viper_contact_matrix_solve(matrix, move, error);
  for (size_t i = 0; !status && i < s.n; i++)
    s.right[i] =
        law(s.row[i]) * s.row[i]->force + change_of(model, rows, s.row[i], move) - s.row[i]->bound;
  for (size_t k = 0; !status && k < s.n; k++) {
    memset(move, 0, n * sizeof *move);
    load(model, rows, s.row[k], move);
    status = viper_contact_matrix_solve(matrix, move, error);
    for (size_t i = 0; !status && i < s.n; i++)
      s.column[k][i] = (i == k) - change_of(model, rows, s.row[i], move);
  }
  if (status || !solve(&s))
    return status;
  for (size_t i = 0; i < s.n; i++)
    s.row[i]->bound = fmax(0, s.row[i]->bound + s.right[i]);
  return VB_OK;
}
