// SPDX-License-Identifier: GPL-3.0-or-later
// Convergence against iterations: one state, stepped once with each count.
#include "base/statistics.h"
#include "study/run_internal.h"

#include <stdio.h>
#include <stdlib.h>

/// A step shorter than the clock can be trusted with is repeated until so much time [s] is timed,
/// or so often.
static const double TIMED_S = 2e-3;
#define MOST_REPEATS 5

/// Steps once from `state`, repeatedly, and gives the median time.
static vb_status time_step(vb_run_loop *loop, void *instance, const void *state, double *wall_s,
                           vb_error *error) {
  double sample[MOST_REPEATS], sum = 0;
  size_t n = 0;
  while (n < MOST_REPEATS && (n == 0 || sum < TIMED_S) && !loop->divergence.diverged) {
    vb_status status = loop->solver->restore(instance, state, error);
    if (!status)
      status = vb_run_advance(loop, instance, 1, &sample[n], error);
    if (status)
      return status;
    sum += sample[n++];
  }
  *wall_s = vb_quantile(sample, n, 0.5);
  return VB_OK;
}

/// Adds to a divergence under which count it came.
static void name_count(vb_run_loop *loop, int64_t iterations) {
  char what[sizeof loop->divergence.what];
  snprintf(what, sizeof what, "with %lld iterations: %.90s", (long long)iterations,
           loop->divergence.what);
  snprintf(loop->divergence.what, sizeof loop->divergence.what, "%s", what);
}

static vb_status measure(vb_run_loop *loop, void *instance, const void *state, int64_t iterations,
                         vb_error *error) {
  char text[32];
  double wall_s = 0;
  snprintf(text, sizeof text, "%lld", (long long)iterations);
  vb_status status = loop->solver->set_option(instance, "iterations", text, error);
  if (!status)
    status = time_step(loop, instance, state, &wall_s, error);
  if (!status && !loop->divergence.diverged)
    status = vb_run_check_energies(loop, instance, loop->run->convergence.after + 1, error);
  if (!status && !loop->divergence.diverged) {
    status = vb_results_convergence(loop->results, instance, iterations, wall_s, error);
    if (!status)
      vb_run_check_row(loop, loop->run->convergence.after + 1);
  }
  if (!status && loop->divergence.diverged)
    name_count(loop, iterations);
  return status;
}

vb_status vb_run_converge(vb_run_loop *loop, vb_error *error) {
  const vb_run_plan *run = loop->run;
  const vb_convergence_plan *plan = &run->convergence;
  void *instance = NULL, *state = NULL;
  double wall_s;
  if (plan->n == 0)
    return VB_OK;
  vb_status status = vb_run_make_instance(loop, &instance, error);
  if (!status && plan->after > 0)
    status = vb_run_advance(loop, instance, plan->after, &wall_s, error);
  if (!status && !(state = malloc(loop->solver->state_size(instance) + 1)))
    status = vb_error_memory(error);
  if (!status)
    status = loop->solver->save(instance, state, error);
  for (size_t i = 0; !status && i < plan->n && !vb_run_stopped(loop); i++)
    status = measure(loop, instance, state, plan->iterations[i], error);
  free(state);
  if (instance)
    loop->solver->destroy(instance);
  return status;
}
