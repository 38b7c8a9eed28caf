// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure_case.h"

#include "base/clock.h"
#include "base/signals.h"

#include <math.h>
#include <stdlib.h>

/// How well the last three windows of the warm-up agree.
static const double AGREEMENT = 0.01;

/// Steps timed one by one, at most.
#define MOST_SINGLE 1000

/// Steps handed over at once on the way to the checkpoint, so that a signal is soon heeded.
#define CHUNK 10

static vb_status advance_to_start(vb_timed_solver *timed, int64_t n, double *pace_s,
                                  vb_error *error) {
  vb_timing_window window = {0};
  double wall = 0;
  int64_t done = 0;
  vb_status status = VB_OK;
  while (!status && done < n && !timed->divergence.diverged && !vb_signal_caught()) {
    int64_t chunk = n - done < CHUNK ? n - done : CHUNK;
    status = vb_timed_solver_advance(timed, chunk, &window, error);
    wall = window.wall_s;
    *pace_s = wall / (double)chunk;
    done += chunk;
  }
  return status;
}

vb_status vb_sample_prepare(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                            vb_error *error) {
  vb_timing_window trial = {0};
  double pace = 0;
  timed->slow = 0;
  vb_status status = advance_to_start(timed, c->run->bench.after, &pace, error);
  if (!status)
    status = vb_timed_solver_save(timed, error);
  // The very first steps are slower than the rest: a trial of a few gives a better pace.
  if (!status && !timed->divergence.diverged)
    status = vb_timed_solver_advance(timed, CHUNK, &trial, error);
  if (status)
    return status;
  pace = trial.wall_s / CHUNK;
  double least = pace > 0 ? ceil(1.1 * limits->window_s / pace) : 1;
  c->steps = (int64_t)fmax((double)limits->window_steps, fmin(least, 1e9));
  timed->slow = limits->slow;
  return VB_OK;
}

/// One more window at the end of a list.
static vb_status add_window(vb_timed_solver *timed, int64_t steps, vb_timing_window **list,
                            size_t *n, vb_error *error) {
  vb_timing_window *window = VB_APPEND(*list, *n);
  if (!window)
    return vb_error_memory(error);
  vb_status status = vb_timed_solver_restore(timed, error);
  if (!status)
    status = vb_timed_solver_advance(timed, steps, window, error);
  if (!status)
    status = vb_device_watch(timed, window, error);
  *n -= status != VB_OK;
  return status;
}

static bool last_three_agree(const vb_timing_window *list, size_t n) {
  if (n < 3)
    return false;
  double a = list[n - 1].wall_s, b = list[n - 2].wall_s, c = list[n - 3].wall_s;
  return fmax(a, fmax(b, c)) <= (1 + AGREEMENT) * fmin(a, fmin(b, c));
}

vb_status vb_sample_warm(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                         vb_error *error) {
  double end = vb_clock() + limits->warm_s;
  vb_status status = VB_OK;
  while (!status && !c->settled && !timed->divergence.diverged && !vb_signal_caught() &&
         (c->n_warm < 1 || vb_clock() < end)) {
    // A window may have come out too short by a disturbed trial.
    if (c->n_warm > 0 && c->warm[c->n_warm - 1].wall_s < limits->window_s) {
      c->steps *= 2;
      c->n_warm = 0;
    }
    status = add_window(timed, c->steps, &c->warm, &c->n_warm, error);
    c->settled = !status && last_three_agree(c->warm, c->n_warm) &&
                 c->warm[c->n_warm - 1].wall_s >= limits->window_s;
  }
  return status;
}

/// The interval of the time per step over the valid windows; NaN where there is none.
static vb_interval interval_of(const vb_bench_case *c) {
  double *time = reallocarray(NULL, c->n_windows + 1, sizeof *time);
  size_t n = 0;
  for (size_t i = 0; time && i < c->n_windows; i++)
    if (c->windows[i].valid)
      time[n++] = c->windows[i].wall_s / (double)c->steps;
  vb_interval interval = vb_median_interval(time, n);
  free(time);
  return interval;
}

/// Marks the latest window as valid where it ended as the first did.
static vb_status compare_end(vb_timed_solver *timed, vb_bench_case *c, vb_error *error) {
  uint64_t digest;
  vb_status status = vb_timed_solver_digest(timed, &digest, error);
  if (status)
    return status;
  if (c->n_windows == 1)
    c->digest = digest;
  vb_timing_window *latest = &c->windows[c->n_windows - 1];
  latest->valid = latest->valid && digest == c->digest;
  return VB_OK;
}

/// Whether to take no more windows, and why.
static bool enough(const vb_timed_solver *timed, const vb_bench_limits *limits, double end,
                   vb_bench_case *c) {
  bool all = true;
  if (timed->divergence.diverged)
    c->stop = VB_STOP_DIVERGED;
  else if (vb_signal_caught())
    c->stop = VB_STOP_INTERRUPTED;
  else if (vb_relative_width(&c->step_s) <= limits->precision)
    c->stop = VB_STOP_PRECISE;
  else if (c->n_windows >= limits->windows)
    c->stop = VB_STOP_WINDOWS;
  else if (vb_clock() >= end)
    c->stop = VB_STOP_TIME;
  else
    all = false;
  return all;
}

vb_status vb_sample_windows(vb_timed_solver *timed, const vb_bench_limits *limits,
                            const vb_run_watcher *watcher, vb_bench_case *c, vb_error *error) {
  double start = vb_clock();
  vb_status status = VB_OK;
  c->step_s = interval_of(c);
  while (!status && !enough(timed, limits, start + limits->sample_s, c)) {
    status = add_window(timed, c->steps, &c->windows, &c->n_windows, error);
    if (!status)
      status = compare_end(timed, c, error);
    c->step_s = interval_of(c);
    double spent = (vb_clock() - start) / limits->sample_s;
    if (watcher && watcher->report_progress)
      watcher->report_progress(
          watcher->context,
          (int64_t)(100 * fmax(spent, (double)c->n_windows / (double)limits->windows)), 100);
  }
  return status;
}

vb_status vb_sample_single(vb_timed_solver *timed, const vb_bench_limits *limits, vb_bench_case *c,
                           vb_error *error) {
  double end = vb_clock() + limits->sample_s / 10;
  if (!VB_TAKE(&c->arrays, c->single_s, MOST_SINGLE))
    return vb_error_memory(error);
  vb_status status = VB_OK;
  while (!status && c->n_single < MOST_SINGLE && !vb_signal_caught() &&
         !timed->divergence.diverged && ((int64_t)c->n_single < c->steps || vb_clock() < end)) {
    vb_timing_window window = {0};
    if ((int64_t)c->n_single % c->steps == 0)
      status = vb_timed_solver_restore(timed, error);
    if (!status)
      status = vb_timed_solver_advance(timed, 1, &window, error);
    if (!status)
      c->single_s[c->n_single++] = window.wall_s;
  }
  return status;
}
