// SPDX-License-Identifier: GPL-3.0-or-later
#include "integrate.h"

#include <gsl/gsl_errno.h>
#include <string.h>

/// The classical Runge-Kutta step of order 4.
static bool step_rk4(mb_run *s, double time, double h) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  size_t n = s->rates.dimension;
  double *moved = s->scratch, *rate = moved + n;
  for (size_t k = 0; k < 4; k++) {
    for (size_t i = 0; i < n; i++)
      moved[i] = s->state[i] + (k > 0 ? at[k] * h * rate[(k - 1) * n + i] : 0);
    if (mb_rates(&s->system, time + at[k] * h, moved, rate + k * n))
      return false;
  }
  for (size_t k = 0; k < 4; k++)
    for (size_t i = 0; i < n; i++)
      s->state[i] += h * weight[k] * rate[k * n + i];
  return true;
}

/// Integrates with the rows that hold now.
static bool advance(mb_run *s, double from, double to) {
  if (mb_project(&s->system, from, s->state))
    return false;
  if (s->is_fixed)
    return step_rk4(s, from, to - from) && !mb_project(&s->system, to, s->state);
  double time = from;
  gsl_odeiv2_driver_reset_hstart(s->integrator, 0.1 * (to - from));
  return gsl_odeiv2_driver_apply(s->integrator, &time, to, s->state) == GSL_SUCCESS &&
         !mb_project(&s->system, to, s->state);
}

/// Angular accelerations [rad/s^2] or impulses [rad/s] of a limit that are rounding, and an angle.
static const double least_pull = 1e-9, least_angle = 1e-12;

/// Whether the limit of hinge `i`, by its latest multiplier, pulls.
static bool pulls(const mb_system *m, size_t i) {
  size_t columns = 6 * m->n_bones, row = m->first_row[i] + 5;
  double response = 0;
  if (m->at_limit[i] == 0)
    return false;
  for (size_t c = row * columns; c < (row + 1) * columns; c++)
    response += m->gradient[c] * m->solved[c];
  return m->at_limit[i] * m->multiplier[row] * response > least_pull;
}

/// What the limit of a hinge ought to be: held once its angle is beyond it, and until it pulls.
static int limit_of(const mb_system *m, size_t i, double time, const double *state) {
  if (m->link[i].type != VB_LINK_HINGE)
    return 0;
  if (m->at_limit[i] != 0)
    return pulls(m, i) ? 0 : m->at_limit[i];
  double angle = mb_angle(m, i, time, state);
  return angle > m->link[i].limit[1] + least_angle   ? 1
         : angle < m->link[i].limit[0] - least_angle ? -1
                                                     : 0;
}

/// Integrates a piece again, to `to`, and says whether a limit is to change there.
static bool integrate_again(mb_run *s, double from, double to, bool *change) {
  memcpy(s->state, s->begin, s->rates.dimension * sizeof *s->state);
  if (!advance(s, from, to) || mb_rates(&s->system, to, s->state, s->scratch))
    return false;
  *change = false;
  for (size_t i = 0; i < s->system.n_links; i++)
    *change = *change || limit_of(&s->system, i, to, s->state) != s->system.at_limit[i];
  return true;
}

/// Lets limits hold or go. What hits one loses the velocity into it; a limit that would pull in
/// this is let go.
static bool change_limits(mb_run *s, double time) {
  mb_system *m = &s->system;
  int *which = s->system.next_limit;
  for (size_t i = 0; i < m->n_links; i++)
    which[i] = limit_of(m, i, time, s->state);
  for (size_t i = 0; i < m->n_links; i++)
    mb_limit(m, i, which[i]);
  memcpy(s->begin, s->state, s->n_state * sizeof *s->state);
  for (bool again = true; again;) {
    again = false;
    // Positions stay at the limit, so that it is not passed anew where it is let go.
    for (size_t i = 0; i < s->n_state; i += MB_STATE)
      memcpy(s->state + i + 7, s->begin + i + 7, 6 * sizeof *s->state);
    if (mb_project(m, time, s->state))
      return false;
    for (size_t i = 0; i < m->n_links; i++)
      which[i] = pulls(m, i) ? 0 : m->at_limit[i];
    for (size_t i = 0; i < m->n_links; i++)
      if (which[i] != m->at_limit[i]) {
        mb_limit(m, i, which[i]);
        again = true;
      }
  }
  return true;
}

/// Integrates from `from` to `to`, between which no curve has a key: to the time at which a limit
/// changes, by bisection, and on from there.
static bool integrate(mb_run *s, double from, double to) {
  enum { MOST = 100 }; // more changes than this in a piece would be a circle
  double near = 1e-12 * (to - from);
  s->system.middle = 0.5 * (from + to);
  for (int k = 0; k < MOST; k++) {
    bool change;
    memcpy(s->begin, s->state, s->rates.dimension * sizeof *s->state);
    if (!integrate_again(s, from, to, &change))
      return false;
    if (!change)
      return true;
    double before = from, after = to;
    while (after - before > near) {
      double mid = 0.5 * (before + after);
      if (!integrate_again(s, from, mid, &change))
        return false;
      *(change ? &after : &before) = mid;
    }
    if (!integrate_again(s, from, after, &change) || !change_limits(s, after))
      return false;
    from = after;
    if (to - from <= near)
      return true;
  }
  return false;
}

bool mb_step(mb_run *s) {
  double from = vb_instance_time(&s->base), end = from + vb_scene_world(s->base.scene)->step;
  double near = 1e-9 * (end - from); // a shorter piece would be rounding
  for (size_t i = 0; i < s->n_keys; i++)
    if (s->key[i] > from + near && s->key[i] < end - near) {
      if (!integrate(s, from, s->key[i]))
        return false;
      from = s->key[i];
    }
  return integrate(s, from, end);
}
