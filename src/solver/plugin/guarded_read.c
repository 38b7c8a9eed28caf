// SPDX-License-Identifier: GPL-3.0-or-later
/// The guarded calls that ask for numbers.
#include "solver/plugin/guarded_call.h"

#include <math.h>
#include <string.h>

size_t vb_guarded_numbers(const vb_guarded *g, size_t field) {
  return g->count[field] * (size_t)g->about->fields[field].components;
}

vb_status vb_guarded_read(vb_guarded *g, size_t field, vb_error *error) {
  vb_status status = VB_OK;
  size_t n = vb_guarded_numbers(g, field);
  vb_guard *guard = &g->field[field];
  if (!guard->map)
    status = vb_guard_make(n * sizeof(double), guard, error);
  if (status)
    return status;
  vb_offer_output(g, 0, guard, "field %s (%zu numbers)", g->about->fields[field].name, n);
  status = vb_call_solver(
      g, VB_IN_READ, g->solver->read(g->self, field, vb_guard_numbers(guard), &g->channel->said),
      error);
  status = vb_check_output(g, VB_IN_READ, status, 0, guard, error);
  if (!status && strcmp(g->about->fields[field].name, VB_NEWTON_STEP) != 0)
    status =
        vb_check_finite(g, VB_IN_READ, 0, guard, (size_t)g->about->fields[field].components, error);
  return status;
}

/// Calls a function that writes one array of numbers.
static vb_status ask_numbers(vb_guarded *g, vb_function function,
                             vb_status (*call)(void *, double *, vb_error *), vb_guard *guard,
                             const char *name, vb_error *error) {
  vb_offer_output(g, 0, guard, "%s (%zu numbers)", name, guard->bytes / sizeof(double));
  vb_status status =
      vb_call_solver(g, function, call(g->self, vb_guard_numbers(guard), &g->channel->said), error);
  status = vb_check_output(g, function, status, 0, guard, error);
  if (!status && function != VB_IN_ENERGIES)
    status = vb_check_finite(g, function, 0, guard, 1, error);
  return status;
}

vb_status vb_guarded_energies(vb_guarded *g, vb_error *error) {
  vb_status status =
      ask_numbers(g, VB_IN_ENERGIES, g->solver->energies, &g->energies, "the energies", error);
  const double *energy = vb_guard_numbers(&g->energies);
  for (size_t i = 0; !status && !g->diverged && i < g->about->n_energies; i++)
    if (!isfinite(energy[i]))
      status = vb_error_set(error, VB_FAILED,
                            "energies gave %g for %s after step %lld, though sync reported no "
                            "divergence",
                            energy[i], g->about->energies[i].name, (long long)g->n_steps);
  return status;
}

vb_status vb_guarded_work(vb_guarded *g, vb_error *error) {
  return ask_numbers(g, VB_IN_WORK, g->solver->work, &g->work, "the works", error);
}

vb_status vb_guarded_residual(vb_guarded *g, vb_error *error) {
  return ask_numbers(g, VB_IN_RESIDUAL, g->solver->residual, &g->residual, "the residual", error);
}

vb_status vb_guarded_timings(vb_guarded *g, vb_error *error) {
  if (!g->solver->timings)
    return VB_OK; // there are no phases
  return ask_numbers(g, VB_IN_TIMINGS, g->solver->timings, &g->timings, "the timings", error);
}

vb_status vb_guarded_reactions(vb_guarded *g, vb_error *error) {
  vb_offer_output(g, 0, &g->force, "the forces (%zu numbers)", 3 * g->n_drivers);
  vb_offer_output(g, 1, &g->torque, "the torques (%zu numbers)", 3 * g->n_drivers);
  vb_status status =
      vb_call_solver(g, VB_IN_REACTIONS,
                     g->solver->reactions(g->self, vb_guard_numbers(&g->force),
                                          vb_guard_numbers(&g->torque), &g->channel->said),
                     error);
  vb_status first = vb_check_output(g, VB_IN_REACTIONS, status, 0, &g->force, error);
  if (first == status)
    first = vb_check_output(g, VB_IN_REACTIONS, status, 1, &g->torque, error);
  if (!first)
    first = vb_check_finite(g, VB_IN_REACTIONS, 0, &g->force, 3, error);
  if (!first)
    first = vb_check_finite(g, VB_IN_REACTIONS, 1, &g->torque, 3, error);
  return first;
}

vb_status vb_guarded_cost(vb_guarded *g, vb_error *error) {
  vb_offer_output(g, 0, &g->cost, "bytes and operations");
  vb_enter_solver(g->channel, VB_IN_COST);
  g->solver->cost(g->self, vb_guard_numbers(&g->cost), vb_guard_numbers(&g->cost) + 1);
  vb_leave_solver(g->channel, VB_IN_COST, VB_OK, NULL);
  return vb_check_output(g, VB_IN_COST, VB_OK, 0, &g->cost, error);
}

vb_status vb_guarded_device(vb_guarded *g, vb_error *error) {
  vb_offer_output(g, 0, &g->device, "the device");
  memset(g->device.data, 0, g->device.bytes);
  vb_device *device = (vb_device *)(void *)g->device.data;
  vb_status status =
      vb_call_solver(g, VB_IN_DEVICE, g->solver->device(g->self, device, &g->channel->said), error);
  if (status)
    return status;
  status = vb_check_output(g, VB_IN_DEVICE, status, 0, &g->device, error);
  if (!status && (!memchr(device->name, '\0', sizeof device->name) ||
                  !memchr(device->uuid, '\0', sizeof device->uuid)))
    status = vb_error_set(error, VB_FAILED, "device wrote a name or uuid that does not end");
  return status;
}

/// Whether what a solver says of its convergence can be.
static vb_status check_convergence(const vb_convergence *c, vb_error *error) {
  if (c->missed < 0 || c->missed > c->evaluated)
    return vb_error_set(error, VB_FAILED,
                        "convergence wrote %lld steps that missed, of %lld evaluated",
                        (long long)c->missed, (long long)c->evaluated);
  if (!(c->worst >= 0 && isfinite(c->worst) && c->tolerance >= 0 && isfinite(c->tolerance)))
    return vb_error_set(error, VB_FAILED,
                        "convergence wrote the residual %g and the tolerance %g, which are to be "
                        "finite and not negative",
                        c->worst, c->tolerance);
  if (!memchr(c->what, '\0', sizeof c->what))
    return vb_error_set(error, VB_FAILED, "convergence wrote a text that does not end");
  return VB_OK;
}

vb_status vb_guarded_convergence(vb_guarded *g, vb_error *error) {
  vb_offer_output(g, 0, &g->convergence, "the convergence");
  memset(g->convergence.data, 0, g->convergence.bytes);
  vb_convergence *out = (vb_convergence *)(void *)g->convergence.data;
  vb_status status = vb_call_solver(g, VB_IN_CONVERGENCE,
                                    g->solver->convergence(g->self, out, &g->channel->said), error);
  if (!status)
    status = vb_check_output(g, VB_IN_CONVERGENCE, status, 0, &g->convergence, error);
  return status ? status : check_convergence(out, error);
}
