// SPDX-License-Identifier: GPL-3.0-or-later
/// How far a state in contact is from its minimizer: one Newton step from there.
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/contact_newton_internal.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>

/// Part of a push that its friction may be off Coulomb's bound by where it slides: rounding in
/// single precision.
#define NEAR_BOUND 1e-5

/// Part of its reach that a gap may be below 0 by the penalty alone.
#define NEGLIGIBLE 1e-9

enum { MOST_ROUNDS = 10 }; ///< in which closed rows are found

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Whether friction holds the surfaces: it is on neither bound.
static bool holds(const viper_contact_row *row) {
  const double drag = length_of(row->drag), off = NEAR_BOUND * row->at_rest * row->push;
  return row->at_rest > 0 && row->push > 0 && drag < row->at_rest * row->push - off &&
         !(fabs(drag - row->sliding * row->push) <= off && length_of(row->slip) > 0);
}

/// Rows are closed that push more than would be taken for opening by their gap of what moves their
/// nodes alone: an interior-point method leaves a little push on all.
static void guess(viper_contact_rows *rows) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    row->is_closed = row->push > row->penalty / VIPER_CLOSED * row->gap;
    row->is_held = row->is_closed && holds(row);
  }
}

/// What the forces of rows would still have to be before the step, or how they change in it.
/// Predictions hold all multipliers. What is closed stays so, friction that holds takes slips back,
/// that of sliding stays as it is.
static void activate(viper_contact_rows *rows, bool stiffness) {
  for (size_t i = 0; i < rows->n; i++) {
    viper_contact_row *row = &rows->row[i];
    row->bound = row->is_held ? INFINITY : 0;
    row->force = !row->is_closed ? 0 : stiffness ? 1 : -row->penalty * row->gap;
    for (int c = 0; c < 3; c++)
      row->friction[c] = row->is_held ? -row->grip * row->slip[c] : 0;
  }
}

/// Opens what would have to pull at the end of the move, and closes what would be cut; whether any.
/// Of several contacts at one crossing some are closed for want of iterations alone.
static bool correct(viper_contact_newton *self) {
  bool any = false;
  viper_held_turns(&self->cpu, self->move + 4 * self->model->n_nodes, self->turn);
  for (size_t i = 0; i < self->rows.n; i++) {
    viper_contact_row *row = &self->rows.row[i];
    double slip[3];
    const double gap =
        row->gap + viper_row_change(&self->rows, row, self->move, self->turn + 2, 3, slip);
    const bool closed =
        row->is_closed ? row->push > row->penalty * gap : gap < -NEGLIGIBLE * row->reach;
    any |= closed != row->is_closed;
    row->is_held = row->is_held && closed;
    row->is_closed = closed;
  }
  return any;
}

/// The greatest displacement of a node by the move, m.
static double greatest_move(const viper_contact_newton *self) {
  double most = 0;
  for (size_t i = 0; i < self->model->n_nodes; i++) {
    const double length = length_of(self->move + 4 * i);
    most = isnan(length) || isnan(most) ? NAN : fmax(most, length);
  }
  return most;
}

/// The move of a Newton step with the rows that are closed.
static vb_status find_move(viper_contact_newton *self, vb_error *error) {
  bool definite;
  activate(&self->rows, false);
  viper_contact_newton_gradient(self);
  activate(&self->rows, true);
  vb_status status = viper_contact_matrix_factor(self->matrix, &self->cpu, self->h, &self->rows,
                                                 VIPER_ALL_CURVATURE, &definite, error);
  // The matrix of a state that is no minimum may have negative pivots.
  return status ? status : viper_contact_newton_solve(self, true, error);
}

vb_status viper_contact_newton_distance(viper_contact_newton *self,
                                        const viper_contact_before *before,
                                        const viper_boundary *boundary, double h, double *out,
                                        vb_error *error) {
  self->h = h;
  self->rows.barrier = 0;
  self->cpu.node_hat0 = before->node_hat0;
  self->cpu.frame_push = before->torque;
  viper_hold_parts(&self->cpu, boundary);
  viper_bundle_rows_begin(&self->bundles, h);
  viper_bundle_rows_fit(&self->bundles, &self->cpu);
  viper_contact_newton_place(self);
  guess(&self->rows);
  vb_status status = find_move(self, error);
  for (int k = 0; k < MOST_ROUNDS && !status && correct(self); k++)
    status = find_move(self, error);
  if (!status)
    *out = greatest_move(self);
  self->cpu.node_hat0 = self->state.node_hat;
  self->cpu.frame_push = NULL;
  return status;
}
