// SPDX-License-Identifier: GPL-3.0-or-later
/// Steps of the primal-dual interior-point method: the barrier falls, and the penalty of slacks
/// grows, with each step that goes most of its way.
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/contact_cones.h"
#include "viper/cpu/evaluate/contact_newton_internal.h"

#include <math.h>

/// The first barrier over the energy of the heaviest node that moves in a substep as far as it is
/// predicted to, or as contacts reach. With 0.1 blows take a third of steps more.
#define FIRST 1e-3

/// Part of the reach that the way is at least: a barrier of 0 would be none.
#define LEAST_WAY 1e-3

/// The way over the reach beyond which the method is not tried: a blow at 20 m/s in a step of 1/60
/// s goes through states so far from the last one that its contacts are not those there.
#define MOST_WAY 10

/// What is left of a barrier after a step; and of the first one at the end. With a hundredth a step
/// of ten rings leaves the path.
#define NEXT 0.1
#define LAST 1e-16

/// What a barrier is at least, of the first one, times the squared residual: far from balance a low
/// one would leave steps no room.
#define FAR 1e-8

/// The part of a step that was enough for the next barrier.
#define ENOUGH 0.3

/// The first penalty of slacks, over the last: that of the inertia of the nodes alone.
#define FIRST_PENALTY 1e-4

/// How far a node is predicted to move in the substep at most, m.
static double predicted_way(const viper_contact_newton *self) {
  const viper_contact_state *x = &self->state;
  double way2 = 0;
  for (size_t i = 0; i < self->model->n_nodes; i++) {
    double sum = 0;
    for (size_t k = 4 * i; k < 4 * i + 3; k++)
      sum += (x->node_hat[k] - x->node_old[k]) * (x->node_hat[k] - x->node_old[k]);
    way2 = fmax(way2, sum);
  }
  return sqrt(way2);
}

void viper_contact_interior_begin(viper_contact_newton *self) {
  const viper_model *m = self->model;
  double inertia = 0, reach = 0;
  for (size_t i = 0; i < m->n_nodes; i++) {
    inertia = fmax(inertia, m->node[i].mass / (self->h * self->h));
    reach = fmax(reach, m->node[i].radius);
  }
  const double way = fmax(predicted_way(self), LEAST_WAY * reach), most = fmin(way, reach);
  self->inside = way <= MOST_WAY * reach;
  self->first_barrier = FIRST * inertia * most * most;
  self->rows.penalty_factor = FIRST_PENALTY;
}

static vb_status find_move(viper_contact_newton *self, bool *definite, vb_error *error) {
  vb_status status = viper_contact_newton_factor(self, definite, error);
  return status ? status : viper_contact_newton_solve(self, *definite, error);
}

/// After a step that went most of its way, from a state of that residual: the forces found are the
/// centers of the next slacks, of a lower barrier.
static void go_on(viper_contact_newton *self, double residual) {
  viper_contact_rows *rows = &self->rows;
  const double least = fmax(LAST, FAR * fmin(1, residual * residual)) * self->first_barrier;
  viper_rows_take(rows);
  viper_bundle_rows_take(&self->bundles);
  rows->barrier = fmin(rows->barrier, fmax(NEXT * rows->barrier, least));
  rows->penalty_factor =
      fmin(1, fmax(rows->penalty_factor, FIRST_PENALTY * self->first_barrier / rows->barrier));
}

vb_status viper_contact_interior_step(viper_contact_newton *self, double tolerance, bool *done,
                                      vb_error *error) {
  viper_contact_newton_place(self);
  viper_cones_press(&self->rows, true);
  const double residual = viper_contact_newton_gradient(self);
  const double off = fmax(viper_cones_error(&self->rows), viper_bundle_rows_error(&self->bundles));
  *done = self->steps > 0 && residual <= tolerance && off <= VIPER_ROWS_TOLERANCE * tolerance &&
          !viper_cones_slide(&self->rows);
  if (*done)
    return VB_OK;
  vb_status status = find_move(self, &self->inside, error);
  *done = !status && self->inside && self->steps > 0 && viper_contact_newton_is_rounding(self);
  if (status || *done || !self->inside)
    return status;
  double part = 0;
  status = viper_contact_newton_search(self, &part, error);
  if (status)
    return status;
  viper_cones_move(&self->rows, self->change, part);
  self->steps++;
  viper_contact_newton_place(self);
  viper_cones_press(&self->rows, false);
  if (part > ENOUGH)
    go_on(self, residual);
  return VB_OK;
}
