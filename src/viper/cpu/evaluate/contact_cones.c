// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cpu/evaluate/contact_cones.h"

#include <math.h>
#include <string.h>

/// Part of the least eigenvalue of a dual that a step leaves to it at least.
#define INTERIOR 0.01

/// What a contact that slides has slid, over its reach.
#define SLIDES 1e-7

/// The inertia of a row's nodes, over its penalty.
#define INERTIA 1e-4

enum { MOST_HALVINGS = 8 };

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double coefficient(const viper_contact_row *row) {
  return row->is_sliding ? row->sliding : row->at_rest;
}

static double penalty(const viper_contact_rows *rows, const viper_contact_row *row) {
  return rows->penalty_factor * row->penalty;
}

/// The place of a row at some gap and slip, from where its latest force would move it.
static void place(const viper_contact_rows *rows, const viper_contact_row *row, double gap,
                  const double slip[3], double u[4]) {
  const double c = coefficient(row), p = penalty(rows, row);
  u[0] = c > 0 ? (gap + row->dilation) / c - c * row->push / p : gap - row->push / p;
  for (int k = 0; k < 3; k++)
    u[1 + k] = c > 0 ? slip[k] - row->drag[k] / p : 0;
}

/// Eigenvalues of a vector, rising: one without friction. Returns how many.
static int eigenvalues(const viper_contact_row *row, const double x[4], double out[2]) {
  const double length = length_of(x + 1);
  const int n = coefficient(row) > 0 ? 2 : 1;
  out[0] = n == 2 ? x[0] - length : x[0];
  out[1] = x[0] + length;
  return n;
}

/// The positive root x of x^2 - e x = w, without cancellation.
static double root(double e, double w) {
  const double r = sqrt(e * e + 4 * w);
  return e > 0 ? 0.5 * (e + r) : 2 * w / (r - e);
}

/// The vector of other eigenvalues along those of `u`.
static void compose(int n, const double u[4], const double eigen[2], double out[4]) {
  const double length = length_of(u + 1);
  const double part = n == 2 && length > 0 ? 0.5 * (eigen[1] - eigen[0]) / length : 0;
  out[0] = n == 2 ? 0.5 * (eigen[0] + eigen[1]) : eigen[0];
  for (int k = 1; k < 4; k++)
    out[k] = part * u[k];
}

/// The force of a row as a vector of the cone.
static void force_of(const viper_contact_row *row, double f[4]) {
  const double c = coefficient(row);
  f[0] = c > 0 ? c * row->force : row->force;
  memcpy(f + 1, row->friction, sizeof row->friction);
}

static double least_eigenvalue(const viper_contact_row *row, const double x[4]) {
  double eigen[2];
  eigenvalues(row, x, eigen);
  return eigen[0];
}

static void press(const viper_contact_rows *rows, viper_contact_row *row) {
  const double c = coefficient(row);
  double u[4], eigen[2], slack[2], force[2], f[4];
  place(rows, row, row->gap, row->slip, u);
  const int n = eigenvalues(row, u, eigen);
  for (int k = 0; k < n; k++) {
    slack[k] = root(eigen[k], n * rows->barrier / penalty(rows, row));
    force[k] = n * rows->barrier / slack[k];
  }
  compose(n, u, slack, row->slack);
  compose(n, u, force, f);
  row->force = c > 0 ? f[0] / c : f[0];
  memcpy(row->friction, f + 1, sizeof row->friction);
}

/// A new row has no force of a step before: what its contact pushed in the last substep may have
/// been a blow.
static void forget(viper_contact_row *row) {
  row->push = 0;
  memset(row->drag, 0, sizeof row->drag);
}

void viper_cones_press(viper_contact_rows *rows, bool renew) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    if (renew)
      row->dilation = coefficient(row) * length_of(row->slip);
    const bool fresh = !(least_eigenvalue(row, row->dual) > 0);
    if (fresh)
      forget(row);
    press(rows, row);
    if (fresh)
      force_of(row, row->dual);
  }
}

double viper_cone_objective(const viper_contact_rows *rows, const viper_contact_row *row,
                            double gap, const double slip[3]) {
  const double p = penalty(rows, row);
  double u[4], eigen[2], sum = 0;
  place(rows, row, gap, slip, u);
  const int n = eigenvalues(row, u, eigen);
  for (int k = 0; k < n; k++) {
    const double slack = root(eigen[k], n * rows->barrier / p), f = n * rows->barrier / slack;
    sum += 0.5 / n * f * f / p - rows->barrier * log(slack);
  }
  return sum;
}

/// The product of the eigenvalues of a vector in the cone.
static double determinant(const double x[4]) {
  const double length = length_of(x + 1);
  return (x[0] - length) * (x[0] + length);
}

/// The vector w, w0^2 - |w|^2 = 1, and the factor e of the matrix e (2 w w^T - R), R =
/// diag(1, -1, -1, -1), that takes the dual to the slack. Returns e.
static double scaling(const viper_contact_row *row, double w[4]) {
  const double *s = row->slack, *y = row->dual;
  const double root_s = sqrt(determinant(s)), root_y = sqrt(determinant(y));
  double both = 0;
  for (int k = 0; k < 4; k++)
    both += s[k] / root_s * (y[k] / root_y);
  const double half = 0.5 / sqrt(0.5 * (1 + both));
  w[0] = half * (s[0] / root_s + y[0] / root_y);
  for (int k = 1; k < 4; k++)
    w[k] = half * (s[k] / root_s - y[k] / root_y);
  return root_s / root_y;
}

/// (e (2 w w^T - R) + 1 / p)^-1. Across w the matrix is e; in the plane of w and the first axis it
/// has the entries `a` on the diagonal, and `b` beside it.
static void invert(double e, const double w[4], double inv_p, double out[4][4]) {
  const double v = length_of(w + 1), stretch = w[0] * w[0] + v * v;
  const double a = e * stretch + inv_p, b = 2 * e * w[0] * v;
  const double det = e * e + inv_p * (2 * e * stretch + inv_p), across = 1 / (e + inv_p);
  out[0][0] = a / det;
  for (int i = 1; i < 4; i++) {
    out[0][i] = out[i][0] = v > 0 ? -b / det * w[i] / v : 0;
    for (int k = 1; k < 4; k++)
      out[i][k] = across * (i == k) + (v > 0 ? (a / det - across) * (w[i] / v) * (w[k] / v) : 0);
  }
}

/// The derivative of the force by u, negative.
static void stiffness(const viper_contact_rows *rows, const viper_contact_row *row,
                      double out[4][4]) {
  const double inv_p = 1 / penalty(rows, row);
  double w[4];
  memset(out, 0, 16 * sizeof(double));
  if (coefficient(row) > 0) {
    const double e = scaling(row, w);
    invert(e, w, inv_p, out);
  } else {
    out[0][0] = 1 / (row->slack[0] / row->dual[0] + inv_p);
  }
}

void viper_cone_stiffness(const viper_contact_rows *rows, const viper_contact_row *row,
                          double out[4][4]) {
  const double c = coefficient(row);
  stiffness(rows, row, out);
  for (int k = 0; c > 0 && k < 4; k++) {
    out[0][k] /= c;
    out[k][0] /= c;
  }
}

/// Moves a dual towards `to` by the greatest of some parts with which it stays well inside.
static void move_dual(viper_contact_row *row, const double to[4], double part) {
  const double least = INTERIOR * least_eigenvalue(row, row->dual);
  for (int halving = 0; halving < MOST_HALVINGS; halving++, part *= 0.5) {
    double y[4];
    for (int k = 0; k < 4; k++)
      y[k] = row->dual[k] + part * (to[k] - row->dual[k]);
    if (least_eigenvalue(row, y) < least)
      continue;
    memcpy(row->dual, y, sizeof y);
    return;
  }
}

void viper_cones_move(viper_contact_rows *rows, const double *change, double part) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    const double *d = change + 4 * i, c = coefficient(row);
    const double du[4] = {c > 0 ? d[0] / c : d[0], d[1], d[2], d[3]};
    double k[4][4], to[4];
    stiffness(rows, row, k);
    force_of(row, to);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        to[a] -= k[a][b] * du[b];
    move_dual(row, to, part);
  }
}

bool viper_cones_slide(viper_contact_rows *rows) {
  bool any = false;
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    if (row->is_sliding || row->at_rest == row->sliding || !(row->force > 0) ||
        length_of(row->slip) <= SLIDES * row->reach)
      continue;
    row->is_sliding = any = true;
    memset(row->dual, 0, sizeof row->dual);
  }
  return any;
}

/// How far a row is from Coulomb's law, m.
static double error_of(const viper_contact_rows *rows, const viper_contact_row *row) {
  double f[4], slack[2], force[2], off = 0, change2 = 0;
  force_of(row, f);
  const int n = eigenvalues(row, row->slack, slack);
  eigenvalues(row, f, force);
  for (int k = 0; k < n; k++) // the least force is along the greatest slack
    off = fmax(off, fmin(slack[k], force[n - 1 - k] / (INERTIA * row->penalty)));
  for (int k = 0; k < 3; k++)
    change2 += pow(row->friction[k] - row->drag[k], 2);
  return off + (fabs(row->force - row->push) + sqrt(change2)) / penalty(rows, row) +
         fabs(row->dilation - coefficient(row) * length_of(row->slip));
}

double viper_cones_error(const viper_contact_rows *rows) {
  double most = 0;
  for (size_t i = 0; i < rows->n; i++)
    most = fmax(most, error_of(rows, &rows->row[i]) / rows->row[i].reach);
  return most;
}

void viper_cones_leave(viper_contact_rows *rows) {
  viper_rows_take(rows);
  rows->barrier = 0;
  for (size_t i = 0; i < rows->n; i++)
    rows->row[i].bound = coefficient(&rows->row[i]) * rows->row[i].push;
}
