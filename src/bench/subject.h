// SPDX-License-Identifier: GPL-3.0-or-later
/// The solver instance that a benchmark times, with a saved state to return to before each window.
#ifndef VB_BENCH_SUBJECT_H
#define VB_BENCH_SUBJECT_H

#include "bench/bench.h"
#include "bench/nvml.h"

typedef struct vb_subject {
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
} vb_subject;

/// Makes an instance of the run's solver for `scene`. To be closed by vb_subject_close, on failure
/// too.
vb_status vb_subject_open(const vb_run_plan *run, const vb_scene *scene, vb_subject *out,
                          vb_error *error);
void vb_subject_close(vb_subject *subject);

/// Sets an option.
vb_status vb_subject_set(vb_subject *subject, const char *name, int64_t value, vb_error *error);

/// What is in use.
vb_status vb_subject_settings(vb_subject *subject, vb_bench_settings *out, vb_error *error);

/// Steps `n` times, waits, and gives what it took; with skins, from the checkpoint on, each step
/// ends with their vertices read into memory. A divergence is noted in the subject.
vb_status vb_subject_advance(vb_subject *subject, int64_t n, vb_timing_window *out,
                             vb_error *error);

/// Makes the present state the checkpoint; returns to the checkpoint.
vb_status vb_subject_save(vb_subject *subject, vb_error *error);
vb_status vb_subject_restore(vb_subject *subject, vb_error *error);

/// A hash of all that the next step depends on.
vb_status vb_subject_digest(vb_subject *subject, uint64_t *out, vb_error *error);

/// The residual of the latest step; NaN where the solver defines none.
vb_status vb_subject_residual(vb_subject *subject, double *out, vb_error *error);

/// A copy of the subject's scene that begins in its present state, for solvers of any kind; the
/// caller frees it. The scene's drivers must not move and its loads not change, since the copy
/// begins at time 0: otherwise, and where the solver lacks a field for it, `*out` is null.
vb_status vb_subject_scene(vb_subject *subject, vb_scene **out, vb_error *error);

#endif
