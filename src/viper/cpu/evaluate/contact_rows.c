// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cpu/evaluate/contact_rows.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What is left of the penalty of a slip that is lowered.
#define LOOSER 0.25

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The axis w of a frame, and its roll about it since `old` [rad], the sine of half of it taken for
/// the angle as in contact/friction.h.
static double roll_of(const double *q, const double *old, double w[3]) {
  const double turn[4] = {q[0] * old[0] + q[1] * old[1] + q[2] * old[2] + q[3] * old[3],
                          -q[0] * old[1] + q[1] * old[0] - q[2] * old[3] + q[3] * old[2],
                          -q[0] * old[2] + q[2] * old[0] - q[3] * old[1] + q[1] * old[3],
                          -q[0] * old[3] + q[3] * old[0] - q[1] * old[2] + q[2] * old[1]};
  w[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
  w[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
  w[2] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
  return (turn[0] < 0 ? -2 : 2) * dot(turn + 1, w);
}

/// Takes out of a vector what is along the row's normal.
static void project(const viper_contact_row *row, double v[3]) {
  const double along = dot(row->normal, v);
  for (int k = 0; k < 3; k++)
    v[k] -= along * row->normal[k];
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = ((const viper_contact_row *)a)->key, y = ((const viper_contact_row *)b)->key;
  return (x > y) - (x < y);
}

bool viper_rows_begin(viper_contact_rows *rows, bool forget) {
  rows->n_before = forget ? 0 : rows->n;
  if (!VB_GROW(rows->before, rows->before_capacity, rows->n_before))
    return false;
  if (rows->n_before > 0) {
    memcpy(rows->before, rows->row, rows->n_before * sizeof *rows->row);
    qsort(rows->before, rows->n_before, sizeof *rows->before, compare_keys);
  }
  rows->n = rows->n_rollers = 0;
  return true;
}

void viper_rows_recall(const viper_contact_rows *rows, viper_contact_row *row) {
  const viper_contact_row *from = rows->n_before > 0 ? bsearch(row, rows->before, rows->n_before,
                                                               sizeof *rows->before, compare_keys)
                                                     : NULL;
  if (!from)
    return;
  row->grip = from->grip;
  row->push = from->push;
  memcpy(row->dual, from->dual, sizeof row->dual);
  row->is_sliding = from->is_sliding;
  row->bound = from->bound;
  memcpy(row->drag, from->drag, sizeof row->drag);
  project(row, row->drag);
}

static void place_rollers(viper_contact_rows *rows, viper_contact_row *row, const double *frame,
                          const double *old) {
  const double *n = row->normal;
  for (size_t k = row->first_roller; k < row->first_roller + row->n_rollers; k++) {
    viper_row_roller *r = &rows->roller[k];
    double w[3];
    const size_t at = 4 * (size_t)r->segment;
    const double roll = roll_of(frame + at, old + at, w);
    for (int c = 0; c < 3; c++) {
      const int next = (c + 1) % 3, other = (c + 2) % 3;
      r->slope[c] = r->arm * (n[next] * w[other] - n[other] * w[next]);
      row->slip[c] += roll * r->slope[c];
    }
  }
}

void viper_rows_place(viper_contact_rows *rows, const double *node, const double *node_old,
                      const double *frame, const double *frame_old) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    row->gap = -row->offset;
    for (int c = 0; c < 3; c++)
      row->slip[c] = -row->carried[c];
    for (int k = 0; k < row->n_nodes; k++) {
      const double *x = node + 4 * (size_t)row->node[k], *old = node_old + 4 * (size_t)row->node[k];
      row->gap += row->weight[k] * dot(row->normal, x) + row->pull[k] * x[3];
      for (int c = 0; c < 3; c++)
        row->slip[c] += row->weight[k] * (x[c] - old[c]);
    }
    project(row, row->slip);
    place_rollers(rows, row, frame, frame_old);
  }
}

/// What friction is before it is cut; returns its length.
static double tension(const viper_contact_row *row, const double slip[3], double z[3]) {
  for (int c = 0; c < 3; c++)
    z[c] = row->drag[c] - row->grip * slip[c];
  return sqrt(dot(z, z));
}

/// Coulomb's bound, once friction holds up to the static one and then slides until it is less than
/// the kinetic one.
static void renew_bound(viper_contact_row *row, double length) {
  if (length > row->at_rest * row->force)
    row->is_sliding = true;
  else if (length <= row->sliding * row->force)
    row->is_sliding = false;
  row->bound = (row->is_sliding ? row->sliding : row->at_rest) * row->force;
}

void viper_rows_press(viper_contact_rows *rows, bool renew) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    double z[3];
    row->force = fmax(0, row->push - row->penalty * row->gap);
    const double length = tension(row, row->slip, z);
    if (renew)
      renew_bound(row, length);
    const double part = length > row->bound ? row->bound / length : 1;
    for (int c = 0; c < 3; c++)
      row->friction[c] = part * z[c];
  }
}

void viper_rows_take(viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    row->push = row->force;
    memcpy(row->drag, row->friction, sizeof row->drag);
  }
}

void viper_rows_reduce(viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++)
    rows->row[i].grip *= LOOSER;
}

void viper_rows_hold(viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    row->force = row->push;
    memcpy(row->friction, row->drag, sizeof row->friction);
  }
}

double viper_row_objective(const viper_contact_row *row, double gap, const double slip[3]) {
  const double y = fmax(0, row->push - row->penalty * gap), b = row->bound;
  double z[3], sum = 0.5 * y * y / row->penalty;
  if (b > 0) {
    const double length = tension(row, slip, z);
    sum += (length > b ? b * (length - 0.5 * b) : 0.5 * length * length) / row->grip;
  }
  return sum;
}

void viper_row_stiffness(const viper_contact_row *row, double out[4][4]) {
  double z[3];
  const double length = tension(row, row->slip, z);
  const bool cut = length > row->bound;
  const double g = row->bound > 0 ? row->grip * (cut ? row->bound / length : 1) : 0;
  memset(out, 0, 16 * sizeof(double));
  out[0][0] = row->force > 0 ? row->penalty : 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      out[1 + i][1 + k] = g * ((i == k) - row->normal[i] * row->normal[k]);
      if (cut && g > 0)
        out[1 + i][1 + k] -= g * z[i] * z[k] / (length * length);
    }
}

double viper_row_change(const viper_contact_rows *rows, const viper_contact_row *row,
                        const double *node, const double *roll, size_t stride, double slip[3]) {
  double gap = 0;
  for (int c = 0; c < 3; c++)
    slip[c] = 0;
  for (int k = 0; k < row->n_nodes; k++) {
    const double *d = node + 4 * (size_t)row->node[k];
    gap += row->weight[k] * dot(row->normal, d) + row->pull[k] * d[3];
    for (int c = 0; c < 3; c++)
      slip[c] += row->weight[k] * d[c];
  }
  project(row, slip);
  for (size_t k = row->first_roller; k < row->first_roller + row->n_rollers; k++)
    for (int c = 0; c < 3; c++)
      slip[c] += roll[stride * (size_t)rows->roller[k].segment] * rows->roller[k].slope[c];
  return gap;
}

double viper_rows_error(const viper_contact_rows *rows) {
  double most = 0;
  for (size_t i = 0; i < rows->n; i++) {
    const viper_contact_row *row = &rows->row[i];
    const double law = (row->is_sliding ? row->sliding : row->at_rest) * row->force;
    double change2 = 0, off = fabs(row->force - row->push) / row->penalty;
    for (int c = 0; c < 3; c++)
      change2 += (row->friction[c] - row->drag[c]) * (row->friction[c] - row->drag[c]);
    if (row->grip > 0)
      off += (sqrt(change2) + fabs(law - row->bound)) / row->grip;
    most = fmax(most, off / row->reach);
  }
  return most;
}

void viper_rows_clear(viper_contact_rows *rows) {
  free(rows->row);
  free(rows->before);
  free(rows->roller);
  *rows = (viper_contact_rows){0};
}
