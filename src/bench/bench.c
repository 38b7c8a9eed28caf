// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double vb_bench_target[VB_BENCH_TARGETS] = {1e-2, 1e-4, 1e-6};

vb_bench_limits vb_bench_limits_of(const char *tier) {
  vb_bench_limits limits = {.window_s = 0.02,
                            .window_steps = 50,
                            .warm_s = 30,
                            .sample_s = 60,
                            .windows = 100,
                            .precision = 0.01,
                            .accuracy_s = 10};
  if (strcmp(tier, "quick") == 0) {
    limits.warm_s = 0.3;
    limits.sample_s = 0.7;
    limits.accuracy_s = 0.5;
  }
  return limits;
}

const char *vb_stop_word(vb_stop stop) {
  static const char *const WORDS[] = {"precise", "windows", "time", "interrupted", "diverged"};
  return WORDS[stop];
}

bool vb_bench_is_marked(const vb_bench_case *c, size_t i) {
  const vb_timing_window *w = &c->windows[i];
  bool slow = c->step_s.median > 0 && w->wall_s > c->step_s.median * (double)c->steps / 0.97;
  return slow || (c->device.there && (w->throttle || w->sm_clock < 0.97 * c->device.sm_clock));
}

double vb_bench_marked(const vb_bench_case *c) {
  size_t marked = 0;
  for (size_t i = 0; i < c->n_windows; i++)
    marked += vb_bench_is_marked(c, i);
  return c->n_windows > 0 ? (double)marked / (double)c->n_windows : 0;
}

bool vb_bench_has_time(const vb_bench_case *c) {
  return c->stop != VB_STOP_DIVERGED && !c->divergence.diverged && c->repeated && c->gates_passed &&
         c->step_s.median > 0;
}

static bool is_unstable(const vb_bench_case *c) {
  return vb_bench_marked(c) > VB_BENCH_MAX_MARKED;
}

bool vb_bench_has_speed(const vb_bench_case *c) {
  return vb_bench_has_time(c) && !is_unstable(c);
}

const char *vb_bench_remark(const vb_bench_case *c) {
  if (c->stop == VB_STOP_DIVERGED || c->divergence.diverged)
    return "DIVERGED";
  if (c->stop == VB_STOP_INTERRUPTED)
    return "INTERRUPTED";
  if (!c->repeated)
    return "UNREPEATABLE";
  if (!c->gates_passed)
    return "GATE FAILED";
  return is_unstable(c) ? "UNSTABLE" : "";
}

double vb_bench_unsolved(const vb_bench_case *c) {
  return c->motion > 0 ? c->distance / c->motion : NAN;
}

double vb_bench_dof_hz(const vb_bench_case *c) {
  const bool judged = !isnan(c->residual) || !isnan(vb_bench_unsolved(c));
  return vb_bench_has_speed(c) && judged ? (double)c->dofs / c->step_s.median : NAN;
}

double vb_bench_real_time(const vb_bench_case *c) {
  return vb_bench_has_speed(c) ? vb_scene_world(c->run->scene)->step / c->step_s.median : NAN;
}

void vb_bench_setting_name(const char *run, char *out, size_t size) {
  snprintf(out, size, "%.*s", (int)strcspn(run, "."), run);
}

void vb_bench_case_free(vb_bench_case *c) {
  free(c->warm);
  free(c->windows);
  vb_arena_clear(&c->arrays);
  *c = (vb_bench_case){0};
}

void vb_bench_free(vb_bench *bench) {
  for (size_t i = 0; i < bench->n_cases; i++)
    vb_bench_case_free(&bench->cases[i]);
  free(bench->cases);
  vb_bench_scaling_free(bench);
  *bench = (vb_bench){0};
}
