// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach.h"

#include "solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// As in project.c: a gap over the scene's size, and a step, at which the projection has converged.
static const double gap_tolerance = 1e-13, step_tolerance = 1e-12;
/// Below this a step that no longer shrinks is rounding, which masses that differ a million times
/// make large.
static const double stalled = 1e-7;
/// What the objective may yet fall by, over itself, without being told from rounding.
static const double rounding = 1e-14;
/// Iterations by which a step is brought back to the rows, at most; more mean that it is too long.
enum { MOST_RETURNS = 12, MOST_HALVINGS = 50 };

/// What an iteration has, of n unknowns u = s/unit and r rows.
typedef struct ar_frame {
  size_t n, r, rank;
  double *unit; ///< (n) 1/sqrt of Q's diagonal
  double
      *left; ///< (n x n) columns: directions that rows see, `rank` of them, then those they do not
  double *value;  ///< (n + r) singular values
  double *right;  ///< (r x r) rows: what rows see
  double *matrix; ///< (n x n) of the directions that rows do not see
  double *eigen;  ///< (n)
  double *slope;  ///< (n) minus the gradient by u
  double *step;   ///< (n) by u
  double *part;   ///< (n + r) scratch
  double *rows;   ///< (n x r) C by u, transposed
  double *half;   ///< (n x n) scratch
  ar_pose *base;  ///< (bones)
} ar_frame;

static bool make_frame(ar_frame *f, size_t n, size_t r) {
  *f = (ar_frame){.n = n, .r = r};
  f->base = calloc(n / 6 + 1, sizeof *f->base);
  f->unit = calloc(3 * n * n + r * r + n * r + 6 * (n + r) + 1, sizeof *f->unit);
  if (!f->base || !f->unit)
    return false;
  f->left = f->unit + n;
  f->value = f->left + n * n;
  f->right = f->value + n + r;
  f->matrix = f->right + r * r;
  f->eigen = f->matrix + n * n;
  f->slope = f->eigen + n;
  f->step = f->slope + n;
  f->part = f->step + n;
  f->rows = f->part + n + r;
  f->half = f->rows + n * r;
  return true;
}

static void clear_frame(ar_frame *f) {
  free(f->base);
  free(f->unit);
}

/// Writes Q, or with curvature, C and the slope at the present poses, and the singular values of C.
static vb_status decompose(ar_projector *p, ar_frame *f, vb_error *error) {
  size_t all = f->n + f->r;
  ar_links_rows(p->links, p->pose, p->rows);
  ar_projector_write(p, false);
  for (size_t i = 0; i < f->n; i++) {
    f->unit[i] = 1 / sqrt(p->matrix[i * all + i]);
    f->slope[i] = p->right[i] * f->unit[i];
  }
  for (size_t j = 0; j < f->r; j++)
    for (size_t i = 0; i < f->n; i++)
      f->rows[j * f->n + i] = p->rows[j * f->n + i] * f->unit[i];
  return ar_solve_values(f->n, f->r, f->rows, f->value, f->left, f->right, &f->rank, error);
}

/// u of the least move that closes the gaps, to first order.
static void close_gaps(const ar_projector *p, ar_frame *f) {
  memset(f->step, 0, f->n * sizeof *f->step);
  for (size_t k = 0; k < f->rank; k++) {
    double sum = 0;
    for (size_t j = 0; j < f->r; j++)
      sum += f->right[j * f->r + k] * p->values[j];
    for (size_t i = 0; i < f->n; i++)
      f->step[i] += f->left[k * f->n + i] * sum / f->value[k];
  }
}

/// The multipliers that leave least of the slope.
static void find_multipliers(ar_projector *p, const ar_frame *f) {
  memset(p->multiplier, 0, f->r * sizeof *p->multiplier);
  for (size_t k = 0; k < f->rank; k++) {
    double sum = 0;
    for (size_t i = 0; i < f->n; i++)
      sum += f->left[k * f->n + i] * f->slope[i];
    for (size_t j = 0; j < f->r; j++)
      p->multiplier[j] += f->right[j * f->r + k] * sum / f->value[k];
  }
}

/// Moves the poses by `part` of the step; returns the greatest turn or shift over the size.
static double move(ar_projector *p, const ar_frame *f, double part) {
  for (size_t i = 0; i < f->n; i++)
    p->right[i] = part * f->unit[i] * f->step[i];
  return ar_projector_move(p);
}

/// The matrix with curvature on the directions that rows do not see.
static void reduce(ar_projector *p, ar_frame *f) {
  size_t n = f->n, all = n + f->r, m = n - f->rank;
  ar_projector_write(p, true);
  for (size_t a = 0; a < m; a++)
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      const double *column = f->left + (f->rank + a) * n;
      for (size_t j = 0; j < n; j++)
        sum += p->matrix[i * all + j] * f->unit[j] * column[j];
      f->half[a * n + i] = f->unit[i] * sum;
    }
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++)
        sum += f->left[(f->rank + a) * n + i] * f->half[b * n + i];
      f->matrix[a * m + b] = sum;
    }
}

/// The step along those directions, downhill whatever the signs of the eigenvalues; writes the
/// slope along it.
static vb_status descend(ar_projector *p, ar_frame *f, double *slope, vb_error *error) {
  size_t n = f->n, m = n - f->rank;
  double most = 0;
  reduce(p, f);
  vb_status status = ar_solve_eigenvalue(m, f->matrix, f->eigen, error);
  for (size_t k = 0; k < m; k++)
    most = fmax(most, fabs(f->eigen[k]));
  memset(f->step, 0, n * sizeof *f->step);
  for (size_t a = 0; a < m; a++) {
    f->part[a] = 0;
    for (size_t i = 0; i < n; i++)
      f->part[a] += f->left[(f->rank + a) * n + i] * f->slope[i];
  }
  *slope = 0;
  for (size_t k = 0; k < m && !status; k++) {
    double sum = 0, value = fmax(fabs(f->eigen[k]), DBL_EPSILON * most);
    for (size_t a = 0; a < m; a++)
      sum += f->matrix[k * m + a] * f->part[a];
    *slope += sum * sum / value;
    for (size_t a = 0; a < m; a++)
      for (size_t i = 0; i < n; i++)
        f->step[i] += f->left[(f->rank + a) * n + i] * f->matrix[k * m + a] * sum / value;
  }
  return status;
}

/// Brings the poses to the rows. Whether they are there.
static vb_status bring_back(ar_projector *p, ar_frame *f, const double *target, double *scratch,
                            bool *there, vb_error *error) {
  vb_status status = VB_OK;
  double before = INFINITY;
  *there = false;
  for (int k = 0; k < MOST_RETURNS && !status; k++) {
    ar_projector_measure(p, target, scratch);
    *there = p->gap <= gap_tolerance;
    if (*there || !(p->gap < 4 * before))
      return VB_OK;
    before = p->gap;
    status = decompose(p, f, error);
    close_gaps(p, f);
    move(p, f, 1);
  }
  return status;
}

/// |T - T0|_W^2 / 2 of the latest measure, T - T0 being in `scratch`.
static double objective(const ar_projector *p, const double *scratch) {
  double sum = 0;
  for (size_t i = 0; i < 12 * p->body->n_bones; i++)
    sum += 0.5 * scratch[i] * p->force[i];
  return sum;
}

/// What rounding and the gaps that are let be make of the objective.
static double noise_of(const ar_projector *p, const ar_frame *f, double value) {
  double sum = 0;
  for (size_t j = 0; j < f->r; j++)
    sum += fabs(p->multiplier[j]);
  return rounding * fabs(value) + gap_tolerance * p->body->size * sum;
}

/// One step that lowers the objective; writes its size, whether there was one, and whether there
/// was no more to win than rounding.
static vb_status iterate(ar_projector *p, ar_frame *f, const double *target, double *scratch,
                         double *size, bool *lower, bool *flat, vb_error *error) {
  double slope = 0, value = objective(p, scratch);
  size_t bytes = p->body->n_bones * sizeof *p->pose;
  vb_status status = decompose(p, f, error);
  find_multipliers(p, f);
  if (!status)
    status = descend(p, f, &slope, error);
  double noise = noise_of(p, f, value);
  memcpy(f->base, p->pose, bytes);
  double *step = f->half; // as `step` and `unit` are overwritten on the way
  memcpy(step, f->step, f->n * sizeof *step);
  for (size_t i = 0; i < f->n; i++)
    step[f->n + i] = f->unit[i];
  double part = 1;
  *lower = false;
  *size = 0;
  for (int k = 0; k < MOST_HALVINGS && !status && !*lower; k++, part *= 0.5) {
    bool there;
    memcpy(p->pose, f->base, bytes);
    for (size_t i = 0; i < f->n; i++)
      p->right[i] = part * step[f->n + i] * step[i];
    *size = ar_projector_move(p);
    status = bring_back(p, f, target, scratch, &there, error);
    *lower = there && objective(p, scratch) <= value - 1e-4 * part * slope + noise;
  }
  if (!*lower)
    memcpy(p->pose, f->base, bytes);
  *flat = slope <= noise;
  return status;
}

vb_status ar_reach(ar_projector *p, const ar_pose *start, const double *target, double *scratch,
                   bool *reached, vb_error *error) {
  ar_frame f;
  double size = INFINITY, before = INFINITY;
  bool lower = true, flat = false;
  vb_status status =
      make_frame(&f, 6 * p->body->n_bones, p->links->n_rows) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = ar_projector_reserve(p, error);
  if (start)
    memcpy(p->pose, start, p->body->n_bones * sizeof *p->pose);
  *reached = false;
  if (!status)
    status = bring_back(p, &f, target, scratch, reached, error);
  bool feasible = *reached;
  *reached = false;
  while (!status && feasible && lower && !*reached && p->iterations < p->most) {
    status = iterate(p, &f, target, scratch, &size, &lower, &flat, error);
    p->iterations++;
    *reached =
        !status && (size <= step_tolerance || !lower || (size <= stalled && size > 0.5 * before));
    before = size;
  }
  if (!status) {
    ar_projector_measure(p, target, scratch);
    status = decompose(p, &f, error);
    find_multipliers(p, &f);
  }
  clear_frame(&f);
  return status;
}
