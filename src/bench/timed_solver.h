// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver instance that a benchmark times, with a saved state to return to before each window.
#ifndef VB_BENCH_TIMED_SOLVER_H
#define VB_BENCH_TIMED_SOLVER_H

#include "bench/bench.h"
#include "bench/nvml.h"

typedef struct vb_timed_solver {
  const vb_solver *solver;
  const vb_solver_description *about;
  const vb_scene *scene; ///< borrowed
  void *instance;
  void *state; ///< the checkpoint
  void *other; ///< room for another state, to compare with
  size_t state_size;
  double memory;       ///< bytes allocated for the instance; 0 if unknown
  double slow;         ///< see vb_bench_limits
  bool on_device;      ///< whether its steps run on a device (device_case.c)
  const vb_nvml *nvml; ///< borrowed; null where it cannot be looked at
  double *vertices;    ///< of the surfaces, where each step from the checkpoint on moves them
  size_t vertex_field; ///< theirs
  bool saved;          ///< whether there is a checkpoint
  vb_divergence divergence;
} vb_timed_solver;

/// Makes an instance of the run's solver for `scene`. To be closed by vb_timed_solver_close, on
/// failure too.
vb_status vb_timed_solver_open(const vb_run_plan *run, const vb_scene *scene, vb_timed_solver *out,
                               vb_error *error);
void vb_timed_solver_close(vb_timed_solver *timed);

/// Sets an option.
vb_status vb_timed_solver_set(vb_timed_solver *timed, const char *name, int64_t value,
                              vb_error *error);

/// What is in use.
vb_status vb_timed_solver_settings(vb_timed_solver *timed, vb_bench_settings *out, vb_error *error);

/// Steps `n` times, waits, and gives what it took; with skins, from the checkpoint on, each step
/// ends with their vertices read into memory. A divergence is noted in the timed solver.
vb_status vb_timed_solver_advance(vb_timed_solver *timed, int64_t n, vb_timing_window *out,
                                  vb_error *error);

/// Makes the present state the checkpoint; returns to the checkpoint.
vb_status vb_timed_solver_save(vb_timed_solver *timed, vb_error *error);
vb_status vb_timed_solver_restore(vb_timed_solver *timed, vb_error *error);

/// A hash of all that the next step depends on.
vb_status vb_timed_solver_digest(vb_timed_solver *timed, uint64_t *out, vb_error *error);

/// The residual of the latest step; NaN where the solver defines none.
vb_status vb_timed_solver_residual(vb_timed_solver *timed, double *out, vb_error *error);

/// Reads the field of that name, which has `components` numbers at each of `n` elements; `*out` is
/// null where the solver has no such field. The caller frees it.
vb_status vb_timed_solver_field(vb_timed_solver *timed, const char *name, size_t n, int components,
                                double **out, vb_error *error);

/// A copy of the solver's scene that begins in its present state, for solvers of any kind; the
/// caller frees it. The scene's drivers must not move and its loads not change, since the copy
/// begins at time 0: otherwise, and where the solver lacks a field for it, `*out` is null.
vb_status vb_timed_solver_scene(vb_timed_solver *timed, vb_scene **out, vb_error *error);

#endif
