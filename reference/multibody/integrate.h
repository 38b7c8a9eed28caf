// SPDX-License-Identifier: GPL-3.0-or-later
/// A run of rigid bodies, and its steps: from key to key, and from limit to limit.
#ifndef MB_INTEGRATE_H
#define MB_INTEGRATE_H

#include "system.h"

#include "solver/solver.h"

#include <gsl/gsl_odeiv2.h>

/// What `save` writes besides the numbers.
typedef struct mb_progress {
  int64_t n_steps;
  vb_divergence divergence;
} mb_progress;

typedef struct mb_run {
  const vb_scene *scene;
  mb_system system;
  mb_progress progress;
  gsl_odeiv2_system rates;
  gsl_odeiv2_driver *integrator;
  bool is_adaptive; ///< rk8pd
  double tolerance;
  size_t n_state; ///< numbers of bones
  size_t n_work;  ///< drivers, then loads
  size_t n_rows;
  double *state;   ///< bones, then work, multipliers and limits: what `save` writes
  double *limit;   ///< (n_links) that hold: of mb_system, as numbers
  double *scratch; ///< (5 (n_state + n_work)) of rk4
  double *begin;   ///< (n_state + n_work) of a piece of time
  double seconds;  ///< spent in steps
  double *key;     ///< times of all keys, increasing, s
  size_t n_keys;
} mb_run;

/// The time of the present state [s].
double mb_time(const mb_run *self);

/// Makes one step of the state; the count of steps stays. False where no accelerations were found.
bool mb_step(mb_run *self);

#endif
