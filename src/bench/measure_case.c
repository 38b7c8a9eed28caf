// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure_case.h"

#include "base/signals.h"

#include <math.h>
#include <stdlib.h>

void vb_bench_shared_free(vb_bench_shared *shared) {
  for (size_t i = 0; i < shared->n_starts; i++)
    free(shared->starts[i].scene);
  free(shared->starts);
  shared->starts = NULL;
  shared->n_starts = 0;
}

vb_status vb_bench_begin(const vb_bench_limits *limits, const vb_run_plan *run,
                         vb_timed_solver *timed, vb_bench_case *out, vb_error *error) {
  *out = (vb_bench_case){
      .run = run, .residual = NAN, .greatest_residual = NAN, .distance = NAN, .motion = NAN};
  for (int i = 0; i < VB_BENCH_TARGETS; i++)
    out->accuracy.time_s[i] = NAN;
  out->dofs = vb_scene_dofs(run->scene);
  out->nodes = (int64_t)vb_scene_count(run->scene, VB_SET_NODE);
  out->bodies = (int64_t)vb_scene_count(run->scene, VB_SET_BODY);
  vb_scene_sha256(run->scene, out->scene_sha256);
  vb_status status = vb_timed_solver_open(run, run->scene, timed, error);
  if (!status)
    status = vb_timed_solver_settings(timed, &out->settings, error);
  if (!status)
    status = vb_sample_prepare(timed, limits, out, error);
  out->memory = timed->memory;
  return status;
}

vb_status vb_bench_measure(vb_bench_shared *shared, size_t run, vb_bench_case *out,
                           vb_error *error) {
  const vb_bench_limits *limits = shared->limits;
  vb_timed_solver timed = {0};
  vb_status status = vb_bench_begin(limits, &shared->study->runs[run], &timed, out, error);
  VB_TAKE(&out->arrays, out->verdicts, shared->study->n_gates);
  VB_TAKE(&out->arrays, out->evaluated, shared->study->n_gates);
  if (!status)
    status = vb_arena_status(&out->arrays, error);
  if (!status)
    status = vb_device_begin(shared->machine, &timed, out, error);
  if (!status)
    status = vb_sample_warm(&timed, limits, out, error);
  if (!status)
    status = vb_sample_windows(&timed, limits, shared->watcher, out, error);
  vb_device_conclude(out);
  if (!status && !vb_signal_caught())
    status = vb_sample_single(&timed, limits, out, error);
  if (!status && !timed.divergence.diverged && !vb_signal_caught())
    status = vb_device_other_launch(&timed, limits, out, error);
  if (!status && !timed.divergence.diverged && !vb_signal_caught())
    status = vb_device_energy(&timed, limits, out, error);
  // What was measured before a signal keeps its residual and gates: they are quick to have.
  if (!status && out->n_windows > 0 && !timed.divergence.diverged)
    status = vb_bench_replay(shared, &timed, out, error);
  if (!status && out->run->bench.accuracy && !timed.divergence.diverged && !vb_signal_caught())
    status = vb_bench_accuracy_measure(shared, &timed, out, error);
  if (!status && !vb_signal_caught())
    status = vb_bench_floor_measure(shared->machine, &timed, out, error);
  out->divergence = timed.divergence;
  vb_timed_solver_close(&timed);
  return status;
}
