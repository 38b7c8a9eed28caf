// SPDX-License-Identifier: GPL-3.0-or-later
/// What forces of links leave of a gradient.
#include "project.h"

#include <math.h>
#include <string.h>

/// Removes from `g` (n) what the rows of `c` (rows x n, overwritten by an orthonormal basis) span.
static void remove_span(double *c, size_t rows, size_t n, double *g) {
  for (size_t i = 0; i < rows; i++) {
    double *row = c + i * n, before = 0, square = 0;
    for (size_t j = 0; j < n; j++)
      before += row[j] * row[j];
    for (int twice = 0; twice < 2; twice++)
      for (size_t k = 0; k < i; k++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
          sum += row[j] * c[k * n + j];
        for (size_t j = 0; j < n; j++)
          row[j] -= sum * c[k * n + j];
      }
    for (size_t j = 0; j < n; j++)
      square += row[j] * row[j];
    // A row that depends on those before leaves rounding.
    double part = square > 1e-20 * before ? 1 / sqrt(square) : 0, sum = 0;
    for (size_t j = 0; j < n; j++)
      sum += (row[j] *= part) * g[j];
    for (size_t j = 0; j < n; j++)
      g[j] -= sum * row[j];
  }
}

/// The same by a tree: with r the radii, z of [r^2 C^T; C 0] (z, multipliers) = (r g, 0) leaves
/// r z of g. False where a block is singular.
static bool remove_by_tree(ar_projector *p, const ar_pose *pose, double *g) {
  size_t n = 6 * p->tree.n;
  bool least;
  ar_tree_begin(&p->tree, p->links, pose);
  for (size_t i = 0; i < n; i++) {
    double unit = i % 6 < 3 ? p->body->bone[i / 6].radius : 1;
    p->tree.branch[i / 6].matrix[i % 6][i % 6] = unit * unit;
    p->right[i] = unit * g[i];
  }
  memset(p->right + n, 0, p->links->n_rows * sizeof *p->right);
  if (!ar_tree_solve(&p->tree, p->links, p->right, &least))
    return false;
  for (size_t i = 0; i < n; i++)
    g[i] = p->right[i] * (i % 6 < 3 ? p->body->bone[i / 6].radius : 1);
  return true;
}

vb_status ar_projector_remove(ar_projector *p, const ar_pose *pose, double *g, vb_error *error) {
  size_t n = 6 * p->body->n_bones, rows = p->links->n_rows;
  if (rows == 0 || (p->tree.n > 0 && remove_by_tree(p, pose, g)))
    return VB_OK;
  vb_status status = ar_projector_reserve(p, error);
  if (status)
    return status;
  ar_links_rows(p->links, pose, p->rows);
  for (size_t k = 0; k < p->body->n_bones; k++)
    for (size_t j = 6 * k; j < 6 * k + 3; j++)
      for (size_t i = 0; i < rows; i++)
        p->rows[i * n + j] /= p->body->bone[k].radius;
  remove_span(p->rows, rows, n, g);
  return VB_OK;
}
