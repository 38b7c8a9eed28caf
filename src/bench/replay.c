// SPDX-License-Identifier: GPL-3.0-or-later
// The timed window again, recorded: its residual and its gates.
#include "bench/measure_case.h"

#include "scene/rotation.h"
#include "study/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A window being recorded.
typedef struct recording {
  vb_timed_solver *timed;
  vb_bench_case *c;
  vb_results *results; ///< null where there is no gate to judge
  double step_s;
} recording;

/// A record that is not finite is that of a divergence.
static void check_row(recording *r, int64_t done) {
  const char *what = vb_results_not_finite(r->results);
  if (!what)
    return;
  r->c->divergence = (vb_divergence){.diverged = true, .step = r->c->run->bench.after + done};
  snprintf(r->c->divergence.what, sizeof r->c->divergence.what, "%s is not finite", what);
  r->timed->divergence = r->c->divergence;
}

static vb_status record(recording *r, int64_t done, vb_error *error) {
  double time = (double)(r->c->run->bench.after + done) * r->step_s;
  bool end = done == 0 || done == r->c->steps;
  vb_status status = VB_OK;
  if (r->results)
    status = vb_results_row(r->results, r->timed->instance, time, error);
  if (!status && r->results)
    check_row(r, done);
  if (!status && r->results && end)
    status = vb_results_frame(r->results, r->timed->instance, time, error);
  if (!status && done > 0)
    status = vb_timed_solver_residual(r->timed, &r->c->residual, error);
  if (!status && done > 0 && !isnan(r->c->residual))
    r->c->greatest_residual =
        fmax(r->c->residual, isnan(r->c->greatest_residual) ? 0 : r->c->greatest_residual);
  return status;
}

/// Nodes of a scene up to which distances are found: they need a factorization.
enum { MOST_NODES = 40000 };

/// The greatest distance between the nodes of two states [m].
static double farthest(const double *a, const double *b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, vb_distance(a + 3 * i, b + 3 * i));
  return most;
}

/// Does the last step of the window alone, and finds how far it moved and how far from its solution
/// it ended, where the solver tells.
static vb_status step_last(recording *r, vb_error *error) {
  const size_t n = (size_t)r->c->nodes;
  double *before = NULL, *after = NULL, *distance = NULL;
  vb_timing_window window;
  vb_status status = VB_OK;
  if (n <= MOST_NODES)
    status = vb_timed_solver_field(r->timed, "position", n, 3, &before, error);
  if (!status)
    status = vb_timed_solver_advance(r->timed, 1, &window, error);
  if (!status && before && !r->timed->divergence.diverged)
    status = vb_timed_solver_field(r->timed, "position", n, 3, &after, error);
  if (!status && after)
    status = vb_timed_solver_field(r->timed, "newton_step", 1, 1, &distance, error);
  if (distance) {
    r->c->motion = farthest(before, after, n);
    r->c->distance = *distance;
  }
  free(before);
  free(after);
  free(distance);
  return status;
}

static vb_status step_through(recording *r, vb_error *error) {
  int64_t every = r->c->run->record.every;
  double slow = r->timed->slow;
  vb_timing_window window;
  r->timed->slow = 0;
  vb_status status = vb_timed_solver_restore(r->timed, error);
  if (!status)
    status = record(r, 0, error);
  for (int64_t done = 0; !status && done < r->c->steps && !r->timed->divergence.diverged;) {
    int64_t n = every < r->c->steps - done ? every : r->c->steps - done;
    done += n;
    bool last = done == r->c->steps;
    if (n > last)
      status = vb_timed_solver_advance(r->timed, n - last, &window, error);
    if (!status && last && !r->timed->divergence.diverged)
      status = step_last(r, error);
    if (!status)
      status = record(r, done, error);
  }
  r->timed->slow = slow;
  return status;
}

/// Whether a gate speaks of this run and of no other.
static bool is_about(const vb_gate *gate, const char *run) {
  return gate->n_runs == 1 && strcmp(gate->runs[0], run) == 0;
}

static void evaluate_gates(const vb_study *study, const char *path, vb_bench_case *c) {
  for (size_t g = 0; g < study->n_gates; g++) {
    if (!is_about(&study->gates[g], c->run->name))
      continue;
    vb_gate_evaluate(&study->gates[g], &path, &c->verdicts[g]);
    c->evaluated[g] = true;
    // A missed finding tells about the model, not about the program: it takes no speed away.
    c->gates_passed = c->gates_passed && (c->verdicts[g].passed || study->gates[g].finding);
  }
}

/// Removes the record, finished or not.
static void remove_record(const char *path) {
  char other[4200];
  unlink(path);
  snprintf(other, sizeof other, "%s.part", path);
  unlink(other);
  snprintf(other, sizeof other, "%.*s.xdmf", (int)strlen(path) - 3, path);
  unlink(other);
}

vb_status vb_bench_replay(vb_bench_shared *shared, vb_timed_solver *timed, vb_bench_case *c,
                          vb_error *error) {
  const vb_study *study = shared->study;
  recording r = {.timed = timed, .c = c, .step_s = vb_scene_world(c->run->scene)->step};
  char path[4096];
  uint64_t digest = 0;
  bool gated = false;
  vb_status status = VB_OK;
  for (size_t g = 0; g < study->n_gates; g++)
    gated = gated || is_about(&study->gates[g], c->run->name);
  if (snprintf(path, sizeof path, "%s/bench-%s-%s.window.h5", shared->folder, study->name,
               c->run->name) >= (int)sizeof path)
    return vb_bad_input(error, "the path of the folder of results is too long");
  if (gated)
    status =
        vb_run_record(path, study, c->run, timed->solver, timed->instance, NULL, &r.results, error);
  if (!status)
    status = step_through(&r, error);
  if (!status)
    status = vb_timed_solver_digest(timed, &digest, error);
  c->repeated = !status && digest == c->digest;
  c->gates_passed = true;
  if (r.results) {
    vb_status closed = vb_results_close(r.results, status ? "interrupted" : "complete", NULL,
                                        status ? NULL : error);
    status = status ? status : closed;
    if (!status)
      evaluate_gates(study, path, c);
    remove_record(path);
  }
  return status;
}
