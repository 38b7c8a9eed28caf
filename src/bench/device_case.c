// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure_case.h"

#include "base/clock.h"
#include "base/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How long energy is watched at most, s: many times the counter's grain.
static const double WATCHED_S = 2;

vb_status vb_device_begin(vb_machine *machine, vb_timed_solver *timed, vb_bench_case *c,
                          vb_error *error) {
  vb_device device = {0};
  if (!timed->solver->device)
    return VB_OK;
  vb_status status = timed->solver->device(timed->instance, &device, error);
  if (status || !device.name[0])
    return status;
  timed->on_device = c->device.there = true;
  memcpy(c->device.name, device.name, sizeof device.name);
  memcpy(c->device.uuid, device.uuid, sizeof device.uuid);
  timed->nvml = vb_machine_nvml(machine, device.uuid);
  return VB_OK;
}

vb_status vb_device_watch(vb_timed_solver *timed, vb_timing_window *window, vb_error *error) {
  vb_device device = {0};
  vb_gpu_state state;
  window->device_s = window->sm_clock = NAN;
  if (!timed->on_device)
    return VB_OK;
  vb_status status = timed->solver->device(timed->instance, &device, error);
  if (status)
    return status;
  vb_nvml_read(timed->nvml, &state);
  window->device_s = device.seconds;
  window->sm_clock = state.sm_clock;
  window->throttle = state.throttle;
  return VB_OK;
}

/// Values of the windows, of which NaN is none.
static double *gather(const vb_bench_case *c, bool clock, size_t *n) {
  double *list = reallocarray(NULL, c->n_windows + 1, sizeof *list);
  *n = 0;
  for (size_t i = 0; list && i < c->n_windows; i++) {
    const vb_timing_window *w = &c->windows[i];
    double value = clock ? w->sm_clock : w->device_s / (double)c->steps;
    if (isfinite(value) && (clock || w->valid))
      list[(*n)++] = value;
  }
  return list;
}

void vb_device_conclude(vb_bench_case *c) {
  size_t n_times, n_clocks;
  double *times = gather(c, false, &n_times), *clocks = gather(c, true, &n_clocks);
  c->device.step_s = vb_median_interval(times, times ? n_times : 0);
  c->device.sm_clock = clocks && n_clocks > 0 ? vb_quantile(clocks, n_clocks, 0.5) : NAN;
  c->device.throttle = 0;
  for (size_t i = 0; i < c->n_windows; i++)
    c->device.throttle |= c->windows[i].throttle;
  free(clocks);
  free(times);
}

/// The solver's option "launch" where it may change at any time, or null.
static const vb_option_info *find_launch(const vb_timed_solver *timed) {
  for (size_t i = 0; i < timed->about->n_options; i++) {
    const vb_option_info *option = &timed->about->options[i];
    if (strcmp(option->name, "launch") == 0 && option->choices && option->at_any_time)
      return option;
  }
  return NULL;
}

/// Warms up and samples as the case did, in windows of as many steps, however short, so that they
/// end in the same state; what is measured goes to `other`.
static vb_status sample_other(vb_timed_solver *timed, const vb_bench_limits *limits,
                              vb_bench_case *other, vb_error *error) {
  vb_bench_limits half = *limits;
  half.warm_s /= 2;
  half.sample_s /= 2;
  half.window_s = 0;
  vb_status status = vb_sample_warm(timed, &half, other, error);
  if (!status)
    status = vb_sample_windows(timed, &half, NULL, other, error);
  vb_device_conclude(other);
  return status;
}

vb_status vb_device_other_launch(vb_timed_solver *timed, const vb_bench_limits *limits,
                                 vb_bench_case *c, vb_error *error) {
  vb_bench_device *d = &c->device;
  vb_bench_case other = {.run = c->run, .steps = c->steps};
  if (!d->there || !find_launch(timed))
    return VB_OK;
  vb_status status =
      timed->solver->get_option(timed->instance, "launch", d->launch, sizeof d->launch, error);
  if (status)
    return status;
  const char *word = strcmp(d->launch, "graph") == 0 ? "stream" : "graph";
  status = timed->solver->set_option(timed->instance, "launch", word, error);
  if (!status)
    status = sample_other(timed, limits, &other, error);
  vb_status back =
      timed->solver->set_option(timed->instance, "launch", d->launch, status ? NULL : error);
  status = status ? status : back;
  if (!status && other.n_windows > 0) {
    snprintf(d->other_launch, sizeof d->other_launch, "%s", word);
    d->other_wall_s = other.step_s;
    d->other_step_s = other.device.step_s;
    d->other_repeated = other.n_windows > 0 && other.digest == c->digest;
  }
  vb_bench_case_free(&other);
  return status;
}

vb_status vb_device_energy(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error) {
  vb_gpu_state first, last;
  double end = vb_clock() + fmin(WATCHED_S, limits->sample_s), busy = 0, power = 0;
  int64_t n = 0;
  vb_status status = VB_OK;
  if (!c->device.there || !timed->nvml)
    return VB_OK;
  vb_nvml_read(timed->nvml, &first);
  do {
    vb_timing_window window = {0};
    status = vb_timed_solver_restore(timed, error);
    if (!status)
      status = vb_timed_solver_advance(timed, c->steps, &window, error);
    vb_nvml_read(timed->nvml, &last);
    busy += window.wall_s;
    power += last.power_w;
    n++;
  } while (!status && vb_clock() < end && !vb_signal_caught());
  double steps = (double)(n * c->steps), counted = last.energy_j - first.energy_j;
  if (!status && counted > 0) {
    c->device.energy_j = counted / steps;
    c->device.energy_by = "counter";
  } else if (!status && isfinite(power)) {
    c->device.energy_j = power / (double)n * busy / steps;
    c->device.energy_by = "power";
  }
  return status;
}
