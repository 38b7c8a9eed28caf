// SPDX-License-Identifier: GPL-3.0-or-later
// Time to accuracy: one step from a given state with more and more iterations.
#include "bench/measure_case.h"

#include "base/clock.h"
#include "base/signals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A step is repeated until so much time [s] is timed, or so often; three times at least.
static const double TIMED_S = 5e-3;
#define MOST_REPEATS 9

/// Counts grow by a quarter, and go no higher.
static const double GROWTH = 1.25;
static const double MOST_ITERATIONS = 1e4;

/// The start that cases of this scene share; made from the solver's checkpoint for the first.
static vb_status find_start(vb_bench_shared *shared, vb_timed_solver *timed, const vb_bench_case *c,
                            const vb_bench_start **out, vb_error *error) {
  for (size_t i = 0; i < shared->n_starts; i++)
    if (strcmp(shared->starts[i].scene_sha256, c->scene_sha256) == 0) {
      *out = &shared->starts[i];
      return VB_OK;
    }
  vb_bench_start *start = VB_APPEND(shared->starts, shared->n_starts);
  if (!start)
    return vb_error_memory(error);
  vb_status status = vb_timed_solver_restore(timed, error);
  if (!status)
    status = vb_timed_solver_scene(timed, &start->scene, error);
  if (status) {
    shared->n_starts--;
    return status;
  }
  snprintf(start->scene_sha256, sizeof start->scene_sha256, "%s", c->scene_sha256);
  snprintf(start->name, sizeof start->name, "%s", start->scene ? c->run->name : "");
  *out = start;
  return VB_OK;
}

/// Times the step from the checkpoint, and reads its residual.
static vb_status time_step(vb_timed_solver *timed, double *wall_s, double *residual,
                           vb_error *error) {
  double sample[MOST_REPEATS], sum = 0;
  size_t n = 0;
  while (n < MOST_REPEATS && (n < 3 || sum < TIMED_S) && !timed->divergence.diverged) {
    vb_timing_window window;
    vb_status status = vb_timed_solver_restore(timed, error);
    if (!status)
      status = vb_timed_solver_advance(timed, 1, &window, error);
    if (status)
      return status;
    sample[n] = window.wall_s;
    sum += sample[n++];
  }
  *wall_s = vb_quantile(sample, n, 0.5);
  return vb_timed_solver_residual(timed, residual, error);
}

/// Notes one count; `*done` where no further one is needed.
static vb_status try_count(vb_timed_solver *timed, int64_t iterations, vb_bench_accuracy *out,
                           bool *done, vb_error *error) {
  double wall, residual;
  vb_status status = vb_timed_solver_set(timed, "iterations", iterations, error);
  if (!status)
    status = time_step(timed, &wall, &residual, error);
  *done = timed->divergence.diverged;
  if (status || *done)
    return status;
  out->iterations[out->n] = (double)iterations;
  out->wall_s[out->n] = wall;
  out->residual[out->n++] = residual;
  for (int k = 0; k < VB_BENCH_TARGETS; k++)
    if (residual <= vb_bench_target[k] && !(out->time_s[k] <= wall))
      out->time_s[k] = wall;
  *done = residual <= vb_bench_target[VB_BENCH_TARGETS - 1];
  return VB_OK;
}

static vb_status search(vb_timed_solver *timed, double limit_s, vb_bench_case *c, vb_error *error) {
  vb_bench_accuracy *out = &c->accuracy;
  size_t most = (size_t)(log(MOST_ITERATIONS) / log(GROWTH)) + 20;
  double end = vb_clock() + limit_s;
  bool done = false;
  VB_TAKE(&c->arrays, out->iterations, most);
  VB_TAKE(&c->arrays, out->wall_s, most);
  VB_TAKE(&c->arrays, out->residual, most);
  vb_status status = vb_arena_status(&c->arrays, error);
  for (double count = 1; !status && !done && count <= MOST_ITERATIONS && out->n < most &&
                         vb_clock() < end && !vb_signal_caught();
       count = fmax(count + 1, floor(count * GROWTH)))
    status = try_count(timed, (int64_t)count, out, &done, error);
  return status;
}

vb_status vb_bench_accuracy_measure(vb_bench_shared *shared, vb_timed_solver *timed,
                                    vb_bench_case *c, vb_error *error) {
  const vb_bench_start *start;
  vb_timed_solver fresh = {0};
  if (!timed->about->has_residual)
    return VB_OK;
  vb_status status = find_start(shared, timed, c, &start, error);
  if (status)
    return status;
  snprintf(c->accuracy.start, sizeof c->accuracy.start, "%s", start->name);
  status = vb_timed_solver_open(c->run, start->scene ? start->scene : c->run->scene, &fresh, error);
  if (!status)
    status = vb_timed_solver_save(&fresh, error);
  if (!status)
    status = search(&fresh, shared->limits->accuracy_s, c, error);
  vb_timed_solver_close(&fresh);
  return status;
}
