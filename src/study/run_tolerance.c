// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the steps of a run converged: by the residual that its study states, by the solver's own
// count, or else by residuals.
#include "study/run_internal.h"

#include "solver/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The value of the solver's option `tolerance`; 0 where it has none.
static vb_status read_tolerance(const vb_run_loop *loop, double *out, vb_error *error) {
  char text[64];
  *out = 0;
  if (!vb_description_option(loop->about, "tolerance"))
    return VB_OK;
  vb_status status =
      loop->solver->get_option(loop->instance, "tolerance", text, sizeof text, error);
  if (!status)
    *out = strtod(text, NULL);
  return status;
}

vb_status vb_run_find_tolerance(vb_run_loop *loop, vb_error *error) {
  vb_convergence own = {.tolerance = loop->run->record.converged};
  vb_status status = VB_OK;
  if (own.tolerance > 0 && !loop->about->has_residual)
    return vb_bad_input(error, "solver %s has no residual, by which \"converged\" is judged",
                        loop->about->name);
  if (!(own.tolerance > 0))
    status = loop->solver->convergence ? loop->solver->convergence(loop->instance, &own, error)
                                       : read_tolerance(loop, &own.tolerance, error);
  if (!status && loop->about->has_residual)
    loop->convergence.tolerance = own.tolerance;
  return status;
}

vb_status vb_run_note_residual(vb_run_loop *loop, bool last, vb_error *error) {
  vb_convergence *c = &loop->convergence;
  double residual = vb_results_residual(loop->results);
  bool judged = c->tolerance > 0;
  if (isnan(residual) && loop->about->has_residual && (judged || last)) {
    vb_status status = loop->solver->residual(loop->instance, &residual, error);
    if (status)
      return status;
  }
  if (last)
    loop->last_residual = residual;
  if (!judged)
    return VB_OK;
  c->evaluated++;
  c->missed += !(residual <= c->tolerance);
  c->worst = fmax(c->worst, residual);
  return VB_OK;
}

/// A solver that looked at no step but those that missed found what residuals do not tell: both
/// count, whichever are more. One that looked at others, too, has judged them all, unless the study
/// states by which residual that is done.
static vb_convergence join(const vb_convergence *own, const vb_convergence *by_residual,
                           bool stated) {
  vb_convergence out = *by_residual;
  if (own->evaluated == 0)
    return out;
  if (own->missed < own->evaluated)
    return stated ? out : *own;
  out.evaluated = own->evaluated > out.evaluated ? own->evaluated : out.evaluated;
  out.missed = own->missed > out.missed ? own->missed : out.missed;
  out.worst = fmax(out.worst, own->worst);
  return out;
}

/// Whether bodies of the scene may touch anything.
static bool has_contact(const vb_scene *scene) {
  return vb_scene_count(scene, VB_SET_CONTACT) > 0 || vb_scene_count(scene, VB_SET_HALF_PLANE) > 0;
}

/// Whether an option of the solver has this value.
static bool has_option(const vb_run_loop *loop, const char *name, const char *value) {
  char text[64];
  return vb_description_option(loop->about, name) &&
         !loop->solver->get_option(loop->instance, name, text, sizeof text, NULL) &&
         !strcmp(text, value);
}

/// Whether the scene has rods of the material model solid, which too few sweeps of block descent
/// give energy: they begin where gravity has moved each node alone.
static bool descends_on_solid(const vb_run_loop *loop) {
  return (vb_scene_features(loop->run->scene) & VB_FEATURE_SOLID) != 0 &&
         has_option(loop, "method", "block-descent") && has_option(loop, "integrator", "euler");
}

/// Warns of it, unless the solver warns of something, which may be the reason.
static void warn_of_gain(const vb_run_loop *loop, bool contacts) {
  char what[192];
  if (loop->solver->warning && loop->solver->warning(loop->instance))
    return;
  snprintf(what, sizeof what,
           contacts ? "contacts added %.2g of the energy without work; use shorter substeps, or "
                      "more iterations"
                    : "too few sweeps of block-descent on rods of the material model solid added "
                      "%.2g of the energy without work; use shorter substeps, or method direct",
           vb_results_energy_gain(loop->results)->greatest);
  vb_results_warn(loop->results, what);
}

/// Steps that contacts, or sweeps on solid rods, gave energy in did not converge, whatever their
/// residuals. In other scenes, integrators that are not Euler's let energy go up and down.
static void count_gains(const vb_run_loop *loop, vb_convergence *c) {
  const int64_t n = vb_results_energy_gain(loop->results)->n_missed;
  const bool contacts = has_contact(loop->run->scene);
  if (n == 0 || (!contacts && !descends_on_solid(loop)))
    return;
  c->missed = n > c->missed ? n : c->missed;
  c->evaluated = c->missed > c->evaluated ? c->missed : c->evaluated;
  c->worst = fmax(c->worst, loop->last_residual);
  warn_of_gain(loop, contacts);
}

vb_status vb_run_record_convergence(vb_run_loop *loop, vb_error *error) {
  vb_convergence own = {0};
  vb_status status =
      loop->solver->convergence ? loop->solver->convergence(loop->instance, &own, error) : VB_OK;
  if (status)
    return status;
  own = join(&own, &loop->convergence, loop->run->record.converged > 0);
  count_gains(loop, &own);
  vb_results_note_convergence(loop->results, &own, loop->last_residual);
  return VB_OK;
}
