// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/run.h"

#include "base/clock.h"
#include "base/signals.h"
#include "solver/held_pins.h"
#include "study/run_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The longest chunk of steps aimed at, s.
static const double CHUNK_S = 0.5;

bool vb_run_stopped(const vb_run_loop *loop) {
  return loop->divergence.diverged || vb_signal_caught();
}

vb_status vb_run_advance(vb_run_loop *loop, void *instance, int64_t n, double *wall_s,
                         vb_error *error) {
  vb_divergence divergence = {0};
  double start = vb_clock();
  vb_status status = loop->solver->step(instance, n, error);
  if (!status)
    status = loop->solver->sync(instance, &divergence, error);
  if (status)
    return status;
  *wall_s = vb_clock() - start;
  if (divergence.diverged)
    loop->divergence = divergence;
  return VB_OK;
}

vb_status vb_run_check_energies(vb_run_loop *loop, void *instance, int64_t step, vb_error *error) {
  vb_status status = loop->solver->energies(instance, loop->energy, error);
  if (status)
    return status;
  for (size_t i = 0; i < loop->about->n_energies; i++) {
    if (isfinite(loop->energy[i]))
      continue;
    loop->divergence = (vb_divergence){.diverged = true, .step = step};
    snprintf(loop->divergence.what, sizeof loop->divergence.what,
             "energy %s is not finite after step %lld", loop->about->energies[i].name,
             (long long)step);
    break;
  }
  return VB_OK;
}

void vb_run_check_row(vb_run_loop *loop, int64_t step) {
  const char *what = vb_results_not_finite(loop->results);
  if (!what)
    return;
  loop->divergence = (vb_divergence){.diverged = true, .step = step};
  snprintf(loop->divergence.what, sizeof loop->divergence.what, "%s is not finite after step %lld",
           what, (long long)step);
}

/// The steps from `done` to the next multiple of `every`, or to `total` where that comes first.
static int64_t until_next(int64_t done, int64_t every, int64_t total) {
  int64_t left = every - done % every;
  return left < total - done ? left : total - done;
}

/// Steps to hand over at once: to the next record, in about CHUNK_S by the pace so far.
static int64_t chunk_length(const vb_run_loop *loop, int64_t done, int64_t total, double pace_s) {
  const vb_record_plan *record = &loop->run->record;
  int64_t n = until_next(done, record->every, total);
  int64_t frame = until_next(done, record->frames_every, total);
  if (frame < n)
    n = frame;
  double limit = pace_s > 0 ? fmax(1, CHUNK_S / pace_s) : 1;
  return (double)n > limit ? (int64_t)limit : n;
}

/// The phases' times so far; a solver without phases may have no such function.
static vb_status read_phases(vb_run_loop *loop, double *out, vb_error *error) {
  return loop->about->n_phases == 0 ? VB_OK : loop->solver->timings(loop->instance, out, error);
}

static vb_status record_timing(vb_run_loop *loop, int64_t n, double wall_s, vb_error *error) {
  vb_status status = read_phases(loop, loop->phase_now, error);
  for (size_t i = 0; !status && i < loop->about->n_phases; i++) {
    double spent = loop->phase_now[i] - loop->phase[i];
    loop->phase[i] = loop->phase_now[i];
    loop->phase_now[i] = spent / (double)n;
  }
  for (int64_t i = 0; !status && i < n; i++)
    status = vb_results_timing(loop->results, wall_s / (double)n, loop->phase_now, error);
  return status;
}

/// Records what is due after `done` steps.
static vb_status record(vb_run_loop *loop, int64_t done, int64_t total, vb_error *error) {
  const vb_record_plan *plan = &loop->run->record;
  double time = (double)done * loop->step_s;
  bool row = done % plan->every == 0 || done == total;
  bool frame = done % plan->frames_every == 0 || done == total;
  if (!row && !frame)
    return VB_OK;
  vb_status status = vb_run_check_energies(loop, loop->instance, done, error);
  if (status || loop->divergence.diverged)
    return status;
  if (row)
    status = vb_results_row(loop->results, loop->instance, time, error);
  if (!status && row)
    vb_run_check_row(loop, done);
  if (!status && row && done > 0 && !loop->divergence.diverged)
    status = vb_run_note_residual(loop, done == total, error);
  if (!status && frame && !loop->divergence.diverged)
    status = vb_results_frame(loop->results, loop->instance, time, error);
  if (!status && frame && !loop->divergence.diverged && loop->viewer)
    loop->viewer->frame(loop->viewer->context, time);
  return status;
}

static vb_status step_through(vb_run_loop *loop, const vb_run_watcher *watcher, vb_error *error) {
  int64_t total = vb_scene_world(loop->run->scene)->n_steps;
  double pace_s = 0;
  vb_status status = record(loop, 0, total, error);
  for (int64_t done = 0; !status && done < total && !vb_run_stopped(loop);) {
    double wall_s;
    int64_t n = chunk_length(loop, done, total, pace_s);
    status = vb_run_advance(loop, loop->instance, n, &wall_s, error);
    if (status || loop->divergence.diverged)
      break;
    done += n;
    pace_s = wall_s / (double)n;
    status = record_timing(loop, n, wall_s, error);
    if (!status)
      status = record(loop, done, total, error);
    if (watcher && watcher->report_progress)
      watcher->report_progress(watcher->context, done, total);
    if (loop->viewer)
      loop->viewer->advance(loop->viewer->context, done, total);
  }
  return status;
}

/// What the solver cannot do is said before anything is made.
static vb_status check(const vb_run_plan *run, const vb_solver_description *about,
                       vb_error *error) {
  vb_status status = vb_solver_check_scene(about, run->scene, error);
  if (!status)
    status = vb_solver_check_options(about, run->options, run->n_options, error);
  return status;
}

/// Whether the run leaves it to the solver how many threads it takes, and that may be changed.
static bool chooses_threads(const vb_run_loop *loop) {
  const vb_run_plan *run = loop->run;
  for (size_t i = 0; i < loop->about->n_options; i++)
    if (strcmp(loop->about->options[i].name, "threads") == 0)
      return loop->about->options[i].at_any_time &&
             strtol(vb_solver_option(loop->about, run->options, run->n_options, "threads"), NULL,
                    10) == 0;
  return false;
}

/// Keeps an instance to its share of the processors.
static vb_status limit_threads(const vb_run_loop *loop, void *instance, vb_error *error) {
  char value[16];
  if (loop->threads == 0 || !chooses_threads(loop))
    return VB_OK;
  snprintf(value, sizeof value, "%d", loop->threads);
  return loop->solver->set_option(instance, "threads", value, error);
}

vb_status vb_run_make_instance(const vb_run_loop *loop, void **out, vb_error *error) {
  const vb_run_plan *run = loop->run;
  void *instance = NULL;
  vb_status status = loop->solver->create(loop->solver, run->scene, run->options, run->n_options,
                                          &instance, error);
  if (status)
    return status;
  status = limit_threads(loop, instance, error);
  if (status)
    loop->solver->destroy(instance);
  else
    *out = instance;
  return status;
}

static vb_status start(vb_run_loop *loop, const vb_study *study, const char *path,
                       vb_gpu_describe *describe_gpu, vb_error *error) {
  const vb_run_plan *run = loop->run;
  VB_TAKE(&loop->memory, loop->energy, loop->about->n_energies);
  VB_TAKE(&loop->memory, loop->phase, loop->about->n_phases);
  VB_TAKE(&loop->memory, loop->phase_now, loop->about->n_phases);
  vb_status status = vb_arena_status(&loop->memory, error);
  if (!status)
    status = vb_run_make_instance(loop, &loop->instance, error);
  if (!status)
    status = vb_run_record(path, study, run, loop->solver, loop->instance, describe_gpu,
                           &loop->results, error);
  if (!status && loop->threads > 0)
    vb_results_note_shared(loop->results);
  if (!status)
    status = read_phases(loop, loop->phase, error);
  return status ? status : vb_run_find_tolerance(loop, error);
}

/// Shows the run to the viewer, where there is one.
static void begin_viewing(const vb_run_loop *loop, const vb_study *study) {
  const vb_run_viewer *viewer = loop->viewer;
  const vb_run_plan *run = loop->run;
  int64_t steps = vb_scene_world(run->scene)->n_steps, every = run->record.frames_every;
  if (viewer)
    viewer->begin(viewer->context, study, run, loop->solver, loop->instance,
                  (steps + every - 1) / every + 1);
}

static void end_viewing(const vb_run_loop *loop, bool failed) {
  if (loop->viewer)
    loop->viewer->end(loop->viewer->context, failed                      ? "failed"
                                             : loop->divergence.diverged ? "diverged"
                                             : vb_signal_caught()        ? "interrupted"
                                                                         : "complete");
}

/// Closes the file with the status the loop ended in.
static vb_status finish(vb_run_loop *loop, vb_run_result *out, vb_error *error) {
  vb_run_result result = {.status = VB_RUN_COMPLETE, .divergence = loop->divergence};
  const char *word = "complete";
  if (loop->divergence.diverged) {
    result.status = VB_RUN_DIVERGED;
    word = "diverged";
  } else if (vb_signal_caught()) {
    result.status = VB_RUN_INTERRUPTED;
    word = "interrupted";
  }
  const char *warning = loop->solver->warning ? loop->solver->warning(loop->instance) : NULL;
  if (warning)
    vb_results_warn(loop->results, warning);
  vb_status status = vb_run_record_convergence(loop, error);
  if (status)
    return status;
  const vb_divergence *why = loop->divergence.diverged ? &loop->divergence : NULL;
  status = vb_results_close(loop->results, word, why, error);
  loop->results = NULL;
  if (!status)
    *out = result;
  return status;
}

vb_status vb_run_execute(const vb_study *study, const vb_run_plan *run, const vb_solver *solver,
                         const char *path, const vb_run_watcher *watcher, vb_run_result *out,
                         vb_error *error) {
  vb_held_pins room;
  vb_run_loop loop = {.run = run,
                      .solver = vb_held_pins_of(solver, run->scene, &room),
                      .step_s = vb_scene_world(run->scene)->step,
                      .last_residual = NAN,
                      .viewer = watcher ? watcher->viewer : NULL,
                      .threads = watcher ? watcher->threads : 0};
  loop.about = loop.solver->describe(loop.solver);
  vb_status status = check(run, loop.about, error);
  if (!status)
    status = start(&loop, study, path, watcher ? watcher->describe_gpu : NULL, error);
  bool started = !status;
  if (started)
    begin_viewing(&loop, study);
  if (started)
    status = step_through(&loop, watcher, error);
  if (started)
    end_viewing(&loop, status != VB_OK);
  if (!status && !vb_run_stopped(&loop))
    status = vb_run_converge(&loop, error);
  if (!status)
    status = finish(&loop, out, error);
  if (loop.results)
    vb_results_close(loop.results, "interrupted", NULL, NULL);
  if (loop.instance)
    loop.solver->destroy(loop.instance);
  vb_arena_clear(&loop.memory);
  return status;
}
