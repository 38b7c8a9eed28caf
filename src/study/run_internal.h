// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to the run loop: what run.c and run_convergence.c share.
#ifndef VB_STUDY_RUN_INTERNAL_H
#define VB_STUDY_RUN_INTERNAL_H

#include "base/arena.h"
#include "study/run.h"

/// A run that is being executed.
typedef struct vb_run_loop {
  const vb_run_plan *run;
  const vb_solver *solver;
  const vb_solver_description *about;
  void *instance;
  vb_results *results;
  double step_s;     ///< length of a step of the scene, s
  double *energy;    ///< room for about->n_energies
  double *phase;     ///< seconds per phase at the end of the previous chunk
  double *phase_now; ///< room for about->n_phases
  vb_arena memory;   ///< these arrays
  vb_divergence divergence;
  vb_convergence convergence;  ///< by residuals at the end of steps, where the study states when a
                               ///< step has converged, or the solver leaves it to them; its
                               ///< tolerance is 0 otherwise
  double last_residual;        ///< at the end of the last step; NaN where it is not known
  const vb_run_viewer *viewer; ///< or null
  int threads; ///< of the solver where the run leaves that to it; 0: as many as it likes
} vb_run_loop;

/// Makes an instance of the run's solver with its share of threads; the caller destroys it.
vb_status vb_run_make_instance(const vb_run_loop *loop, void **out, vb_error *error);

/// Whether to stop: the run diverged, or a signal came.
bool vb_run_stopped(const vb_run_loop *loop);

/// Advances `instance` by `n` steps, waits, and notes a divergence in the loop.
vb_status vb_run_advance(vb_run_loop *loop, void *instance, int64_t n, double *wall_s,
                         vb_error *error);

/// Notes a divergence in the loop where an energy of `instance` is not finite after step `step`.
vb_status vb_run_check_energies(vb_run_loop *loop, void *instance, int64_t step, vb_error *error);

/// Notes a divergence in the loop where the latest row, of step `step`, was left out for not being
/// finite.
void vb_run_check_row(vb_run_loop *loop, int64_t step);

/// Finds out by which tolerance the steps are evaluated, if they are (run_tolerance.c).
vb_status vb_run_find_tolerance(vb_run_loop *loop, vb_error *error);

/// Judges the step that a row was recorded of by its residual, where there is a tolerance; of the
/// `last` step the residual is kept anyway.
vb_status vb_run_note_residual(vb_run_loop *loop, bool last, vb_error *error);

/// Leaves to the results file whether the steps converged.
vb_status vb_run_record_convergence(vb_run_loop *loop, vb_error *error);

/// Carries out the convergence plan of the run (run_convergence.c).
vb_status vb_run_converge(vb_run_loop *loop, vb_error *error);

#endif
