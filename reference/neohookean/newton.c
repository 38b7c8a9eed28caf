// SPDX-License-Identifier: GPL-3.0-or-later
#include "newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Decrease of Phi that a step must bring, as a part of what its slope promises.
static const double sufficient = 1e-4;
/// Halvings of a step before the search is given up: below 1e-9 nothing more is to be had.
enum { MOST_HALVINGS = 30 };

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Adds the time since `*since` to a timer, and starts anew.
static void clock_in(nh_newton *n, nh_timer timer, double *since) {
  double now = seconds();
  n->timer[timer] += now - *since;
  *since = now;
}

vb_status nh_newton_create(const nh_solid *solid, const uint8_t *held, nh_newton *out,
                           vb_error *error) {
  size_t size = 3 * solid->n_nodes * sizeof(double);
  nh_newton n = {.gradient = calloc(1, size),
                 .trial = malloc(size),
                 .trial_gradient = malloc(size),
                 .direction = calloc(1, size),
                 .diagonal = malloc(size)};
  vb_status status = VB_OK;
  if (!n.gradient || !n.trial || !n.trial_gradient || !n.direction || !n.diagonal)
    status = vb_error_memory(error);
  if (!status)
    status = nh_assembly_create(solid, &n.assembly, error);
  if (!status)
    status = nh_system_create(solid, held, &n.system, error);
  if (status) {
    nh_newton_clear(&n);
    return status;
  }
  *out = n;
  return VB_OK;
}

void nh_newton_clear(nh_newton *n) {
  nh_assembly_clear(&n->assembly);
  nh_system_destroy(n->system);
  free(n->gradient);
  free(n->trial);
  free(n->trial_gradient);
  free(n->direction);
  free(n->diagonal);
  *n = (nh_newton){0};
}

double nh_residual(const nh_value *value) {
  // The sum of several rounded terms: a few times the error of one.
  if (value->norm <= 4 * value->rounding || value->scale == 0)
    return 0;
  return value->norm / value->scale;
}

static void note_residual(nh_report *report, double residual) {
  for (int i = 1; i < NH_KEPT; i++)
    report->residual[i - 1] = report->residual[i];
  report->residual[NH_KEPT - 1] = residual;
}

static nh_value evaluate(nh_newton *n, const double *x, double *gradient) {
  double since = seconds();
  nh_value value = nh_assembly_evaluate(&n->assembly, x, n->system->dof, gradient);
  clock_in(n, NH_TIMER_SEARCH, &since);
  return value;
}

/// Assembles the matrix at `x` and factorizes it, with shifts where `shifted` (see
/// nh_system_factorize).
static double try_curvature(nh_newton *n, const double *x, bool project, bool shifted,
                            nh_report *report) {
  double since = seconds();
  const nh_assembly *a = &n->assembly;
  bool lumped = a->inertia > 0 && !a->consistent;
  report->projected = (int)nh_assembly_curve(&n->assembly, x, project);
  clock_in(n, NH_TIMER_ELEMENTS, &since);
  for (size_t i = 0; i < a->solid->n_nodes; i++)
    n->diagonal[i] = lumped ? a->inertia * a->solid->mass[i] : 0;
  nh_system_gather(n->system, a->block, n->diagonal, a->threads);
  clock_in(n, NH_TIMER_GATHER, &since);
  double shift = nh_system_factorize(n->system, shifted);
  clock_in(n, NH_TIMER_FACTORIZE, &since);
  return shift;
}

/// Assembles and factorizes at `x`.
static vb_status linearize(nh_newton *n, const double *x, nh_report *report, vb_error *error) {
  report->iterations++;
  report->shift = -1;
  if (n->settings.projection != NH_PROJECT_ALWAYS)
    report->shift = try_curvature(n, x, false, n->settings.projection == NH_PROJECT_NEVER, report);
  if (report->shift < 0 && n->settings.projection != NH_PROJECT_NEVER)
    report->shift = try_curvature(n, x, true, true, report);
  return report->shift >= 0
             ? VB_OK
             : vb_error_set(error, VB_UNAVAILABLE,
                            "the matrix of %zu components cannot be factorized, even shifted: too "
                            "little memory, or numbers that are not finite",
                            n->system->n_free);
}

static vb_status solve(nh_newton *n, const double *right, double *out, vb_error *error) {
  double since = seconds();
  bool good = nh_system_solve(n->system, right, out);
  clock_in(n, NH_TIMER_SOLVE, &since);
  return good ? VB_OK : vb_error_memory(error);
}

/// Writes to `trial` the body moved along with what is held, by one linear solve at `x`.
static vb_status move_along(nh_newton *n, const double *x, const double *moved, nh_report *report,
                            vb_error *error) {
  size_t size = 3 * n->assembly.solid->n_nodes;
  evaluate(n, x, n->gradient);
  vb_status status = linearize(n, x, report, error);
  if (status)
    return status;
  // Lumped masses tie nothing free to what is held.
  nh_assembly_multiply(&n->assembly, moved, n->trial);
  for (size_t i = 0; i < size; i++)
    n->direction[i] = -n->gradient[i] - n->trial[i];
  memcpy(n->trial, x, size * sizeof *x);
  memcpy(n->trial_gradient, n->direction, size * sizeof *x);
  memset(n->direction, 0, size * sizeof *x);
  status = solve(n, n->trial_gradient, n->direction, error);
  for (size_t i = 0; !status && i < size; i++)
    n->trial[i] += n->direction[i] + moved[i];
  return status;
}

/// Takes `trial` to be the point where Phi is lower there. Returns the value of what is kept.
static nh_value keep_better(nh_newton *n, double *x, nh_value best) {
  size_t size = 3 * n->assembly.solid->n_nodes * sizeof *x;
  nh_value value = evaluate(n, n->trial, n->trial_gradient);
  if (!isfinite(value.phi) || !(value.phi < best.phi))
    return best;
  memcpy(x, n->trial, size);
  memcpy(n->gradient, n->trial_gradient, size);
  return value;
}

/// Moves what is held, and chooses where to begin.
static vb_status begin(nh_newton *n, double *x, const double *moved, nh_report *report,
                       nh_value *value, vb_error *error) {
  size_t size = 3 * n->assembly.solid->n_nodes;
  const int32_t *dof = n->system->dof;
  bool any = false;
  for (size_t i = 0; i < size; i++)
    any = any || moved[i] != 0;
  double *along = NULL;
  if (any) {
    vb_status status = move_along(n, x, moved, report, error);
    if (status)
      return status;
    along = n->direction; // free until the first iteration
    memcpy(along, n->trial, size * sizeof *x);
  }
  for (size_t i = 0; i < size; i++)
    x[i] += moved[i];
  *value = evaluate(n, x, n->gradient);
  if (any) {
    memcpy(n->trial, along, size * sizeof *x);
    *value = keep_better(n, x, *value);
  }
  if (n->assembly.inertia > 0) {
    for (size_t i = 0; i < size; i++)
      n->trial[i] = dof[i] >= 0 ? n->assembly.hat[i] : x[i];
    *value = keep_better(n, x, *value);
  }
  memset(n->direction, 0, size * sizeof *x);
  return VB_OK;
}

/// Steps along `direction`, halved until Phi falls enough; writes the new point, its gradient and
/// value. Returns false where nothing helps.
static bool search(nh_newton *n, double *x, nh_value *value) {
  size_t size = 3 * n->assembly.solid->n_nodes;
  double slope = 0, t = 1;
  for (size_t i = 0; i < size; i++)
    slope += n->direction[i] * n->gradient[i];
  for (int k = 0; k <= MOST_HALVINGS; k++, t *= 0.5) {
    for (size_t i = 0; i < size; i++)
      n->trial[i] = x[i] + t * n->direction[i];
    nh_value next = evaluate(n, n->trial, n->trial_gradient);
    bool lower = next.phi <= value->phi + sufficient * t * slope;
    // Where Phi no longer tells, the gradient still does.
    bool level = fabs(t * slope) <= value->noise && next.norm < value->norm;
    if (!(isfinite(next.phi) && isfinite(next.norm) && (lower || level)))
      continue;
    memcpy(x, n->trial, size * sizeof *x);
    memcpy(n->gradient, n->trial_gradient, size * sizeof *x);
    *value = next;
    return true;
  }
  return false;
}

vb_status nh_newton_minimize(nh_newton *n, double *x, const double *moved, nh_report *report,
                             vb_error *error) {
  size_t size = 3 * n->assembly.solid->n_nodes;
  nh_value value = {0};
  *report = (nh_report){0};
  vb_status status = begin(n, x, moved, report, &value, error);
  if (status)
    return status;
  report->finite = isfinite(value.phi) && isfinite(value.norm);
  note_residual(report, nh_residual(&value));
  for (int k = 0; k < n->settings.iterations && report->finite; k++) {
    if (report->residual[NH_KEPT - 1] <= n->settings.tolerance)
      break;
    status = linearize(n, x, report, error);
    for (size_t i = 0; i < size; i++)
      n->trial[i] = -n->gradient[i];
    if (!status)
      status = solve(n, n->trial, n->direction, error);
    if (status)
      return status;
    if (!search(n, x, &value))
      break;
    note_residual(report, nh_residual(&value));
  }
  return VB_OK;
}
